/** Routes round walls, fences and zones that must not be entered: whole ones, and the shortest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxRing, distance, type Point } from '../../../src/base/geometry/shapes.ts';
import { type Ground, groundOf, wallDistance } from '../../../src/fleet/people/ground/ground.ts';
import { clearance, segmentNearRing, segmentsMeet } from '../../../src/fleet/people/ground/rings.ts';
import { Routes } from '../../../src/fleet/people/ground/routes.ts';
import type { FleetZone } from '../../../src/fleet/people/ground/site.ts';
import { isWhole } from '../../helpers/whole.ts';
import { peopledSites } from './plants.ts';

const ON_FOOT = { permits: 0, onWheels: false };
const zone = (name: string, type: FleetZone['type'], ring: FleetZone['ring'], doors: FleetZone['doors'] = []) => ({
  name,
  type,
  ring,
  floors: [],
  doors,
});
const groundWith = (zones: FleetZone[], boundary: readonly Point[] = boxRing(-200, -200, 400, 400)): Ground =>
  groundOf({ zones, boundary });
const cornersOf = (route: Float64Array | null): Point[] =>
  Array.from({ length: (route?.length ?? 0) / 2 }, (_, n) => [route![2 * n]!, route![2 * n + 1]!]);
const lengthOf = (from: Point, route: Float64Array | null): number =>
  cornersOf(route).reduce<[number, Point]>(([sum, at], next) => [sum + distance(at, next), next], [0, from])[0];

/** Edges of walls that a route crosses elsewhere than in a door. */
function crossings({ zones, walled }: Ground, from: Point, route: Float64Array | null): string[] {
  const found: string[] = [];
  let at = from;
  for (const next of cornersOf(route)) {
    for (const wall of walled) {
      const { ring, doors, name } = zones[wall]!;
      const { xy } = ring;
      for (let n = 0, m = xy.length - 2; n < xy.length; m = n, n += 2) {
        if (!segmentsMeet(...at, ...next, xy[m]!, xy[m + 1]!, xy[n]!, xy[n + 1]!)) continue;
        const middle: Point = [(at[0] + next[0]) / 2, (at[1] + next[1]) / 2];
        if (!doors.some((door) => distance(door.at, middle) < 0.5)) found.push(`${name} from ${at} to ${next}`);
      }
    }
    at = next;
  }
  return found;
}

describe('a route', () => {
  const shed = zone('Shed', 'building', boxRing(0, 0, 40, 20), [{ at: [20, 0], widthM: 2 }]);

  it('is straight where nothing is in the way', () => {
    expect(cornersOf(new Routes(groundWith([shed])).find([-10, -10], [60, -10], ON_FOOT))).toEqual([[60, -10]]);
  });

  it('goes round a building, a little off its corners', () => {
    const route = new Routes(groundWith([shed])).find([20, -5], [20, 25], ON_FOOT);
    expect(cornersOf(route)).toHaveLength(3);
    expect(lengthOf([20, -5], route)).toBeGreaterThan(2 * Math.hypot(20, 5) + 20);
    expect(lengthOf([20, -5], route)).toBeLessThan(2 * Math.hypot(20.5, 5) + 22);
  });

  it('goes in by the door, and a vehicle does not', () => {
    const routes = new Routes(groundWith([shed]));
    const route = routes.find([20, 30], [20, 15], ON_FOOT);
    expect(cornersOf(route)).toContainEqual([20, -0.7]);
    expect(cornersOf(route)).toContainEqual([20, 0.7]);
    expect(routes.find([20, 30], [20, 15], { permits: 0, onWheels: true })).toBeNull();
  });

  it('goes in through the middle of a wall where no door is known', () => {
    const closed = groundWith([zone('Shed', 'building', boxRing(0, 0, 40, 20))]);
    expect(cornersOf(new Routes(closed).find([20, 30], [20, 15], ON_FOOT))).toContainEqual([20, 20.7]);
  });

  it('keeps its berth to a guarded zone, less where start or goal is nearer, none with a permit', () => {
    const pit = zone('Pit', 'restricted', boxRing(100, 0, 140, 40));
    const ground = groundWith([pit]);
    const routes = new Routes(ground);
    const [{ ring }] = ground.zones as [Ground['zones'][number]];
    const nearest = (from: Point, to: Point, permits = 0): number => {
      let least = Number.POSITIVE_INFINITY;
      let at = from;
      for (const next of cornersOf(routes.find(from, to, { permits, onWheels: false }))) {
        for (let share = 0; share <= 1; share += 0.01) {
          const [x, y] = [at[0] + share * (next[0] - at[0]), at[1] + share * (next[1] - at[1])];
          least = Math.min(least, clearance(ring, x, y));
        }
        at = next;
      }
      return least;
    };
    expect(nearest([50, 20], [190, 20])).toBeGreaterThanOrEqual(25);
    expect(nearest([50, 20], [190, 20])).toBeLessThan(25.1);
    expect(nearest([88, 20], [190, 20])).toBeGreaterThanOrEqual(10);
    expect(nearest([50, 20], [190, 20], 1)).toBeLessThan(0);
    expect(nearest([50, 20], [120, 20])).toBeLessThan(0);
  });

  it('goes along the shore, also to a place at the water’s edge', () => {
    const bay = boxRing(-50, -200, 50, 0);
    const routes = new Routes(groundOf({ zones: [], boundary: boxRing(-200, -200, 400, 400), water: [bay] }));
    const route = routes.find([-60, -50], [60, -50], ON_FOOT);
    expect(cornersOf(route)).toHaveLength(3);
    expect(lengthOf([-60, -50], route)).toBeGreaterThan(2 * Math.hypot(10, 50) + 100);
    expect(cornersOf(routes.find([-60, -50], [50, -50], ON_FOOT)).at(-1)).toEqual([50.3, -50]);
    expect(cornersOf(routes.find([-60, -50], [0, -100], ON_FOOT))).toEqual([[0, -100]]);
  });

  it('stays within the fence, whatever its shape', () => {
    const angle: Point[] = [
      [0, 0],
      [100, 0],
      [100, 100],
      [80, 100],
      [80, 20],
      [0, 20],
    ];
    const route = new Routes(groundWith([], angle)).find([10, 18], [82, 95], ON_FOOT);
    expect(cornersOf(route)).toHaveLength(2);
    expect(cornersOf(route)[0]).toEqual([expect.closeTo(80.5, 1), expect.closeTo(19.5, 1)]);
  });

  it('between any two points of a plant crosses walls in doors only and keeps clear of guarded zones', () => {
    for (const { people, site } of peopledSites()) {
      const { ground } = people;
      const routes = new Routes(ground);
      const xs = site.zones.flatMap(({ ring }) => ring.map(([x]) => x));
      const ys = site.zones.flatMap(({ ring }) => ring.map(([, y]) => y));
      const between = (values: readonly number[]) =>
        fc
          .integer({ min: Math.floor(Math.min(...values) - 30) * 10, max: Math.ceil(Math.max(...values) + 30) * 10 })
          .map((tenths) => tenths / 10);
      const point = fc.tuple(between(xs), between(ys));
      fc.assert(
        fc.property(point, point, (from, to) => {
          fc.pre(wallDistance(ground, ...from, 1) >= 0.3 && wallDistance(ground, ...to, 1) >= 0.3);
          const route = routes.find(from, to, ON_FOOT);
          fc.pre(ground.water.every((ring) => Math.min(clearance(ring, ...from), clearance(ring, ...to)) >= 0.3));
          expect(route).not.toBeNull();
          expect(cornersOf(route).at(-1)).toEqual(to);
          expect(crossings(ground, from, route)).toEqual([]);
          for (const guarded of ground.guarded) {
            const { ring } = ground.zones[guarded]!;
            // Each berth is at least 0.19 of the room; who is nearer than 20 cm counts as inside.
            const room = Math.min(25, clearance(ring, ...from) * 0.19, clearance(ring, ...to) * 0.19);
            let at: Point = from;
            for (const next of cornersOf(route)) {
              if (room > 0.2 * 0.19) expect(segmentNearRing(ring, ...at, ...next, room)).toBe(false);
              at = next;
            }
          }
        }),
        { numRuns: isWhole ? 300 : 80 },
      );
    }
  });
});
