/** Arbitrary values that a schema of the contract admits, and the same with one fault. */
import fc from 'fast-check';

type Schema = Record<string, unknown>;

const UUID = fc.uuid();
const TIME = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }).map((ms) => new Date(ms).toISOString());
/** A time of a client, also without its seconds. */
const ANY_TIME = fc.oneof(
  TIME,
  TIME.map((time) => `${time.slice(0, 16)}Z`),
);

/** Texts that strings of the contract admit: well-formed, no NUL, not blank, within the limit of code points. */
const textOf = (min: number, max: number) =>
  fc
    .array(fc.constantFrom(...'aZ09 ñ,é-_<>"\\{}${"\'%&/?#', '😀', '\u202e', '日', '\n'), {
      minLength: Math.max(1, min),
      maxLength: Math.min(max, 40),
    })
    .map((characters) => `x${characters.join('')}`.slice(0, Math.max(1, max)))
    .map((text) => [...text].slice(0, max).join(''));

/** A value that fits. `known` gives real ids by the name of the key, so that something is found now and then. */
export function fitting(
  schema: Schema,
  known: (key: string) => fc.Arbitrary<unknown> | undefined = () => undefined,
  key = '',
): fc.Arbitrary<unknown> {
  const real = known(key);
  if (real !== undefined && schema['type'] !== 'array') return real;
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(schema['anyOf']))
    return fc.oneof(...(schema['anyOf'] as Schema[]).map((one) => fitting(one, known, key)));
  switch (schema['type']) {
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer({ min: (schema['minimum'] as number) ?? 0, max: (schema['maximum'] as number) ?? 1_000 });
    case 'number':
      return fc.integer({
        min: Math.ceil((schema['minimum'] as number) ?? -1_000),
        max: Math.floor((schema['maximum'] as number) ?? 1_000),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fitting(schema['items'] as Schema, known, key), {
        minLength: (schema['minItems'] as number) ?? 0,
        maxLength: 3,
      });
    case 'object':
      return objectOf(schema, known);
    default:
      throw new Error(`no value can be made for ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

function stringOf(schema: Schema): fc.Arbitrary<string> {
  if (schema['format'] === 'uuid' || schema['format'] === 'any-uuid') return UUID;
  if (schema['format'] === 'date-time') return TIME;
  if (schema['format'] === 'any-date-time') return ANY_TIME;
  if (schema['x-parsed'] === 'integer') return fc.integer({ min: 1, max: 200 }).map(String);
  if (typeof schema['pattern'] === 'string' && schema['pattern'] !== '\\S') return ofPattern(schema['pattern']);
  return textOf((schema['minLength'] as number) ?? 0, (schema['maxLength'] as number) ?? 60);
}

/** Some of each pattern of the contract; each is tried to find the pattern that it matches. */
const OF_PATTERNS = ['500ms', '45s', '-20s', '2m', '12m', '0.5km', 'SIM-0001', '/v1/alerts'];

function ofPattern(pattern: string): fc.Arbitrary<string> {
  const fit = OF_PATTERNS.filter((text) => new RegExp(pattern).test(text));
  if (fit.length === 0) throw new Error(`a pattern that is not known: ${pattern}`);
  return fc.constantFrom(...fit);
}

function objectOf(schema: Schema, known: (key: string) => fc.Arbitrary<unknown> | undefined): fc.Arbitrary<object> {
  const properties = schema['properties'] as Record<string, Schema>;
  const required = (schema['required'] as string[] | undefined) ?? [];
  const entries = Object.entries(properties).map(([key, one]) => [key, fitting(one, known, key)] as const);
  return fc.record(Object.fromEntries(entries), { requiredKeys: required as never }) as fc.Arbitrary<object>;
}

/** A valid object with one fault: an unknown key, a missing one, or one of another type. */
export function spoilt(
  schema: Schema,
  known?: (key: string) => fc.Arbitrary<unknown> | undefined,
): fc.Arbitrary<unknown> {
  const required = (schema['required'] as string[] | undefined) ?? [];
  const keys = Object.keys(schema['properties'] as object);
  const wrong = fc.constantFrom<unknown>({ a: 1 }, [[[]]], 3.5, '\u0000', null, '');
  return fc
    .tuple(
      fitting(schema, known) as fc.Arbitrary<Record<string, unknown>>,
      fc.constantFrom('unknown', 'missing', 'type', 'root'),
      fc.constantFrom(...keys),
      wrong,
    )
    .map(([value, how, key, other]) => {
      if (how === 'root') return [value];
      if (how === 'missing' && required.length > 0) {
        const { [required[0] as string]: _, ...rest } = value;
        return rest;
      }
      if (how === 'type') return { ...value, [key]: other };
      return { ...value, pulse: 72 };
    });
}
