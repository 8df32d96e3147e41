/** Matchers of checks: their kinds, their written form, and the comparison with a body. */
import { isDeepStrictEqual } from 'node:util';
import type { Pattern } from './pattern.ts';
import { idOf, type NamedThing, type Reference, valueBehind, written } from './references.ts';

export type Matcher =
  | { readonly kind: 'equal'; readonly value: unknown }
  | { readonly kind: 'compare'; readonly operator: '>=' | '<=' | '>' | '<'; readonly than: number }
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  | { readonly kind: 'any' }
  | { readonly kind: 'not'; readonly matcher: Matcher }
  | { readonly kind: 'one-of'; readonly matchers: readonly Matcher[] }
  | { readonly kind: 'more'; readonly by: number }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'worker'; readonly who: string }
  | { readonly kind: 'fields'; readonly fields: ReadonlyMap<string, Matcher> }
  | { readonly kind: 'list'; readonly items: readonly Matcher[] }
  | { readonly kind: 'contains'; readonly items: readonly Matcher[] };

/** Lookups that a comparison needs from the run. */
export interface MatchContext {
  named(name: string): NamedThing | undefined;
  /** Worker ids behind a short name: one for a worker, all for a crowd. */
  workerIds(who: string): readonly string[];
}

/** One difference between a body and its matcher. */
export interface Mismatch {
  /** `details.trigger`; empty for the whole body. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

/** All differences of `actual`; `before` is the same place in the object's previous version, for `changed`. */
export function mismatches(
  matcher: Matcher,
  actual: unknown,
  around: MatchContext,
  path = '',
  before: unknown = undefined,
): Mismatch[] {
  switch (matcher.kind) {
    case 'fields':
      return fieldMismatches(matcher.fields, actual, around, path, before);
    case 'list':
      return listMismatches(matcher.items, actual, around, path);
    case 'contains':
      return containsMismatches(matcher.items, actual, around, path);
    default:
      return fits(matcher, actual, around, before) ? [] : [miss(path, matcher, actual, around)];
  }
}

function fits(matcher: Matcher, actual: unknown, around: MatchContext, before?: unknown): boolean {
  switch (matcher.kind) {
    case 'equal':
      return equals(matcher.value, actual);
    case 'compare':
      return typeof actual === 'number' && compares(actual, matcher.operator, matcher.than);
    case 'range':
      return typeof actual === 'number' && actual >= matcher.min && actual <= matcher.max;
    case 'pattern':
      return typeof actual === 'string' && matcher.pattern.test(actual);
    case 'any':
      return actual !== null && actual !== undefined;
    case 'not':
      return !fits(matcher.matcher, actual, around, before);
    case 'one-of':
      return matcher.matchers.some((one) => fits(one, actual, around, before));
    case 'more':
      return typeof actual === 'number' && typeof before === 'number' && actual === before + matcher.by;
    case 'reference':
      return refersTo(matcher.reference, actual, around);
    case 'worker':
      return around.workerIds(matcher.who).includes(idOf(actual) ?? '');
    case 'fields':
    case 'list':
    case 'contains':
      return mismatches(matcher, actual, around, '', before).length === 0;
  }
}

// YAML parses 1041 as a number where the API has the string "1041"; an absent key equals null.
function equals(expected: unknown, actual: unknown): boolean {
  if (typeof actual === 'string' && (typeof expected === 'number' || typeof expected === 'boolean')) {
    return String(expected) === actual;
  }
  return isDeepStrictEqual(expected, actual ?? null);
}

function compares(actual: number, operator: '>=' | '<=' | '>' | '<', than: number): boolean {
  switch (operator) {
    case '>=':
      return actual >= than;
    case '<=':
      return actual <= than;
    case '>':
      return actual > than;
    case '<':
      return actual < than;
  }
}

function refersTo(reference: Reference, actual: unknown, around: MatchContext): boolean {
  const named = around.named(reference.name);
  if (named === undefined) return false;
  const expected = valueBehind(reference, named);
  // An object and its id are interchangeable in a check.
  const id = idOf(expected);
  return id === undefined ? isDeepStrictEqual(expected, actual) : id === idOf(actual);
}

function fieldMismatches(
  fields: ReadonlyMap<string, Matcher>,
  actual: unknown,
  around: MatchContext,
  path: string,
  before: unknown,
): Mismatch[] {
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) {
    return [{ path, expected: 'a body', got: shownValue(actual) }];
  }
  return [...fields].flatMap(([key, matcher]) =>
    mismatches(matcher, fieldOf(actual, key), around, path === '' ? key : `${path}.${key}`, fieldOf(before, key)),
  );
}

function fieldOf(body: unknown, key: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return undefined;
  return (body as Record<string, unknown>)[key];
}

function listMismatches(items: readonly Matcher[], actual: unknown, around: MatchContext, path: string): Mismatch[] {
  if (!Array.isArray(actual)) return [{ path, expected: 'a list', got: shownValue(actual) }];
  if (actual.length !== items.length) {
    return [{ path, expected: `${items.length} items`, got: `${actual.length}: ${shownValue(actual)}` }];
  }
  return items.flatMap((item, i) => mismatches(item, actual[i], around, `${path}[${i}]`));
}

function containsMismatches(
  items: readonly Matcher[],
  actual: unknown,
  around: MatchContext,
  path: string,
): Mismatch[] {
  return items.flatMap((item) => {
    if (typeof actual === 'string') {
      const within = isWithin(item, actual, around);
      return within ? [] : [{ path, expected: `contains ${shownMatcher(item, around)}`, got: shownValue(actual) }];
    }
    if (!Array.isArray(actual)) return [{ path, expected: 'a list', got: shownValue(actual) }];
    const attempts = actual.map((one, i) => mismatches(item, one, around, `${path}[${i}]`));
    if (attempts.some((found) => found.length === 0)) return [];
    const nearest = attempts.sort((a, b) => a.length - b.length)[0];
    return nearest ?? [{ path, expected: `contains ${shownMatcher(item, around)}`, got: '[]' }];
  });
}

/** Whether a text contains a word, or the id behind a name. */
function isWithin(item: Matcher, actual: string, around: MatchContext): boolean {
  if (item.kind === 'equal') return actual.includes(String(item.value));
  if (item.kind !== 'reference') return fits(item, actual, around);
  const named = around.named(item.reference.name);
  const value = named === undefined ? undefined : valueBehind(item.reference, named);
  const text = idOf(value) ?? value;
  return text !== undefined && text !== null && actual.includes(String(text));
}

function miss(path: string, matcher: Matcher, actual: unknown, around: MatchContext): Mismatch {
  return { path, expected: shownMatcher(matcher, around), got: shownValue(actual) };
}

/** The written form of a matcher. */
export function shownMatcher(matcher: Matcher, around?: MatchContext): string {
  const shown = (one: Matcher) => shownMatcher(one, around);
  switch (matcher.kind) {
    case 'equal':
      return shownValue(matcher.value);
    case 'compare':
      return `${matcher.operator} ${matcher.than}`;
    case 'range':
      return `${matcher.min}..${matcher.max}`;
    case 'pattern':
      return String(matcher.pattern);
    case 'any':
      return 'any';
    case 'not':
      return `not ${shown(matcher.matcher)}`;
    case 'one-of':
      return `one of ${matcher.matchers.map(shown).join(', ')}`;
    case 'more':
      return `+${matcher.by}`;
    case 'reference':
      return shownReference(matcher.reference, around);
    case 'worker':
      return matcher.who;
    case 'fields':
      return `{${[...matcher.fields].map(([key, field]) => `${key}: ${shown(field)}`).join(', ')}}`;
    case 'list':
      return `[${matcher.items.map(shown).join(', ')}]`;
    case 'contains':
      return `contains ${matcher.items.map(shown).join(', ')}`;
  }
}

function shownReference(reference: Reference, around: MatchContext | undefined): string {
  const named = around?.named(reference.name);
  const value = named === undefined ? undefined : valueBehind(reference, named);
  const id = idOf(value);
  return value === undefined ? written(reference) : `${written(reference)} (${id ?? shownValue(value)})`;
}

/** Placeholder for an absent value. */
const EMPTY = '(empty)';

/** A value as the table of a failure shows it, untruncated. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '(absent)';
  if (value === '') return EMPTY;
  const text =
    typeof value === 'string' ? value : JSON.stringify(value, (_key, part: unknown) => (part === '' ? EMPTY : part));
  // Leading, trailing and repeated spaces are shown as dots.
  return text.replace(/[\p{Cc}]/gu, ' ').replace(/^ +| {2,}| +$/g, (run) => '·'.repeat(run.length));
}
