/** How people go in a muster: to the nearest of some points, by vehicle where it is far, down the stairs first and up again there. */
import type { Instant } from '../../base/clock.ts';
import type { Point } from '../../base/geometry.ts';
import type { GatheringPoint } from './gatherings.ts';
import { buildingAt, type Ground } from './ground.ts';
import type { Life } from './life.ts';
import { DRIVE_FROM_M, PARK_BEFORE_M } from './muster-knobs.ts';
import type { MusterPart } from './muster-part.ts';
import type { People } from './people.ts';
import { cutShort, type Routes, type Toward } from './routes.ts';

export interface MusterWaysParts {
  readonly people: People;
  readonly ground: Ground;
  readonly routes: Routes;
  readonly life: Life;
}

export interface WayToPoint {
  readonly point: GatheringPoint;
  readonly way: Toward;
}

export class MusterWays {
  readonly #of: MusterWaysParts;

  constructor(parts: MusterWaysParts) {
    this.#of = parts;
  }

  /** The nearest of them by walking distance; null: no way leads to any. */
  nearest(i: number, among: readonly GatheringPoint[], now: Instant): WayToPoint | null {
    const { routes, people, life } = this.#of;
    const at = people.at(i);
    const permits = life.permitsOf(i, now);
    let best: WayToPoint | null = null;
    for (const point of among) {
      const way = routes.toward(at, point, { permits, onWheels: false });
      if (way !== null && (best === null || way.metres < best.way.metres)) best = { point, way };
    }
    return best;
  }

  /** On the way to a spot of the point: people in a vehicle drive near it if it is far and a road leads there. */
  setOut(i: number, part: MusterPart, { point, way }: WayToPoint, spot: Point, now: Instant): 'drives' | 'goes' {
    const { people, life, routes } = this.#of;
    if (people.aboard[i] === 1 && way.metres > DRIVE_FROM_M) {
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
    this.walk(i, part, way.routeTo(spot), point.centre, point.heightM, now);
    return 'goes';
  }

  walk(i: number, { pace }: MusterPart, route: Float64Array, to: Point, heightM: number, now: Instant): void {
    const { people, ground } = this.#of;
    const here = buildingAt(ground, ...people.at(i));
    const stays = here >= 0 && here === buildingAt(ground, ...to);
    people.climbTo[i] = stays ? people.height[i]! : 0;
    people.goalHeight[i] = heightM;
    people.setOut(i, route, people.pace[i]! * pace, now);
  }

  /** The way on foot to some other place; null: there is none. */
  onFoot(i: number, to: Point, now: Instant): Float64Array | null {
    const { people, routes, life } = this.#of;
    return routes.find(people.at(i), to, { permits: life.permitsOf(i, now), onWheels: false });
  }

  /** They stand where they are; the vehicle too. */
  halt(i: number): void {
    const { people } = this.#of;
    people.be(i, 'muster');
    people.stand(i, people.at(i));
    people.climbTo[i] = people.goalHeight[i] = people.height[i]!;
  }
}
