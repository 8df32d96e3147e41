/** Records one event of each type, as a client reads it, from a sandbox with the plant of the examples: `node --import tsx test/service/api/record-events.ts`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { parseInstant } from '../../../src/base/time/instants.ts';
import { NOBODYS_WORDS } from '../../../src/contract/actions.ts';
import { EVENT_TYPES } from '../../../src/contract/enumerations.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { RECORDED_AT } from '../../../src/service/api/openapi/examples.ts';
import { EXAMPLE_PLAN } from './example-plan.ts';

const FILE = resolve(import.meta.dirname, '../../../src/service/api/openapi/event-examples.json');
const START = '2026-10-05T06:00:00.000Z';
const BY = 'Shift lead';
/** Lists of a payload show this many items. */
const ITEMS = 2;

interface RecordedEvent {
  readonly type: string;
  readonly data: Record<string, { nearby?: unknown[] }>;
}

/** Actions, and between them the simulated milliseconds that pass. */
async function happen(act: (body: object) => Promise<Record<string, string>>, pass: (ms: number) => Promise<void>) {
  const { site, gate } = NOBODYS_WORDS;
  await pass(60_000);
  const { alert_id: alert } = await act({ action: 'sos', who: 'EX-001' });
  await pass(4_000);
  await act({ action: 'press_ack', who: 'EX-001' });
  await pass(9_000);
  await act({ action: 'acknowledge', alert, by: BY });
  await pass(300_000);
  await act({ action: 'resolve', alert, by: BY, reason: 'Found and well', note: 'Brought to the clinic.' });
  await pass(60_000);
  await act({ action: 'reopen', alert, by: BY });
  await pass(30_000);
  const origin = { zone: gate, radius_m: 120, label: 'Ammonia leak' };
  await act({ action: 'start_muster', site, kind: 'general', reason: 'Leak', origin, by: BY });
  await pass(20_000);
  await act({ action: 'exclude_point', point: gate, reason: 'Downwind of the leak', by: BY });
  await pass(20_000);
  await act({ action: 'mark_safe', who: 'EX-002', by: BY });
  await pass(20_000);
  await act({ action: 'change_kind', to: 'tsunami', by: BY });
  // The plan of the site has a deadline 20 minutes after the start; who is missing then is reported.
  await pass(1_200_000);
  for (let n = 1; n <= 12; n += 1)
    await act({ action: 'mark_safe', who: `EX-${String(n).padStart(3, '0')}`, by: BY }).catch(() => {});
  await pass(10_000);
  await act({ action: 'inspect', by: BY });
  await pass(60_000);
  await act({ action: 'end_muster', outcome: 'completed', by: BY });
}

async function record(sandbox: Sandbox): Promise<Record<string, RecordedEvent>> {
  const url = `http://127.0.0.1:${new URL(sandbox.ready.api_url).port}`;
  const call = async (token: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    const answer = (await response.json()) as { result: Record<string, string>; data: RecordedEvent[] };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const act = async (body: object) => (await call(sandbox.ready.control_token, '/v1/sandbox/actions', body)).result;
  await happen(act, (ms) => sandbox.clock.advance(ms));
  const { client_id = '', client_secret = '' } = sandbox.ready.clients[0] ?? {};
  const grant = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const issued = await fetch(`${url}/v1/oauth/token`, { method: 'POST', body: grant });
  const { access_token } = (await issued.json()) as { access_token: string };
  const { data } = await call(access_token, '/v1/events?limit=200');
  const missing = EVENT_TYPES.filter((type) => !data.some((event) => event.type === type));
  if (missing.length > 0) throw new Error(`Nothing caused ${missing.join(', ')}`);
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, shortened(data.find((event) => event.type === type)!)]));
}

function shortened(event: RecordedEvent): RecordedEvent {
  const { alert } = event.data;
  if (alert?.nearby === undefined) return event;
  return { ...event, data: { alert: { ...alert, nearby: alert.nearby.slice(0, ITEMS) } } };
}

const sandbox = await startSandbox({
  seed: '1',
  plan: EXAMPLE_PLAN,
  memory: true,
  port: 0,
  mqttPort: 0,
  publicUrl: RECORDED_AT,
  clock: lockstepClock({ start: parseInstant(START) as number }),
});
try {
  writeFileSync(FILE, `${JSON.stringify(await record(sandbox), null, 2)}\n`);
  execFileSync('npx', ['biome', 'check', '--write', FILE], { stdio: 'ignore' });
} finally {
  await sandbox.stop();
}
