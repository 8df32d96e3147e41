/** Names that steps give to what they find (`as: fall`) and take it by (`$fall`, `$fall.id`). */
import { isMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import { didYouMean } from '../../plant/section-check.ts';

/** What a name can stand for. */
export type NamedKind = 'alert' | 'muster' | 'permit' | 'event' | 'delivery' | 'answer';

/** What a name is known to be while the file is read; a line with a mistake gives its name too, and nobody knows to what. */
export type GivenKind = NamedKind | 'muster-event' | 'value' | 'any';

/** Kinds as people call them. */
const NOUNS: Readonly<Record<NamedKind, string>> = {
  alert: 'an alert',
  muster: 'a muster',
  permit: 'a permit',
  event: 'an event',
  delivery: 'a delivery',
  answer: 'an answer of the API',
};

/** `an alert`, or `an alert or an event`. */
export function nounOf(kinds: readonly NamedKind[]): string {
  return kinds.map((kind) => NOUNS[kind]).join(' or ');
}

/** `$name` and the fields after it. */
export interface Reference {
  readonly name: string;
  readonly fields: readonly string[];
  /** Where the name was given: failures say it. */
  readonly line: number;
}

/** What a name stands for in a run: the thing as it was when it was found. */
export interface NamedThing {
  readonly kind: NamedKind;
  readonly id: string;
  readonly body: unknown;
}

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)((?:\.[A-Za-z0-9_]+)*)$/;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** The names given so far while a file is read from top to bottom. */
export class StoryNames {
  readonly #outer: StoryNames | null;
  /** The names that a macro gives itself: outside they may mean something else. */
  readonly #own: ReadonlySet<string>;
  readonly #given = new Map<string, { kind: GivenKind; line: number }>();

  constructor(outer: StoryNames | null = null, own: ReadonlySet<string> = new Set()) {
    this.#outer = outer;
    this.#own = own;
  }

  /** Names that are known in here only, among those known already. */
  inner(): StoryNames {
    return new StoryNames(this);
  }

  /** Names of a macro, among those known already; what is its own is not looked for outside. */
  ofMacro(own: ReadonlySet<string>): StoryNames {
    return new StoryNames(this, own);
  }

  #find(name: string): { kind: GivenKind; line: number } | undefined {
    const outside = this.#outer === null || this.#own.has(name) ? undefined : this.#outer.#find(name);
    return this.#given.get(name) ?? outside;
  }

  /** A parameter of the file stands for the same everywhere. */
  #parameter(name: string): { kind: GivenKind; line: number } | undefined {
    if (this.#outer !== null) return this.#outer.#parameter(name);
    const given = this.#given.get(name);
    return given?.kind === 'value' ? given : undefined;
  }

  #all(): string[] {
    const outside = this.#outer === null ? [] : this.#outer.#all().filter((name) => !this.#own.has(name));
    return [...this.#given.keys(), ...outside];
  }

  /** Takes a name; false where it means something else already. */
  give(name: unknown, kind: GivenKind, line: number, path: Path, report: Report): name is string {
    if (typeof name !== 'string' || !NAME.test(name)) {
      report.mistake(path, `${quoted(name)} is not a name. Write letters and digits, such as as: fall.`);
      return false;
    }
    const before = this.#find(name) ?? (kind === 'value' ? undefined : this.#parameter(name));
    if (before !== undefined) {
      report.mistake(path, `${quoted(name)} has a meaning since line ${before.line}. Write another name.`);
      return false;
    }
    this.#given.set(name, { kind, line });
    return true;
  }

  /** `$name` or `$name.field` that was given before this line; null (and told) for anything else. */
  read(text: string, path: Path, report: Report): Reference | null {
    const [, name, rest] = REFERENCE.exec(text) ?? [];
    if (name === undefined || rest === undefined) {
      report.mistake(path, `${quoted(text)} is not a name. Write $fall, or a field of it: $fall.id.`);
      return null;
    }
    const given = this.#find(name);
    if (given === undefined) {
      const meant = didYouMean(name, this.#all()).replace(/"/g, '').replace('mean ', 'mean $');
      report.mistake(path, `$${name} is not defined before this line.${meant.startsWith(' Did') ? meant : ''}`);
      return null;
    }
    if (given.kind === 'value' && rest !== '') {
      report.mistake(path, `$${name} is a parameter, and its value has no "${rest.slice(1)}". Write $${name}.`);
      return null;
    }
    return { name, fields: rest.split('.').slice(1), line: given.line };
  }

  /** Whether a reference can be one of these. */
  isOneOf(reference: Reference, kinds: readonly NamedKind[]): boolean {
    const kind = this.kindOf(reference);
    if (kind === 'any') return true;
    return kind !== 'value' && kinds.includes(kind === 'muster-event' ? 'event' : kind);
  }

  /** What a reference is: the kind that was found, or for the object of an event its alert or muster. */
  kindOf({ name, fields }: Reference): GivenKind {
    const kind = this.#find(name)?.kind ?? 'value';
    if (fields.length === 0 || kind === 'any') return kind;
    if (fields.length !== 1 || fields[0] !== 'object') return 'value';
    if (kind === 'muster-event') return 'muster';
    return kind === 'event' ? 'alert' : 'value';
  }
}

/** The value of a reference, `object` of an event being its alert or muster; undefined where there is none. */
export function valueBehind(reference: Reference, named: NamedThing): unknown {
  let value: unknown = named.body;
  for (const [i, field] of reference.fields.entries()) {
    if (i === 0 && field === 'object' && named.kind === 'event') value = objectOf(named.body);
    else value = isMap(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  }
  return value;
}

/** The alert or muster that an event carries. */
export function objectOf(event: unknown): unknown {
  const data = isMap(event) ? event['data'] : undefined;
  return isMap(data) ? (data['alert'] ?? data['muster']) : undefined;
}

/** The id of what a value is: of a thing its `id`, of an id itself. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isMap(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
}

/** Every `$name` and `$name.field` in a text such as a path. */
export const REFERENCES_IN_TEXT = /\$[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_]+)*/g;

/** `$name.field` that was read before, as it is written. */
export function parsedReference(text: string): Reference | null {
  const [, name, rest] = REFERENCE.exec(text) ?? [];
  return name === undefined || rest === undefined ? null : { name, fields: rest.split('.').slice(1), line: 0 };
}

/** A reference as it is written. */
export function written({ name, fields }: Reference): string {
  return [`$${name}`, ...fields].join('.');
}
