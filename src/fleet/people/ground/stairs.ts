/** From floor to floor: which stairs a way needs, and how fast people climb them. [realism 2.1] */
import { distance, type Point } from '../../../base/geometry/shapes.ts';
import type { People } from '../people.ts';
import { buildingAt, type Ground } from './ground.ts';
import type { Routes, Traveller } from './routes.ts';

/** Along a flight, as shares of the speed on the flat: Weidmann's 0.61 m/s up and 0.69 m/s down, of 1.34. [realism 2.1] */
export const FLIGHT_SHARE = { up: 0.61 / 1.34, down: 0.69 / 1.34 } as const;

/** Rise per metre of flight, of steps of 18 on 28 cm. [realism 2.1, SFPE] */
const RISE = 0.54;

/** A smaller difference is a ramp or some steps, taken on the way; metres. */
const STOREY_M = 2;

/** Rounding must not cost the last step a second of its own; metres. */
const ARRIVED_M = 1e-9;

/** Null: no stair is needed. */
export interface StairsOnWay {
  /** By which they leave the floor that they are on. */
  readonly leaveBy: Point | null;
  /** By which they reach the floor of the goal. */
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

  /** The stairs on the way of a person to a place at a height, metres. */
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

  /** The way of a person on foot, by the stairs that it needs; null: there is none. */
  route(i: number, to: Point, heightM: number, traveller: Traveller): Float64Array | null {
    const { leaveBy, enterBy } = this.onWay(i, to, heightM);
    const from = this.#people.at(i);
    if (leaveBy === null && enterBy === null) return this.#routes.find(from, to, traveller);
    return this.join([from, leaveBy, enterBy, to], traveller);
  }

  /** An ordered way from point to point; on foot or straight where no road leads there. */
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

  /** The way from stop to stop, without those that are null. */
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

  /** They set out for a height: by stairs on their way, or from where they stand and at the goal where there are none. */
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

/** Some seconds on the stairs. */
export function climb({ height, climbTo, routes, pace, freeSpeed }: People, i: number, seconds: number): void {
  const left = climbTo[i]! - height[i]!;
  const flat = routes[i] === null ? pace[i]! : freeSpeed[i]!;
  const step = flat * FLIGHT_SHARE[left > 0 ? 'up' : 'down'] * RISE * seconds;
  height[i] = Math.abs(left) <= step + ARRIVED_M ? climbTo[i]! : height[i]! + Math.sign(left) * step;
}
