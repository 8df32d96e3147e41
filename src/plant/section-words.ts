/** Small schemas that the sections of a file share. `x-noun` and `x-write` are used in the sentences about mistakes. */
import { type TObject, type TSchema, Type } from 'typebox';
import { DURATION_PATTERN } from '../base/time/durations.ts';
import { described } from '../contract/shapes.ts';
import { DURATION_NOUN } from './mistakes.ts';

/** Half the side of the square in which a site must lie: farther out, its flat local frame is not accurate; metres. */
export const FARTHEST_M = 20_000;

/** The noun for a value, and how to write the value. */
export const noun = (xNoun: string, xWrite?: string) => ({
  'x-noun': xNoun,
  ...(xWrite === undefined ? {} : { 'x-write': xWrite }),
});

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
