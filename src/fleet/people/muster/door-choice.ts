/** People who queue at a door of their building take another one if that is clearly faster. [realism 1.4, RiMEA 11] */

import { distance, type Point } from '../../../base/geometry/shapes.ts';
import type { Draws } from '../../../base/random/draws.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type { Crowd } from '../crowd.ts';
import { buildingAt, type Door, type Ground } from '../ground/ground.ts';
import type { Routes, Traveller } from '../ground/routes.ts';
import type { Life } from '../life.ts';
import type { People } from '../people.ts';
import type { MusterPart } from './muster-part.ts';

/**
 * Interval at which people look around, and the probability that they act on it: otherwise all would run to and fro.
 * [realism 1.4]
 */
const LOOK_EVERY_MS = 5_000;
const ACT_SHARE = 0.15;

/** Another door must take less than this share of the time of the current one. [realism 1.4] */
const BETTER_SHARE = 0.8;

/** The shortest queue at which people look around. */
const LEAST_QUEUE = 5;

interface DoorChoiceParts {
  readonly people: People;
  readonly ground: Ground;
  readonly routes: Routes;
  readonly life: Life;
  /** Null if there are no queues. */
  readonly crowd: Crowd | null;
  /** The part of each person in the muster, by index; null if they have none. */
  readonly parts: readonly (MusterPart | null)[];
}

export class DoorChoice {
  readonly #of: DoorChoiceParts;
  /** Memoised lengths of the ways from doors to assembly points. A site has few of each. */
  readonly #metres = new Map<string, number>();

  constructor(parts: DoorChoiceParts) {
    this.#of = parts;
  }

  /** Runs at the end of a tick, for the people who look around now. */
  tick(draws: Draws, now: Instant): void {
    const { crowd, parts, people } = this.#of;
    if (crowd === null || now % LOOK_EVERY_MS !== 0 || !crowd.queued) return;
    crowd.countBound();
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      if (part?.stage !== 'goes' || part.point === null || part.point.heightM > 0) continue;
      if (crowd.waitingAt(i) < LEAST_QUEUE) continue;
      // The draw advances their random stream, which is stored.
      people.touched.add(i);
      if (draws.chance(i, ACT_SHARE)) this.#lookAround(i, part.point.centre, now);
    }
  }

  #lookAround(i: number, goal: Point, now: Instant): void {
    const { people, ground, crowd, life, routes } = this.#of;
    const at = people.at(i);
    const own = crowd!.doorOf(i);
    if (buildingAt(ground, ...at) !== own.zone) return;
    const traveller = { permits: life.permitsOf(i, now), onWheels: false };
    const freeSpeed = people.freeSpeed[i]!;
    let [best, passage]: [Door | null, number] = [null, own.passage];
    let leastS = Number.POSITIVE_INFINITY;
    const { doors } = ground.zones[own.zone]!;
    for (const [n, door] of doors.entries()) {
      const isOwn = own.firstPassage + n === own.passage;
      const metres = distance(at, door.inside) + this.#metresFrom(door, goal, traveller, doors);
      const waitS = isOwn ? crowd!.ownWaitS(i) : crowd!.waitS(own.firstPassage + n);
      // Another door must be clearly faster than the person's own.
      const seconds = (metres / freeSpeed + waitS) * (isOwn ? BETTER_SHARE : 1);
      if (seconds < leastS) [best, passage, leastS] = [isOwn ? null : door, own.firstPassage + n, seconds];
    }
    if (best === null) return;
    const inside = routes.find(at, best.inside, traveller);
    const outside = routes.toward(best.outside, { centre: goal }, traveller, doors);
    if (inside === null || outside === null) return;
    const route = people.routes[i]!;
    const spot: Point = [route[route.length - 2]!, route[route.length - 1]!];
    people.setOut(i, Float64Array.of(...inside, ...best.outside, ...outside.routeTo(spot)), freeSpeed, now);
    crowd!.turned(own.passage, passage);
  }

  // The way must not lead back through the building that the person leaves.
  #metresFrom({ outside }: Door, goal: Point, traveller: Traveller, doors: readonly Door[]): number {
    const key = `${outside.join()}/${goal.join()}/${traveller.permits}`;
    const known = this.#metres.get(key);
    if (known !== undefined) return known;
    const way = this.#of.routes.toward(outside, { centre: goal }, traveller, doors);
    const metres = way?.metres ?? Number.POSITIVE_INFINITY;
    this.#metres.set(key, metres);
    return metres;
  }
}
