/** The movement of people in a muster: to the nearest of some points, by vehicle if it is far, down the stairs of their building and up those of the point. */

import { distance, type Point } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { cutShort, type Routes, type Toward, type Traveller } from '../ground/routes.ts';
import type { Stairs, StairsOnWay } from '../ground/stairs.ts';
import type { Life } from '../life.ts';
import { NEVER, type People } from '../people.ts';
import type { GatheringPoint } from './gatherings.ts';
import { DRIVE_FROM_M, PARK_BEFORE_M } from './muster-knobs.ts';
import type { MusterPart } from './muster-part.ts';

export interface MusterWaysParts {
  readonly people: People;
  readonly routes: Routes;
  readonly stairs: Stairs;
  readonly life: Life;
}

export interface WayToPoint {
  readonly point: GatheringPoint;
  readonly way: Toward;
  readonly stairs: StairsOnWay;
  /** The distance from the person's position. */
  readonly metres: number;
}

export class MusterWays {
  readonly #of: MusterWaysParts;

  constructor(parts: MusterWaysParts) {
    this.#of = parts;
  }

  /** The nearest of the points by walking distance; null if no way leads to any. */
  nearest(i: number, among: readonly GatheringPoint[], now: Instant): WayToPoint | null {
    const { routes, people, life, stairs: floors } = this.#of;
    const at = people.at(i);
    const permits = life.permitsOf(i, now);
    let best: WayToPoint | null = null;
    const first = closest(at, among);
    for (const point of first === null ? [] : [first, ...among]) {
      // No way is shorter than the straight line, so a point that is farther than that need not be searched.
      if (best !== null && point.heightM === 0 && distance(at, point.centre) >= best.metres) continue;
      const stairs = floors.onWay(i, point.centre, point.heightM);
      const from = stairs.leaveBy ?? at;
      const way = routes.toward(from, { centre: stairs.enterBy ?? point.centre }, { permits, onWheels: false });
      const metres = way === null ? NEVER : way.metres + distance(at, from);
      if (way !== null && (best === null || metres < best.metres)) best = { point, way, stairs, metres };
    }
    return best;
  }

  /** Sets the route to a spot in the point. People in a vehicle drive near it if it is far and a road leads there. */
  setOut(i: number, part: MusterPart, found: WayToPoint, spot: Point, now: Instant): 'drives' | 'goes' {
    const { people, life, routes } = this.#of;
    const { point } = found;
    if (people.aboard[i] === 1 && found.metres > DRIVE_FROM_M) {
      const at = people.at(i);
      const road = routes.toward(at, point, { permits: life.permitsOf(i, now), onWheels: true });
      const drive = road === null ? null : cutShort(at, road.routeTo(spot), PARK_BEFORE_M);
      if (drive !== null) {
        people.goalHeight[i] = people.climbTo[i] = people.height[i]!;
        people.setOut(i, drive, life.paceOf(i), now);
        return 'drives';
      }
    }
    life.getOut(i);
    this.walk(i, part, this.#routeOf(i, found, spot, now), point.centre, point.heightM, now);
    return 'goes';
  }

  walk(i: number, { pace }: MusterPart, route: Float64Array, to: Point, heightM: number, now: Instant): void {
    const { people, stairs } = this.#of;
    stairs.setHeights(i, to, heightM);
    people.setOut(i, route, people.pace[i]! * pace, now);
  }

  /** The way on foot to another place at that height; null if there is none. */
  onFoot(i: number, to: Point, heightM: number, now: Instant): Float64Array | null {
    return this.#of.stairs.route(i, to, heightM, this.#onFootNow(i, now));
  }

  // The way to the stairs, between the stairs, and from the last stairs to the spot.
  #routeOf(i: number, { way, stairs: { leaveBy, enterBy } }: WayToPoint, spot: Point, now: Instant): Float64Array {
    const { people, stairs } = this.#of;
    const middle = way.routeTo(enterBy ?? spot);
    if (leaveBy === null && enterBy === null) return middle;
    const traveller = this.#onFootNow(i, now);
    const before = leaveBy === null ? null : stairs.join([people.at(i), leaveBy], traveller);
    const after = enterBy === null ? null : stairs.join([enterBy, spot], traveller);
    return Float64Array.of(...(before ?? []), ...middle, ...(after ?? []));
  }

  #onFootNow(i: number, now: Instant): Traveller {
    return { permits: this.#of.life.permitsOf(i, now), onWheels: false };
  }

  /** The person stops where they are, in their vehicle if they drive. */
  halt(i: number): void {
    const { people } = this.#of;
    people.be(i, 'muster');
    people.stand(i, people.at(i));
    people.climbTo[i] = people.goalHeight[i] = people.height[i]!;
  }
}

/** The nearest in a straight line. If it is searched first, the others likely need no search. */
function closest(at: Point, among: readonly GatheringPoint[]): GatheringPoint | null {
  let best: GatheringPoint | null = null;
  for (const point of among) if (best === null || distance(at, point.centre) < distance(at, best.centre)) best = point;
  return best;
}
