/** One line of steps that are played one after the other: the story itself, a branch of `together`, the steps of a `when`. */
import type { Instant } from '../base/clock.ts';
import type { Named } from './references.ts';

/** Names and what they stand for; an inner one sees those around it. */
export class Scope {
  readonly #outer: Scope | null;
  readonly #named = new Map<string, Named>();

  constructor(outer: Scope | null = null) {
    this.#outer = outer;
  }

  get(name: string): Named | undefined {
    return this.#named.get(name) ?? this.#outer?.get(name);
  }

  set(name: string, named: Named): void {
    this.#named.set(name, named);
  }
}

export class Track {
  readonly names: Scope;
  /** When the step before was done. */
  ended: Instant;
  /** False in a branch of `together`, which is one action with all that is in it. */
  readonly #moves: boolean;
  /** The place in the record at which the last action began: searches start there. */
  #since: number;

  constructor(names: Scope, ended: Instant, since: number, moves: boolean) {
    this.names = names;
    this.ended = ended;
    this.#since = since;
    this.#moves = moves;
  }

  get since(): number {
    return this.#since;
  }

  /** An action begins at this place of the record. */
  act(place: number): void {
    if (this.#moves) this.#since = place;
  }

  /** A branch beside others, all beginning where this one stands. */
  branch(begin: Instant): Track {
    return new Track(this.names, begin, this.#since, false);
  }
}
