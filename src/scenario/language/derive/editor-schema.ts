/** The JSON Schema of scenario files for editors, derived from the language. It is flat, for completion and hover texts; `validate` checks what the schema cannot express. */

import { isMap, type JsonMap, type SchemaNode, variantsOf, withoutKeywords } from '../../../contract/schema.ts';
import { withoutCitations } from '../../../contract/sentences.ts';
import { WorkersSection } from '../../../plant/people-schema.ts';
import { ContractSection, SiteSection } from '../../../plant/site-schema.ts';
import { CONDITIONS } from '../conditions.ts';
import type { Field, Fields } from '../field.ts';
import { MODIFIER_NAMES, MODIFIERS } from '../modifiers.ts';
import { describedSchema } from '../read-map.ts';
import { orEmpty, partial, SECTION_NAMES, SECTION_OF } from '../sections.ts';
import { STEP_GROUPS, type Step } from '../step.ts';
import { STEPS_IN_GROUPS } from './catalogue.ts';
import { orAlone, withShortForms } from './short-schema.ts';

/** The schema's `$id`. */
const ID = 'https://unpkg.com/muster-sandbox/scenario.schema.json';

/** The whole schema; byte-identical within one version. */
export function editorSchema(): JsonMap {
  return withPlainDescriptions({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: ID,
    title: 'Scenario of muster-sandbox',
    description: 'A scenario, a part, or a file of rules.',
    type: 'object',
    properties: Object.fromEntries(SECTION_NAMES.map((name) => [name, sectionSchema(name)])),
    additionalProperties: false,
    definitions: {
      step: stepSchema(),
      check: conditionSchema(),
      site: { ...short(partial(SiteSection)), description: 'A plant.' },
      contract: {
        ...short(orEmpty(partial(ContractSection))),
        description: 'The contract of the company: what its client may see.',
      },
      workers: {
        ...short(orEmpty(partial(WorkersSection))),
        description: 'Workers by short name.',
      },
    },
  });
}

/** Removes citations from the descriptions, because editors show them to users. */
const withPlainDescriptions = (schema: JsonMap): JsonMap =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'description' && typeof value === 'string' ? withoutCitations(value) : value,
  ) as JsonMap;

function sectionSchema(name: (typeof SECTION_NAMES)[number]): JsonMap {
  const { schema, help, isBound = true } = SECTION_OF[name];
  return { ...(isBound ? short(schema) : plain(withShortForms(schema))), description: help };
}

/** With parameters and short forms. */
const short = (schema: JsonMap): JsonMap => plain(withShortForms(orReference(schema)));

const REFERENCE_PATTERN = '^\\$[\\w-]+$';
const REFERENCE_SCHEMA: JsonMap = { type: 'string', pattern: REFERENCE_PATTERN };

/** Returns the schema in which each value, also a nested one, can be the name of a parameter instead. */
function orReference(schema: JsonMap): JsonMap {
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, innerSchema(key, value)]));
  const { type, enum: words, anyOf, pattern } = inner;
  if (Array.isArray(anyOf)) return { ...inner, anyOf: [...anyOf, REFERENCE_SCHEMA] };
  if (words !== undefined || Object.hasOwn(inner, 'const')) {
    const { description, ...rest } = inner;
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, REFERENCE_SCHEMA] };
  }
  if (type === 'string')
    return pattern === undefined ? inner : { ...inner, pattern: `${pattern}|${REFERENCE_PATTERN}` };
  if (type === undefined) return inner;
  return { ...inner, type: [type, 'string'].flat(), pattern: REFERENCE_PATTERN };
}

function innerSchema(key: string, value: unknown): unknown {
  if (key === 'properties' || key === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as JsonMap).map(([name, one]) => [name, orReference(one as JsonMap)]),
    );
  if (Array.isArray(value)) return key === 'items' ? value.map((one) => orReference(one as JsonMap)) : value;
  return (key === 'items' || key === 'additionalProperties') && isMap(value) ? orReference(value) : value;
}

function stepSchema(): JsonMap {
  const words = STEPS_IN_GROUPS.map((step): [string, JsonMap] => [step.word, wordSchema(step)]);
  const modifiers = MODIFIER_NAMES.map((name): [string, JsonMap] => [name, describedSchema(MODIFIERS[name].field)]);
  return {
    type: 'object',
    description: 'One step: its word, and its modifiers.',
    additionalProperties: false,
    properties: Object.fromEntries([...words, ...modifiers]),
  };
}

function wordSchema({ word, help, example, group, value }: Step): JsonMap {
  const description = `${STEP_GROUPS[group]}. ${help}\n\nExample: ${word}: ${example}`;
  const { schema, fields, alone } = value;
  const own = fields === undefined ? withShortForms(plain(schema)) : orAlone(mapSchema(schema, fields), alone);
  return { ...own, description };
}

/** The schema of a map, with the schemas of its keys for editors. */
const mapSchema = (schema: JsonMap, fields: Fields): JsonMap => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, keySchema(field)])),
});

/** The schema of a key of a step. Its type is as strict as `$name` and ranges allow; `validate` checks the rest. */
function keySchema(field: Field<unknown>): JsonMap {
  const { schema, help, fields, alone } = field;
  const { default: standard } = schema;
  const sentences = [help, standard === undefined ? '' : `Default: ${String(standard)}.`];
  const description = sentences.filter((one) => one !== '').join(' ');
  const described: JsonMap = description === '' ? {} : { description };
  if (fields !== undefined) return { ...described, ...orAlone(mapSchema(schema, fields), alone) };
  if ('$ref' in schema || schema['type'] === 'array') return { ...withShortForms(plain(schema)), ...described };
  return { ...described, ...typedSchema(field) };
}

/** A range `a..b` from which an action draws a value; the reader parses it. */
const RANGE_PATTERN = '\\.\\.';
const DRAWN_PATTERN = `${REFERENCE_PATTERN}|${RANGE_PATTERN}`;

/** The values that a key of a step can have: those of its schema, `$name`, and a range if a number or duration can be drawn. */
function typedSchema({ kind, schema }: Pick<Field<unknown>, 'kind' | 'schema'>): JsonMap {
  const { default: _default, format: _format, title: _title, ...typed } = plain(schema);
  const { type, enum: words, anyOf, pattern } = typed;
  if (words !== undefined) return { anyOf: [{ enum: words }, { type: 'string', pattern: '^\\$' }] };
  if (Array.isArray(anyOf)) return kind === 'any' ? {} : orReference(typed);
  switch (type) {
    case 'boolean':
      return { type: ['boolean', 'string'], pattern: REFERENCE_PATTERN };
    case 'integer':
    case 'number':
      return { ...typed, type: [type, 'string'], pattern: DRAWN_PATTERN };
    case 'string':
      // A text can be written as a number, as in "note: 12".
      if (kind === 'text') return { ...typed, type: ['string', 'number'] };
      return pattern === undefined ? typed : { ...typed, pattern: `${String(pattern)}|${DRAWN_PATTERN}` };
    default:
      return Array.isArray(type) ? typed : {};
  }
}

/** The forms of a matcher other than a plain word. */
const MATCHER_PATTERN = '^(?:\\$|/|\\+|any$|not |one of |[<>])|\\.\\.';

/** A key of one condition; several conditions may have a key of this name. */
interface KeyOfCondition extends Pick<Field<unknown>, 'kind' | 'schema'> {
  /** True if the key is compared with a field of a resource, so that it can be any matcher. */
  readonly isCompared: boolean;
  readonly description: string;
}

/** The schema is flat: one object with the words of all conditions, their keys, and the fields of their resources. */
function conditionSchema(): JsonMap {
  const keys = new Map<string, KeyOfCondition[]>();
  const add = (key: string, one: KeyOfCondition) => keys.set(key, [...(keys.get(key) ?? []), one]);
  const conditions = [...CONDITIONS.values()];
  // Words come first, and keys before fields: editors list them in this order.
  for (const { word, help, fields, example, words } of conditions) {
    const description = `${help} Value: ${fields[word]?.help}.\n\nExample: ${example}`;
    const schema =
      words.length === 0 ? fields[word]?.schema : { anyOf: [{ enum: words }, { type: ['string', 'array'] }] };
    add(word, { kind: fields[word]?.kind ?? 'any', schema: schema ?? {}, isCompared: false, description });
  }
  for (const { word, fields } of conditions)
    for (const [key, { schema, help, kind }] of Object.entries(fields)) {
      if (key === word) continue;
      add(key, { kind, schema, isCompared: kind === 'matcher' || kind === 'count', description: help });
    }
  for (const { word, resource } of conditions)
    for (const [key, schema] of Object.entries(resource?.schema.properties ?? {}))
      add(key, {
        kind: 'matcher',
        schema: schema as JsonMap,
        isCompared: true,
        description: `A field of the ${word}.`,
      });
  const properties = [...keys].map(([key, all]): [string, JsonMap] => [
    key,
    { ...(all[0] === undefined ? {} : { description: all[0].description }), ...schemaOfKey(all) },
  ]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

/**
 * The values of a key of conditions. Words are offered; no other values are allowed if each condition with this key
 * only has words.
 */
function schemaOfKey(all: readonly KeyOfCondition[]): JsonMap {
  const [first] = all;
  const isOne = all.every(
    ({ schema, isCompared }) => !isCompared && JSON.stringify(schema) === JSON.stringify(first?.schema),
  );
  if (isOne && first !== undefined) return Array.isArray(first.schema['anyOf']) ? first.schema : typedSchema(first);
  const variants = all.flatMap(({ schema }) => variantsOf(schema as SchemaNode));
  const words = [...new Set(variants.flatMap(({ enum: some }) => some ?? []))];
  if (words.length === 0) return {};
  const isClosed = all.every(({ schema }) => isOfWords(schema as SchemaNode));
  if (!isClosed) return { anyOf: [{ enum: words }, {}] };
  return {
    anyOf: [
      { enum: words },
      { type: 'string', pattern: MATCHER_PATTERN },
      { type: ['null', 'boolean', 'number', 'array', 'object'] },
    ],
  };
}

/** Returns true if every text that the schema allows is one of its words. */
function isOfWords(schema: SchemaNode): boolean {
  const texts = variantsOf(schema).filter(({ type, enum: words }) => words !== undefined || type !== 'null');
  return (
    texts.length > 0 && texts.every(({ enum: words }) => words?.every((word) => typeof word === 'string') === true)
  );
}

/** Removes the project's own keywords. */
function plain(schema: object): JsonMap {
  return withoutKeywords(
    schema,
    (keyword, value) => keyword.startsWith('x-') || (keyword === 'format' && value === 'text'),
  ) as JsonMap;
}
