/** How often one position and one read of an alert are parsed, checked, hashed and serialized, in a whole sandbox. Counts, not times. */
import { Agent, get } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Validator } from 'typebox/schema';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { upPositionTopic } from '../../src/contract/watch.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { RawWatch } from '../helpers/raw-watch.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ memory: true, dataDir: '.none', port: 0, mqttPort: 0, fleet: false, seed: '7' });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sandbox.stop();
});

/** Counts the calls whose first arguments `concerns` recognises: other parts of the sandbox work at the same time. */
function counted<T extends object, K extends keyof T & string>(
  owner: T,
  name: K,
  concerns: (...args: never[]) => boolean,
): () => number {
  const spy = vi.spyOn(owner as never, name as never) as unknown as { mock: { calls: never[][] } };
  return () => spy.mock.calls.filter((args) => concerns(...args)).length;
}

describe('one position, from the socket to its PUBACK', () => {
  async function reporter() {
    const { engine, ready } = sandbox;
    const { world } = engine;
    const worn = sandbox.watches().find(({ serial }) => {
      const { workerId } = world.need('device', world.indexes.deviceId(serial) ?? '');
      return workerId !== null;
    });
    if (worn === undefined) throw new Error('Nobody of the plant has a watch.');
    const { serial, key, site_id } = worn;
    const connection = new RawWatch(Number(new URL(ready.mqtt_url).port), serial);
    onTestFinished(() => {
      connection.socket.destroy();
    });
    await connection.connect({ password: Buffer.from(key) });
    const { latitude, longitude } = world.need('site', site_id).origin;
    const report = (seq: number) =>
      connection.publish(upPositionTopic(site_id, serial), {
        session: 1,
        seq,
        t: new Date(engine.clock.now()).toISOString(),
        // On the site: only there is a silence due.
        latitude: latitude + 0.001,
        longitude: longitude + 0.001,
        uncertainty_m: 4.5,
        source: 'gps',
        in_vehicle: false,
        worn: true,
      });
    return { report, deviceId: world.indexes.deviceId(serial) ?? '' };
  }

  const SEQ = 1_234_567;
  const isReport = (value: unknown): boolean => (value as { seq?: unknown } | null)?.seq === SEQ;

  it('is parsed once, checked by one schema, and decided in one transaction', async () => {
    const { report, deviceId } = await reporter();
    await report(1);
    const parses = counted(JSON, 'parse', (text: unknown) => String(text).includes(String(SEQ)));
    const checks = counted(Validator.prototype, 'Check', (value: unknown) => isReport(value));
    const transactions: string[][] = [];
    onTestFinished(
      sandbox.engine.listen({ committed: ({ reportingDevices }) => transactions.push([...reportingDevices]) }),
    );
    await report(SEQ);
    expect({ parses: parses(), checks: checks(), transactions }).toEqual({
      parses: 1,
      checks: 1,
      transactions: [[deviceId]],
    });
  });

  it('holds the clock once, and only the first one of a watch adds entries to it: its silence, and the age of its position', async () => {
    const { api_url, control_token } = sandbox.ready;
    // Positions become too old for the list only for readers of the stream.
    const ending = new AbortController();
    const stream = await fetch(`${api_url}/v1/sandbox/stream`, {
      headers: { authorization: `Bearer ${control_token}` },
      signal: ending.signal,
    });
    onTestFinished(() => ending.abort());
    expect(stream.status).toBe(200);
    const { report, deviceId } = await reporter();
    const { clock } = sandbox.engine;
    const entries = counted(clock, 'at', (_due: unknown, key: { actor: string }) => key.actor.includes(deviceId));
    const holds = counted(clock, 'hold', (lane: unknown) => lane === 'engine');
    await report(1);
    expect([entries(), holds()]).toEqual([2, 1]);
    await report(2);
    expect([entries(), holds()]).toEqual([2, 2]);
  });

  it('is not written by itself: the telemetry of a second is one write', async () => {
    const { report, deviceId } = await reporter();
    await report(1);
    await sandbox.engine.flush();
    const texts = counted(JSON, 'stringify', (value: unknown) => (value as { id?: unknown } | null)?.id === deviceId);
    for (const seq of [2, 3, 4]) await report(seq);
    expect(texts()).toBe(0);
    await sandbox.engine.flush();
    expect(texts()).toBe(1);
  });
});

describe('one GET of an alert', () => {
  /** Reads over one connection. */
  async function reader() {
    const { engine, ready } = sandbox;
    const [{ client_id, client_secret } = { client_id: '', client_secret: '' }] = ready.clients;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const granted = await fetch(`${ready.api_url}/v1/oauth/token`, { method: 'POST', body: form });
    const { access_token: token } = (await granted.json()) as { access_token: string };
    const { organizationId } = engine.world.need('client', client_id);
    const device = [...engine.world.all('device')].find((one) => one.organizationId === organizationId);
    const outcome = await engine.submit({
      type: 'report-sos',
      trigger: 'watch_button',
      deviceId: device?.id ?? '',
      uplinkId: '0b1e0c52-7a55-4c6e-9d5c-3e2f7a8b9c01',
      watchTime: engine.clock.now(),
    });
    const id = outcome.rejected ? '' : (outcome.done.alertId ?? '');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const read = () =>
      new Promise<number>((done, failed) => {
        get(`${ready.api_url}/v1/alerts/${id}`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
          answer.resume();
          answer.once('end', () => done(answer.statusCode ?? 0));
        }).once('error', failed);
      });
    return { id, token, read };
  }

  it('makes its text and its hashes at the first read, and none at the next', async () => {
    const { id, token, read } = await reader();
    const crypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
    const hashes = counted(crypto, 'hash', (_: unknown, text: unknown) => text === token || text === id);
    const texts = counted(
      JSON,
      'stringify',
      (value: unknown) => (value as { id?: unknown; zone?: unknown } | null)?.id === id,
    );
    const parses = counted(JSON, 'parse', (text: unknown) => String(text).includes(id));
    const checks = counted(Validator.prototype, 'Check', () => true);
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    const work = () => ({ hashes: hashes(), texts: texts(), parses: parses(), checks: checks() });
    // The coverage of the contract reads the kept text once.
    expect(await read()).toBe(200);
    expect(work()).toEqual({ hashes: 2, texts: 1, parses: 1, checks: 0 });
    expect(await read()).toBe(200);
    expect(work()).toEqual({ hashes: 2, texts: 1, parses: 1, checks: 0 });
  });

  it('is one row of the audit log, serialized once, and one hold of the clock', async () => {
    const { id, read } = await reader();
    await read();
    await sandbox.engine.flush();
    const isRow = (value: unknown): boolean => {
      const { path, wallAt } = (value ?? {}) as { path?: unknown; wallAt?: unknown };
      return path === `/v1/alerts/${id}` && wallAt !== undefined;
    };
    const rows = counted(JSON, 'stringify', isRow);
    const holds = counted(sandbox.engine.clock, 'hold', (lane: unknown) => lane === 'http');
    const entries = counted(sandbox.engine.clock, 'at', () => true);
    await read();
    expect([holds(), entries(), rows()]).toEqual([1, 0, 0]);
    await sandbox.engine.flush();
    expect(rows()).toBe(1);
  });
});
