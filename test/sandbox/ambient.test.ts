import { afterEach, expect, test } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { Ambient } from '../../src/sandbox/actions/ambient.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { isWhole } from '../helpers/whole.ts';

const START = Date.UTC(2026, 9, 5, 6);
const HOUR_MS = 3_600_000;
const HOURS = isWhole ? 2 : 1;
let runs = 0;
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** What happened in some hours among 40 people: who, what and when. */
async function someHours(ambient: Ambient | undefined, forMs = HOURS * HOUR_MS): Promise<string[]> {
  const clock = lockstepClock({ start: START });
  const sandbox = await startSandbox({
    // Each has a name of its own: no folder is made.
    memory: true,
    port: 0,
    mqttPort: 0,
    seed: 'ambient',
    watches: 40,
    clock,
    dataDir: `ambient-${process.pid}-${++runs}`,
    ...(ambient === undefined ? {} : { ambient }),
  });
  ends.push(async () => {
    await sandbox.stop();
    clock.stop();
  });
  await clock.advance(forMs);
  const alerts = [...sandbox.engine.world.all('alert')];
  return alerts.map(({ createdAt, type, worker }) => `${createdAt - START} ${type} ${worker?.externalId}`);
}

// Two tests look at the same run.
let busyOnce: Promise<string[]> | null = null;
const busyHours = (): Promise<string[]> => {
  busyOnce ??= someHours('busy');
  return busyOnce;
};

test('a busy plant has a life of several kinds of alerts, the same for the same seed', async () => {
  const busy = await busyHours();
  expect(new Set(busy.map((line) => line.split(' ')[1])).size).toBeGreaterThan(2);
  const againMs = isWhole ? HOURS * HOUR_MS : HOUR_MS / 4;
  const first = busy.filter((line) => Number(line.split(' ')[0]) <= againMs);
  expect(first).not.toEqual([]);
  expect(await someHours('busy', againMs)).toEqual(first);
});

test('a calm one has less of it, and without being asked for nothing happens', async () => {
  expect((await someHours('calm')).length).toBeLessThan((await busyHours()).length);
  expect(await someHours(undefined)).toEqual([]);
});
