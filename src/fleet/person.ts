/** A person on site: stands, or walks about their work area from one random place to the next, with pauses. */
import type { Instant } from '../base/clock.ts';
import { distance, type Point, type Ring, randomPointIn } from '../base/geometry.ts';
import type { Stream } from '../base/streams.ts';

/** How long somebody stays where they are before they walk on; milliseconds. */
const PAUSE_MEAN_MS = 60_000;
const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 300_000;

export interface PersonParts {
  readonly at: Point;
  /** Where they walk about. */
  readonly area: Ring;
  /** Metres per second. */
  readonly pace: number;
  /** Null: a puppet, who stands still until told. */
  readonly walk: Stream | null;
  readonly now: Instant;
}

/**
 * A leg is a pause and then a straight walk. Where the person is follows from the leg and the time alone, so asking
 * often or seldom changes nothing. Routes round buildings will replace the straight walk here.
 */
export class Person {
  readonly #area: Ring;
  readonly #paceMs: number;
  readonly #walk: Stream | null;
  #from: Point;
  #to: Point;
  #departsAt: Instant;
  #arrivesAt: Instant;
  /** Where they go on to from there, without a pause. */
  #onwards: Point[] = [];
  #onwardsPaceMs = 0;

  constructor({ at, area, pace, walk, now }: PersonParts) {
    this.#area = area;
    this.#paceMs = pace / 1000;
    this.#walk = walk;
    this.#from = at;
    this.#to = at;
    // Not everybody sets out at the start: the first pause is somewhere in its middle.
    this.#departsAt = now;
    this.#arrivesAt = now + (walk === null ? 0 : walk.int(0, PAUSE_MEAN_MS));
  }

  /** Where the person truly is. `now` never goes back. */
  at(now: Instant): Point {
    while (now >= this.#arrivesAt && (this.#onwards.length > 0 || this.#walk !== null)) {
      const next = this.#onwards.shift();
      if (next !== undefined) this.#walkOn(next, this.#arrivesAt);
      else if (this.#walk !== null) this.#nextLeg(this.#walk);
    }
    if (now <= this.#departsAt) return this.#from;
    if (now >= this.#arrivesAt) return this.#to;
    const done = (now - this.#departsAt) / (this.#arrivesAt - this.#departsAt);
    return [this.#from[0] + done * (this.#to[0] - this.#from[0]), this.#from[1] + done * (this.#to[1] - this.#from[1])];
  }

  /** The person is there now; an `auto` one goes on from there after a pause. */
  put(point: Point, now: Instant): void {
    this.#onwards = [];
    this.#set(point, point, now, now);
  }

  /** The person walks there straight away, through the points in their order; `pace` in metres per second. */
  moveTo(points: readonly Point[], now: Instant, pace = this.#paceMs * 1000): void {
    const from = this.at(now);
    this.#onwards = [...points];
    this.#onwardsPaceMs = pace / 1000;
    this.#set(from, from, now, now);
    const [first] = this.#onwards.splice(0, 1);
    if (first !== undefined) this.#walkOn(first, now);
  }

  #walkOn(to: Point, at: Instant): void {
    const pace = this.#onwardsPaceMs;
    this.#set(this.#to, to, at, at + (pace > 0 ? Math.ceil(distance(this.#to, to) / pace) : 0));
  }

  #nextLeg(walk: Stream): void {
    const pauseMs = Math.min(Math.max(walk.exponential(PAUSE_MEAN_MS), PAUSE_MIN_MS), PAUSE_MAX_MS);
    const to = randomPointIn(this.#area, walk);
    const departsAt = Math.round(this.#arrivesAt + pauseMs);
    this.#set(this.#to, to, departsAt, departsAt + this.#walkMs(this.#to, to));
  }

  #walkMs(from: Point, to: Point): number {
    return this.#paceMs > 0 ? Math.ceil(distance(from, to) / this.#paceMs) : 0;
  }

  #set(from: Point, to: Point, departsAt: Instant, arrivesAt: Instant): void {
    this.#from = from;
    this.#to = to;
    this.#departsAt = departsAt;
    this.#arrivesAt = arrivesAt;
  }
}
