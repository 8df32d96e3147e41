/** Matchers of checks: their kinds, their written form, the comparison with a body, and the check whether a body could ever match. */

import { isDeepStrictEqual } from 'node:util';
import { RE2JS } from 're2js';
import { itemOf, keyOf, type SchemaNode, variantsOf } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, isAsWritten, unquoted } from '../../plant/mistakes.ts';
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
  /** The worker ids of a short name: one for a worker, all for a crowd. */
  workerIds(who: string): readonly string[];
  /** The short name of a worker, for displaying actual values; absent if there are no short names. */
  personOf?(workerId: string): string | undefined;
}

/** One difference between a body and its matcher. */
export interface Mismatch {
  /** For example `details.trigger`; empty for the whole body. */
  readonly path: string;
  readonly expected: string;
  readonly got: string;
  /** The id of the alert or muster that differs. Absent: no single one. */
  readonly objectId?: string | undefined;
}

/**
 * Returns all differences of `actual`; `before` is the value at the same path in the object's previous version, for
 * `changed`.
 */
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

// YAML parses 1041 as a number, but the API may have the string "1041". An absent key equals null.
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
  // An object and its id are equivalent in a check.
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
    return [{ path, expected: 'a body', got: shownValue(actual, around) }];
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
  if (!Array.isArray(actual)) return [{ path, expected: 'a list', got: shownValue(actual, around) }];
  if (actual.length !== items.length) {
    return [{ path, expected: `${items.length} items`, got: `${actual.length}: ${shownValue(actual, around)}` }];
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
      return within
        ? []
        : [{ path, expected: `contains ${shownMatcher(item, around)}`, got: shownValue(actual, around) }];
    }
    if (!Array.isArray(actual)) return [{ path, expected: 'a list', got: shownValue(actual, around) }];
    const attempts = actual.map((one, i) => mismatches(item, one, around, `${path}[${i}]`));
    if (attempts.some((found) => found.length === 0)) return [];
    const nearest = attempts.sort((a, b) => a.length - b.length)[0];
    return nearest ?? [{ path, expected: `contains ${shownMatcher(item, around)}`, got: '[]' }];
  });
}

/** Returns true if a text contains a word, or the id of a named object. */
function isWithin(item: Matcher, actual: string, around: MatchContext): boolean {
  if (item.kind === 'equal') return actual.includes(String(item.value));
  if (item.kind !== 'reference') return fits(item, actual, around);
  const named = around.named(item.reference.name);
  const value = named === undefined ? undefined : valueBehind(item.reference, named);
  const text = idOf(value) ?? value;
  return text !== undefined && text !== null && actual.includes(String(text));
}

function miss(path: string, matcher: Matcher, actual: unknown, around: MatchContext): Mismatch {
  return { path, expected: shownMatcher(matcher, around), got: shownValue(actual, around) };
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
  return value === undefined ? written(reference) : `${written(reference)} (${shownValue(id ?? value, around)})`;
}

/** Placeholder for an absent value. */
const EMPTY = '(empty)';

/** Returns a value for the table of a failure, untruncated; workers by their short names. */
function shownValue(value: unknown, around?: MatchContext): string {
  if (value === undefined) return '(absent)';
  if (value === '') return EMPTY;
  const named = (part: unknown): unknown => (part === '' ? EMPTY : (around?.personOf?.(idOf(part) ?? '') ?? part));
  const whole = named(value);
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole, (_key, part: unknown) => named(part));
  // Leading, trailing and repeated spaces are shown as dots, because they are otherwise invisible.
  return text.replace(/[\p{Cc}]/gu, ' ').replace(/^ +| {2,}| +$/g, (run) => '·'.repeat(run.length));
}

// Regular expressions that match in linear time, so that none can block the event loop (ReDoS).

/** A compiled pattern; `String()` returns its source. */
interface Pattern {
  /** Unanchored match. */
  test(text: string): boolean;
  toString(): string;
}

/** Maximum length of a pattern; characters. */
const LONGEST = 1_000;

/**
 * Maximum number of states of the automaton: matching costs at most one step per state and character. Measured: 25 ns a
 * step at worst, so at most 1.6 s for 64 KiB, and 13 ms for 500 characters (a note).
 */
const MOST_STATES = 1_000;

/** `\k<name>`, which RE2 would read as a letter; not preceded by an escaping backslash. */
const NAMED_BACKREFERENCE = /^(?:[^\\]|\\[^k])*\\k</s;

/** Flags that do not affect whether a text matches. */
const IDLE_FLAGS = /[gyd]/g;

type ReadPattern = { readonly ok: true; readonly pattern: Pattern } | { readonly ok: false; readonly why: string };

/** Compiles a pattern in JavaScript's syntax; `why` explains to its author why it was rejected. */
export function readPattern(source: string, flags: string): ReadPattern {
  const written = `/${source}/${flags}`;
  if (source.length > LONGEST) return no(`The pattern has ${source.length} characters. Write at most ${LONGEST}.`);
  let plain: RegExp;
  try {
    plain = new RegExp(source, flags.replace(IDLE_FLAGS, ''));
  } catch (error) {
    return no(`${written} is not a regular expression: ${(error as Error).message.replace(/^.*\/: /, '')}.`);
  }
  if (NAMED_BACKREFERENCE.test(source)) return no(`${written} ${unsupported('`\\k`')}`);
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(plain));
    if (compiled.programSize() > MOST_STATES)
      return no(`${written} is too large: it repeats too much. Write smaller repetitions, or * and +.`);
    return { ok: true, pattern: { test: (text) => compiled.test(text), toString: () => written } };
  } catch (error) {
    return no(`${written} ${unsupported((error as Error).message)}`);
  }
}

const no = (why: string): ReadPattern => ({ ok: false, why });

/** Rewrites the engine's message: unsupported syntax is syntax that linear-time matching excludes. */
function unsupported(message: string): string {
  const what = /`(.*)`$/s.exec(message)?.[1] ?? '';
  const fix = 'Patterns run in linear time, without look-around and back-references.';
  if (/^\(\?<?[=!]/.test(what)) return `looks ahead or behind, which is not supported. ${fix} Write it without.`;
  if (/^\\[1-9k]/.test(what)) return `refers back to a group, which is not supported. ${fix} Write it without.`;
  if (/invalid repeat count/.test(message)) return 'repeats more than 1000 times. Write * or + instead.';
  return `is not supported${what === '' ? '' : ` at ${what}`}. ${fix}`;
}

// Checks the matcher of a check against the schema of the body, because a misspelt field could never match.

/**
 * Reports fields that the body does not have, and words that an enum field never has. `noun`: for example "an alert".
 */
export function reportMisshapen(matcher: Matcher, schema: object, noun: string, at: FilePlace): void {
  walk(matcher, variantsOf(schema as SchemaNode), noun, at);
}

function walk(matcher: Matcher, shapes: readonly SchemaNode[], noun: string, place: FilePlace): void {
  switch (matcher.kind) {
    case 'fields':
      return walkFields(matcher.fields, shapes, noun, place);
    case 'contains':
    case 'list': {
      const items = itemOf(shapes).flatMap(variantsOf);
      const at = matcher.kind === 'contains' ? place.of('contains') : place;
      for (const item of matcher.items) if (items.length > 0) walk(item, items, `an item of ${noun}`, at);
      return;
    }
    case 'not':
      return walk(matcher.matcher, shapes, noun, place);
    case 'one-of':
      for (const one of matcher.matchers) walk(one, shapes, noun, place);
      return;
    case 'equal':
      return reportWord(matcher.value, shapes, noun, place);
    default:
  }
}

function walkFields(
  fields: ReadonlyMap<string, Matcher>,
  shapes: readonly SchemaNode[],
  noun: string,
  at: FilePlace,
): void {
  const bodies = shapes.filter(({ properties }) => properties !== undefined);
  if (bodies.length === 0) return;
  for (const [key, matcher] of fields) {
    const known = keyOf(bodies, key).flatMap(variantsOf);
    if (known.length > 0) {
      walk(matcher, known, quoted(key), at.of(key));
      continue;
    }
    const names = [...new Set(bodies.flatMap(({ properties }) => Object.keys(properties!)))];
    const free = names.filter((name) => !fields.has(name));
    at.of(key).mistake(`${quoted(key)} is not a field of ${noun}.${didYouMean(key, free)}`, 'key');
  }
}

function reportWord(value: unknown, shapes: readonly SchemaNode[], noun: string, at: FilePlace): void {
  const isText = shapes.some(
    ({ type, enum: words, const: word }) => type === 'string' || words !== undefined || word !== undefined,
  );
  const isNumber = shapes.some(({ type }) => type === 'number' || type === 'integer');
  // 1041 matches the text 1041, but the zeros of 007 are lost.
  if (typeof value === 'number' && isText && !isNumber && !isAsWritten(value, at))
    at.mistake(unquoted(value, at) ?? '');
  if (typeof value !== 'string') return;
  if (isNumber && !isText && /^-?\d+(?:\.\d+)?$/.test(value)) {
    at.mistake(`${noun} is a number, and never the text ${quoted(value)}. Write ${value} without quotes.`);
    return;
  }
  const words = shapes.flatMap((shape) => shape.enum ?? []);
  // If a variant is free text, any word is possible.
  const open = shapes.some((shape) => shape.type === 'string' && shape.enum === undefined);
  if (words.length === 0 || open || words.includes(value)) return;
  const meant = didYouMean(value, words.map(String));
  at.mistake(`${noun} is never ${quoted(value)}.${meant}`);
}
