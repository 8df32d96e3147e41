/** Values with `$name`s in them, such as the body of an API call: checked at load, substituted when the step begins. */
import { isMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import type { StoryReading } from './read-matcher.ts';
import {
  idOf,
  type NamedThing,
  parsedReference,
  REFERENCES_IN_TEXT,
  type Reference,
  valueBehind,
} from './references.ts';

/** Reports every undefined `$name`; false if there is one. */
export function reportUndefined(value: unknown, path: Path, reading: StoryReading): boolean {
  if (typeof value === 'string')
    return !value.startsWith('$') || reading.names.read(value, path, reading.report) !== null;
  if (Array.isArray(value)) return value.map((item, i) => reportUndefined(item, [...path, i], reading)).every(Boolean);
  if (!isMap(value)) return true;
  return Object.entries(value)
    .map(([key, item]) => reportUndefined(item, [...path, key], reading))
    .every(Boolean);
}

/** The same within a text. */
export function reportUndefinedIn(text: string, path: Path, reading: StoryReading): boolean {
  const found = text.match(REFERENCES_IN_TEXT) ?? [];
  return found.map((one) => reading.names.read(one, path, reading.report) !== null).every(Boolean);
}

export type FilledTemplate =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly missing: Reference };

/** Substitutes names; a whole object becomes its id. */
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
