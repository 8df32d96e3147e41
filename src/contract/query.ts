/** Parses the query string of a request by its schema: names, the forms of lists, numbers, booleans [decisions 1, decisions 2]. */

import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { type CheckError, check } from './check.ts';
import { withSeconds } from './formats.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from './gaps.ts';
import type { LeniencyName } from './leniencies.ts';
import type { ListItems } from './requests.ts';

/** A parsed query: `limit` is always present, flags are booleans, and times are texts. */
export type Query<S extends TObject> = Parsed<Static<S>>;
type Parsed<Q> = {
  [K in keyof Q as K extends 'limit' ? never : K]: Exclude<Q[K], undefined> extends 'true' | 'false' ? boolean : Q[K];
} & ('limit' extends keyof Q ? { limit: number } : unknown);

/**
 * The readings of the open points about queries. A strict sandbox refuses an encoded comma as a separator
 * [decisions 1].
 */
interface QueryReading {
  readonly assumptions: Assumptions;
  readonly strict: boolean;
}

const USUAL_READING: QueryReading = { assumptions: DEFAULT_ASSUMPTIONS, strict: false };

export interface ReadQuery<Q> {
  readonly ok: true;
  readonly value: Q;
  /** The non-standard input of the query: an encoded comma that separated words or ids, or a time without seconds. */
  readonly leniencies: readonly LeniencyName[];
  /**
   * Values of free text with an encoded comma, by parameter. Each is one name, or several names that the comma
   * separates.
   */
  readonly ambiguous: ReadonlyMap<string, readonly string[]>;
}

const NONE: ReadQuery<unknown>['ambiguous'] = new Map();

interface RefusedQuery {
  readonly ok: false;
  readonly errors: CheckError[];
}

/**
 * Parses a raw query string, which must be decodable, with a query schema of `requests.ts`. Unknown parameters are
 * refused, unless the switch `unknown-parameters` ignores them. The pointers of errors have the form `?name`
 * [decisions 2].
 */
export function readQuery<P extends TProperties>(
  schema: TObject<P>,
  text: string,
  reading: QueryReading = USUAL_READING,
): ReadQuery<Query<TObject<P>>> | RefusedQuery {
  // Most requests for one object have no query.
  if (text === '' && schema.required === undefined)
    return { ok: true, value: parse(schema, {}, reading) as Query<TObject<P>>, leniencies: [], ambiguous: NONE };
  const given = gather(schema, text, reading);
  const checked = check(schema, valuesOf(schema, given));
  const errors = checked.ok ? [] : checked.errors.map((error) => asParameter(schema, given, error, reading));
  if (reading.assumptions.lists === 'comma') errors.push(...givenTwice(schema, given));
  const encoded = [...given].filter(([, { encodedComma }]) => encodedComma);
  const values = checked.ok
    ? completeTimes(schema, checked.value as Record<string, unknown>)
    : { changed: [], value: {} };
  if (reading.strict) {
    errors.push(...encoded.map(([key]) => ({ pointer: `?${key}`, detail: ENCODED_COMMA })));
    errors.push(...values.changed.map((key) => ({ pointer: `?${key}`, detail: NO_SECONDS })));
  }
  if (!checked.ok || errors.length > 0) return { ok: false, errors };
  return {
    ok: true,
    value: parse(schema, values.value, reading) as Query<TObject<P>>,
    leniencies: [
      ...(encoded.length > 0 ? (['encoded-comma'] as const) : []),
      ...(values.changed.length > 0 ? (['time-without-seconds'] as const) : []),
    ],
    ambiguous: new Map([...given].flatMap(([key, { ambiguous }]) => (ambiguous.length > 0 ? [[key, ambiguous]] : []))),
  };
}

/** Why a strict sandbox refuses an encoded comma as a separator. */
export const ENCODED_COMMA =
  'has an encoded comma (%2C) that production may read as part of the value: repeat the parameter, or write the comma itself';

/** Why a strict sandbox refuses a time without seconds. */
const NO_SECONDS = 'has no seconds, which production may refuse: write them, like 2026-10-05T06:00:00Z';

/** The values with complete times, and the names of those that had no seconds. */
function completeTimes(schema: TObject, value: Record<string, unknown>) {
  const changed: string[] = [];
  const complete = Object.entries(value).map(([key, one]) => {
    if (typeof one !== 'string' || !isTime(schema, key)) return [key, one];
    const whole = withSeconds(one);
    if (whole !== one) changed.push(key);
    return [key, whole];
  });
  return { changed, value: Object.fromEntries(complete) as Record<string, unknown> };
}

const isTime = (schema: TObject, key: string): boolean => property(schema, key)?.['format'] === 'any-date-time';

/** The values of one parameter in a query. */
interface GivenParameter {
  /** The number of occurrences of the name. */
  times: number;
  readonly items: Set<string>;
  /** Values of free text that contain an encoded comma. */
  readonly ambiguous: string[];
  /** True if an encoded comma separated words or ids. */
  encodedComma: boolean;
}

function gather(schema: TObject, text: string, reading: QueryReading): Map<string, GivenParameter> {
  const given = new Map<string, GivenParameter>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const key = decoded(name);
    if (reading.assumptions['unknown-parameters'] === 'ignored' && !isMeant(schema, key)) continue;
    const one = given.get(key) ?? { times: 0, items: new Set(), ambiguous: [], encodedComma: false };
    given.set(key, one);
    one.times += 1;
    addItems(one, listOf(schema, key), value, reading);
  }
  return given;
}

/** True if the schema has the parameter, also with brackets, which are a wrong form of a list. */
const isMeant = (schema: TObject, key: string): boolean =>
  property(schema, BRACKETS.exec(key)?.[1] ?? key) !== undefined;

/**
 * Adds the items of one occurrence of a parameter. Its raw value is split according to the switch `lists`
 * [decisions 1].
 */
function addItems(
  given: GivenParameter,
  list: ListSchema | undefined,
  raw: string,
  { assumptions: { lists }, strict }: QueryReading,
): void {
  const segments = list === undefined || lists === 'repeat' ? [raw] : raw.split(',');
  for (const segment of segments.map(decoded)) {
    if (list === undefined || lists !== 'any' || !segment.includes(',')) {
      given.items.add(segment);
      continue;
    }
    // The commas that remain were encoded.
    const pieces = segment.split(',');
    if (list['x-list'] === 'closed') {
      given.encodedComma = true;
      for (const piece of pieces) given.items.add(piece);
      continue;
    }
    given.ambiguous.push(segment);
    // A long joined list is not a name: as a whole it cannot match, and it is not an error.
    if (check(list.items, segment).ok) given.items.add(segment);
    if (strict) continue;
    for (const part of pieces.map((piece) => piece.trim())) if (part !== '') given.items.add(part);
  }
}

/** The values by name: a list if the schema has one, or if the name is repeated. */
function valuesOf(schema: TObject, given: ReadonlyMap<string, GivenParameter>): Record<string, string | string[]> {
  const single = (key: string, { times }: GivenParameter) => listOf(schema, key) === undefined && times === 1;
  const values = [...given].map(([key, one]) => {
    const items = [...one.items].map((item) => (isId(schema, key) ? item.toLowerCase() : item));
    return [key, single(key, one) ? items[0] : items];
  });
  return Object.fromEntries(values);
}

/** Form encoding: a plus is a space (WHATWG URL, application/x-www-form-urlencoded). */
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

function property(schema: TObject, key: string): Record<string, unknown> | undefined {
  return Object.hasOwn(schema.properties, key) ? (schema.properties[key] as Record<string, unknown>) : undefined;
}

interface ListSchema {
  readonly 'x-list': ListItems;
  readonly items: TSchema;
}

/** The schema of a list parameter; undefined if the parameter is single or unknown. */
function listOf(schema: TObject, key: string): ListSchema | undefined {
  const found = property(schema, key);
  return found?.['x-list'] === undefined ? undefined : (found as unknown as ListSchema);
}

/** True for a list of ids, which are equal in upper and lower case. */
const isId = (schema: TObject, key: string): boolean =>
  (listOf(schema, key)?.items as { format?: string } | undefined)?.format === 'any-uuid';

function parse(
  schema: TObject,
  checked: Record<string, unknown>,
  { assumptions }: QueryReading,
): Record<string, unknown> {
  const hasPages = Object.hasOwn(schema.properties, 'limit');
  const query: Record<string, unknown> = hasPages ? { limit: Number(assumptions['page-size']) } : {};
  for (const [key, value] of Object.entries(checked)) {
    const kind = property(schema, key)?.['x-parsed'];
    query[key] = kind === 'integer' ? Number(value) : kind === 'boolean' ? value === 'true' : value;
  }
  return query;
}

/** Matches an offset whose plus was not encoded, so that it was decoded as a space. */
const LOST_PLUS = /T\S* \d{2}:?\d{2}$/i;

/** Matches a list in a form that some frameworks use: `status[]=a`, `status[0]=a`. */
const BRACKETS = /^([^[\]]+)\[\d*\]$/;

/** The form of several values, by the switch `lists`. */
const SEVERAL: { readonly [L in Assumptions['lists']]: (name: string) => string } = {
  any: (name) => `${name}=a&${name}=b, or ${name}=a,b`,
  comma: (name) => `${name}=a,b`,
  repeat: (name) => `${name}=a&${name}=b`,
};

/** The error with the name of its parameter, and with the intended form if it is known. */
function asParameter(
  schema: TObject,
  given: ReadonlyMap<string, GivenParameter>,
  { pointer, detail }: CheckError,
  { assumptions: { lists } }: QueryReading,
): CheckError {
  const key = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  const at = (words: string): CheckError => ({ pointer: `?${key}`, detail: words });
  const bracketed = BRACKETS.exec(key)?.[1];
  if (bracketed !== undefined && property(schema, bracketed) !== undefined)
    return at(
      listOf(schema, bracketed) === undefined
        ? `is not a known parameter: write ${bracketed} without brackets`
        : `is not a known parameter: a list is written without brackets, as ${SEVERAL[lists](bracketed)}`,
    );
  const isSingle = property(schema, key) !== undefined && listOf(schema, key) === undefined;
  if (isSingle && (given.get(key)?.times ?? 0) > 1) return at('must be given only once');
  if (isTime(schema, key) && LOST_PLUS.test([...(given.get(key)?.items ?? [])][0] ?? ''))
    return at('has a space where a + was: write the + as %2B, or the time in UTC with a Z');
  return at(detail.replace('known field', 'known parameter'));
}

/** With `lists=comma`, the errors for repeated list parameters [decisions 1]. */
function givenTwice(schema: TObject, given: ReadonlyMap<string, GivenParameter>): CheckError[] {
  return [...given]
    .filter(([key, { times }]) => times > 1 && listOf(schema, key) !== undefined)
    .map(([key]) => ({ pointer: `?${key}`, detail: `must be given only once, as ${SEVERAL.comma(key)}` }));
}
