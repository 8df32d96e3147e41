/** Parses and checks a query string: lists, numbers, booleans. */
import type { Static, TObject, TProperties } from 'typebox';
import { type CheckError, type Checked, check } from './check.ts';
import { DEFAULT_LIMIT } from './requests.ts';

/** A parsed query: `limit` is always present, flags are booleans, times stay text. */
export type Query<S extends TObject> = Parsed<Static<S>>;
type Parsed<Q> = {
  [K in keyof Q as K extends 'limit' ? never : K]: Exclude<Q[K], undefined> extends 'true' | 'false' ? boolean : Q[K];
} & ('limit' extends keyof Q ? { limit: number } : unknown);

/** Reads a raw query string by a query schema of `requests.ts`; it must be decodable. A repeated parameter equals a comma list; a list is split before decoding, so `%2C` is a comma inside a value. Unknown parameters are refused; places are `?name` [decisions 1, decisions 2]. */
export function readQuery<P extends TProperties>(schema: TObject<P>, text: string): Checked<Query<TObject<P>>> {
  const gathered = gather(schema, text);
  const checked = check(schema, gathered);
  if (!checked.ok) return { ok: false, errors: checked.errors.map((error) => asParameter(schema, gathered, error)) };
  return { ok: true, value: parse(schema, checked.value as Record<string, unknown>) as Query<TObject<P>> };
}

/** Values by name: a list where the schema has one, or where a name is repeated. */
function gather(schema: TObject, text: string): Record<string, string | string[]> {
  const gathered = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const key = decoded(name);
    const values = gathered.get(key) ?? [];
    values.push(...(isList(schema, key) ? value.split(',') : [value]).map(decoded));
    gathered.set(key, values);
  }
  const single = (key: string, values: string[]) => !isList(schema, key) && values.length === 1;
  return Object.fromEntries([...gathered].map(([key, all]) => [key, single(key, all) ? (all[0] as string) : all]));
}

/** Form encoding: a plus is a space (WHATWG URL, application/x-www-form-urlencoded). */
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

function property(schema: TObject, key: string): Record<string, unknown> | undefined {
  return Object.hasOwn(schema.properties, key) ? (schema.properties[key] as Record<string, unknown>) : undefined;
}

function isList(schema: TObject, key: string): boolean {
  return property(schema, key)?.['x-list'] === true;
}

function parse(schema: TObject, checked: Record<string, unknown>): Record<string, unknown> {
  const query: Record<string, unknown> = Object.hasOwn(schema.properties, 'limit') ? { limit: DEFAULT_LIMIT } : {};
  for (const [key, value] of Object.entries(checked)) {
    const kind = property(schema, key)?.['x-parsed'];
    query[key] = kind === 'integer' ? Number(value) : kind === 'boolean' ? value === 'true' : value;
  }
  return query;
}

/** An offset whose plus was not encoded, and was read as a space. */
const LOST_PLUS = /T\S* \d{2}:?\d{2}$/;

/** `/status/1` of the object is the parameter `?status`; a list in place of one value was given twice. */
function asParameter(schema: TObject, gathered: Record<string, unknown>, { pointer, detail }: CheckError): CheckError {
  const key = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  const twice = property(schema, key) !== undefined && !isList(schema, key) && Array.isArray(gathered[key]);
  if (twice) return { pointer: `?${key}`, detail: 'must be given only once' };
  if (property(schema, key)?.['format'] === 'date-time' && LOST_PLUS.test(String(gathered[key])))
    return { pointer: `?${key}`, detail: 'has a space where a + was: write the + as %2B, or the time in UTC with a Z' };
  return { pointer: `?${key}`, detail: detail.replace('known field', 'known parameter') };
}
