/** The people who wait at doors and stairs: for each passage, a token bucket and a FIFO queue. [realism 7.3] */
import type { Point } from '../../base/geometry/shapes.ts';
import type { Ground } from './ground/ground.ts';
import { type Passage, passageOf } from './ground/passages.ts';
import type { People } from './people.ts';
import { queueGaps } from './queue-shape.ts';

/** A queue, as callers see it. */
export interface PassageQueue {
  readonly door: {
    readonly kind: Passage['kind'];
    /** The name of its zone. */
    readonly zone: string;
    readonly at: Point;
    /** The number of people per second that it lets through. */
    readonly perS: number;
  };
  /** The number of people who wait. */
  readonly waiting: number;
}

/** The tokens left in the bucket of a passage, by its index. */
export interface PassageTokens {
  readonly passage: number;
  readonly tokens: number;
}

export class Queues {
  readonly #passages: readonly Passage[];
  readonly #people: People;
  readonly #ground: Ground;
  /** The tokens of each passage: the number of people who may pass now. */
  readonly #tokens: Float64Array;
  readonly #queues: number[][];
  /** For each person, their number in the order of arrival at a queue; 0 if they do not wait. */
  readonly #tickets: Float64Array;
  /** For each person, the end of the passage at which they wait. */
  readonly #waitsAt: Int32Array;
  /** For each end of a passage, computed when its first queue forms. */
  readonly #gaps: (Float64Array | undefined)[] = [];
  #lastTicket = 0;

  constructor(passages: readonly Passage[], people: People, ground: Ground) {
    this.#passages = passages;
    this.#people = people;
    this.#ground = ground;
    this.#tokens = Float64Array.from(passages, ({ perS }) => mostTokens(perS));
    this.#queues = passages.map(() => []);
    this.#tickets = new Float64Array(people.count);
    this.#waitsAt = new Int32Array(people.count);
  }

  waits(i: number): boolean {
    return this.#tickets[i] !== 0;
  }

  waiting(passage: number): number {
    return this.#queues[passage]!.length;
  }

  get any(): boolean {
    return this.#queues.some(({ length }) => length > 0);
  }

  /** The number of people ahead of a person who waits there. For a newcomer, all who wait. */
  ahead(passage: number, i: number): number {
    const place = this.#queues[passage]!.indexOf(i);
    return place < 0 ? this.waiting(passage) : place;
  }

  /** The distance that a newcomer keeps from that end of a passage; metres. */
  gapOf(end: number): number {
    return this.#gap(end, this.waiting(passageOf(end)));
  }

  /** Adds one second's tokens to each passage. Unused tokens add up to at most one person more than a second's flow. */
  refill(): void {
    for (let n = 0; n < this.#passages.length; n++) {
      const { perS } = this.#passages[n]!;
      this.#tokens[n] = Math.min(mostTokens(perS), this.#tokens[n]! + perS);
    }
  }

  /** Takes a token. Returns true if the person may pass at once. */
  take(passage: number): boolean {
    if (this.#queues[passage]!.length > 0 || this.#tokens[passage]! < 1) return false;
    this.#tokens[passage]! -= 1;
    return true;
  }

  join(i: number, end: number): void {
    this.#lastTicket += 1;
    this.#stand(i, end, this.#lastTicket);
    this.#people.gateGapM[i] = this.gapOf(end);
    this.#queues[passageOf(end)]!.push(i);
    this.#people.touched.add(i);
  }

  leave(i: number): void {
    if (this.#tickets[i] === 0) return;
    const queue = this.#queues[passageOf(this.#waitsAt[i]!)]!;
    queue.splice(queue.indexOf(i), 1);
    this.#tickets[i] = 0;
  }

  /**
   * Admits the people whose turn it is; the others move up. `isThere` returns whether the first one has reached the
   * passage.
   */
  serve(isThere: (i: number) => boolean, admit: (i: number) => void): void {
    for (let n = 0; n < this.#queues.length; n++) {
      const queue = this.#queues[n]!;
      if (queue.length === 0) continue;
      while (queue.length > 0 && this.#tokens[n]! >= 1 && isThere(queue[0]!)) {
        const first = queue.shift()!;
        this.#tokens[n]! -= 1;
        this.#tickets[first] = 0;
        admit(first);
      }
      this.#moveUp(queue);
    }
  }

  /** The queues in which people wait, in the order of zones. */
  seen(nameOf: (zone: number) => string): PassageQueue[] {
    return this.#passages.flatMap(({ kind, zone, at, perS }, n) => {
      const waiting = this.waiting(n);
      return waiting === 0 ? [] : [{ door: { kind, zone: nameOf(zone), at, perS }, waiting }];
    });
  }

  ticketOf(i: number): number {
    return this.#tickets[i]!;
  }

  /** Restores a waiting person after a restart. */
  resume(i: number, end: number, ticket: number): void {
    this.#stand(i, end, ticket);
    this.#lastTicket = Math.max(this.#lastTicket, ticket);
    const queue = this.#queues[passageOf(end)]!;
    queue.push(i);
    queue.sort((a, b) => this.#tickets[a]! - this.#tickets[b]!);
  }

  /** The passages that were used recently, by index, and the tokens left in their buckets. */
  keptTokens(): PassageTokens[] {
    return this.#passages.flatMap(({ perS }, passage) => {
      const tokens = this.#tokens[passage]!;
      return tokens < mostTokens(perS) ? [{ passage, tokens }] : [];
    });
  }

  resumeTokens(kept: readonly PassageTokens[]): void {
    for (const { passage, tokens } of kept) if (passage < this.#tokens.length) this.#tokens[passage] = tokens;
  }

  #stand(i: number, end: number, ticket: number): void {
    this.#tickets[i] = ticket;
    this.#waitsAt[i] = end;
  }

  #gap(end: number, ahead: number): number {
    if (ahead === 0) return 0;
    const passage = this.#passages[passageOf(end)]!;
    this.#gaps[end] ??= queueGaps(this.#ground, passage.ends[end % 2]!);
    const gaps = this.#gaps[end];
    return gaps[Math.min(ahead, gaps.length - 1)]!;
  }

  #moveUp(queue: readonly number[]): void {
    const { gateGapM, touched } = this.#people;
    for (let ahead = 0; ahead < queue.length; ahead++) {
      const i = queue[ahead]!;
      const gapM = this.#gap(this.#waitsAt[i]!, ahead);
      if (gateGapM[i] === gapM) continue;
      gateGapM[i] = gapM;
      touched.add(i);
    }
  }
}

const mostTokens = (perS: number): number => 1 + perS;
