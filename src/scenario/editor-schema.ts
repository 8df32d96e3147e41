/** The JSON Schema of scenario files for editors: flat, so that they complete and explain well; what a schema cannot say is said by `validate`. */

import { CrowdsSection, VehiclesSection, WorkersSection } from '../plant/people-schema.ts';
import { ContractSection, ServiceSection, SiteSection } from '../plant/site-schema.ts';
import { FILE_KEYS } from './file-keys.ts';
import { ANSWER_KEYS } from './read-customer.ts';
import { ReceiverSection } from './read-receivers.ts';
import { STEP_CATALOGUE, STEP_GROUPS, type StepHelp } from './step-catalogue.ts';
import { RUN_MODES } from './story.ts';
import { SUBJECT_CATALOGUE } from './subject-catalogue.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Where the schema says that it lives. */
const ID = 'https://unpkg.com/muster-sandbox/scenario.schema.json';

const CHECKS = ['expect', 'wait_for', 'check', 'never', 'every', 'always'];

const DURATION = 'Like 500ms, 45s, 2m, 1h30m, 24h.';

const BESIDE: Readonly<Record<string, Schema>> = {
  after: { type: 'string', description: `A pause before the step. ${DURATION}` },
  at: { type: 'string', description: `Not before this time from the start of the story. ${DURATION}` },
  within: {
    type: 'string',
    description: `The limit of a check: 5s, or 29s..31s for not before 29 s either. Default 5 s.`,
  },
  for: { type: 'string', description: `How long a state holds, or how long "never" looks. ${DURATION}` },
  as: {
    type: 'string',
    pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
    description: 'A name for what the step finds or makes; then $name.',
  },
  note: { type: 'string', description: 'A remark for the reader.' },
  refused: { type: 'boolean', description: 'true: the state refuses the step, and that is right.' },
  only: { type: 'object', description: 'The step is one of these cases only: {param: value}.' },
  equivalent: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Changes that change nothing, each with its reason: {step: why}. "sandbox run --mutate" asks for it.',
  },
};

/** The whole schema; always equal bytes for one version. */
export function editorSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: ID,
    title: 'Scenario of muster-sandbox',
    description: 'One file is one story: a sequence of steps, one action a line.',
    type: 'object',
    properties: Object.fromEntries(Object.keys(FILE_KEYS).map((key) => [key, FILE_SCHEMAS[key] ?? {}])),
    additionalProperties: false,
    definitions: {
      step: stepSchema(),
      check: checkSchema(),
      site: section(SiteSection, 'A plant.'),
      contract: section(ContractSection, 'What the company may see: names, scopes, contractors.'),
      workers: section(WorkersSection, 'People by short name; puppets until a step moves them.'),
    },
  };
}

const stepList = (description: string): Schema => ({
  description,
  type: 'array',
  items: { $ref: '#/definitions/step' },
});
const shared = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
/** A file may say a part of it only, where a part that it uses says the rest: nothing is required. */
const section = (schema: object, description: string): Schema => ({
  ...(unrequired(plain(schema)) as Schema),
  description,
});

const FILE_SCHEMAS: Readonly<Record<string, Schema>> = {
  scenario: { type: 'string', description: 'The title of the story, as a sentence.' },
  part: { type: 'string', description: 'The name of a part: a file that others include with "use". It has no steps.' },
  about: { type: 'string', description: 'What the story is about, in a sentence or two.' },
  tags: {
    type: 'array',
    items: { type: 'string' },
    description: 'Words by which stories are picked: sandbox run tag:smoke.',
  },
  use: {
    type: 'array',
    items: { type: 'string' },
    description: 'Parts, relative to this file; maps merge by key, this file wins.',
  },
  seed: { type: 'integer', minimum: 0, description: 'Names, ids, keys and draws follow from it.' },
  clock: {
    type: 'object',
    additionalProperties: false,
    properties: {
      start: { type: 'string', description: '2026-10-05T06:00:00Z' },
      speed: { type: 'number', description: 'Of scaled runs.' },
    },
    description: 'When the story begins, and how fast time runs in scaled mode.',
  },
  modes: {
    type: 'array',
    items: { type: 'string', enum: [...RUN_MODES] },
    description: 'How the story can be played; default all.',
  },
  params: { type: 'object', description: 'Values with a default, as $name; set with --set name=value.' },
  matrix: {
    type: 'object',
    additionalProperties: { type: 'array' },
    description: 'One run for each combination of these values.',
  },
  cases: { type: 'array', items: { type: 'object' }, description: 'One run for each of these.' },
  site: shared('site'),
  sites: {
    type: 'object',
    additionalProperties: shared('site'),
    description: 'Several plants by name.',
  },
  contract: shared('contract'),
  companies: {
    type: 'object',
    description: 'Other companies by name.',
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
  receivers: {
    type: 'object',
    additionalProperties: plain(ReceiverSection),
    description: 'Receivers of events by short name; without url a built-in one.',
  },
  macros: {
    type: 'object',
    description: 'Steps under a name, done with "do".',
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
    description: 'Steps that run beside the story each time, or the first time, that something comes true.',
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
    description: 'What holds over the whole run.',
    items: {
      type: 'object',
      additionalProperties: false,
      properties: {
        every: { $ref: '#/definitions/check' },
        always: { $ref: '#/definitions/check' },
        never: { $ref: '#/definitions/check' },
        within: { type: 'string', description: 'The limit of delivered_to.' },
        apart: { type: 'string', description: 'They lie at least so far apart.' },
        delivered_to: { type: 'string', description: 'Each is delivered to this receiver.' },
        signed: { type: 'string', enum: ['valid'], description: 'Each is signed as it should be.' },
        count: { description: 'How many there must be; default at least one.' },
        note: BESIDE['note'],
      },
    },
  },
  finally: stepList('Steps that are played at the end, however the story went.'),
};

function stepSchema(): Schema {
  return {
    type: 'object',
    description: 'One step: its word, and what stands beside it.',
    additionalProperties: false,
    properties: { ...Object.fromEntries(STEP_CATALOGUE.map((step) => [step.word, wordSchema(step)])), ...BESIDE },
  };
}

function wordSchema(step: StepHelp): Schema {
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
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, loosened(plain(schema) as Schema, name)])),
    ...(needs.length === 0 ? {} : { required: needs }),
  };
}

/** `$name` may stand for any value, a range for a duration or a number; words are offered, and others are left to `validate`. */
function loosened(schema: Schema, name: string): Schema {
  if ('$ref' in schema || schema['type'] === 'array') return schema;
  const { description, default: standard } = schema;
  const told = [description, standard === undefined ? undefined : `Default: ${String(standard)}.`];
  const said = told.filter((one) => one !== undefined).join(' ');
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

function checkSchema(): Schema {
  const properties: Record<string, Schema> = {};
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

function unrequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(unrequired);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !(key === 'required' && Array.isArray(value)));
  return Object.fromEntries(entries.map(([key, value]) => [key, unrequired(value)]));
}

/** Plain JSON Schema without the words that are for our own sentences. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) => !key.startsWith('x-') && !(key === 'format' && value === 'text'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
}
