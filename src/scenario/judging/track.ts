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
  /** Names that a failed step was to bind. */
  readonly #unbound = new Map<string, UnboundCause>();

  constructor(outer: NameScope | null = null) {
    this.#outer = outer;
  }

  get(name: string): NamedThing | undefined {
    return this.#named.has(name) ? (this.#named.get(name) ?? undefined) : this.#outer?.get(name);
  }

  /** Declares a name local: unbound here until found, whatever it is outside. */
  own(name: string): void {
    this.#named.set(name, null);
  }

  set(name: string, named: NamedThing): void {
    this.#named.set(name, named);
    this.#unbound.delete(name);
  }

  /** The step that was to bind the name failed, or was skipped because of `cause`. */
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
  /** False in a branch of `together`, which is one action as a whole. */
  readonly #moves: boolean;
  /** The caller's track if this is the inside of a macro: actions count for it too. */
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

  /** The instant from which late work can change what the checks after the last action find. */
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

  /** The inside of a macro: the same sequence with a scope of its own. */
  within(names: NameScope, begin: Instant): StepTrack {
    return new StepTrack(names, begin, 0, true, this);
  }
}

/** The value of a reference as a bindable thing; `$event.object` is an alert or muster. */
export function namedBehind(reference: Reference, names: NameScope): NamedThing | undefined {
  const named = names.get(reference.name);
  if (named === undefined || reference.fields.length === 0) return named;
  const body = valueBehind(reference, named);
  if (body === undefined) return undefined;
  const isObject = reference.fields.length === 1 && reference.fields[0] === 'object' && named.kind === 'event';
  const kind = isObject ? ((named.body as Event).type.startsWith('muster.') ? 'muster' : 'alert') : 'answer';
  return { kind, id: idOf(body) ?? '', body };
}
