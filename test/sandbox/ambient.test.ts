/** Background life: what happens, that nothing impossible does, and that it pauses in a muster. [cli `--ambient`] */
import { afterEach, expect, test } from 'vitest';
import { distance, pointInPolygon } from '../../src/base/geometry/shapes.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { defaultWorld } from '../../src/plant/default-world.ts';
import { type Ambient, atWork } from '../../src/sandbox/actions/ambient.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';

const START = Date.UTC(2026, 9, 5, 6);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long the plant is looked at. Of few seeds the first minutes have two kinds of alerts. */
const [SEED, WATCHED_MS, KINDS] = isWhole ? ['ambient', 3 * HOUR_MS, 3] : ['ambient-15', HOUR_MS / 8, 2];
/** How much of that is played again. */
const AGAIN_MS = isWhole ? HOUR_MS : HOUR_MS / 20;
let runs = 0;
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function busyPlant(ambient: Ambient | undefined, watches = 40) {
  const clock = lockstepClock({ start: START });
  const sandbox = await startSandbox({
    // Each has a name of its own: no folder is made.
    memory: true,
    port: 0,
    mqttPort: 0,
    seed: SEED,
    watches,
    clock,
    dataDir: `ambient-${process.pid}-${++runs}`,
    ...(ambient === undefined ? {} : { ambient }),
  });
  ends.push(async () => {
    await sandbox.stop();
    clock.stop();
  });
  return { clock, sandbox };
}

/** `createdAt type worker` of each alert, from the start. */
const happenedIn = ({ engine }: Sandbox): string[] =>
  [...engine.world.all('alert')].map(
    ({ createdAt, type, worker }) => `${createdAt - START} ${type} ${worker?.externalId}`,
  );

/** The same among 40 people in some time. */
async function happened(ambient: Ambient | undefined, forMs: number): Promise<string[]> {
  const { clock, sandbox } = await busyPlant(ambient);
  await clock.advance(forMs);
  return happenedIn(sandbox);
}

interface WatchedRun {
  readonly alerts: readonly string[];
  /** What nobody can do, with who did it and when. */
  readonly wrong: readonly string[];
}

/** A busy plant, looked at each second. */
async function watchedRun(): Promise<WatchedRun> {
  const { clock, sandbox } = await busyPlant('busy');
  const sites = [...sandbox.engine.world.all('site')];
  const plans = defaultWorld('1').organizations.flatMap((one) => one.sites);
  const walls = new Map(
    sites.map(({ id, name }) => {
      const zones = plans.find((plan) => plan.name === name)!.zones;
      return [id, zones.filter(({ type, doors }) => type !== 'assembly_point' && doors.length > 0)];
    }),
  );
  const wrong: string[] = [];
  let before = new Map(sandbox.fleet!.truth().map((one) => [one.serial, one]));
  for (let second = 1; second <= WATCHED_MS / 1_000; second++) {
    await clock.advance(1_000);
    const now = new Map(sandbox.fleet!.truth().map((one) => [one.serial, one]));
    for (const [serial, one] of now) {
      const was = before.get(serial)!;
      const what = `${serial} at ${second} s: ${one.activity}`;
      const metres = distance(was.point, one.point);
      if (metres > (one.inVehicle || was.inVehicle ? 12 : 3)) wrong.push(`${what} moved ${metres.toFixed(1)} m`);
      if (Math.abs((one.heightM ?? 0) - (was.heightM ?? 0)) > 1) wrong.push(`${what} climbed more than 1 m`);
      if (one.batteryPct > was.batteryPct && !one.charging && !was.charging) wrong.push(`${what} gained charge`);
      if (one.charging && !['off_shift', 'charging'].includes(one.activity))
        wrong.push(`${what} charged off its charger`);
      if (one.batteryPct < was.batteryPct - 1) wrong.push(`${what} lost ${was.batteryPct - one.batteryPct} %`);
      for (const { ring, doors, name } of metres === 0 ? [] : walls.get(one.siteId)!) {
        if (pointInPolygon(was.point, ring) === pointInPolygon(one.point, ring)) continue;
        if (!doors.some(({ at }) => distance(at, one.point) <= 3)) wrong.push(`${what} went through ${name}`);
      }
    }
    before = now;
  }
  return { alerts: happenedIn(sandbox), wrong };
}

// The tests look at the same run.
let watchedOnce: Promise<WatchedRun> | null = null;
const watched = (): Promise<WatchedRun> => {
  watchedOnce ??= watchedRun();
  return watchedOnce;
};

/** What the run had until then. */
const until = ({ alerts }: WatchedRun, ms: number): string[] =>
  alerts.filter((line) => Number(line.split(' ')[0]) <= ms);

test('a busy plant has a life of several kinds of alerts, the same for the same seed', async () => {
  const run = await watched();
  expect(new Set(run.alerts.map((line) => line.split(' ')[1])).size).toBeGreaterThanOrEqual(KINDS);
  const first = until(run, AGAIN_MS);
  expect(first).not.toEqual([]);
  expect(await happened('busy', AGAIN_MS)).toEqual(first);
});

unless(withoutWhole).test('a calm one has less of it, and without being asked for nothing happens', async () => {
  const busy = until(await watched(), HOUR_MS);
  expect((await happened('calm', HOUR_MS)).length).toBeLessThan(busy.length);
  expect(await happened(undefined, HOUR_MS)).toEqual([]);
});

test('nobody jumps or goes through a wall, and a watch charges on its charger alone', async () => {
  expect((await watched()).wrong.slice(0, 5)).toEqual([]);
});

test('it pauses in a muster', async () => {
  const { clock, sandbox } = await busyPlant('busy', isWhole ? 120 : 60);
  const { world } = sandbox.engine;
  await clock.advance(MINUTE_MS);
  // Background life happens to these alone.
  const working = () => [...world.all('worker')].filter(atWork(world, sandbox.fleet!)).length;
  expect(working()).toBeGreaterThan(0);
  for (const { id } of [...world.all('site')])
    await sandbox.act({ action: 'start_muster', site: id, kind: 'general', by: 'Shift lead' });
  const begun = clock.now();
  expect(working()).toBe(0);
  const caused = () => [...world.all('alert')].filter(({ createdAt }) => createdAt > begun).map(({ type }) => type);
  await clock.advance((isWhole ? 20 : 3) * MINUTE_MS);
  const own = ['worker_call_request', 'fall_detected', 'sos'];
  expect(caused().filter((type) => own.includes(type))).toEqual([]);
  for (const { id } of [...world.indexes.activeMusters()])
    await sandbox.act({ action: 'end_muster', muster: id, outcome: 'completed', by: 'Shift lead' });
  const ended = clock.now();
  while (!caused().includes('worker_call_request') && clock.now() < ended + 30 * MINUTE_MS)
    await clock.advance(MINUTE_MS);
  expect(caused()).toContain('worker_call_request');
});
