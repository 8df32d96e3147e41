/** The JSON Schema of scenario files for editors, derived from the language: flat, for completion and hover texts; `validate` checks what it cannot express. */

import { isMap, type JsonMap, withoutKeywords } from '../../../contract/schema.ts';
import { WorkersSection } from '../../../plant/people-schema.ts';
import { ContractSection, SiteSection } from '../../../plant/site-schema.ts';
import { CONDITIONS } from '../conditions.ts';
import type { Field, Fields } from '../field.ts';
import { MODIFIER_NAMES, MODIFIERS } from '../modifiers.ts';
import { describedSchema } from '../read-map.ts';
import { orEmpty, partial, SECTION_NAMES, SECTION_OF } from '../sections.ts';
import { STEP_GROUPS, type Step } from '../step.ts';
import { STEPS_IN_GROUPS } from './catalogue.ts';

/** The schema's `$id`. */
const ID = 'https://unpkg.com/muster-sandbox/scenario.schema.json';

/** The whole schema; byte-identical within one version. */
export function editorSchema(): JsonMap {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: ID,
    title: 'Scenario of muster-sandbox',
    description: 'One file is one scenario: a sequence of steps, one action a line.',
    type: 'object',
    properties: Object.fromEntries(SECTION_NAMES.map((name) => [name, sectionSchema(name)])),
    additionalProperties: false,
    definitions: {
      step: stepSchema(),
      check: conditionSchema(),
      site: { ...orReference(plain(partial(SiteSection))), description: 'A plant.' },
      contract: {
        ...orReference(orEmpty(plain(partial(ContractSection)))),
        description: 'What the company may see: names, scopes, contractors.',
      },
      workers: {
        ...orReference(orEmpty(plain(partial(WorkersSection)))),
        description: 'People by short name; scripted workers until a step moves them.',
      },
    },
  };
}

function sectionSchema(name: (typeof SECTION_NAMES)[number]): JsonMap {
  const { schema, help, isBound = true } = SECTION_OF[name];
  return { ...(isBound ? orReference(plain(schema)) : plain(schema)), description: help };
}

const REFERENCE_PATTERN = '^\\$[\\w-]+$';
const REFERENCE_SCHEMA: JsonMap = { type: 'string', pattern: REFERENCE_PATTERN };

/** The schema where each value, and each value in it, can be the name of a parameter instead. */
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
  const { schema, fields } = value;
  return { ...(fields === undefined ? plain(schema) : mapSchema(schema, fields)), description };
}

/** The schema of a map, with the schemas of its keys as editors show them. */
const mapSchema = (schema: JsonMap, fields: Fields): JsonMap => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, keySchema(field)])),
});

/** Any value may be `$name` or a range, so the types of keys are dropped; enum words are offered, and `validate` checks the rest. */
function keySchema({ schema, help, fields }: Field<unknown>): JsonMap {
  const { default: standard, enum: words } = schema;
  const sentences = [help, standard === undefined ? '' : `Default: ${String(standard)}.`];
  const description = sentences.filter((one) => one !== '').join(' ');
  const described: JsonMap = description === '' ? {} : { description };
  if (fields !== undefined) return { ...described, ...mapSchema(schema, fields) };
  if ('$ref' in schema || schema['type'] === 'array') return { ...plain(schema), ...described };
  return words === undefined
    ? described
    : { ...described, anyOf: [{ enum: words }, { type: 'string', pattern: '^\\$' }] };
}

/** Flat: one object with the words of all conditions, their keys, and the fields of their resources. */
function conditionSchema(): JsonMap {
  const properties: Record<string, JsonMap> = {};
  const conditions = [...CONDITIONS.values()];
  for (const { word, help, fields, example, words } of conditions) {
    const description = `${help} Value: ${fields[word]?.help}.\n\nExample: ${example}`;
    properties[word] =
      words.length === 0 ? { description } : { description, anyOf: [{ enum: words }, { type: ['string', 'array'] }] };
  }
  for (const { fields } of conditions)
    for (const [key, { help }] of Object.entries(fields)) properties[key] ??= { description: help };
  for (const { word, resource } of conditions)
    for (const key of Object.keys(resource?.schema.properties ?? {}))
      properties[key] ??= { description: `A field of the ${word}.` };
  return { type: 'object', additionalProperties: false, properties };
}

/** Without our own keywords. */
function plain(schema: object): JsonMap {
  return withoutKeywords(
    schema,
    (keyword, value) => keyword.startsWith('x-') || (keyword === 'format' && value === 'text'),
  ) as JsonMap;
}
