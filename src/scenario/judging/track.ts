/** One line of steps that are played one after the other: the story itself, a branch of `together`, the steps of a `when`. */
import type { Instant } from '../../base/clock.ts';
import type { NamedThing } from '../story/references.ts';

/** Names and what they stand for; an inner one sees those around it. */
export class NameScope {
  readonly #outer: NameScope | null;
  readonly #named = new Map<string, NamedThing | null>();

  constructor(outer: NameScope | null = null) {
    this.#outer = outer;
  }

  get(name: string): NamedThing | undefined {
    return this.#named.has(name) ? (this.#named.get(name) ?? undefined) : this.#outer?.get(name);
  }

  /** The name is of this scope: until something is found for it, it stands for nothing, whatever it is outside. */
  own(name: string): void {
    this.#named.set(name, null);
  }

  set(name: string, named: NamedThing): void {
    this.#named.set(name, named);
  }
}

export class StepTrack {
  readonly names: NameScope;
  /** When the step before was done. */
  ended: Instant;
  /** False in a branch of `together`, which is one action with all that is in it. */
  readonly #moves: boolean;
  /** The track that does a macro, of which this one is the inside: an action in here is one of the story. */
  readonly #outer: StepTrack | null;
  /** The place in the record at which the last action began: searches start there. */
  #since: number;

  constructor(names: NameScope, ended: Instant, since: number, moves: boolean, outer: StepTrack | null = null) {
    this.names = names;
    this.ended = ended;
    this.#since = since;
    this.#moves = moves;
    this.#outer = outer;
  }

  get since(): number {
    return this.#outer?.since ?? this.#since;
  }

  /** An action begins at this place of the record. */
  act(place: number): void {
    if (this.#outer !== null) this.#outer.act(place);
    else if (this.#moves) this.#since = place;
  }

  /** A branch beside others, all beginning where this one stands. */
  branch(begin: Instant): StepTrack {
    return new StepTrack(this.names, begin, this.since, false);
  }

  /** The inside of a macro: the same line of steps, with names of its own. */
  within(names: NameScope, begin: Instant): StepTrack {
    return new StepTrack(names, begin, 0, true, this);
  }
}
