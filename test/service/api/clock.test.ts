import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';

const START = Date.UTC(2026, 9, 5, 6);

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    watches: 6,
    seed: 'clock',
    start: START,
    dataDir: `clock-${process.pid}`,
  });
});

afterAll(() => sandbox.stop());

async function call(method: string, body?: unknown, token = sandbox.ready.control_token) {
  const answer = await fetch(`${sandbox.ready.api_url}/v1/sandbox/clock`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const now = async () => Date.parse((await call('GET')).body['now'] as string);

describe('the simulated clock', () => {
  test('tells the time, its speed and whether it stands still', async () => {
    const { status, body } = await call('GET');
    expect([status, body]).toEqual([200, { now: expect.any(String), speed: 1, paused: false }]);
    expect(Date.parse(body['now'] as string)).toBeGreaterThanOrEqual(START);
  });

  test('is paused, and stands still', async () => {
    expect((await call('POST', { pause: true })).body).toMatchObject({ paused: true });
    const before = await now();
    expect(await now()).toBe(before);
  });

  test('advances also while it is paused, and plays what is due: the prompt of a fall runs out', async () => {
    const before = await now();
    await sandbox.act({ action: 'fall', who: 'W-001' });
    const { status, body } = await call('POST', { advance: '31s' });
    expect([status, Date.parse(body['now'] as string) - before]).toEqual([200, 31_000]);
    const types = [...sandbox.engine.world.all('alert')].map(({ type }) => type);
    expect(types.sort()).toEqual(['fall_detected', 'sos']);
  });

  test('advances over the hours in which a watch without signal falls silent', async () => {
    expect(await sandbox.act({ action: 'signal', who: 'W-001', is: 'lost' })).toMatchObject({ status: 200 });
    await call('POST', { advance: '11m' });
    expect([...sandbox.engine.world.all('alert')].map(({ type }) => type)).toContain('device_offline');
  });

  test('goes on, faster', async () => {
    expect((await call('POST', { speed: 60 })).body).toMatchObject({ speed: 60 });
    expect((await call('POST', { resume: true })).body).toMatchObject({ speed: 60, paused: false });
    expect((await call('POST', { speed: 1 })).body).toMatchObject({ speed: 1 });
  });

  test.each([
    [{}, ''],
    [{ pause: true, resume: true }, ''],
    [{ speed: 0 }, '/speed'],
    [{ speed: 10_001 }, '/speed'],
    [{ advance: '10' }, '/advance'],
    [{ advance: 10 }, '/advance'],
    [{ advance: '31d1ms' }, '/advance'],
    [{ advance: '3650d' }, '/advance'],
    [{ advance: '99999999h' }, '/advance'],
    [{ pause: false }, '/pause'],
    [{ rewind: '1m' }, '/rewind'],
  ])('is not turned by %j', async (body, pointer) => {
    expect(await call('POST', body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer }] },
    });
  });

  test('names the largest advance that it takes', async () => {
    const { body } = await call('POST', { advance: '3650d' });
    expect(body).toMatchObject({ errors: [{ pointer: '/advance', detail: 'must be at most 31d' }] });
  });

  test('ends an advance when whoever asked hangs up, and time stays where it has come to', async () => {
    const before = await now();
    const abort = new AbortController();
    const request = fetch(`${sandbox.ready.api_url}/v1/sandbox/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.ready.control_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ advance: '31d' }),
      signal: abort.signal,
    });
    // It is on its way, and the sandbox answers meanwhile.
    await vi.waitUntil(async () => (await now()) > before + 60_000);
    abort.abort();
    await expect(request).rejects.toThrow();
    // Answered when the one before it has ended.
    const { status, body } = await call('POST', { advance: '1s' });
    expect(status).toBe(200);
    expect(Date.parse(body['now'] as string) - before).toBeLessThan(31 * 86_400_000);
  });

  test('is not for clients', async () => {
    const [{ client_id, client_secret } = { client_id: '', client_secret: '' }] = sandbox.ready.clients;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await fetch(`${sandbox.ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
    const { access_token } = (await answer.json()) as { access_token: string };
    for (const [method, body] of [['GET'], ['POST', { pause: true }]] as const)
      expect(await call(method, body, access_token)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      });
  });
});
