/** What `sandbox compare --to` writes: nothing without --allow-writes, and what it makes it takes away. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JudgedService } from '../../../src/proving/compare/judged-service.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { serviceAt } from '../../../src/proving/compare/service.ts';
import { type AllowedWrites, compareWrites } from '../../../src/proving/compare/writes.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';

let service: Sandbox;
let own: Sandbox;
beforeAll(async () => {
  const options = { memory: true, fleet: false, port: 0, mqttPort: 0 };
  service = await startSandbox({ ...options, seed: '5' });
  own = await startSandbox({ ...options, seed: '6' });
});
afterAll(async () => {
  await service.stop();
  await own.stop();
});

const sideOf = (name: 'service' | 'sandbox', { ready }: Sandbox) => {
  const [client] = ready.clients;
  if (client === undefined) throw new Error('The default world has a client.');
  return serviceAt(name, ready.api_url, client, async () => {});
};

async function newAlert({ ready, engine }: Sandbox): Promise<string> {
  const answer = await fetch(`${ready.api_url}/v1/sandbox/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'panel_sos', who: engine.world.all('worker').next().value?.id, by: 'Desk' }),
  });
  return ((await answer.json()) as { result: { alert_id: string } }).result.alert_id;
}

async function compared(allowed: AllowedWrites) {
  const judged = new JudgedService(sideOf('service', service), new ContractJudge({ secrets: [] }));
  const sandbox = sideOf('sandbox', own);
  const { checks } = await compareWrites({ service: judged, sandbox, allowed, newAlert: () => newAlert(own) });
  return { checks, deviations: judged.deviations };
}

const commits = (sandbox: Sandbox) => [...sandbox.engine.world.all('destination')].length;

test('without --allow-writes nothing is sent, and each check names what would allow it', async () => {
  const { checks, deviations } = await compared({ destinations: false, alertId: null });
  expect(deviations).toEqual([]);
  expect(checks.length).toBeGreaterThan(10);
  expect(new Set(checks.flatMap(({ differences }) => differences))).toEqual(
    new Set([
      'not compared: needs --allow-writes destinations',
      'not compared: needs --allow-writes acknowledge=ALERT_ID',
    ]),
  );
});

test('destinations are compared, and none is left', async () => {
  const { checks, deviations } = await compared({ destinations: true, alertId: null });
  expect(deviations).toEqual([]);
  const done = checks.filter(({ service: answer }) => answer !== null);
  expect(done.map(({ name, result, differences }) => [name, result, differences])).toEqual(
    done.map(({ name }) => [name, 'same', []]),
  );
  expect(done.map(({ service: answer }) => answer?.status)).toEqual([
    ...[422, 422, 422, 422, 422, 422, 422, 201, 200, 200, 204, 404, 404],
  ]);
  expect([commits(service), commits(own)]).toEqual([0, 0]);
});

test('the alert that is named is acknowledged, and no other', async () => {
  const [named, other] = [await newAlert(service), await newAlert(service)];
  const { checks, deviations } = await compared({ destinations: false, alertId: named });
  expect(deviations).toEqual([]);
  const done = checks.filter(({ service: answer }) => answer !== null);
  expect(done.map(({ result, service: answer }) => [result, answer?.status])).toEqual(
    [422, 422, 422, 200, 200, 422].map((status) => ['same', status]),
  );
  const status = (id: string) => service.engine.world.get('alert', id)?.status;
  expect(status(named)).toBe('acknowledged');
  if (other !== named) expect(status(other)).toBe('unacknowledged');
});
