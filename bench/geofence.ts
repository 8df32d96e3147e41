/** What it costs to judge 10,000 positions against 200 zones that need a permit or are forbidden. */
import { boxRing, frame } from '../src/base/geometry/shapes.ts';
import { streams } from '../src/base/random/streams.ts';
import { DEFAULT_THRESHOLDS } from '../src/plant/thresholds.ts';
import { stampAt } from '../src/service/domain/changes.ts';
import { decide } from '../src/service/domain/decide.ts';
import type { Zone } from '../src/service/domain/world/documents.ts';
import { World } from '../src/service/domain/world/world.ts';
import { Fence } from '../src/service/domain/zones/fence.ts';
import { figures, tellRatio } from './figures.ts';
import { measured } from './table.ts';

const POSITIONS = 10_000;
const ZONES = 200;
const RUNS = 30;
const WARM = 10;
/** Milliseconds. */
const TARGET = 20;
/** A square plant; side in metres. */
const PLANT_M = 3_000;
const ORIGIN = { latitude: -32.7662, longitude: -71.4938 };

export async function benchGeofence(): Promise<void> {
  const stream = streams('geofence').stream('bench', 'places');
  const zones = Array.from({ length: ZONES }, (_, n) => zoneOf(n, stream.float() * PLANT_M, stream.float() * PLANT_M));
  const points = Array.from({ length: POSITIONS }, () => [stream.float() * PLANT_M, stream.float() * PLANT_M] as const);
  const fence = new Fence(zones);
  let held = 0;
  const fencing = figures(
    timed(() => {
      for (const point of points) held += fence.holding(point).length;
    }),
  );
  const naive = figures(
    timed(() => {
      for (const point of points) for (const { ring } of zones) if (isIn(point, ring)) held++;
    }, 3),
  );
  tellRatio(
    `geofencing ${POSITIONS} positions against ${ZONES} zones, by a naive test of every zone`,
    fencing,
    naive,
    1,
  );
  measured({
    what: `${POSITIONS} positions against all zones`,
    value: fencing.median,
    unit: 'ms',
    aim: { of: 'value', most: TARGET },
  });
  console.log(
    `  ${fencing.median.toFixed(1)} ms (${fencing.median < TARGET ? 'within' : 'OVER'} ${TARGET} ms), ${held} hits`,
  );
  const whole = figures(rulesOf(zones, points));
  console.log(
    `  the whole rule of a position (fence, stays, heat, vehicles, telemetry): ${whole.median.toFixed(1)} ms for ${POSITIONS}`,
  );
}

/** An L of 60 m, now and then forbidden. */
function zoneOf(n: number, x: number, y: number): Zone {
  const ring =
    n % 2 === 0
      ? boxRing(x, y, x + 60, y + 40)
      : ([
          [x, y],
          [x + 60, y],
          [x + 60, y + 20],
          [x + 20, y + 20],
          [x + 20, y + 60],
          [x, y + 60],
        ] as const);
  const type = n % 5 === 0 ? 'forbidden' : 'restricted';
  return { id: `zone-${n}`, siteId: 'site', name: `Zone ${n}`, type, ring, assemblyPoint: null, floors: [] };
}

function isIn([x, y]: readonly [number, number], ring: Zone['ring']): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i] as readonly [number, number];
    const [bx, by] = ring[j] as readonly [number, number];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function timed(work: () => void, runs = RUNS): number[] {
  for (let i = 0; i < Math.min(WARM, runs); i++) work();
  return Array.from({ length: runs }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
}

/** Every position as the engine would decide it, on a world of 10,000 watches. */
function rulesOf(zones: readonly Zone[], points: readonly (readonly [number, number])[]): number[] {
  const world = new World();
  const site = frame(ORIGIN);
  world.put('site', {
    id: 'site',
    organizationId: 'company',
    name: 'Plant',
    location: null,
    privacyMode: 'continuous',
    unveilMinSeverity: 'high',
    origin: ORIGIN,
    boundary: boxRing(0, 0, PLANT_M, PLANT_M),
    plan: {},
    thresholds: DEFAULT_THRESHOLDS,
    heatIndexC: null,
    wind: null,
  });
  for (const zone of zones) world.put('zone', zone);
  points.forEach((_, n) => {
    const [workerId, deviceId] = [`worker-${n}`, `watch-${n}`];
    const of = { organizationId: 'company', siteId: 'site' };
    const person = { externalId: null, name: '', contractor: null, role: null, isActive: true };
    world.put('worker', { id: workerId, ...of, ...person, deviceId });
    const watch = { serial: deviceId, keyHash: '', model: null, status: 'active', emulated: true } as const;
    const state = { batteryLow: false, silenceReported: false, heatIndexC: null, heatAlertedAt: null };
    world.put('device', { id: deviceId, ...of, ...watch, ...state, workerId });
  });
  world.commit();
  let now = Date.UTC(2026, 9, 5, 6);
  return timed(() => {
    now += 10_000;
    const stamp = stampAt(now, 'bench');
    points.forEach((point, n) => {
      const fix = { ...site.toDegrees(point), uncertaintyM: 5, source: 'gps', height: null, inVehicle: false } as const;
      decide(
        world,
        { type: 'report-position', deviceId: `watch-${n}`, fixes: [{ ...fix, at: now, worn: true }] },
        stamp,
      );
    });
  });
}
