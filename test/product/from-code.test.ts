/** The package as a test in code uses it: act, wait for the effect, play a scenario, read its result. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    watches: 12,
    seed: '7',
    dataDir: `from-code-${process.pid}`,
  });
});

afterAll(() => sandbox.stop());

test('a test acts, and waits for the effect', async () => {
  await sandbox.act({ action: 'fall', who: 'W-001', answers: 'never' });
  const fall = await sandbox.wait({ alert: 'fall_detected', match: { of: 'W-001' } });
  const waiting = sandbox.wait({ alert: 'sos', match: { of: 'W-001' }, within: '1m' });
  await sandbox.advance(31_000);
  const sos = await waiting;
  expect([fall.kind, sos.found]).toMatchObject(['alert', { type: 'sos', details: { trigger: 'after_fall' } }]);
  expect(sos.at - fall.at).toBeGreaterThanOrEqual(30_000);
});

test('what does not come is reported with the nearest candidate, and a wrong word with its place', async () => {
  const waiting = sandbox.wait({ alert: 'sos', match: { of: 'W-001', status: 'resolved' }, within: '2s' });
  const reported = expect(waiting).rejects.toThrow(/The nearest: status: expected resolved, got unacknowledged/);
  await sandbox.advance(5_000);
  await reported;
  await expect(sandbox.wait({ alert: 'soss' })).rejects.toThrow(
    '/alert "soss" is not an alert type. Did you mean "sos"?',
  );
});

test('a scenario plays beside it, and its verdict is read', async () => {
  const playing = sandbox.play(resolve(import.meta.dirname, '../../scenarios/fall-to-sos.scenario.yaml'));
  let over = false;
  void playing.finally(() => {
    over = true;
  });
  while (!over) await sandbox.advance(30_000);
  expect(await playing).toMatchObject({ status: 'passed', failures: [] });
});

test('a wait that is open when the sandbox stops is rejected', async () => {
  const other = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    watches: 6,
    dataDir: `from-code-2-${process.pid}`,
  });
  const reported = expect(other.wait({ alert: 'sos', within: '24h' })).rejects.toThrow('alert sos did not come within');
  await other.stop();
  await reported;
});

test('a reset brings back the beginning, and the same object goes on with it', async () => {
  const [notices, fresh] = [[] as string[], { ...sandbox.ready }];
  const end = sandbox.onNotice(({ kind }) => notices.push(kind));
  await sandbox.act({ action: 'sos', who: 'W-001' });
  const before = sandbox.now();
  await sandbox.advance(3_600_000);
  await sandbox.reset();
  expect(sandbox.ready).toEqual(fresh);
  expect(sandbox.now() - before).toBeLessThan(3_600_000);
  notices.length = 0;
  const missed = expect(sandbox.wait({ alert: 'sos', within: '1s' })).rejects.toThrow('did not come');
  await sandbox.advance(2_000);
  await missed;
  await sandbox.act({ action: 'sos', who: 'W-001' });
  expect(notices).toContain('event-occurred');
  end();
});
