/** The default world left to itself, as the service receives it: nobody asks, so nothing is raised, for more than a day. */
import { expect, it } from 'vitest';
import { frame, signedDistance } from '../../src/base/geometry/shapes.ts';
import { LANE } from '../../src/base/time/clock.ts';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import type { WatchBattery, WatchPosition } from '../../src/contract/watch.ts';
import { startFleet } from '../../src/fleet/fleet.ts';
import { defaultWorld } from '../../src/plant/default-world.ts';
import { fleetSites, fleetWatches } from '../../src/sandbox/fleet/watches.ts';
import { documentsOf, secretsOf } from '../../src/sandbox/world/world-from-plan.ts';
import { World } from '../../src/service/domain/world/world.ts';
import { Engine } from '../../src/service/engine/engine.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/store.ts';
import { afterTest } from '../helpers/broker-bench.ts';
import { engineLinks } from '../helpers/engine-link.ts';
import { isWhole } from '../helpers/whole.ts';

const START = 1_791_180_000_000;
const HOUR = 3_600_000;
/** In the whole world; more of them where the time is taken: LIFE_WATCHES=110. */
const WATCHES = Number(process.env['LIFE_WATCHES'] ?? 10);

/** Of a working day; the day and its night are below. */
const HOURS = isWhole ? 8 : 2;

interface Reported {
  readonly at: number;
  readonly pct: number;
  readonly charging: boolean;
}

/** Plays the default world of the seed for a while, each watch reporting at an interval. */
async function live(seed: string, hours: number, positionEveryMs: number) {
  const clock = lockstepClock({ start: START });
  afterTest(() => clock.stop());
  const store = await openSqliteStore({ file: ':memory:' });
  afterTest(() => store.close());
  const plan = defaultWorld(seed, { watches: WATCHES });
  const secrets = secretsOf('root');
  const world = new World();
  for (const { kind, document } of documentsOf(plan, seed, secrets, START)) world.load(kind, document);
  const engine = new Engine({
    clock,
    store,
    world,
    salt: seed,
    addresses: { panelUrl: 'http://127.0.0.1/panel' },
    onBroken: () => {},
  });
  afterTest(() => engine.stop());
  const watches = fleetWatches(plan, world, secrets).map((watch) => ({ ...watch, positionEveryMs }));
  const sites = fleetSites(plan, world);
  const fixes = new Map<string, WatchPosition[]>();
  const charges = new Map<string, Reported[]>();
  const fleet = startFleet({
    clock,
    brokerUrl: 'mqtt://127.0.0.1:1',
    seed,
    watches,
    sites,
    dialLink: engineLinks(engine, (serial, { leaf }, payload) => {
      const value = JSON.parse(payload.toString());
      if (leaf === 'position') listOf(fixes, serial).push(...[value].flat());
      const { pct, charging } = value as WatchBattery;
      if (leaf === 'battery') listOf(charges, serial).push({ at: clock.now(), pct, charging });
    }),
  });
  afterTest(() => fleet.stop());
  engine.start();
  clock.start();
  await fleet.ready();
  await new Promise<void>((done) => {
    clock.at(START + hours * HOUR, { lane: LANE.expectation, actor: 'test' }, done);
  });
  return {
    world,
    watches,
    sites,
    fixes,
    charges,
    alerts: [...world.all('alert')].map(({ type, device }) => `${type} ${device?.serial}`),
  };
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}

/** Only for what hangs: hours of a hundred watches take half a minute of a core; wall ms. */
const WHOLE_MS = 900_000;

it(
  'in some hours raises no alert, and no two fixes running lie in a zone that must not be entered',
  async () => {
    const { alerts, watches, sites, fixes } = await live('3', HOURS, 10_000);
    expect(alerts).toEqual([]);
    for (const { id, zones, origin } of sites) {
      const { toMetres } = frame(origin);
      for (const { serial, permits = [] } of watches.filter(({ siteId }) => siteId === id)) {
        for (const { name, ring } of zones.filter(({ type }) => type === 'restricted' || type === 'forbidden')) {
          if (permits.some(({ zone }) => zone === name)) continue;
          const inside = fixes
            .get(serial)!
            .map((fix) => signedDistance(toMetres(fix), ring) >= (fix.uncertainty_m ?? 0));
          expect(inside.some((one, n) => one && inside[n + 1] === true)).toBe(false);
        }
      }
    }
  },
  WHOLE_MS,
);

it(
  'ends its shifts above 20 %, charges off the wrist, and begins anew, without an alert in 26 hours',
  async () => {
    const { alerts, watches, fixes, charges } = await live('1', 26, 60_000);
    expect(alerts).toEqual([]);
    for (const { serial } of watches) {
      const reported = charges.get(serial)!;
      for (const [n, { pct, charging, at }] of reported.entries()) {
        const before = reported[n - 1];
        if (before !== undefined && !before.charging) expect(pct).toBeLessThanOrEqual(before.pct);
        if (before?.charging) expect(at - before.at).toBeLessThanOrEqual(5 * 60_000 + 1_000);
        if (!charging) expect(pct).toBeGreaterThan(20);
      }
      expect(reported.some(({ charging, pct }) => charging && pct === 100)).toBe(true);
      expect(reported.at(-1)!.charging).toBe(false);
      const worn = fixes.get(serial)!.map((fix) => fix.worn);
      // One fix says that the watch is off; with no sensor nothing does.
      if (worn[0] === true) expect(worn.filter((one) => one === false).length).toBe(1);
      else expect(new Set(worn)).toEqual(new Set([null]));
      const gaps = fixes.get(serial)!.map(({ t }, n, all) => Date.parse(t) - Date.parse(all[n - 1]?.t ?? t));
      expect(gaps.filter((gap) => gap > 11 * HOUR).length).toBe(1);
    }
  },
  WHOLE_MS,
);
