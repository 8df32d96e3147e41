/** Small schemas that the sections of a file share. `x-noun` and `x-write` are used in the sentences about mistakes. */
import { type TObject, type TSchema, Type } from 'typebox';
import { DURATION_PATTERN } from '../base/time/durations.ts';
import { type AloneKind, kindOfValue, type SchemaNode } from '../contract/schema.ts';
import { described } from '../contract/shapes.ts';

/** The noun of every duration, by which the check of a section recognises duration schemas. */
export const DURATION_NOUN = 'a duration';

/** Half the side of the square in which a site must lie: farther out, its flat local frame is not accurate; metres. */
export const FARTHEST_M = 20_000;

/** The noun for a value, how to write the value, and the lines to write instead of a value alone. */
export const noun = (xNoun: string, xWrite?: string, xLine?: SchemaNode['x-line']) => ({
  'x-noun': xNoun,
  ...(xWrite === undefined ? {} : { 'x-write': xWrite }),
  ...(xLine === undefined ? {} : { 'x-line': xLine }),
});

/** A plant as small as possible, as YAML on one line. */
export const SMALL_SITE =
  '{name: Small plant, origin: [43.361, -8.412], zones: {Hall: {type: work_area, box: [0, 0, 80, 60]}}}';

/** A key that may be missing. */
export const optional = Type.Optional;

/** A duration in the scenario language: `500ms 45s 2m 1h30m`. */
export const DurationText = Type.String({
  pattern: DURATION_PATTERN,
  ...noun(DURATION_NOUN, 'Write 30s, 2m or 1h30m.'),
});

/** A text of one line that names something. */
export const Name = Type.String({
  pattern: '^(?=.*\\S)[^\\p{Cc}]+$',
  maxLength: 200,
  ...noun('a name', 'Write a text of one line.'),
});

/** Metres from the origin. */
export const metres = (description: string) =>
  Type.Number({ minimum: -FARTHEST_M, maximum: FARTHEST_M, description, ...noun('a number of metres') });

/** A list of `count` numbers. Not a tuple, since the drafts of JSON Schema write tuples differently. */
export const numbers = <T>(count: number, item: TSchema, xNoun: string, xWrite: string) =>
  Type.Unsafe<T>(Type.Array(item, { minItems: count, maxItems: count, ...noun(xNoun, xWrite) }));

/** `[x, y]`, metres east and north of the origin. */
export const PointXY = numbers<readonly [number, number]>(
  2,
  metres('Metres from the origin.'),
  'a point',
  'Write [x, y], metres east and north of the origin.',
);

/** A whole percentage. */
export const Percent = Type.Integer({ minimum: 0, maximum: 100 });

/** Adds a description to each of these keys, for the reference and for editors. */
export function explained<T extends TObject>(schema: T, words: { readonly [K in keyof T['properties']]?: string }): T {
  const properties = schema.properties as Record<string, TSchema>;
  for (const [key, text] of Object.entries(words) as [string, string][])
    properties[key] = described(properties[key] as TSchema, text);
  return schema;
}

export const isPlain = (value: unknown): boolean => typeof value !== 'object' && value !== undefined;

/** The line to write instead of a value alone; null if the schema has none for such a value. `key`: the key of the value. */
export function lineInstead(
  { 'x-line': lines = {} }: SchemaNode,
  value: unknown,
  key: string | number = '',
): string | null {
  const kind = typeof value === 'string' && /^(?:https?:)?\/\S/.test(value) ? 'address' : kindOfValue(value);
  const line = lines[kind as AloneKind] ?? (kind === 'address' ? lines.string : undefined);
  if (line === undefined || (Array.isArray(value) && !value.every(isPlain))) return null;
  const text = Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
  return line.replaceAll('$key', () => String(key)).replaceAll('$value', () => text);
}

const KIND_NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a map of keys',
  array: 'a list',
  null: 'empty',
};

/** `x-noun`, or the title of an enumeration in words: `ZoneType` becomes "a zone type". */
export function nounOf(rules: SchemaNode): string {
  if (rules['x-noun'] !== undefined) return rules['x-noun'];
  const [first] = rules.anyOf ?? [];
  if (first !== undefined) return nounOf(first);
  if (rules.title === undefined) return KIND_NOUNS[rules.type ?? ''] ?? 'right';
  const words = rules.title.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
