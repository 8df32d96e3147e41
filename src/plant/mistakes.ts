/**
 * The mistakes of a file with their positions, how they are shown, and the check of a section against its schema. The
 * check removes wrong values, so that reading can continue.
 */

import type { Static, TSchema } from 'typebox';
import { isPrintable, printable } from '../base/text/printable.ts';
import { explainDuration, formatDuration, parseDuration } from '../base/time/durations.ts';
import { isMap, type JsonMap, kindOf, kindOfValue, partsOf, type SchemaNode } from '../contract/schema.ts';
import { allClosest, list, plural, quoted } from '../contract/sentences.ts';
import { DURATION_NOUN, isPlain, lineInstead, nounOf } from './section-words.ts';

/** The keys and indexes that lead to a value in a document. */
export type Path = readonly (string | number)[];

/** A range in one line. Line and column start at 1 and count UTF-16 units, as in editors. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** One mistake (or warning): its place, what is wrong, and what to write instead. */
export interface Mistake extends SourcePlace {
  readonly file: string;
  readonly message: string;
  /** A fix that is certainly right; absent if a person must decide. */
  readonly fix?: SuggestedFix;
  /** The lines as they would be after the fix, if the message alone does not show them. */
  readonly instead?: readonly string[];
}

/** `word`: replaces the word `from` at the position. `beside`: moves the key at the position out of its braces, next to the word before them. */
export type SuggestedFix =
  | { readonly kind: 'word'; readonly from: string; readonly to: string }
  | { readonly kind: 'beside' };

/** Selects the key of a value, or the value itself. */
export type Spot = 'key' | 'value';

/** Collects the mistakes of the readers of sections. Its implementation knows the file of each path. */
export interface Report {
  mistake(path: Path, message: string, spot?: Spot, fix?: SuggestedFix): void;
  /**
   * Reports that the file lacks something that a part which it uses could have. Absent if the file uses no parts; then
   * it is reported as a mistake.
   */
  missing?(path: Path, message: string, spot?: Spot): void;
  /** The file is accepted in spite of a warning. */
  warning(path: Path, message: string, spot?: Spot): void;
  /** Reports what is assumed because the file does not define it; absent if the caller needs no notes. */
  note?(path: Path, message: string, spot?: Spot): void;
  /** True if two keys are in the same file; absent if there is only one file. */
  sameFile?(one: Path, other: Path): boolean;
  /** The text of a value as it is written, such as `007` or `$zone`; undefined for a map, a list or an absent value. */
  writtenAt?(path: Path): string | undefined;
  /** Where the parameter gets its value; undefined if this is not known. */
  boundAt?(name: string): WrittenValue | undefined;
}

/** The value of a parameter in a file. */
export interface WrittenValue {
  /** As it is written; null if that is not known. */
  readonly text: string | null;
  /** The end of a sentence, such as `permits.csv:3, column zone`. */
  readonly where: string;
}

/** A position in a file. Mistakes there go to the report of the file. */
export interface FilePlace {
  readonly report: Report;
  readonly path: Path;
  /** The position below this one, with the same context. */
  of(...keys: Path): this;
  /** Returns null, so that a reader can return the result. */
  mistake(message: string, spot?: Spot, fix?: SuggestedFix): null;
  /** As `mistake`, about something that the file lacks and a part could have: it only follows from a part that could not be read. */
  missing(message: string, spot?: Spot): null;
  warning(message: string, spot?: Spot): void;
  note(message: string, spot?: Spot): void;
}

/** A position, with the additional context of its readers. */
export function placeIn<C extends object = object>(report: Report, path: Path = [], context?: C): FilePlace & C {
  const place: FilePlace = {
    report,
    path,
    of(...keys) {
      return { ...this, path: [...this.path, ...keys] };
    },
    mistake(message, spot, fix) {
      this.report.mistake(this.path, message, spot, fix);
      return null;
    },
    missing(message, spot) {
      if (this.report.missing === undefined) this.report.mistake(this.path, message, spot);
      else this.report.missing(this.path, message, spot);
      return null;
    },
    warning(message, spot) {
      this.report.warning(this.path, message, spot);
    },
    note(message, spot) {
      this.report.note?.(this.path, message, spot);
    },
  };
  return Object.assign(place, context);
}

/**
 * The number of collected mistakes of one file at which reading ends. Only the first hundred are listed. [decisions 9]
 */
export const MOST_COLLECTED = 250;

/** Ends the reading of a file that has very many mistakes. */
export class TooManyMistakes extends Error {
  override readonly name = 'TooManyMistakes';
}

/** Adds a mistake. Throws `TooManyMistakes` at the limit. Every reader of a whole file catches it. */
export function collected(mistakes: Mistake[], mistake: Mistake): void {
  mistakes.push(mistake);
  if (mistakes.length >= MOST_COLLECTED) throw new TooManyMistakes(mistake.message);
}

/**
 * Sorts by the first appearance of each file, then by position. A repeated message about the same position is kept
 * once.
 */
export function inOrder(mistakes: readonly Mistake[]): Mistake[] {
  const files = new Map<string, number>();
  for (const { file } of mistakes) if (!files.has(file)) files.set(file, files.size);
  const once = new Map(mistakes.map((mistake) => [JSON.stringify(mistake), mistake]));
  return [...once.values()].sort(
    (a, b) => files.get(a.file)! - files.get(b.file)! || a.line - b.line || a.column - b.column,
  );
}

/**
 * A section after its check: wrong values are `undefined` and reported, the others are valid. A list is either wholly
 * valid or wholly absent.
 */
export type Sound<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Sound<T[K]> | undefined }
    : T;

interface Fault {
  readonly path: Path;
  readonly message: string;
  readonly spot: Spot;
  /** False for an unknown or missing key, after which the rest of its map is still valid. */
  readonly blanks: boolean;
  /** True for a required key that is absent. */
  readonly isMissing?: true;
}

/** Reports every mistake of the section, and returns its valid part; undefined if nothing is valid. */
export function checkSection<S extends TSchema>(
  schema: S,
  value: unknown,
  at: FilePlace,
): Sound<Static<S>> | undefined {
  const faults: Fault[] = [];
  walk(schema as SchemaNode, value, at, faults);
  for (const { path, message, spot, isMissing } of faults) {
    const place = { ...at, path };
    if (isMissing === true) place.missing(message, spot);
    else place.mistake(message, spot);
  }
  const blank = new Set(faults.filter((fault) => fault.blanks).map(({ path }) => JSON.stringify(path)));
  return right(value, at.path, blank) as Sound<Static<S>> | undefined;
}

/** The most words that are suggested if several are equally near. */
const MOST_MEANT = 3;

/** The most words that are listed if none is near: there are thirteen alert types, and `any`. */
const MOST_LISTED = 14;

/**
 * ` Did you mean "dock"?`, or if no candidate is near, ` Write a, b or c.` for up to fourteen candidates; with a
 * leading space. Empty if the value is not a text.
 */
export function didYouMean(word: unknown, candidates: readonly string[]): string {
  if (typeof word !== 'string') return '';
  const meant = allClosest(word, candidates).slice(0, MOST_MEANT);
  if (meant.length > 0) return ` Did you mean ${list(meant.map(quoted))}?`;
  return candidates.length > 0 && candidates.length <= MOST_LISTED ? ` Write ${list(candidates)}.` : '';
}

/** How a value is named in a sentence: texts and numbers as they are written, other values by their kind. */
export function shown(value: unknown): string {
  if (value === null) return 'An empty value';
  if (Array.isArray(value)) return value.length > 0 && value.every(isPlain) ? shortened(value) : 'A list';
  if (typeof value === 'object') return 'A map of keys';
  return typeof value === 'string' ? quoted(value.length > 60 ? `${value.slice(0, 60)}…` : value) : String(value);
}

function shortened(items: readonly unknown[]): string {
  const text = `[${items.map(String).join(', ')}]`;
  return text.length > 60 ? 'A list' : text;
}

/** The value without its wrong parts. */
function right(value: unknown, at: Path, blank: ReadonlySet<string>): unknown {
  if (blank.has(JSON.stringify(at))) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item, i) => right(item, [...at, i], blank));
    // A list or a map in a list with a wrong part is wholly wrong: half a box is no box.
    return items.some((item, i) => item === undefined || (isMap(value[i]) && hasBlank(item))) ? undefined : items;
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, right(item, [...at, key], blank)]));
}

function hasBlank(item: unknown): boolean {
  return isMap(item) && Object.values(item).some((field) => field === undefined || hasBlank(field));
}

function walk(rules: SchemaNode, value: unknown, at: FilePlace, faults: Fault[]): void {
  // The reader of the text has already reported why this value is absent.
  if (value === undefined) return;
  if (rules.anyOf !== undefined) return walkVariants(rules, rules.anyOf, value, at, faults);
  const message = complaint(rules, value, at);
  if (message !== undefined) faults.push({ path: at.path, message, spot: 'value', blanks: true });
  else if (Array.isArray(value)) {
    for (const [i, item, [node = {}]] of partsOf([rules], value)) walk(node, item, at.of(i), faults);
  } else if (isMap(value)) walkFields(rules, value, at, faults);
}

function walkVariants(
  rules: SchemaNode,
  variants: readonly SchemaNode[],
  value: unknown,
  at: FilePlace,
  faults: Fault[],
): void {
  const attempts = variants.map((variant) => {
    const found: Fault[] = [];
    walk(variant, value, at, found);
    return found;
  });
  if (attempts.some((found) => found.length === 0)) return;
  const alike = attempts.filter((_, i) => kindOf(variants[i]!) === kindOfValue(value));
  const best = alike.length === 1 ? alike[0] : rules['x-noun'] === undefined ? attempts[0] : undefined;
  if (best !== undefined) faults.push(...best);
  else {
    const inQuotes = variants.map((variant) => quotesFor(variant, value, at)).find((one) => one !== null);
    faults.push({ path: at.path, message: inQuotes ?? isNot(value, rules), spot: 'value', blanks: true });
  }
}

function walkFields(rules: SchemaNode, fields: JsonMap, at: FilePlace, faults: Fault[]): void {
  const { properties: known = {}, patternProperties: named } = rules;
  for (const [key, value, [node]] of partsOf([rules], fields)) {
    const place = at.of(key);
    if (named !== undefined && !isPrintable(String(key)))
      faults.push({ path: place.path, message: unprintable(String(key)), spot: 'key', blanks: true });
    else if (node !== undefined) walk(node, value, place, faults);
    else if (rules.additionalProperties !== true) {
      const message = unknownKey(rules, String(key), fields, at);
      faults.push({ path: place.path, message, spot: 'key', blanks: false });
    }
  }
  for (const key of rules.required ?? []) {
    if (Object.hasOwn(fields, key)) continue;
    const write = known[key]?.['x-write'];
    const message = `${capital(nounOf(rules))} needs ${quoted(key)}.${write === undefined ? '' : ` ${write}`}`;
    faults.push({ path: at.path, message, spot: 'key', blanks: false, isMissing: true });
  }
}

function unknownKey(rules: SchemaNode, key: string, fields: JsonMap, at: FilePlace): string {
  const free = freeKeys(Object.keys(rules.properties ?? {}), fields, at.of(key));
  return `${quoted(key)} is not a key of ${nounOf(rules)}.${didYouMean(key, free)}`;
}

/**
 * The keys that the wrong key can have been meant for: keys that are not set, and keys that another file sets, which
 * this file would override.
 */
export function freeKeys(known: readonly string[], fields: JsonMap, at: FilePlace): string[] {
  const beside = at.path.slice(0, -1);
  return known.filter(
    (name) => !Object.hasOwn(fields, name) || at.report.sameFile?.(at.path, [...beside, name]) === false,
  );
}

/** What is wrong with a value itself, without its parts. */
function complaint(rules: SchemaNode, value: unknown, at: FilePlace): string | undefined {
  if (rules.const !== undefined) return value === rules.const ? undefined : isNot(value, rules);
  if (rules.enum !== undefined) return ofWords(rules, rules.enum, value);
  if (rules['x-noun'] === DURATION_NOUN) return ofDuration(rules, value);
  if (rules.type === undefined) return undefined;
  const kind = kindOfValue(value);
  const fits = kind === kindOf(rules) && (rules.type !== 'integer' || Number.isInteger(value));
  if (!fits) return wrongKind(rules, value, at);
  if (typeof value === 'string') return ofText(rules, value);
  if (typeof value === 'number') return ofNumber(rules, value);
  return Array.isArray(value) ? ofLength(rules, value) : undefined;
}

function wrongKind(rules: SchemaNode, value: unknown, at: FilePlace): string {
  const inQuotes = quotesFor(rules, value, at);
  if (inQuotes !== null) return inQuotes;
  const line = lineInstead(rules, value, at.path.at(-1));
  return line === null ? isNot(value, rules) : `${shown(value)} is not ${nounOf(rules)}. Write ${line}.`;
}

/** The sentence about a value that would fit the schema in quotes; null for any other value. */
function quotesFor({ type, pattern = '' }: SchemaNode, value: unknown, at: FilePlace): string | null {
  const fits = type === 'string' && new RegExp(pattern, 'u').test(writtenText(value, at));
  return fits ? unquoted(value, at) : null;
}

/**
 * The sentence about a number or a truth value where a text is needed, such as a name, with the text as it is written;
 * null for any other value. YAML reads `007` as a number. [scenario-language, Scenario files and keys]
 */
export function unquoted(value: unknown, at: FilePlace): string | null {
  if (typeof value !== 'number' && typeof value !== 'boolean') return null;
  const written = writtenText(value, at);
  if (!written.startsWith('$')) return `A ${typeof value} is not a text. Put it in quotes: "${written}".`;
  const { text, where } = at.report.boundAt?.(written.slice(1)) ?? {
    text: String(value),
    where: 'where it is defined',
  };
  const fix = text === null ? where : `${where}: "${text}"`;
  return `${written} is a ${typeof value}, not a text. Put its value in quotes, ${fix}.`;
}

/** False for a number such as `007`, whose text is lost. A number in `$name` or `"one of 7, 8"` is not written alone. */
export function isAsWritten(value: number, at: FilePlace): boolean {
  const written = writtenText(value, at);
  return Number(written) !== value || written === String(value);
}

const writtenText = (value: unknown, { report, path }: FilePlace): string => report.writtenAt?.(path) ?? String(value);

function ofWords(rules: SchemaNode, words: readonly unknown[], value: unknown): string | undefined {
  if (words.includes(value as string)) return undefined;
  return `${shown(value)} is not ${nounOf(rules)}.${didYouMean(typeof value === 'string' ? value : '', words.map(String))}`;
}

/** The longest duration: an instant this far ahead must still be writable at the end of simulated time. */
const LONGEST_MS = 365 * 86_400_000;

function ofDuration(rules: SchemaNode, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return typeof value === 'number' ? explainDuration(String(value)) : isNot(value, rules);
  }
  const ms = parseDuration(value);
  if (ms === null) return explainDuration(value);
  if (ms > LONGEST_MS) return `${value} is too long. Write at most ${formatDuration(LONGEST_MS)}.`;
  return ms === 0 ? `${value} is no time at all. Write 1s or more.` : undefined;
}

function ofText(rules: SchemaNode, value: string): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = rules;
  if (!isPrintable(value)) return unprintable(value);
  if (value.length < minLength) return isNot(value, rules);
  if (value.length > maxLength) return `${shown(value)} is too long. Write at most ${maxLength} characters.`;
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? undefined : isNot(value, rules);
}

const unprintable = (text: string): string =>
  `"${printable(text.length > 60 ? `${text.slice(0, 60)}…` : text)}" holds a control character. Write letters, digits, spaces and signs.`;

function ofNumber(rules: SchemaNode, value: number): string | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, exclusiveMinimum } = rules;
  const low = value < minimum || (exclusiveMinimum !== undefined && value <= exclusiveMinimum);
  if (!low && value <= maximum) return undefined;
  const least = exclusiveMinimum === undefined ? `${minimum}` : `more than ${exclusiveMinimum}`;
  const most = exclusiveMinimum === undefined ? `${minimum} to ${maximum}` : `${least}, at most ${maximum}`;
  const range = Number.isFinite(maximum) ? most : exclusiveMinimum === undefined ? `${least} or more` : least;
  return `${value} is out of range. Write ${range}.`;
}

function ofLength(rules: SchemaNode, value: readonly unknown[]): string | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rules;
  if (value.length >= minItems && value.length <= maxItems) return undefined;
  if (rules['x-write'] !== undefined) return isNot(value, rules);
  if (value.length === 0) return 'The list is empty. Write its entries, or delete the key.';
  const bound =
    value.length < minItems ? `at least ${plural(minItems, 'item')}` : `at most ${plural(maxItems, 'item')}`;
  return `${plural(value.length, 'item')} are not enough or too many. Write ${bound}.`;
}

function isNot(value: unknown, rules: SchemaNode): string {
  return `${shown(value)} is not ${nounOf(rules)}.${rules['x-write'] === undefined ? '' : ` ${rules['x-write']}`}`;
}

function capital(noun: string): string {
  return noun.slice(0, 1).toUpperCase() + noun.slice(1);
}
