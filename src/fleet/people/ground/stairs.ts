/** Movement between floors: which stairs a way needs, and how fast people climb them. [realism 2.1] */
import { distance, type Point } from '../../../base/geometry/shapes.ts';
import type { People } from '../people.ts';
import { buildingAt, type Ground } from './ground.ts';
import type { Routes, Traveller } from './routes.ts';

/**
 * Speed along a flight, as a share of the speed on the flat: Weidmann's 0.61 m/s up and 0.69 m/s down, of 1.34.
 * [realism 2.1]
 */
export const FLIGHT_SHARE = { up: 0.61 / 1.34, down: 0.69 / 1.34 } as const;

/** Rise per metre of flight, for steps 18 cm high and 28 cm deep. [realism 2.1, SFPE] */
const RISE = 0.54;

/** A smaller difference in height is a ramp or a few steps, and needs no stair; metres. */
const STOREY_M = 2;

/** Tolerance for rounding errors, so that the last step does not take an extra second; metres. */
const ARRIVED_M = 1e-9;

/** The stairs that a way needs; null where none is needed. */
export interface StairsOnWay {
  /** The stair by which the person leaves their current floor. */
  readonly leaveBy: Point | null;
  /** The stair by which the person reaches the floor of the goal. */
  readonly enterBy: Point | null;
}

const NONE: StairsOnWay = { leaveBy: null, enterBy: null };

export class Stairs {
  readonly #people: People;
  readonly #ground: Ground;
  readonly #routes: Routes;

  constructor(people: People, ground: Ground, routes: Routes) {
    this.#people = people;
    this.#ground = ground;
    this.#routes = routes;
  }

  /** The stairs on a person's way to a point at a height in metres. */
  onWay(i: number, to: Point, heightM: number): StairsOnWay {
    const own = this.#people.height[i]!;
    if (own === 0 && heightM === 0) return NONE;
    const at = this.#people.at(i);
    const here = buildingAt(this.#ground, ...at);
    const there = buildingAt(this.#ground, ...to);
    if (here === there) return { leaveBy: isStorey(own - heightM) ? this.#nearest(here, at) : null, enterBy: null };
    return {
      leaveBy: isStorey(own) ? this.#nearest(here, at) : null,
      enterBy: isStorey(heightM) ? this.#nearest(there, at) : null,
    };
  }

  /** The way of a person on foot, with the stairs that it needs; null if there is none. */
  route(i: number, to: Point, heightM: number, traveller: Traveller): Float64Array | null {
    const { leaveBy, enterBy } = this.onWay(i, to, heightM);
    const from = this.#people.at(i);
    if (leaveBy === null && enterBy === null) return this.#routes.find(from, to, traveller);
    return this.join([from, leaveBy, enterBy, to], traveller);
  }

  /**
   * The route of an ordered move from point to point. A driver walks where no road leads to a point, and the line is
   * straight where no path does.
   */
  through(i: number, points: readonly Point[], { permits, onWheels }: Traveller): Float64Array {
    const onFoot = { permits, onWheels: false };
    const corners: number[] = [];
    let from: Point | null = null;
    for (const to of points) {
      const road = onWheels ? this.#routes.find(from ?? this.#people.at(i), to, { permits, onWheels }) : null;
      const found = road ?? (from === null ? this.route(i, to, 0, onFoot) : this.#routes.find(from, to, onFoot));
      corners.push(...(found ?? to));
      from = to;
    }
    return Float64Array.from(corners);
  }

  /** The way from stop to stop; null stops are skipped. Returns null if there is no way. */
  join(stops: readonly (Point | null)[], traveller: Traveller): Float64Array | null {
    const corners: number[] = [];
    const [from, ...others] = stops.filter((stop) => stop !== null);
    let last = from!;
    for (const stop of others) {
      const route = this.#routes.find(last, stop, traveller);
      if (route === null) return null;
      corners.push(...route);
      last = stop;
    }
    return Float64Array.from(corners);
  }

  /**
   * Sets the heights of a trip. People climb at the stairs of their way. Without stairs they change height where they
   * stand, and at the goal.
   */
  setHeights(i: number, to: Point, heightM: number): void {
    const { height, climbTo, goalHeight } = this.#people;
    const { leaveBy } = this.onWay(i, to, heightM);
    goalHeight[i] = heightM;
    if (height[i] === 0 || leaveBy !== null) climbTo[i] = height[i]!;
    else {
      const here = buildingAt(this.#ground, ...this.#people.at(i));
      climbTo[i] = here >= 0 && here === buildingAt(this.#ground, ...to) ? height[i]! : 0;
    }
  }

  #nearest(building: number, [x, y]: Point): Point | null {
    let best: Point | null = null;
    for (const { at } of building < 0 ? [] : this.#ground.zones[building]!.stairs)
      if (best === null || distance(at, [x, y]) < distance(best, [x, y])) best = at;
    return best;
  }
}

const isStorey = (metres: number): boolean => Math.abs(metres) >= STOREY_M;

/** Moves a person on a stair by this many seconds. */
export function climb({ height, climbTo, routes, pace, freeSpeed }: People, i: number, seconds: number): void {
  const left = climbTo[i]! - height[i]!;
  const flat = routes[i] === null ? pace[i]! : freeSpeed[i]!;
  const step = flat * FLIGHT_SHARE[left > 0 ? 'up' : 'down'] * RISE * seconds;
  height[i] = Math.abs(left) <= step + ARRIVED_M ? climbTo[i]! : height[i]! + Math.sign(left) * step;
}
