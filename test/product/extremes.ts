/** The ends of what a schema lets anybody send, and what lies beyond them, made from the schema itself: a new field is probed without being named here. */

/** The part of JSON Schema that the contract is written in. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly 'x-time'?: string;
}

/** A JSON text, also of what `JSON.stringify` cannot write: -0, 1e999, tens of thousands of brackets. */
export type Raw = string;

const text = (value: unknown): Raw => JSON.stringify(value);

/** Deeper than any stack, and just as deep as may be taken for a value. */
const deep = (levels: number): Raw => '['.repeat(levels) + ']'.repeat(levels);
const deepObject = (levels: number): Raw => `${'{"x":'.repeat(levels)}0${'}'.repeat(levels)}`;

/** What no field may be, or few: each is tried everywhere. */
const ANYWHERE: readonly Raw[] = [
  ...['null', 'true', '{}', '[]', '-0', '1e999', '""', '{"__proto__":1}', '{"constructor":{"name":1}}'],
  ...[deep(10_000), deepObject(60)],
];

const NUMBERS: readonly number[] = [0, 5e-324, -1.7976931348623157e308, 1.7976931348623157e308, 2 ** 53 + 2, 0.1 + 0.2];

/** NUL, a lone surrogate, right to left, combining marks, an emoji of seven code points, keys of every object, markup, a path, a format string. */
const TEXTS: readonly string[] = [
  ...['\0', 'a\0b', '\ud800', '\udfff\ud800', '\u202e\u2066', `e${'\u0301'.repeat(40)}`, '👩‍👩‍👧‍👦', '\uffff\ufeff'],
  ...[
    '__proto__',
    'constructor',
    '<script>',
    '../../../etc/passwd',
    '%s%n',
    '$x.id',
    '/^(a+)+$/',
    '/(?=a)/',
    'not ',
    '1..0',
  ],
];

const TIMES: readonly string[] = [
  ...['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000+00:01', '0001-01-01T00:00:00-23:59', '1969-12-31T23:59:59.999Z'],
  ...[
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.9999999-03:00',
    '9999-12-31T23:59:59.999+23:59',
  ],
  ...['2026-02-30T00:00:00Z', '2026-06-30T23:59:60Z', '+275760-09-13T00:00:00Z', '10000-01-01T00:00:00Z', '2026-10-05'],
];

const DURATIONS: readonly string[] = [
  ...['0s', '0ms', '1ms', '31d', '366d', '99999999h', '999999d', '999999999h', '-99999999h', '-999999d'],
  ...['999999d999999999h999999999m999999999s999999999ms', `${'9'.repeat(400)}d`, '1d1d', '1.5h', '٣d'],
];

const UUIDS: readonly string[] = [
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'not-a-uuid',
];

/** Beyond every limit of length, and still within the limit of a body. */
const LONG = 60_000;

function ofString(schema: Schema): readonly string[] {
  const { maxLength, minLength = 0, format, pattern = '' } = schema;
  if (format === 'date-time') return TIMES;
  if (schema['x-time'] !== undefined || pattern.includes('d)?(')) return [...DURATIONS, ...TIMES.slice(0, 3)];
  if (format === 'uuid') return [...UUIDS, ...TEXTS.slice(0, 4)];
  const most = maxLength ?? 1_000;
  return [
    ...TEXTS,
    'x'.repeat(Math.max(minLength, 1)),
    // Its limit is counted in code points, each of which is two units here.
    ...[
      '😀'.repeat(most),
      '😀'.repeat(most + 1),
      'x'.repeat(most),
      `${'9'.repeat(Math.min(most, 400))}`,
      'a'.repeat(LONG),
    ],
  ];
}

function ofNumber({ minimum, maximum }: Schema): readonly number[] {
  const ends = [minimum, maximum].filter((end) => end !== undefined);
  return [
    ...NUMBERS,
    ...ends.flatMap((end) => [end, end - 1, end + 1, end + Number.EPSILON * Math.max(1, Math.abs(end))]),
  ];
}

/** Every end of the values of one schema, as JSON texts. */
export function endsOf(schema: Schema): Raw[] {
  const ends = new Set<Raw>(ANYWHERE);
  for (const variant of [schema, ...(schema.anyOf ?? [])]) {
    if (variant.const !== undefined) ends.add(text(variant.const));
    for (const word of variant.enum ?? []) ends.add(text(word));
    if (variant.type === 'string') for (const one of ofString(variant)) ends.add(text(one));
    if (variant.type === 'integer' || variant.type === 'number')
      for (const one of ofNumber(variant)) ends.add(text(one));
    if (variant.type === 'array') {
      const [item = '0'] = [...endsOf(variant.items ?? {})].slice(-1);
      ends.add(`[${Array(2_000).fill('null').join(',')}]`);
      if (item.length < 30) ends.add(`[${Array(1_000).fill(item).join(',')}]`);
    }
  }
  return [...ends];
}

/** Where a value can stand in a body: the keys on the way to it, and its schema. */
export interface Place {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Every place of a body, nested ones too; of a list its first item. */
export function placesOf(schema: Schema, path: readonly string[] = []): Place[] {
  const nested = [schema, ...(schema.anyOf ?? [])].flatMap((variant) => [
    ...Object.entries(variant.properties ?? {}).flatMap(([key, property]) => placesOf(property, [...path, key])),
    ...(variant.items === undefined ? [] : placesOf(variant.items, [...path, '0'])),
  ]);
  return path.length === 0 ? nested : [{ path, schema }, ...nested];
}

const HERE = '@@here@@';

/** The body with something else at one place: what is on the way there is made where it is missing. */
export function withRaw(body: unknown, path: readonly string[], raw: Raw): string {
  return JSON.stringify(put(body, path)).replace(JSON.stringify(HERE), () => raw);
}

function put(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return HERE;
  const isList = /^\d+$/.test(key);
  const base =
    typeof value === 'object' && value !== null && Array.isArray(value) === isList ? value : isList ? [] : {};
  const inner = put((base as Record<string, unknown>)[key], rest);
  return isList ? [inner] : { ...base, [key]: inner };
}
