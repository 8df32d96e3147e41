import { afterEach, expect, test } from 'vitest';
import { lockstepClock } from '../../src/base/clock.ts';
import type { Ambient } from '../../src/sandbox/ambient.ts';
import { startSandbox } from '../../src/sandbox/start.ts';

const START = Date.UTC(2026, 9, 5, 6);
const HOUR_MS = 3_600_000;
let runs = 0;
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** What happened in two hours among 40 people: who, what and when. */
async function twoHours(ambient: Ambient | undefined): Promise<string[]> {
  const clock = lockstepClock({ start: START });
  const sandbox = await startSandbox({
    // Each has a name of its own: no folder is made.
    ...{
      memory: true,
      port: 0,
      mqttPort: 0,
      seed: 'ambient',
      watches: 40,
      clock,
      dataDir: `ambient-${process.pid}-${++runs}`,
    },
    ...(ambient === undefined ? {} : { ambient }),
  });
  ends.push(async () => {
    await sandbox.stop();
    clock.stop();
  });
  await clock.advance(2 * HOUR_MS);
  const alerts = [...sandbox.engine.world.all('alert')];
  return alerts.map(({ createdAt, type, worker }) => `${createdAt - START} ${type} ${worker?.externalId}`);
}

// Two tests look at the same run.
let busyOnce: Promise<string[]> | null = null;
const busyHours = (): Promise<string[]> => {
  busyOnce ??= twoHours('busy');
  return busyOnce;
};

test('a busy plant has a life of several kinds of alerts, the same for the same seed', async () => {
  const busy = await busyHours();
  expect(new Set(busy.map((line) => line.split(' ')[1])).size).toBeGreaterThan(2);
  expect(await twoHours('busy')).toEqual(busy);
});

test('a calm one has less of it, and without being asked for nothing happens', async () => {
  expect((await twoHours('calm')).length).toBeLessThan((await busyHours()).length);
  expect(await twoHours(undefined)).toEqual([]);
});
