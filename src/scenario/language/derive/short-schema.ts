/** The short forms in the JSON Schema for editors. They follow from the same keywords and declarations as the reader. [scenario-language, Short forms] */

import { isMap, type JsonMap } from '../../../contract/schema.ts';
import type { ValueAlone } from '../field.ts';

/** The schema, in which each list, map of names and entry may also be a short form. */
export function withShortForms(schema: JsonMap): JsonMap {
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, innerShort(key, value)]));
  const { items, 'x-bare': isBare, 'x-alone': alone, properties } = inner;
  if (isMap(items) && has(inner, 'array') && inner['x-whole'] !== true) return withOneItem(inner, items);
  if (isBare === true) return withTypes(inner, 'null');
  if (typeof alone === 'string' && isMap(properties)) return withTypes(inner, ...typesOf(properties[alone]));
  return isNames(inner) ? { ...withTypes(inner, 'array'), items: { type: ['string', 'number', 'boolean'] } } : inner;
}

function innerShort(key: string, value: unknown): unknown {
  if (key === 'properties' || key === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as JsonMap).map(([name, one]) => [name, withShortForms(one as JsonMap)]),
    );
  if (key === 'anyOf') return (value as readonly JsonMap[]).map(withShortForms);
  return (key === 'items' || key === 'additionalProperties') && isMap(value) ? withShortForms(value) : value;
}

/** A list, or one of its items. A single map is checked only by `validate`: the schema stays flat. */
function withOneItem(list: JsonMap, items: JsonMap): JsonMap {
  if (items['enum'] !== undefined || isMap(items['anyOf']) || Array.isArray(items['anyOf'])) {
    const { description, ...rest } = list;
    const variants = [rest, ...((items['anyOf'] as readonly JsonMap[] | undefined) ?? [items])];
    return variants.some((one) => has(one, 'object'))
      ? list
      : { ...(description === undefined ? {} : { description }), anyOf: variants };
  }
  if (items['$ref'] !== undefined || has(items, 'object')) return withTypes(list, 'object');
  if (!typesOf(items).every((type) => type === 'string')) return list;
  const { pattern: _pattern, ...rest } = list;
  const { pattern, minLength } = items;
  const ofItem = { ...(pattern === undefined ? {} : { pattern }), ...(minLength === undefined ? {} : { minLength }) };
  return { ...withTypes(rest, 'string'), ...ofItem };
}

/** True for a map whose entries may be empty. */
function isNames({ patternProperties, additionalProperties }: JsonMap): boolean {
  const [pattern] = Object.values(isMap(patternProperties) ? patternProperties : {});
  const entry = pattern ?? additionalProperties;
  return isMap(entry) && entry['x-bare'] === true;
}

const typesOf = (schema: unknown): string[] =>
  isMap(schema) ? [schema['type']].flat().filter((one) => typeof one === 'string') : [];

const has = (schema: JsonMap, type: string): boolean => typesOf(schema).includes(type);

const withTypes = (schema: JsonMap, ...types: readonly string[]): JsonMap => ({
  ...schema,
  type: [...new Set([...typesOf(schema), ...types])],
});

/** The schema of a map that a value alone can replace. Words are offered; other values are checked by `validate`. */
export function orAlone(map: JsonMap, alone: ValueAlone | undefined): JsonMap {
  if (alone === undefined) return map;
  const { enum: words, pattern, type } = alone.schema;
  if (words !== undefined) return { anyOf: [{ enum: words }, { type: 'string', pattern: '^\\$' }, map] };
  const types = [type ?? 'string'].flat().filter((one): one is string => typeof one === 'string');
  return { ...withTypes(map, ...types), ...(pattern === undefined ? {} : { pattern }) };
}
