/** A sequence of steps: the scenario itself, a branch of `together`, or the steps of a `when`. */
import type { Instant } from '../../base/time/clock.ts';
import type { Event } from '../../contract/events.ts';
import { idOf, type NamedThing, type Reference, valueBehind } from '../model/references.ts';

/** The step whose failure left a name without a value. */
export interface UnboundCause {
  readonly line: number;
  readonly text: string;
}

/** A bound object, and the sequence number at which the step began that bound it. */
interface BoundThing {
  readonly named: NamedThing;
  readonly since: number;
}

/** A scope of bound names; inner scopes see outer ones. */
export class NameScope {
  readonly #outer: NameScope | null;
  readonly #named = new Map<string, BoundThing | null>();
  /** Names that a failed step should have bound. */
  readonly #unbound = new Map<string, UnboundCause>();

  constructor(outer: NameScope | null = null) {
    this.#outer = outer;
  }

  get(name: string): NamedThing | undefined {
    return this.bound(name)?.named;
  }

  bound(name: string): BoundThing | undefined {
    return this.#named.has(name) ? (this.#named.get(name) ?? undefined) : this.#outer?.bound(name);
  }

  /** The names that are bound in this scope itself, the last bound first. */
  get own(): readonly (readonly [name: string, since: number])[] {
    const bound = [...this.#named].flatMap(([name, thing]) => (thing === null ? [] : [[name, thing.since] as const]));
    return bound.reverse();
  }

  /** Every bound name that is visible here, with its object. */
  get visible(): ReadonlyMap<string, NamedThing> {
    const seen = new Map(this.#outer?.visible);
    for (const [name, thing] of this.#named) {
      seen.delete(name);
      if (thing !== null) seen.set(name, thing.named);
    }
    return seen;
  }

  /** Declares a name local: it is unbound here until it is found, even if an outer scope has the name. */
  declare(name: string): void {
    this.#named.set(name, null);
  }

  /** `since`: the sequence number at which the step began that found or created it. */
  set(name: string, named: NamedThing, since: number): void {
    this.#named.delete(name);
    this.#named.set(name, { named, since });
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
  /** Sequence number at which the last call of the API began; searches for calls start there. */
  #called: number;
  /** Sequence number at which the present step began. */
  began: number;
  /** End of the step before the last action. */
  #actedAfter: Instant;

  constructor(names: NameScope, ended: Instant, since: number, moves: boolean, outer: StepTrack | null = null) {
    this.names = names;
    this.ended = ended;
    this.#since = since;
    this.#called = since;
    this.began = since;
    this.#actedAfter = ended;
    this.#moves = moves;
    this.#outer = outer;
  }

  get since(): number {
    return this.#outer?.since ?? this.#since;
  }

  /** Where the search of a check for calls starts: at the last action, or at the last call. */
  get calledSince(): number {
    return this.#outer?.calledSince ?? Math.max(this.#since, this.#called);
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

  /** A call that is no action begins at this sequence number. */
  call(place: number): void {
    if (this.#outer !== null) this.#outer.call(place);
    else if (this.#moves) this.#called = place;
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

/** The names that a macro binds itself, and those that its caller passes. */
interface MacroNames {
  readonly own: readonly string[];
  readonly handed: readonly { readonly name: string; readonly reference: Reference }[];
}

/** Returns the scope of one use of a macro: the names of the macro itself, and those that the caller passes. */
export function scopeOfMacro({ own, handed }: MacroNames, track: StepTrack): NameScope {
  const names = new NameScope(track.names);
  for (const name of own) names.declare(name);
  for (const { name, reference } of handed) {
    const thing = namedBehind(reference, track.names);
    const cause = track.names.causeOf(reference.name);
    const since = track.names.bound(reference.name)?.since ?? track.began;
    if (thing !== undefined) names.set(name, thing, since);
    else if (cause !== null) names.setUnbound(name, cause);
  }
  return names;
}

/** Returns the value of a reference as an object that a name can bind; `$event.object` is an alert or muster. */
function namedBehind(reference: Reference, names: NameScope): NamedThing | undefined {
  const named = names.get(reference.name);
  if (named === undefined || reference.fields.length === 0) return named;
  const body = valueBehind(reference, named);
  if (body === undefined) return undefined;
  const isObject = reference.fields.length === 1 && reference.fields[0] === 'object' && named.kind === 'event';
  const kind = isObject ? ((named.body as Event).type.startsWith('muster.') ? 'muster' : 'alert') : 'answer';
  return { kind, id: idOf(body) ?? '', body };
}
