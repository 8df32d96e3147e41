/** The JSON Schema of scenario files for editors: flat, for completion and hover texts; `validate` checks what it cannot express. */

import { type JsonMap, withoutKeywords } from '../../contract/schema.ts';
import { CrewSection, CrowdsSection, VehiclesSection, WorkersSection } from '../../plant/people-schema.ts';
import { ContractSection, SiteSection } from '../../plant/site-schema.ts';
import { ServiceSection } from '../../plant/thresholds.ts';
import { ANSWER_KEYS } from '../reading/read-own-steps.ts';
import { ReceiverSection } from '../reading/read-receivers.ts';
import { ProbeSection, SystemSection } from '../reading/read-system.ts';
import type { Modifier } from '../reading/step-kinds.ts';
import type { FileKeyName } from '../story/file-keys.ts';
import { RUN_MODES } from '../story/story.ts';
import { MODIFIER_HELP, RULE_HELP } from './beside-catalogue.ts';
import { SECTION_HELP } from './section-catalogue.ts';
import { STEP_CATALOGUE, STEP_GROUPS, type StepHelp } from './step-catalogue.ts';
import { SUBJECT_CATALOGUE } from './subject-catalogue.ts';

/** The schema's `$id`. */
const ID = 'https://unpkg.com/muster-sandbox/scenario.schema.json';

const CHECKS = ['expect', 'wait_for', 'check', 'never', 'every', 'always'];

/** The values of modifiers; descriptions are in their catalogue. */
const MODIFIER_SCHEMAS: { readonly [K in Modifier]: JsonMap } = {
  after: { type: 'string' },
  at: { type: 'string' },
  within: { type: 'string' },
  for: { type: 'string' },
  as: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
  note: { type: 'string' },
  refused: { type: 'boolean' },
  only: { type: 'object' },
  equivalent: { type: 'object', additionalProperties: { type: 'string' } },
};

const BESIDE = Object.fromEntries(
  Object.entries(MODIFIER_SCHEMAS).map(([key, schema]) => [
    key,
    { ...schema, description: MODIFIER_HELP[key as Modifier].help },
  ]),
);

/** The whole schema; byte-identical within one version. */
export function editorSchema(): JsonMap {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: ID,
    title: 'Scenario of muster-sandbox',
    description: 'One file is one story: a sequence of steps, one action a line.',
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(FILE_SCHEMAS).map(([key, schema]) => [
        key,
        { ...schema, description: SECTION_HELP[key as FileKeyName].help },
      ]),
    ),
    additionalProperties: false,
    definitions: {
      step: stepSchema(),
      check: checkSchema(),
      site: section(SiteSection, 'A plant.'),
      contract: section(ContractSection, 'What the company may see: names, scopes, contractors.'),
      workers: section(WorkersSection, 'People by short name; scripted workers until a step moves them.'),
    },
  };
}

const stepList = (description: string): JsonMap => ({
  description,
  type: 'array',
  items: { $ref: '#/definitions/step' },
});
const shared = (name: string): JsonMap => ({ $ref: `#/definitions/${name}` });
/** Without `required`: a file may hold only some keys if a part that it uses has the rest. */
const section = (schema: object, description: string): JsonMap => ({
  ...(withoutKeywords(plain(schema), (keyword, value) => keyword === 'required' && Array.isArray(value)) as JsonMap),
  description,
});

/** The values of file keys; descriptions are in their catalogue. */
const FILE_SCHEMAS: { readonly [K in FileKeyName]: JsonMap } = {
  scenario: { type: 'string' },
  part: { type: 'string' },
  explore: { type: 'string' },
  about: { type: 'string' },
  tags: {
    type: 'array',
    items: { type: 'string' },
  },
  use: {
    type: 'array',
    items: { type: 'string' },
  },
  seed: { type: 'integer', minimum: 0 },
  clock: {
    type: 'object',
    additionalProperties: false,
    properties: {
      start: { type: 'string', description: '2026-10-05T06:00:00Z' },
      speed: { type: 'number', description: 'Of scaled runs.' },
    },
  },
  modes: {
    type: 'array',
    items: { type: 'string', enum: [...RUN_MODES] },
  },
  params: { type: 'object' },
  matrix: {
    type: 'object',
    additionalProperties: { type: 'array' },
  },
  cases: { type: 'array', items: { type: 'object' } },
  site: shared('site'),
  sites: {
    type: 'object',
    additionalProperties: shared('site'),
  },
  contract: shared('contract'),
  companies: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: {
        site: shared('site'),
        sites: { type: 'object', additionalProperties: shared('site') },
        contract: shared('contract'),
        workers: shared('workers'),
      },
    },
  },
  service: section(ServiceSection, 'Thresholds of the service.'),
  workers: shared('workers'),
  crowd: section(CrowdsSection, 'Groups of people by short name.'),
  vehicles: section(VehiclesSection, 'Vehicles by short name.'),
  crew: section(CrewSection, 'The people of a plant that `sandbox up --site` populates.'),
  receivers: {
    type: 'object',
    additionalProperties: plain(ReceiverSection),
  },
  system: plain(SystemSection) as JsonMap,
  probes: { type: 'object', additionalProperties: plain(ProbeSection) },
  macros: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['steps'],
      additionalProperties: false,
      properties: {
        params: { type: 'array', items: { type: 'string' } },
        steps: stepList('Its steps; $param is filled in.'),
      },
    },
  },
  steps: stepList('The story: one action a line.'),
  when: {
    type: 'array',
    items: {
      type: 'object',
      required: ['steps'],
      additionalProperties: false,
      properties: {
        every: { $ref: '#/definitions/check' },
        first: { $ref: '#/definitions/check' },
        as: BESIDE['as'],
        after: BESIDE['after'],
        steps: stepList('What is done then.'),
      },
    },
  },
  rules: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      properties: {
        every: { $ref: '#/definitions/check' },
        always: { $ref: '#/definitions/check' },
        never: { $ref: '#/definitions/check' },
        within: { type: 'string', description: RULE_HELP.within.help },
        apart: { type: 'string', description: RULE_HELP.apart.help },
        delivered_to: { type: 'string', description: RULE_HELP.delivered_to.help },
        signed: { type: 'string', enum: ['valid'], description: RULE_HELP.signed.help },
        count: { description: RULE_HELP.count.help },
        note: BESIDE['note'],
      },
    },
  },
  finally: stepList('Steps that are played at the end, however the story went.'),
};

function stepSchema(): JsonMap {
  return {
    type: 'object',
    description: 'One step: its word, and what stands beside it.',
    additionalProperties: false,
    properties: { ...Object.fromEntries(STEP_CATALOGUE.map((step) => [step.word, wordSchema(step)])), ...BESIDE },
  };
}

function wordSchema(step: StepHelp): JsonMap {
  const { word, help, example, fields, group } = step;
  const description = `${STEP_GROUPS[group]}. ${help}\n\nExample: ${word}: ${example}`;
  if (word === 'together') return { ...stepList(description) };
  if (CHECKS.includes(word)) return { $ref: '#/definitions/check', description };
  if (fields.length === 0) return { type: ['string', 'number'], description };
  const needs = fields.filter(({ required }) => required).map(({ name }) => name);
  return {
    type: 'object',
    description,
    additionalProperties: false,
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, loosened(plain(schema) as JsonMap, name)])),
    ...(needs.length === 0 ? {} : { required: needs }),
  };
}

/** Any value may be `$name` or a range, so types are dropped; enum words are offered, and `validate` checks the rest. */
function loosened(schema: JsonMap, name: string): JsonMap {
  if ('$ref' in schema || schema['type'] === 'array') return schema;
  const { description, default: standard } = schema;
  const sentences = [description, standard === undefined ? undefined : `Default: ${String(standard)}.`];
  const said = sentences.filter((one) => one !== undefined).join(' ');
  const words = schema['enum'] as readonly unknown[] | undefined;
  const kept = said === '' ? {} : { description: said };
  if (words !== undefined) return { ...kept, anyOf: [{ enum: words }, { type: 'string', pattern: '^\\$' }] };
  if (name === 'answers')
    return {
      ...kept,
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(ANSWER_KEYS.map((key) => [key, {}])),
    };
  return kept;
}

function checkSchema(): JsonMap {
  const properties: Record<string, JsonMap> = {};
  for (const { word, help, value, example, words } of SUBJECT_CATALOGUE) {
    const description = `${help} Value: ${value}.\n\nExample: ${example}`;
    properties[word] =
      words.length === 0 ? { description } : { description, anyOf: [{ enum: words }, { type: ['string', 'array'] }] };
  }
  for (const { keys } of SUBJECT_CATALOGUE)
    for (const [key, description] of Object.entries(keys)) properties[key] ??= { description };
  for (const { word, fields } of SUBJECT_CATALOGUE)
    for (const field of fields) properties[field] ??= { description: `A field of the ${word}.` };
  return { type: 'object', additionalProperties: false, properties };
}

/** Without our own keywords. */
function plain(schema: unknown): unknown {
  return withoutKeywords(
    schema,
    (keyword, value) => keyword.startsWith('x-') || (keyword === 'format' && value === 'text'),
  );
}
