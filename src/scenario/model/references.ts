/** Names that steps bind with `as: fall` and refer to by `$fall` or `$fall.id`, and values with such names: checked at load, substituted when the step begins. */

import { isMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace } from '../../plant/mistakes.ts';

/** Kinds of objects to which a name can be bound. */
export type NamedKind = 'alert' | 'muster' | 'permit' | 'event' | 'delivery' | 'answer';

/** The kind of a name while the file is read; `any` if the binding line has a mistake, `step` for a step that makes nothing. */
export type GivenKind = NamedKind | 'muster-event' | 'value' | 'any' | 'step';

const NOUNS: Readonly<Record<NamedKind, string>> = {
  alert: 'an alert',
  muster: 'a muster',
  permit: 'a permit',
  event: 'an event',
  delivery: 'a delivery',
  answer: 'an answer of the API',
};

/** Returns for example `an alert`, or `an alert or an event`. */
export function nounOf(kinds: readonly NamedKind[]): string {
  return kinds.map((kind) => NOUNS[kind]).join(' or ');
}

export interface Reference {
  readonly name: string;
  readonly fields: readonly string[];
  /** The line that bound the name, for messages about failures. */
  readonly line: number;
}

/** A line of a file; lines start at 1. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** Where the search of a check starts: the start of the scenario, or the beginning of the step that bound a name. */
export type SearchStart = 'start' | Reference;

/** The value bound to a name: the object as it was when it was found. */
export interface NamedThing {
  readonly kind: NamedKind;
  readonly id: string;
  readonly body: unknown;
}

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)((?:\.[A-Za-z0-9_]+)*)$/;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** True for what can follow `$`. */
export const isName = (name: string): boolean => NAME.test(name);

/** What `isName` accepts, as an advice. */
export const NAME_FORM = 'Write letters and digits, the first a letter.';

/** How the lines after it use a name. */
interface NameUse {
  /** False if only `since` uses the name. */
  isObjectUsed: boolean;
}

interface GivenName extends NameUse {
  readonly kind: GivenKind;
  readonly line: number;
}

/** Names bound so far while a file is read from top to bottom. */
export class ScenarioNames {
  readonly #outer: ScenarioNames | null;
  /** Names bound inside a macro; outside they may have another meaning. */
  readonly #own: ReadonlySet<string>;
  readonly #given = new Map<string, GivenName>();
  /** Lines of names that are bound in other cases only. */
  readonly #ofOtherCases = new Map<string, number>();

  constructor(outer: ScenarioNames | null = null, own: ReadonlySet<string> = new Set()) {
    this.#outer = outer;
    this.#own = own;
  }

  /** A nested scope that also sees the names of this scope. */
  inner(): ScenarioNames {
    return new ScenarioNames(this);
  }

  /** The scope of a macro: `own` names are not looked up outside. */
  ofMacro(own: ReadonlySet<string>): ScenarioNames {
    return new ScenarioNames(this, own);
  }

  #find(name: string): GivenName | undefined {
    const outside = this.#outer === null || this.#own.has(name) ? undefined : this.#outer.#find(name);
    return this.#given.get(name) ?? outside;
  }

  #parameter(name: string): GivenName | undefined {
    if (this.#outer !== null) return this.#outer.#parameter(name);
    const given = this.#given.get(name);
    return given?.kind === 'value' ? given : undefined;
  }

  #all(): string[] {
    const outside = this.#outer === null ? [] : this.#outer.#all().filter((name) => !this.#own.has(name));
    return [...this.#given.keys(), ...outside];
  }

  /** Binds a name; false if it is bound to another kind already. */
  give(name: unknown, kind: GivenKind, line: number, at: FilePlace): name is string {
    if (typeof name !== 'string' || !isName(name)) {
      at.mistake(`${quoted(name)} is not a name. Write letters and digits, such as as: fall.`);
      return false;
    }
    const before = this.#find(name) ?? (kind === 'value' ? undefined : this.#parameter(name));
    if (before !== undefined) {
      at.mistake(`${quoted(name)} has a meaning since line ${before.line}. Write another name.`);
      return false;
    }
    this.#given.set(name, { kind, line, isObjectUsed: false });
    return true;
  }

  /** Called for a step whose `only` excludes this case, so that a message can explain a later use of its name. */
  giveInOtherCases(name: string, line: number): void {
    this.#ofOtherCases.set(name, line);
  }

  #lineInOtherCases(name: string): number | undefined {
    const outside = this.#outer === null ? undefined : this.#outer.#lineInOtherCases(name);
    return this.#ofOtherCases.get(name) ?? outside;
  }

  /** Reads a `$name` or `$name.field` that was bound before this line; returns null after reporting anything else. */
  read(text: string, at: FilePlace): Reference | null {
    const reference = this.readStart(text, at);
    const given = reference === null ? undefined : this.#find(reference.name);
    if (given !== undefined) given.isObjectUsed = true;
    if (reference === null || this.kindOf(reference) !== 'step') return reference;
    return at.mistake(`${text} names a step that makes nothing. Only since: ${text} can use it.`);
  }

  /** Reads a name of which only the beginning of its step is used. */
  readStart(text: string, at: FilePlace): Reference | null {
    const [, name, rest] = REFERENCE.exec(text) ?? [];
    if (name === undefined || rest === undefined)
      return at.mistake(`${quoted(text)} is not a name. Write $fall, or a field of it: $fall.id.`);
    const given = this.#find(name);
    const otherLine = given === undefined ? this.#lineInOtherCases(name) : undefined;
    if (otherLine !== undefined) {
      const fix = at.path[0] === 'rules' ? 'Bind it in every case' : 'Write the same "only" beside this step';
      return at.mistake(
        `$${name} has no value in this case: the "only" of line ${otherLine} names other cases. ${fix}.`,
      );
    }
    if (given === undefined) {
      const meant = didYouMean(name, this.#all()).replace(/"/g, '').replace('mean ', 'mean $');
      return at.missing(`$${name} is not defined before this line.${meant.startsWith(' Did') ? meant : ''}`);
    }
    if (given.kind === 'value' && rest !== '')
      return at.mistake(`$${name} is a parameter, and its value has no "${rest.slice(1)}". Write $${name}.`);
    return { name, fields: rest.split('.').slice(1), line: given.line };
  }

  /** How later lines use the name: complete after the whole file is read. */
  usageOf(name: string): NameUse | undefined {
    return this.#find(name);
  }

  isOneOf(reference: Reference, kinds: readonly NamedKind[]): boolean {
    const kind = this.kindOf(reference);
    if (kind === 'any') return true;
    return kind !== 'value' && kind !== 'step' && kinds.includes(kind === 'muster-event' ? 'event' : kind);
  }

  /** Returns the kind of a reference: the kind of its name, or alert or muster for `$event.object`. */
  kindOf({ name, fields }: Reference): GivenKind {
    const kind = this.#find(name)?.kind ?? 'value';
    if (fields.length === 0 || kind === 'any') return kind;
    if (fields.length !== 1 || fields[0] !== 'object') return 'value';
    if (kind === 'muster-event') return 'muster';
    return kind === 'event' ? 'alert' : 'value';
  }
}

/** The value of a reference; `object` of an event is its alert or muster. Undefined if absent. */
export function valueBehind(reference: Reference, named: NamedThing): unknown {
  let value: unknown = named.body;
  for (const [i, field] of reference.fields.entries()) {
    if (i === 0 && field === 'object' && named.kind === 'event') value = objectOf(named.body);
    else value = isMap(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  }
  return value;
}

/** Returns the alert or muster that an event contains. */
export function objectOf(event: unknown): unknown {
  const data = isMap(event) ? event['data'] : undefined;
  return isMap(data) ? (data['alert'] ?? data['muster']) : undefined;
}

/** Returns the id of a value: its `id` field, or the value itself if it is a text. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isMap(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
}

/** Matches every `$name` and `$name.field` in a text such as a path. */
export const REFERENCES_IN_TEXT = /\$[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_]+)*/g;

export function parsedReference(text: string): Reference | null {
  const [, name, rest] = REFERENCE.exec(text) ?? [];
  return name === undefined || rest === undefined ? null : { name, fields: rest.split('.').slice(1), line: 0 };
}

export function written({ name, fields }: Reference): string {
  return [`$${name}`, ...fields].join('.');
}

type FilledTemplate =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly missing: Reference };

/** Substitutes names; a whole object is replaced by its id. */
export function filled(value: unknown, named: (name: string) => NamedThing | undefined): FilledTemplate {
  const missing: Reference[] = [];
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string') return one.startsWith('$') ? behind(one) : one;
    if (Array.isArray(one)) return one.map(fill);
    return isMap(one) ? Object.fromEntries(Object.entries(one).map(([key, item]) => [key, fill(item)])) : one;
  };
  const behind = (text: string): unknown => {
    const reference = parsedReference(text);
    if (reference === null) return text;
    const thing = named(reference.name);
    const found = thing === undefined ? undefined : valueBehind(reference, thing);
    if (found === undefined) missing.push(reference);
    return isMap(found) ? (idOf(found) ?? found) : found;
  };
  const whole = fill(value);
  const [first] = missing;
  return first === undefined ? { ok: true, value: whole } : { ok: false, missing: first };
}

export function filledText(text: string, named: (name: string) => NamedThing | undefined): FilledTemplate {
  let missing: Reference | null = null;
  const value = text.replace(REFERENCES_IN_TEXT, (one) => {
    const part = filled(one, named);
    if (!part.ok) missing ??= part.missing;
    return part.ok ? String(part.value) : one;
  });
  return missing === null ? { ok: true, value } : { ok: false, missing };
}
