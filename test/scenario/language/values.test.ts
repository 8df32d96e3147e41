/** Readers and the published schema agree about values: at each place of a file, with values on both sides of each limit of its schema. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { isRegularFile } from '../../../src/base/user-files.ts';
import { isMap, type JsonMap } from '../../../src/contract/schema.ts';
import { readYaml } from '../../../src/plant/yaml-source.ts';
import { editorSchema } from '../../../src/scenario/language/derive/editor-schema.ts';
import type { Step } from '../../../src/scenario/language/step.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';

const FILE = resolve(import.meta.dirname, '../../../values.scenario.yaml');
const SCHEMA = editorSchema();
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(SCHEMA);

type Place = readonly (string | number)[];

const zone = { type: 'work_area', box: [0, 0, 200, 120] };
const DEPOT = { origin: [44, -8], zones: { Yard: zone } };
const EVENT = { event: 'alert.created' };

/** A right file, in which each place can stand. */
const AROUND: JsonMap = {
  scenario: 'Values',
  site: { name: 'Small plant', origin: [43.3, -8.4], zones: { Dock: zone } },
  steps: [{ wait: '1s' }],
};

/** A file whose steps can be any. */
const STAGE: JsonMap = {
  scenario: 'Values',
  use: ['scenarios/sites/harbour.yaml'],
  workers: { ana: { in: 'Dock' }, luis: { in: 'Dock' } },
  crowd: { crew: { count: 4, in: 'Dock' } },
  receivers: { erp: { events: ['alert.*'] } },
  macros: { attend: { params: ['alert'], steps: [{ acknowledge: { alert: '$alert', by: 'Desk' } }] } },
};
const BEFORE = [
  { sos: { who: 'ana' }, as: 'sos' },
  { fall: { who: 'ana' }, as: 'fall' },
  { start_muster: { kind: 'general', by: 'Lead' }, as: 'm' },
];

/** What a place needs beside it, by the beginning of the place. */
const BESIDE: Readonly<Record<string, JsonMap>> = {
  'companies.one': { sites: { Depot: DEPOT } },
  'crowd.one': { count: 3 },
  'macros.one': { steps: [] },
  'probes.one': {},
  'rules.0': { every: EVENT },
  'site.zones.one': { ...zone, type: 'building' },
  'site.zones.one.floors.0': { name: 'Ground', height_m: 0 },
  system: { start: 'node server.mjs' },
  'system.wake': { post: '/poll', every: '10s' },
  'vehicles.one': { type: 'forklift' },
  'when.0': { first: { alert: 'any' }, steps: [{ wait: '1s' }] },
};

/** Keys that exclude the key, so that they are left out beside it. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  'rules.0.always': ['every'],
  'rules.0.never': ['every'],
  'when.0.every': ['first'],
};

/** What a reader knows besides the schema, by its messages; the keys are reasons. A last test says that each occurs. */
const KNOWS_MORE: Readonly<Record<string, readonly RegExp[]>> = {
  'names of the file': [/is not a site/, /is not a zone/, /is not a worker/, /is not a company/, /is not a receiver/],
  'time zones': [/is not a time zone/],
  'other keys': [/needs "/, /write "near" too/, /asks in one way/, /is started or runs/],
  'keys of a zone': [/has no sites/, /has no floors/, /at least one zone/, /is for assembly points/],
  'names that are given twice': [/already/],
  'files, and whether they are there': [/does not exist/],
  'values of other keys': [/is low at/],
};
const MESSAGES = Object.values(KNOWS_MORE).flat();
/** Those that came. */
const came = new Set<string>();

/** Sections that are read before parameters have values. */
const BEFORE_VALUES = ['use', 'params', 'matrix', 'cases', 'macros', 'part', 'explore'];

interface Spot {
  readonly name: string;
  readonly place: Place;
  readonly schema: JsonMap;
}

const definition = (name: string): JsonMap => (SCHEMA['definitions'] as Record<string, JsonMap>)[name] ?? {};

/** Every key below a place, and every entry; a definition is entered once, where it is first used. */
function* spotsOf(node: unknown, place: Place, entered: Set<string>): Generator<Spot> {
  if (!isMap(node)) return;
  const { $ref: ref } = node;
  if (typeof ref === 'string') {
    const name = ref.replace('#/definitions/', '');
    if (entered.has(name)) return;
    entered.add(name);
    yield* spotsOf(definition(name), place, entered);
    return;
  }
  if (typeof place.at(-1) === 'string') yield { name: place.join('.'), place, schema: node };
  const { properties, additionalProperties, patternProperties, items } = node;
  if (isMap(properties))
    for (const [key, below] of Object.entries(properties)) yield* spotsOf(below, [...place, key], entered);
  yield* spotsOf(items, [...place, 0], entered);
  yield* spotsOf(additionalProperties, [...place, 'one'], entered);
  if (isMap(patternProperties))
    for (const each of Object.values(patternProperties)) yield* spotsOf(each, [...place, 'one'], entered);
}

/** Read elsewhere: steps below, and the others are of other kinds of file. */
const ELSEWHERE = ['steps', 'setup', 'finally', 'crew', 'part', 'explore', 'moves'];
/** Most of their values can be any matcher, so that the schema has no type. */
const isOfCheck = (place: Place): boolean => place[0] === 'rules' || place[0] === 'when';
const SPOTS = [...spotsOf(SCHEMA, [], new Set(['step', 'check']))].filter(
  ({ name, place }) => !ELSEWHERE.includes(String(place[0])) && name !== 'macros.one.steps',
);

/** One value of each type, and those next to the limits of the schema. */
function valuesFor(schema: JsonMap): unknown[] {
  const { minimum, maximum, exclusiveMinimum, enum: words } = schema;
  const limits = [minimum, maximum, exclusiveMinimum].filter((limit) => typeof limit === 'number');
  const near = limits.flatMap((limit) => [limit, limit - 1, limit + 1]);
  return [
    null,
    true,
    7,
    2.5,
    '',
    'zzz',
    '45s',
    '12m',
    [],
    ['zzz'],
    [7],
    {},
    { zzz: 7 },
    ...near,
    ...(Array.isArray(words) ? words.slice(0, 1) : []),
  ];
}

function put(into: unknown, place: Place, value: unknown, at = ''): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const here = at === '' ? String(key) : `${at}.${key}`;
  const beside = { ...(isMap(into) ? into : {}), ...(BESIDE[at] ?? {}) };
  if (typeof key === 'number') return [put(undefined, rest, value, here)];
  for (const other of INSTEAD[here] ?? []) delete (beside as Record<string, unknown>)[other];
  return { ...beside, [key]: put(beside[key], rest, value, here) };
}

function fileWith(place: Place, value: unknown): JsonMap {
  const around = place[0] === 'probes' ? { ...AROUND, system: { start: 'node server.mjs' } } : AROUND;
  return put(around, place, value) as JsonMap;
}

/** A step with its example, in which one key has another value. */
function stepWith({ word, example }: Step, key: string | null, value: unknown): JsonMap {
  const given = readYaml(example, 'example').value;
  const own = key === null ? value : { ...(isMap(given) ? given : {}), [key]: value };
  return { ...STAGE, steps: [...BEFORE, { [word]: own, ...(word === 'never' ? { for: '1m' } : {}) }] };
}

function mistakeIn(file: JsonMap): string | undefined {
  const text = JSON.stringify(file);
  const read = (path: string) => {
    if (path === FILE) return text;
    return isRegularFile(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const loaded = loadScenario(FILE, { read });
  return loaded.ok ? undefined : loaded.mistakes[0]?.message;
}

function disagreement(file: JsonMap, value: unknown): string[] {
  const mistake = mistakeIn(file);
  const isValid = validate(file);
  if (isValid === (mistake === undefined)) return [];
  const [error] = validate.errors ?? [];
  const schema = isValid ? 'valid' : `${error?.instancePath} ${error?.message}`;
  return [`${JSON.stringify(value)}: ${mistake ?? 'read'}; schema: ${schema}`];
}

function isOfReaderOnly(text: string): boolean {
  const known = MESSAGES.filter((message) => message.test(text));
  for (const { source } of known) came.add(source);
  return known.length > 0 && text.endsWith('; schema: valid');
}

describe('readers and the schema agree', () => {
  // Neighbours in the schema are alike.
  const rows = SPOTS.map((spot) => [spot.name, spot] as const);

  eachOf(rows, 48)('about the values of %s', async (_name, { place, schema }) => {
    const found = valuesFor(schema).flatMap((value) => disagreement(fileWith(place, value), value));
    const isJudged = (one: string) => !isOfReaderOnly(one) && !(isOfCheck(place) && one.endsWith('; schema: valid'));
    expect(found.filter(isJudged)).toEqual([]);
  });

  unless(withoutWhole).test('each listed message of a reader occurs', () => {
    expect([...came].sort()).toEqual(MESSAGES.map(({ source }) => source).sort());
  });

  const bound = SPOTS.filter(({ place }) => !BEFORE_VALUES.includes(String(place[0])));

  test.each(bound)('the schema takes the name of a parameter as $name', ({ place }) => {
    validate(fileWith(place, '$value'));
    expect(validate.errors).toBeNull();
  });

  const steps = [...STEPS.values()].map((step) => [step.word, step] as const);
  eachOf(steps, 30)('about what the step %s can be', (_word, step) => {
    // The reader knows more than a type: names of the file, and ranges. So only what the schema refuses is read.
    for (const key of [null, ...Object.keys(step.value.fields ?? {})])
      for (const value of valuesFor({})) {
        const file = stepWith(step, key, value);
        if (!validate(file)) expect([key, value, mistakeIn(file)]).toEqual([key, value, expect.any(String)]);
      }
  });
});
