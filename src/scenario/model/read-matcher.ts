/** Readers shared by steps and checks: words, and the values of checks (`">= 3"`, `35..45`, `/regex/`, `any`, `"not x"`, `"one of a, b"`, bodies, `$names`). */

import { declaredName } from '../../base/text/same-name.ts';
import type { Slices } from '../../base/time/slices.ts';
import { isMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, type Path, type Spot, shown, unquoted } from '../../plant/mistakes.ts';
import { type Matcher, readPattern } from './matchers.ts';
import type { Plants } from './plants.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { REFERENCES_IN_TEXT, type ScenarioNames, type SourceLine } from './references.ts';
import type { RepeatCount, ScenarioCast, ScenarioStep, Values } from './scenario.ts';

/** A named list of steps with parameters. */
export interface Macro {
  readonly params: readonly string[];
  readonly steps: unknown;
  readonly path: Path;
}

/** The context in which a step is read. */
export interface ScenarioReading extends FilePlace {
  readonly names: ScenarioNames;
  readonly cast: ScenarioCast;
  readonly receivers: readonly string[];
  /** True if the file is one of `sandbox explore`, or uses one. */
  readonly explores?: boolean;
  /** Names of the probes of the user's system. */
  readonly probes?: readonly string[];
  readonly plants: Plants;
  /** The file's own company comes first. */
  readonly companies: readonly string[];
  readonly macros: ReadonlyMap<string, Macro>;
  /** Macros being expanded, outermost first. */
  readonly doing: readonly string[];
  /** The steps `do` of these macros. */
  readonly calls?: readonly SourceLine[];
  readonly values: Values;
  readSteps(value: unknown, at: ScenarioReading): Slices<ScenarioStep[]>;
  /** The remaining budget for reading the file; absent if no file is read. */
  readonly budget?: ReadingBudget | undefined;
  /** Returns the file and line of a path. */
  placeOf(path: Path): SourceLine;
}

/** Used for `readSteps` where only checks are read. */
export function* noSteps(): Slices<ScenarioStep[]> {
  yield;
  return [];
}

const COMPARE = /^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$/;
const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;
const PATTERN = /^\/(.*)\/([a-z]*)$/s;
const NOT = /^not (.+)$/s;
const ONE_OF = /^one of (.+)$/s;
const MORE = /^\+(\d+)$/;

/** Below this key, a short name means the worker's id. */
const WORKER_KEY = 'worker';

/** Reads the matcher of a value; returns null after reporting a mistake. `key`: the field with which it is compared. */
export function readMatcher(value: unknown, at: ScenarioReading, key?: string): Matcher | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return readText(value, at, key);
  if (Array.isArray(value)) {
    const items = value.map((item, i) => readMatcher(item, at.of(i), key));
    return items.includes(null) ? null : { kind: 'list', items: items as Matcher[] };
  }
  if (!isMap(value)) return { kind: 'equal', value };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === 'contains') return readContains(value['contains'], at.of('contains'));
  return readBody(value, at);
}

/** Reads a partial body: only the given keys are compared. */
export function readBody(value: unknown, at: ScenarioReading): Matcher | null {
  if (!isMap(value)) {
    if (value !== undefined) at.mistake(`${quoted(value)} is not a body. Write {key: value, ...}.`);
    return null;
  }
  const fields = new Map<string, Matcher>();
  let whole = true;
  for (const [key, item] of Object.entries(value)) {
    const matcher = readMatcher(item, at.of(key), key);
    if (matcher === null) whole = false;
    else fields.set(key, matcher);
  }
  return whole ? { kind: 'fields', fields } : null;
}

function readContains(value: unknown, at: ScenarioReading): Matcher | null {
  const items = Array.isArray(value) ? value.map((item, i) => readMatcher(item, at.of(i))) : [readMatcher(value, at)];
  return items.includes(null) ? null : { kind: 'contains', items: items as Matcher[] };
}

function readText(text: string, at: ScenarioReading, key: string | undefined): Matcher | null {
  if (text.startsWith('$')) {
    const reference = at.names.read(text, at);
    return reference === null ? null : { kind: 'reference', reference };
  }
  if (text === 'any') return { kind: 'any' };
  const [, operator, than] = COMPARE.exec(text) ?? [];
  if (operator !== undefined) return { kind: 'compare', operator: operator as '>=', than: Number(than) };
  const [, min, max] = RANGE.exec(text) ?? [];
  if (min !== undefined) return readRange(text, Number(min), Number(max), at);
  const [, source, flags] = PATTERN.exec(text) ?? [];
  if (source !== undefined) return patternOf(source, flags ?? '', at);
  const [, denied] = NOT.exec(text) ?? [];
  if (denied !== undefined) {
    const matcher = readWord(denied, at, key);
    return matcher === null ? null : { kind: 'not', matcher };
  }
  const [, listed] = ONE_OF.exec(text) ?? [];
  if (listed !== undefined) {
    const matchers = listed.split(',').map((word) => readWord(word.trim(), at, key));
    return matchers.includes(null) ? null : { kind: 'one-of', matchers: matchers as Matcher[] };
  }
  const [, more] = MORE.exec(text) ?? [];
  if (more !== undefined) return { kind: 'more', by: Number(more) };
  return key === WORKER_KEY ? readWorker(text, at) : { kind: 'equal', value: text };
}

/**
 * Reads a word inside `not` or `one of`. The whole value is a text in YAML, so the word is converted to its type here.
 */
function readWord(word: string, at: ScenarioReading, key: string | undefined): Matcher | null {
  if (word === 'null') return { kind: 'equal', value: null };
  if (word === 'true' || word === 'false') return { kind: 'equal', value: word === 'true' };
  // 007 is a text: as a number it would lose its zeros.
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(word)) return { kind: 'equal', value: Number(word) };
  if (word === '' || NOT.test(word) || ONE_OF.test(word))
    return at.mistake('A word is missing or one too many. Write "not x" or "one of a, b".');
  return readText(word, at, key);
}

function readWorker(text: string, at: ScenarioReading): Matcher | null {
  const who = declaredName(at.cast.keys(), text);
  if (at.cast.has(who)) return { kind: 'worker', who };
  reportUnknownPerson(who, at, at.cast);
  return null;
}

/** Reports a name that is not the name of a worker or crowd. */
export function reportUnknownPerson(who: unknown, at: FilePlace, cast: ScenarioCast, spot?: Spot): void {
  const inQuotes = unquoted(who, at);
  if (inQuotes !== null) at.mistake(inQuotes, spot);
  else at.missing(`${quoted(who)} is not a worker or a crowd.${didYouMean(who, [...cast.keys()])}`, spot);
}

function readRange(text: string, min: number, max: number, at: FilePlace): Matcher | null {
  if (min <= max) return { kind: 'range', min, max };
  return at.mistake(`${text} ends before it begins. Write ${max}..${min}.`);
}

function patternOf(source: string, flags: string, at: FilePlace): Matcher | null {
  const read = readPattern(source, flags);
  if (read.ok) return { kind: 'pattern', pattern: read.pattern };
  return at.mistake(read.why);
}

/** Reads the short name of a receiver; returns null after reporting anything else. */
export function readReceiverName(value: unknown, at: ScenarioReading): string | null {
  return value === undefined ? null : readName(value, at.receivers, 'not a receiver', at);
}

/** Reads one of the words; returns null after reporting that the value `isNot` one, such as "not a receiver". */
export function readOneOf<W extends string>(
  value: unknown,
  words: readonly W[],
  isNot: string,
  at: FilePlace,
): W | null {
  if (words.includes(value as W)) return value as W;
  return at.mistake(`${quoted(value)} is ${isNot}.${didYouMean(value, words)}`);
}

/** As `readOneOf`, for names of the file: a number is a name in quotes. */
export function readName(value: unknown, names: readonly string[], isNot: string, at: FilePlace): string | null {
  const message = unquoted(value, at);
  if (message !== null) return at.mistake(message);
  if (names.includes(value as string)) return value as string;
  return at.missing(`${quoted(value)} is ${isNot}.${didYouMean(value, names)}`);
}

/** Reads a number from 1 to `most`, or a range of such numbers; returns null after reporting anything else. */
export function readTimesOf(value: unknown, most: number, at: FilePlace): RepeatCount | null {
  const fits = (count: unknown): boolean =>
    Number.isInteger(count) && (count as number) >= 1 && (count as number) <= most;
  if (fits(value)) return value as number;
  const [, from, to] = typeof value === 'string' ? (/^(\d+)\.\.(\d+)$/.exec(value) ?? []) : [];
  const [min, max] = [Number(from), Number(to)];
  if (fits(min) && fits(max) && min <= max) return { min, max };
  const turned = fits(min) && fits(max) ? `${shown(value)} ends before it begins. Write ${to}..${from}.` : null;
  return at.mistake(
    turned ?? `${shown(value)} is not how often. Write a whole number, 1 to ${most}, or a range such as 2..5.`,
  );
}

export function shownCount(count: RepeatCount): string {
  return typeof count === 'number' ? String(count) : `${count.min}..${count.max}`;
}

/** Reports every undefined `$name`; false if there is one. */
export function reportUndefined(value: unknown, at: ScenarioReading): boolean {
  if (typeof value === 'string') return !value.startsWith('$') || at.names.read(value, at) !== null;
  if (Array.isArray(value)) return value.map((item, i) => reportUndefined(item, at.of(i))).every(Boolean);
  if (!isMap(value)) return true;
  return Object.entries(value)
    .map(([key, item]) => reportUndefined(item, at.of(key)))
    .every(Boolean);
}

/** As `reportUndefined`, for names within a text. */
export function reportUndefinedIn(text: string, at: ScenarioReading): boolean {
  const found = text.match(REFERENCES_IN_TEXT) ?? [];
  return found.map((one) => at.names.read(one, at) !== null).every(Boolean);
}
