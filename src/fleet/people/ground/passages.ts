/** Doors and stairs of a site as narrow passages: how many people per second each lets through, and which one is next on a route. [realism 0.7, 2.1] */
import type { Point } from '../../../base/geometry/shapes.ts';
import { NO_GATE } from '../people.ts';
import type { Ground, Stair } from './ground.ts';

/**
 * People per second and metre of effective width: through a door, and on a stair of 7/11 inches.
 * [realism 0.7, 2.1, SFPE]
 */
export const SPECIFIC_FLOW = { door: 1.33, stair: 1.01 } as const;

/**
 * People keep 0.15 m from each jamb or handrail. Without this boundary layer the flow test of the IMO fails.
 * [realism 0.7]
 */
export const BOUNDARY_M = 0.3;

/** The narrowest opening still lets people through sideways; metres of effective width. */
const LEAST_EFFECTIVE_M = 0.2;

export interface Passage {
  readonly kind: keyof typeof SPECIFIC_FLOW;
  /** The index of its zone. */
  readonly zone: number;
  /** For a door, a point of the wall; for a stair, its position. */
  readonly at: Point;
  readonly perS: number;
  /** The points where people begin to pass it, from outside and from inside. For a stair, both are its position. */
  readonly ends: readonly [Point, Point];
}

/** Passage n has the ends 2 n (outside) and 2 n + 1 (inside). */
export const passageOf = (end: number): number => end >> 1;

export function passagesOf({ zones }: Ground): Passage[] {
  return zones.flatMap(({ doors, stairs }, zone) => [
    ...doors.map((door) => passage('door', zone, door, [door.outside, door.inside])),
    ...stairs.map((stair) => passage('stair', zone, stair, [stair.at, stair.at])),
  ]);
}

function passage(kind: Passage['kind'], zone: number, { at, widthM }: Stair, ends: readonly [Point, Point]): Passage {
  return { kind, zone, at, ends, perS: SPECIFIC_FLOW[kind] * Math.max(LEAST_EFFECTIVE_M, widthM - BOUNDARY_M) };
}

/** A corner at which a passage may begin. */
interface PassageEnd {
  readonly end: number;
  readonly at: Point;
  /** The next corner of the people who pass; null for a stair, where people change their height in place. */
  readonly beyond: Point | null;
}

/** Finds passages by the corners of routes: routes contain exactly the end points of passages. */
export class PassageFinder {
  readonly #byX = new Map<number, PassageEnd[]>();

  /** Numbers the passages in the order of `passagesOf`. */
  constructor({ zones }: Ground) {
    let passage = 0;
    for (const { doors, stairs } of zones) {
      for (const { outside, inside } of doors) {
        this.#add({ end: 2 * passage, at: outside, beyond: inside });
        this.#add({ end: 2 * passage + 1, at: inside, beyond: outside });
        passage += 1;
      }
      for (const { at } of stairs) {
        this.#add({ end: 2 * passage, at, beyond: null });
        passage += 1;
      }
    }
  }

  /** The index of the first corner, from `from` on, at which a passage begins; `NO_GATE` if there is none. */
  next(route: Float64Array, from: number): number {
    for (let corner = from; corner < route.length; corner += 2) if (this.endAt(route, corner) >= 0) return corner;
    return NO_GATE;
  }

  /** The end of the passage at a corner of a route, if the route goes through it; below 0 if there is none. */
  endAt(route: Float64Array, corner: number): number {
    const here = this.#byX.get(route[corner]!);
    if (here === undefined) return -1;
    for (const { end, at, beyond } of here) {
      if (at[1] !== route[corner + 1]) continue;
      if (beyond === null || (beyond[0] === route[corner + 2] && beyond[1] === route[corner + 3])) return end;
    }
    return -1;
  }

  #add(threshold: PassageEnd): void {
    const here = this.#byX.get(threshold.at[0]);
    if (here === undefined) this.#byX.set(threshold.at[0], [threshold]);
    else here.push(threshold);
  }
}
