/** A sandbox in which enough has happened that a comparison sees something of everything. */

import type { Assumptions } from '../../../src/contract/gaps.ts';
import { serviceAt } from '../../../src/proving/compare/service.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';

export const sideOf = (
  name: 'service' | 'sandbox',
  { ready }: Pick<Sandbox, 'ready'>,
  url = ready.api_url,
  place = 0,
) => {
  const client = ready.clients[place];
  if (client === undefined) throw new Error('The default world has a client.');
  return serviceAt(name, url, client, async () => {});
};

export const startedWith = (assumptions: Partial<Assumptions>, fleet = false): Promise<Sandbox> =>
  startSandbox({ memory: true, fleet, watches: 30, port: 0, mqttPort: 0, seed: '4', assumptions });

/** Posts JSON; throws for any refusal. */
async function posted(url: string, token: string, body: object, method = 'POST'): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} ${JSON.stringify(body)}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

export async function act({ ready }: Sandbox, body: object): Promise<Record<string, string>> {
  const url = `${ready.api_url}/v1/sandbox/actions`;
  return (await posted(url, ready.control_token, body))['result'] as Record<string, string>;
}

/** Several comparisons in a minute take more requests than the limit allows. */
export const withoutLimits = (sandbox: Sandbox) =>
  act(sandbox, { action: 'limits', company: sandbox.ready.clients[0]?.client_id, requests_per_minute: 100_000 });

const setClock = ({ ready }: Sandbox, body: object) =>
  posted(`${ready.api_url}/v1/sandbox/clock`, ready.control_token, body);

/** Nothing changes by itself any more. */
export async function stopTime(sandbox: Sandbox): Promise<void> {
  await setClock(sandbox, { pause: true });
}

/** Alerts in each status, an ended and an active muster with somebody missing, a destination. Needs a fleet. */
export async function live(sandbox: Sandbox): Promise<void> {
  const { ready, engine } = sandbox;
  const { client_id = '', client_secret = '' } = ready.clients[0] ?? {};
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const granted = await fetch(`${ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const worker = [...engine.world.all('worker')].find(({ externalId }) => externalId === 'W-004');
  const site = engine.world.get('site', worker?.siteId ?? '')?.name;
  const by = 'Desk';
  // What happens in one millisecond, as all does here on a quick machine, has no order that could be wrong.
  const pass = () => setClock(sandbox, { advance: '1s' });
  const happen = async (action: object) => {
    const result = await act(sandbox, action);
    await pass();
    return result;
  };
  const update = async (id: string | undefined, status: string) => {
    await posted(`${ready.api_url}/v1/alerts/${id}`, token, { status, actor: { name: by } }, 'PATCH');
    await pass();
  };
  for (const who of ['W-003', 'W-004', 'W-005']) await happen({ action: 'position', who, at: [0, 0] });
  const { alert_id: first } = await happen({ action: 'panel_sos', who: 'W-003', by });
  await update(first, 'acknowledged');
  const { alert_id: second } = await happen({ action: 'panel_sos', who: 'W-005', by });
  await update(second, 'acknowledged');
  await update(second, 'resolved');
  await happen({ action: 'hazard', kind: 'earthquake', site, magnitude: 7.1, distance_km: 80 });
  await happen({ action: 'call_request', who: 'W-004' });
  const { muster_id: ended } = await happen({ action: 'start_muster', kind: 'general', by, site });
  await happen({ action: 'end_muster', muster: ended, outcome: 'completed', by });
  const { muster_id: active } = await happen({ action: 'start_muster', kind: 'general', by, site });
  // A watch in a muster has contact all the time.
  for (const who of ['W-006', 'W-007']) await happen({ action: 'signal', who, is: 'lost' });
  const point = [...engine.world.all('zone')].find(
    ({ type, siteId }) => type === 'assembly_point' && siteId === worker?.siteId,
  )?.name;
  // Last, so that nothing is delivered, and the destination is healthy.
  await posted(`${ready.api_url}/v1/webhooks`, token, {
    url: 'https://receiver.example/hook',
    event_types: ['muster.ended'],
  });
  await happen({ action: 'exclude_point', point, muster: active, reason: 'Smoke', by });
}
