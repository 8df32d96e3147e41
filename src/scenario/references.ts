/** Names that steps give to what they find (`as: fall`) and take it by (`$fall`, `$fall.id`). */
import { quoted } from '../contract/sentences.ts';
import type { Path, Report } from '../plant/mistakes.ts';
import { didYouMean } from '../plant/section-check.ts';

/** What a name can stand for. */
export type NamedKind = 'alert' | 'event' | 'delivery';

/** A line with a mistake gives its name too; nobody knows to what. */
type GivenKind = NamedKind | 'any';

/** `$name` and the fields after it. */
export interface Reference {
  readonly name: string;
  readonly fields: readonly string[];
  /** Where the name was given: failures say it. */
  readonly line: number;
}

/** What a name stands for in a run: the thing as it was when it was found. */
export interface Named {
  readonly kind: NamedKind;
  readonly id: string;
  readonly body: unknown;
}

const REFERENCE = /^\$([A-Za-z][A-Za-z0-9_-]*)((?:\.[A-Za-z0-9_]+)*)$/;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** The names given so far while a file is read from top to bottom. */
export class Names {
  readonly #given = new Map<string, { kind: GivenKind; line: number }>();

  /** Takes a name; false where it means something else already. */
  give(name: unknown, kind: GivenKind, line: number, path: Path, report: Report): name is string {
    if (typeof name !== 'string' || !NAME.test(name)) {
      report.mistake(path, `${quoted(name)} is not a name. Write letters and digits, such as as: fall.`);
      return false;
    }
    const before = this.#given.get(name);
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
    const given = this.#given.get(name);
    if (given === undefined) {
      const meant = didYouMean(name, [...this.#given.keys()])
        .replace(/"/g, '')
        .replace('mean ', 'mean $');
      report.mistake(path, `$${name} is not defined before this line.${meant.startsWith(' Did') ? meant : ''}`);
      return null;
    }
    return { name, fields: rest.split('.').slice(1), line: given.line };
  }

  /** Whether a reference can be one of these. */
  isOneOf(reference: Reference, kinds: readonly NamedKind[]): boolean {
    const kind = this.kindOf(reference);
    return kind === 'any' || (kind !== 'value' && kinds.includes(kind));
  }

  /** What a reference is: the kind that was found, or `alert` for the object of an event. */
  kindOf({ name, fields }: Reference): GivenKind | 'value' {
    const kind = this.#given.get(name)?.kind ?? 'value';
    if (fields.length === 0 || kind === 'any') return kind;
    return kind === 'event' && fields.length === 1 && fields[0] === 'object' ? 'alert' : 'value';
  }
}

/** The value of a reference, `object` of an event being its alert or muster; undefined where there is none. */
export function valueBehind(reference: Reference, named: Named): unknown {
  let value: unknown = named.body;
  for (const [i, field] of reference.fields.entries()) {
    if (i === 0 && field === 'object' && named.kind === 'event') value = objectOf(named.body);
    else value = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  }
  return value;
}

/** The alert or muster that an event carries. */
export function objectOf(event: unknown): unknown {
  const data = isObject(event) ? event['data'] : undefined;
  return isObject(data) ? (data['alert'] ?? data['muster']) : undefined;
}

/** The id of what a value is: of a thing its `id`, of an id itself. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value['id'] === 'string' ? value['id'] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A reference as it is written. */
export function written({ name, fields }: Reference): string {
  return [`$${name}`, ...fields].join('.');
}
