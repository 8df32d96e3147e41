/** A sequence of steps: the scenario itself, a branch of `together`, or the steps of a `when`. */
import type { Instant } from '../../base/time/clock.ts';
import type { Event } from '../../contract/events.ts';
import { idOf, type NamedThing, type Reference, valueBehind } from '../model/references.ts';

/** The step whose failure left a name without a value. */
export interface UnboundCause {
  readonly line: number;
  readonly text: string;
}

/** A scope of bound names; inner scopes see outer ones. */
export class NameScope {
  readonly #outer: NameScope | null;
  readonly #named = new Map<string, NamedThing | null>();
  /** Names that a failed step should have bound. */
  readonly #unbound = new Map<string, UnboundCause>();

  constructor(outer: NameScope | null = null) {
    this.#outer = outer;
  }

  get(name: string): NamedThing | undefined {
    return this.#named.has(name) ? (this.#named.get(name) ?? undefined) : this.#outer?.get(name);
  }

  /** Declares a name local: it is unbound here until it is found, even if an outer scope has the name. */
  own(name: string): void {
    this.#named.set(name, null);
  }

  set(name: string, named: NamedThing): void {
    this.#named.set(name, named);
    this.#unbound.delete(name);
  }

  /** The step that should have bound the name failed, or was skipped because of `cause`. */
  setUnbound(name: string, cause: UnboundCause): void {
    this.#unbound.set(name, cause);
  }

  /** Why the name has no value; null if no step failed to bind it. */
  causeOf(name: string): UnboundCause | null {
    const cause = this.#unbound.get(name);
    if (cause !== undefined) return cause;
    return this.#named.has(name) ? null : (this.#outer?.causeOf(name) ?? null);
  }
}

export class StepTrack {
  readonly names: NameScope;
  /** End of the previous step. */
  ended: Instant;
  /** False in a branch of `together`: the whole `together` counts as one action. */
  readonly #moves: boolean;
  /** The caller's track for the inside of a macro: actions in the macro count for the caller too. */
  readonly #outer: StepTrack | null;
  /** Sequence number at which the last action began; searches start there. */
  #since: number;
  /** End of the step before the last action. */
  #actedAfter: Instant;

  constructor(names: NameScope, ended: Instant, since: number, moves: boolean, outer: StepTrack | null = null) {
    this.names = names;
    this.ended = ended;
    this.#since = since;
    this.#actedAfter = ended;
    this.#moves = moves;
    this.#outer = outer;
  }

  get since(): number {
    return this.#outer?.since ?? this.#since;
  }

  /** Late work after this instant can change what the checks after the last action find. */
  get actedAfter(): Instant {
    return this.#outer?.actedAfter ?? this.#actedAfter;
  }

  /** An action begins at this sequence number. */
  act(place: number): void {
    if (this.#outer !== null) this.#outer.act(place);
    else if (this.#moves) [this.#since, this.#actedAfter] = [place, this.ended];
  }

  /** A parallel branch that starts here. */
  branch(begin: Instant): StepTrack {
    return new StepTrack(this.names, begin, this.since, false);
  }

  /** The inside of a macro: the same sequence with its own scope of names. */
  within(names: NameScope, begin: Instant): StepTrack {
    return new StepTrack(names, begin, 0, true, this);
  }
}

/** Returns the value of a reference as an object that a name can bind; `$event.object` is an alert or muster. */
export function namedBehind(reference: Reference, names: NameScope): NamedThing | undefined {
  const named = names.get(reference.name);
  if (named === undefined || reference.fields.length === 0) return named;
  const body = valueBehind(reference, named);
  if (body === undefined) return undefined;
  const isObject = reference.fields.length === 1 && reference.fields[0] === 'object' && named.kind === 'event';
  const kind = isObject ? ((named.body as Event).type.startsWith('muster.') ? 'muster' : 'alert') : 'answer';
  return { kind, id: idOf(body) ?? '', body };
}
