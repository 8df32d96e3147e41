/** Readers shared by steps and checks: words and keys, and the values of checks (`">= 3"`, `35..45`, `/regex/`, `any`, `"not x"`, `"one of a, b"`, bodies, `$names`). */

import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type Path, type Report, type Spot, shown } from '../../plant/mistakes.ts';
import { type Matcher, readPattern } from './matchers.ts';
import type { Plants } from './plants.ts';
import type { StoryNames } from './references.ts';
import type { RepeatCount, StoryCast, StoryStep, Values } from './story.ts';

/** A named list of steps with parameters. */
export interface Macro {
  readonly params: readonly string[];
  readonly steps: unknown;
  readonly path: Path;
}

/** The context in which a step is read. */
export interface StoryReading {
  readonly report: Report;
  readonly names: StoryNames;
  readonly cast: StoryCast;
  readonly receivers: readonly string[];
  readonly plants: Plants;
  /** The file's own company comes first. */
  readonly companies: readonly string[];
  readonly macros: ReadonlyMap<string, Macro>;
  /** Macros being expanded, outermost first. */
  readonly doing: readonly string[];
  readonly values: Values;
  readSteps(value: unknown, path: Path, reading: StoryReading): StoryStep[];
  /** The file and line of a place. */
  placeOf(path: Path): { file: string; line: number };
}

const COMPARE = /^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$/;
const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/;
const PATTERN = /^\/(.*)\/([a-z]*)$/s;
const NOT = /^not (.+)$/s;
const ONE_OF = /^one of (.+)$/s;
const MORE = /^\+(\d+)$/;

/** Below this key a short name denotes its worker. */
const WORKER_KEY = 'worker';

/** The matcher of a value; null after reporting a mistake. `key` is the field that it is compared with. */
export function readMatcher(value: unknown, path: Path, reading: StoryReading, key?: string): Matcher | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return readText(value, path, reading, key);
  if (Array.isArray(value)) {
    const items = value.map((item, i) => readMatcher(item, [...path, i], reading, key));
    return items.includes(null) ? null : { kind: 'list', items: items as Matcher[] };
  }
  if (!isMap(value)) return { kind: 'equal', value };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === 'contains')
    return readContains(value['contains'], [...path, 'contains'], reading);
  return readBody(value, path, reading);
}

/** A partial body: only the keys given are compared. */
export function readBody(value: unknown, path: Path, reading: StoryReading): Matcher | null {
  if (!isMap(value)) {
    if (value !== undefined) reading.report.mistake(path, `${quoted(value)} is not a body. Write {key: value, ...}.`);
    return null;
  }
  const fields = new Map<string, Matcher>();
  let whole = true;
  for (const [key, item] of Object.entries(value)) {
    const matcher = readMatcher(item, [...path, key], reading, key);
    if (matcher === null) whole = false;
    else fields.set(key, matcher);
  }
  return whole ? { kind: 'fields', fields } : null;
}

function readContains(value: unknown, path: Path, reading: StoryReading): Matcher | null {
  const items = Array.isArray(value)
    ? value.map((item, i) => readMatcher(item, [...path, i], reading))
    : [readMatcher(value, path, reading)];
  return items.includes(null) ? null : { kind: 'contains', items: items as Matcher[] };
}

function readText(text: string, path: Path, reading: StoryReading, key: string | undefined): Matcher | null {
  const { report } = reading;
  if (text.startsWith('$')) {
    const reference = reading.names.read(text, path, report);
    return reference === null ? null : { kind: 'reference', reference };
  }
  if (text === 'any') return { kind: 'any' };
  const [, operator, than] = COMPARE.exec(text) ?? [];
  if (operator !== undefined) return { kind: 'compare', operator: operator as '>=', than: Number(than) };
  const [, min, max] = RANGE.exec(text) ?? [];
  if (min !== undefined) return readRange(text, Number(min), Number(max), path, report);
  const [, source, flags] = PATTERN.exec(text) ?? [];
  if (source !== undefined) return patternOf(source, flags ?? '', path, report);
  const [, denied] = NOT.exec(text) ?? [];
  if (denied !== undefined) {
    const matcher = readWord(denied, path, reading, key);
    return matcher === null ? null : { kind: 'not', matcher };
  }
  const [, listed] = ONE_OF.exec(text) ?? [];
  if (listed !== undefined) {
    const matchers = listed.split(',').map((word) => readWord(word.trim(), path, reading, key));
    return matchers.includes(null) ? null : { kind: 'one-of', matchers: matchers as Matcher[] };
  }
  const [, more] = MORE.exec(text) ?? [];
  if (more !== undefined) return { kind: 'more', by: Number(more) };
  return key === WORKER_KEY ? readWorker(text, path, reading) : { kind: 'equal', value: text };
}

/** A word inside `not` or `one of`: always text, even if YAML would parse it as another type. */
function readWord(word: string, path: Path, reading: StoryReading, key: string | undefined): Matcher | null {
  if (word === 'null') return { kind: 'equal', value: null };
  if (word === 'true' || word === 'false') return { kind: 'equal', value: word === 'true' };
  if (/^-?\d+(?:\.\d+)?$/.test(word)) return { kind: 'equal', value: Number(word) };
  if (word === '' || NOT.test(word) || ONE_OF.test(word)) {
    reading.report.mistake(path, 'A word is missing or one too many. Write "not x" or "one of a, b".');
    return null;
  }
  return readText(word, path, reading, key);
}

function readWorker(who: string, path: Path, { cast, report }: StoryReading): Matcher | null {
  if (cast.has(who)) return { kind: 'worker', who };
  reportUnknownPerson(who, path, cast, report);
  return null;
}

/** Reports a name that no worker or crowd has. */
export function reportUnknownPerson(who: unknown, path: Path, cast: StoryCast, report: Report, spot?: Spot): void {
  report.mistake(path, `${quoted(who)} is not a worker or a crowd.${didYouMean(who, [...cast.keys()])}`, spot);
}

function readRange(text: string, min: number, max: number, path: Path, report: Report): Matcher | null {
  if (min <= max) return { kind: 'range', min, max };
  report.mistake(path, `${text} ends before it begins. Write ${max}..${min}.`);
  return null;
}

function patternOf(source: string, flags: string, path: Path, report: Report): Matcher | null {
  const read = readPattern(source, flags);
  if (read.ok) return { kind: 'pattern', pattern: read.pattern };
  report.mistake(path, read.why);
  return null;
}

/** A receiver by its short name; null after reporting anything else. */
export function readReceiverName(value: unknown, path: Path, { receivers, report }: StoryReading): string | null {
  return value === undefined ? null : readOneOf(value, receivers, 'not a receiver', path, report);
}

/** One of the words; null after reporting that the value `isNot` one, such as "not a receiver". */
export function readOneOf<W extends string>(
  value: unknown,
  words: readonly W[],
  isNot: string,
  path: Path,
  report: Report,
): W | null {
  if (words.includes(value as W)) return value as W;
  report.mistake(path, `${quoted(value)} is ${isNot}.${didYouMean(value, words)}`);
  return null;
}

/** Reports unknown keys, each as `"key" ISNOT.`; false if there is one. */
export function reportKeys(
  value: JsonMap,
  known: readonly string[],
  isNot: string,
  path: Path,
  report: Report,
): boolean {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const free = known.filter((key) => !Object.hasOwn(value, key));
  for (const key of unknown) report.mistake([...path, key], `${quoted(key)} ${isNot}.${didYouMean(key, free)}`, 'key');
  return unknown.length === 0;
}

/** The only key of these in the map; null after reporting `message` for none or several. */
export function readOnlyKey<W extends string>(
  map: JsonMap,
  words: readonly W[],
  message: string,
  path: Path,
  report: Report,
): W | null {
  const [found, another] = words.filter((word) => Object.hasOwn(map, word));
  if (found !== undefined && another === undefined) return found;
  report.mistake(path, message, 'key');
  return null;
}

/** What may and must stand in the braces of a step. */
export interface StepShape {
  readonly known: readonly string[];
  readonly needed?: readonly string[];
  readonly example: string;
}

/** The map of a step; null after reporting anything else. Unknown and missing keys are reported. */
export function readStepMap(
  word: string,
  value: unknown,
  { known, needed = [], example }: StepShape,
  path: Path,
  report: Report,
): JsonMap | null {
  if (value === undefined) return null;
  if (!isMap(value)) {
    report.mistake(path, `${shown(value)} is not what ${quoted(word)} needs. Write ${example}.`);
    return null;
  }
  reportKeys(value, known, `is not a key of ${quoted(word)}`, path, report);
  for (const key of needed)
    if (!Object.hasOwn(value, key)) report.mistake(path, `${quoted(word)} needs ${quoted(key)}.`, 'key');
  return value;
}

/** Null after reporting anything but 1 to `most`. */
export function readTimesOf(value: unknown, most: number, path: Path, report: Report): RepeatCount | null {
  const fits = (count: unknown): boolean =>
    Number.isInteger(count) && (count as number) >= 1 && (count as number) <= most;
  if (fits(value)) return value as number;
  const [, from, to] = typeof value === 'string' ? (/^(\d+)\.\.(\d+)$/.exec(value) ?? []) : [];
  const [min, max] = [Number(from), Number(to)];
  if (fits(min) && fits(max) && min <= max) return { min, max };
  const turned = fits(min) && fits(max) ? `${shown(value)} ends before it begins. Write ${to}..${from}.` : null;
  report.mistake(
    path,
    turned ?? `${shown(value)} is not how often. Write a whole number, 1 to ${most}, or a range such as 2..5.`,
  );
  return null;
}

export function shownCount(count: RepeatCount): string {
  return typeof count === 'number' ? String(count) : `${count.min}..${count.max}`;
}
