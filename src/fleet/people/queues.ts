/** Who waits at doors and stairs: a token bucket and a first-in-first-out queue for each, packed in front of it. [realism 7.3] */
import type { Point } from '../../base/geometry.ts';
import type { Passage } from './passages.ts';
import type { People } from './people.ts';

/** People wait in a half-disc of this density: the k-th is sqrt(2k / (2.5 pi)) from the door. [realism 7.3] */
const PACKED_PER_M2 = 2.5;

/** They move up by steps of this length, so that an admission moves one person of each ring; metres. */
const RING_M = 0.5;

/** Beyond this place in a queue, all stand in the last ring. */
const MOST_PLACES = 4_096;

/** Distance from the door by the number of people ahead. */
const GAPS_M = Float64Array.from(
  { length: MOST_PLACES },
  (_, ahead) => RING_M * Math.floor(Math.sqrt((2 * ahead) / (PACKED_PER_M2 * Math.PI)) / RING_M),
);

/** A queue as others see it. */
export interface PassageQueue {
  readonly door: {
    readonly kind: Passage['kind'];
    /** The name of its zone. */
    readonly zone: string;
    readonly at: Point;
    /** People a second that it lets through. */
    readonly perS: number;
  };
  /** People who wait. */
  readonly waiting: number;
}

/** What is left in the bucket of a passage, by its index. */
export interface PassageTokens {
  readonly passage: number;
  readonly tokens: number;
}

export class Queues {
  readonly #passages: readonly Passage[];
  readonly #people: People;
  /** People who may pass now, by passage. */
  readonly #tokens: Float64Array;
  readonly #queues: number[][];
  /** By person: their number in the order of arrival at a queue; 0: they do not wait. */
  readonly #tickets: Float64Array;
  /** By person: the passage at which they wait. */
  readonly #waitsAt: Int32Array;
  #lastTicket = 0;

  constructor(passages: readonly Passage[], people: People) {
    this.#passages = passages;
    this.#people = people;
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

  /** People before a person who waits there; before a newcomer, all who wait. */
  ahead(passage: number, i: number): number {
    const place = this.#queues[passage]!.indexOf(i);
    return place < 0 ? this.waiting(passage) : place;
  }

  /** The distance that a newcomer keeps from the passage, metres. */
  gapOf(passage: number): number {
    return GAPS_M[Math.min(this.waiting(passage), MOST_PLACES - 1)]!;
  }

  /** One second: a passage has room for more. An unused second does not add up to more than one person beside it. */
  refill(): void {
    for (let n = 0; n < this.#passages.length; n++) {
      const { perS } = this.#passages[n]!;
      this.#tokens[n] = Math.min(mostTokens(perS), this.#tokens[n]! + perS);
    }
  }

  /** True if the person may pass at once; one person less may pass after them in this second. */
  take(passage: number): boolean {
    if (this.#queues[passage]!.length > 0 || this.#tokens[passage]! < 1) return false;
    this.#tokens[passage]! -= 1;
    return true;
  }

  join(i: number, passage: number): void {
    this.#lastTicket += 1;
    this.#stand(i, passage, this.#lastTicket);
    this.#people.gateGapM[i] = this.gapOf(passage);
    this.#queues[passage]!.push(i);
    this.#people.touched.add(i);
  }

  leave(i: number): void {
    if (this.#tickets[i] === 0) return;
    const queue = this.#queues[this.#waitsAt[i]!]!;
    queue.splice(queue.indexOf(i), 1);
    this.#tickets[i] = 0;
  }

  /** Admits those whose turn it is; the others move up. `isThere`: whether the first one has reached the passage. */
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

  /** They wait where they waited before a restart. */
  resume(i: number, passage: number, ticket: number): void {
    this.#stand(i, passage, ticket);
    this.#lastTicket = Math.max(this.#lastTicket, ticket);
    const queue = this.#queues[passage]!;
    queue.push(i);
    queue.sort((a, b) => this.#tickets[a]! - this.#tickets[b]!);
  }

  /** The passages that were used just now, by their index, and what is left in their buckets. */
  keptTokens(): PassageTokens[] {
    return this.#passages.flatMap(({ perS }, passage) => {
      const tokens = this.#tokens[passage]!;
      return tokens < mostTokens(perS) ? [{ passage, tokens }] : [];
    });
  }

  resumeTokens(kept: readonly PassageTokens[]): void {
    for (const { passage, tokens } of kept) if (passage < this.#tokens.length) this.#tokens[passage] = tokens;
  }

  #stand(i: number, passage: number, ticket: number): void {
    this.#tickets[i] = ticket;
    this.#waitsAt[i] = passage;
  }

  #moveUp(queue: readonly number[]): void {
    const { gateGapM, touched } = this.#people;
    for (let ahead = 0; ahead < queue.length; ahead++) {
      const i = queue[ahead]!;
      const gapM = GAPS_M[Math.min(ahead, MOST_PLACES - 1)]!;
      if (gateGapM[i] === gapM) continue;
      gateGapM[i] = gapM;
      touched.add(i);
    }
  }
}

const mostTokens = (perS: number): number => 1 + perS;
