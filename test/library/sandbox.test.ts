/** A sandbox in a test of the user: receivers in the process, a client, errors that say what to do, and the end of it all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AlertEvent,
  type Client,
  type Receiver,
  type Sandbox,
  startSandbox,
  withSandbox,
} from '../../src/index.ts';
import { ownMachine } from '../helpers/needs.ts';
import { unless } from '../helpers/unless.ts';

const OPTIONS = { memory: true, port: 0, mqttPort: 0, watches: 12, seed: 7, dataDir: `library-${process.pid}` };

let sandbox: Sandbox;
let receiver: Receiver;
let client: Client;

beforeAll(async () => {
  sandbox = await startSandbox(OPTIONS);
  receiver = await sandbox.receiver();
  client = sandbox.client();
});
afterAll(() => sandbox.stop());

describe('a receiver', () => {
  test('gives each event once, by type and object, verified', async () => {
    const { alert_id } = await sandbox.act({ action: 'fall', who: 'W-001' });
    const created = await receiver.next({ type: 'alert.created', about: alert_id });
    expect(created.data.alert).toMatchObject({ id: alert_id, type: 'fall_detected' });
    await expect(receiver.next({ about: alert_id, timeoutMs: 50 })).rejects.toThrow(
      new RegExp(
        `Any event about ${alert_id} did not come within 50 ms.*\\n.*alert.created {2}fall_detected {2}W-001.*returned by an earlier next`,
        's',
      ),
    );
    expect(receiver.deliveries.at(-1)).toMatchObject({
      headers: { 'content-type': 'application/json' },
      event: created,
    });
  });

  test('waits for what comes later, also by a condition', async () => {
    const later = receiver.next({ type: 'alert.*', where: ({ data }) => data.alert.type === 'sos' });
    await sandbox.act({ action: 'sos', who: ['W-002', 'W-003'] });
    expect((await later).data.alert.worker?.external_id).toMatch(/^W-00[23]$/);
  });

  test('refuses a delivery that is not signed with its secret', async () => {
    const { status } = await fetch(receiver.url, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
    expect(receiver.deliveries.filter(({ event }) => event === null)).toHaveLength(1);
    await expect(receiver.next({ type: 'muster.ended', timeoutMs: 1 })).rejects.toThrow(
      '1 deliveries had no valid signature',
    );
  });

  test('names the nearest event that came, and what it lacks', async () => {
    await sandbox.reset();
    const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-001' });
    const created = await receiver.next({ about: alert_id });
    await client.patch(`/v1/alerts/${alert_id}`, { status: 'acknowledged', actor: { name: 'Ana' } });
    await expect(receiver.next({ type: 'alert.resolved', about: alert_id, timeoutMs: 300 })).rejects.toThrow(
      `The nearest: alert.acknowledged  sos  W-001  ${alert_id}: expected type alert.resolved, got alert.acknowledged.`,
    );
    const other = { type: 'alert.acknowledged', about: created.id, timeoutMs: 1 } as const;
    await expect(receiver.next(other)).rejects.toThrow(`: expected about ${created.id}, got ${alert_id}.`);
    const strict = {
      type: 'alert.acknowledged',
      where: ({ data }: AlertEvent) => data.alert.severity === 'low',
    } as const;
    await expect(receiver.next({ ...strict, timeoutMs: 1 })).rejects.toThrow(': it does not fit where.');
    const wrong = { about: alert_id, where: () => JSON.parse('{') as boolean, timeoutMs: 1 };
    await expect(receiver.next(wrong)).rejects.toThrow('where threw: ');
  });

  test('of other types gets those alone, and gets nothing after its end', async () => {
    const musters = await sandbox.receiver({ eventTypes: ['muster.*'], company: 'austral_metales_y_puertos' });
    await sandbox.act({ action: 'sos', who: 'W-003' });
    const { muster_id } = await sandbox.act({
      action: 'start_muster',
      site: 'Terminal Puerto Alerce',
      kind: 'general',
      by: 'Shift lead',
    });
    expect((await musters.next()).data).toMatchObject({ muster: { id: muster_id } });
    await musters.stop();
    await expect(fetch(musters.url)).rejects.toThrow('fetch failed');
  });

  test('stays after a reset, and begins anew', async () => {
    await sandbox.reset();
    expect(receiver.deliveries).toEqual([]);
    const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-001' });
    expect((await receiver.next()).data).toMatchObject({ alert: { id: alert_id } });
  });
});

test('a client reads and writes; a refusal says which call, and why', async () => {
  const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-003' });
  await client.patch(`/v1/alerts/${alert_id}`, { status: 'acknowledged', actor: { name: 'Ana' } });
  expect(await client.get(`/v1/alerts/${alert_id}`)).toMatchObject({ status: 'acknowledged' });
  expect(await client.call('GET', '/v1/nowhere')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  await expect(client.get('/v1/alerts?statuss=x')).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('GET /v1/alerts?statuss=x is 422'),
  });
  await expect(sandbox.client({ scopes: ['workers:read'] }).get('/v1/alerts')).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
});

describe('coverage', () => {
  const read = async (path: string, token: string) =>
    (await fetch(`${sandbox.ready.api_url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();

  test('is that of GET /v1/sandbox/coverage, and stays after a reset', async () => {
    await read('/v1/workers', await client.token());
    await sandbox.reset();
    const coverage = await sandbox.coverage();
    expect(coverage).toEqual(await read('/v1/sandbox/coverage', sandbox.ready.control_token));
    expect(coverage.companies[0]?.met).toContainEqual(
      expect.objectContaining({ id: 'operations/listWorkers', by: 'GET /v1/workers 200' }),
    );
  });

  test('does not count the client and the receivers of this package', async () => {
    const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-004' });
    await receiver.next({ about: alert_id });
    await client.get(`/v1/alerts/${alert_id}`);
    await sandbox.wait({ delivery: 'any', match: { about: alert_id, result: 'delivered' } });
    const [company] = (await sandbox.coverage()).companies;
    expect(company).toMatchObject({ requests: 1, deliveries: 0 });
  });
});

test('an id that an action did not give this time is never undefined: reading it says why', async () => {
  await sandbox.act({ action: 'signal', who: 'W-002', is: 'lost' });
  const sos = await sandbox.act({ action: 'sos', who: 'W-002' });
  expect(sos).toMatchObject({ buffered: true });
  expect(() => sos.alert_id).toThrow('the watch has no coverage and sends its report later');
});

test('a wait without a limit of its own gives up after 4 s, with the nearest candidate', async () => {
  const { alert_id } = await sandbox.act({ action: 'sos', who: 'W-004' });
  await sandbox.act({ action: 'battery', who: 'W-004', pct: 60 });
  const waiting = expect(sandbox.wait({ alert: alert_id, match: { status: 'resolved' } })).rejects.toThrow(
    'did not come within 4s. The nearest: status: expected resolved, got unacknowledged.',
  );
  await sandbox.advance(4_300);
  await waiting;
});

test('a wait for what did not come says what came instead', async () => {
  await sandbox.act({ action: 'fall', who: 'W-003', answers: 'ok' });
  for (const wanted of [{ alert: 'low_battery' }, { event: 'muster.ended' }]) {
    const waiting = expect(sandbox.wait({ ...wanted, match: { of: 'W-003' } })).rejects.toThrow(
      /What came instead: .*fall/,
    );
    await sandbox.advance(4_300);
    await waiting;
  }
});

test.each<[call: () => unknown, message: string]>([
  [
    () => receiver.next({ within: '300ms' } as object),
    'next has no "within". It takes type, about, where and timeoutMs.',
  ],
  [
    () => sandbox.receiver({ event_types: ['alert.*'] } as object),
    'receiver has no "event_types". Did you mean "eventTypes"?',
  ],
  [() => sandbox.play('fall-to-sos', { params: {} } as object), 'play has no "params".'],
  [() => sandbox.client({ scope: [] } as object), 'client has no "scope". Did you mean "scopes"?'],
  [
    () => (sandbox.wait as (...words: object[]) => unknown)({ alert: 'sos' }, { within: '1s' }),
    'wait takes one object',
  ],
])('a call refuses what it would not read %#', async (call, message) => {
  await expect((async () => call())()).rejects.toThrow(message);
});

unless(
  ownMachine,
).test('a wait and a receiver give up before a test runner does, also where the clock stands', async () => {
  const slow = await startSandbox({ ...OPTIONS, watches: 6, speed: 0.001 });
  // Wall time: test runners end a test after 5 s, and the reason must be printed before.
  const began = performance.now();
  const waits = [slow.wait({ alert: 'sos' }), (await slow.receiver()).next()];
  const outcomes = await Promise.allSettled(waits);
  // Wall time: the limit of test runners.
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await slow.stop();
});

test('a shipped scenario plays by its name, and fast', async () => {
  expect(await sandbox.play('fall-to-sos', { fast: true })).toMatchObject({ status: 'passed', failures: [] });
  await expect(sandbox.play('fall-to-soss')).rejects.toThrow(
    'There is no scenario "fall-to-soss". Did you mean "fall-to-sos"?',
  );
});

describe('an end', () => {
  test('withSandbox stops all in any case, and hands on the result or the error', async () => {
    const { seed, watches } = OPTIONS;
    const options = { seed, watches };
    let seen: Sandbox | null = null;
    const failing = withSandbox(options, ({ sandbox: one }) => {
      seen = one;
      throw new Error('of the test');
    });
    await expect(failing).rejects.toThrow('of the test');
    await expect(seen!.act({ action: 'sos', who: 'W-001' })).rejects.toThrow('This sandbox has been stopped.');
    expect(await withSandbox(options, ({ client: { clientId } }) => clientId)).toBe('austral_metales_y_puertos');
  });

  test('a sandbox and a receiver are disposable', async () => {
    const one = await startSandbox({ ...OPTIONS, watches: 6 });
    const own = await one.receiver();
    const other = one.client();
    await own[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await expect(other.get('/v1/sites')).rejects.toThrow('Has the sandbox been stopped?');
  });
});
