/** The keys that the readers accept are those of the published schema, at each place of a file: found by reading files with every key of the language. */
import { describe, expect, test } from 'vitest';
import { isMap, type JsonMap } from '../../../src/contract/schema.ts';
import { CONDITIONS } from '../../../src/scenario/language/conditions.ts';
import { editorSchema } from '../../../src/scenario/language/derive/editor-schema.ts';
import { MODIFIER_NAMES } from '../../../src/scenario/language/modifiers.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { inputsOf } from '../../helpers/whole.ts';

const FILE = 'keys.scenario.yaml';
const SCHEMA = editorSchema();

/** Keys in one file: reading ends at 250 mistakes, and a key can have several. The check of an action reports 8. */
const KEYS_IN_A_FILE = 60;
const KEYS_OF_AN_ACTION = 6;

/** What a reader says of a key that it does not take. */
const REJECTED =
  /^"\w+" (is not a key of|is not a field of|cannot be used|has no effect|belongs next to|is for resolving|is not what a check)/;

const PLANT = {
  name: 'Small plant',
  origin: [43.3, -8.4],
  zones: { Dock: { type: 'work_area', box: [0, 0, 200, 120] } },
};
/** Precedes the keys under test. */
const MARK = 'zzz_mark';

type Place = readonly (string | number)[];

/** A closed map of the schema: where it is in a file, and its keys. */
interface ClosedMap {
  readonly name: string;
  readonly place: Place;
  readonly keys: readonly string[];
}

const propertiesOf = (node: unknown): JsonMap => (isMap(node) && isMap(node['properties']) ? node['properties'] : {});

const definition = (name: string): JsonMap => (SCHEMA['definitions'] as Record<string, JsonMap>)[name] ?? {};

/** Every closed map below a place; a definition is entered once, where it is first used. */
function* closedMaps(node: unknown, place: Place, entered: Set<string>): Generator<ClosedMap> {
  if (!isMap(node)) return;
  const { $ref: ref } = node;
  if (typeof ref === 'string') {
    const name = ref.replace('#/definitions/', '');
    if (entered.has(name)) return;
    entered.add(name);
    yield* closedMaps(definition(name), place, entered);
    return;
  }
  const properties = propertiesOf(node);
  if (node['additionalProperties'] === false && place.length > 0)
    yield { name: place.join('.'), place, keys: Object.keys(properties) };
  for (const [key, below] of Object.entries(properties)) yield* closedMaps(below, [...place, key], entered);
  yield* closedMaps(node['items'], [...place, 0], entered);
  yield* closedMaps(node['additionalProperties'], [...place, 'one'], entered);
  if (isMap(node['patternProperties']))
    for (const each of Object.values(node['patternProperties'])) yield* closedMaps(each, [...place, 'one'], entered);
}

/** The steps and people of a file before those within macros and companies. */
const FIRST = ['steps', 'workers'];
const entered = new Set<string>();
const SECTIONS = Object.entries(propertiesOf(SCHEMA)).toSorted(
  ([a], [b]) => Number(FIRST.includes(b)) - Number(FIRST.includes(a)),
);
const ALL = SECTIONS.flatMap(([name, section]) => [...closedMaps(section, [name], entered)]);

/** Keys of the whole language. */
const EVERY_KEY = [
  ...new Set([
    ...ALL.flatMap(({ keys }) => keys),
    ...[...STEPS.values()].flatMap(({ value }) => Object.keys(value.fields ?? {})),
    ...[...CONDITIONS.values()].flatMap(({ fields, resource }) => [
      ...Object.keys(fields),
      ...Object.keys(resource?.schema.properties ?? {}),
    ]),
    ...MODIFIER_NAMES,
  ]),
];

/** The value at a place, inside of a new value. */
function wrapped(place: Place, value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const inner = wrapped(rest, value);
  return typeof key === 'number' ? [inner] : { [key]: inner };
}

/** Keys beside those under test, without which the map is not read. */
function besides(place: Place): JsonMap {
  if (place[0] === 'macros') return { steps: [] };
  if (place[0] === 'rules') return { every: { event: 'alert.created' } };
  return place[0] === 'when' ? { first: { alert: 'any' }, steps: [{ wait: '1s' }] } : {};
}

/** Of these keys, those that are not reported as keys, together or, where some exclude each other, alone. */
function accepted(place: Place, keys: readonly string[], more: JsonMap, known: readonly string[]): string[] {
  const together = acceptedTogether(place, keys, more);
  const alone = known.filter((key) => keys.includes(key) && !together.includes(key));
  return [...together, ...alone.flatMap((key) => acceptedTogether(place, [key], more))];
}

function acceptedTogether(place: Place, keys: readonly string[], more: JsonMap): string[] {
  const found: string[] = [];
  const size = STEPS.get(String(place[2]))?.action === null ? KEYS_IN_A_FILE : KEYS_OF_AN_ACTION;
  for (let i = 0; i < keys.length; i += size) {
    const some = keys.slice(i, i + size);
    const tested = { ...more, [MARK]: 1, ...Object.fromEntries(some.map((key) => [key, 1])) };
    const plant = place[0] === 'site' || place[0] === 'sites' ? {} : { site: PLANT };
    const whole = wrapped(place, tested) as JsonMap;
    // The answer of a call is read where there is a call.
    if (place[3] === 'answers')
      Object.assign((whole['steps'] as { api: object }[])[0]?.api ?? {}, { get: '/v1/sites' });
    const text = JSON.stringify({ scenario: 'X', ...plant, steps: [{ wait: '1s' }], ...whole }, null, 1);
    const loaded = loadScenario(FILE, { read: (path) => (path === FILE ? text : undefined) });
    const lines = text.split('\n');
    const mark = lines.findIndex((line) => line.includes(MARK));
    const reported = new Set(
      (loaded.ok ? [] : loaded.mistakes).filter(({ message }) => REJECTED.test(message)).map(({ line }) => line),
    );
    // A map that is not read at all would seem to take every key.
    expect([...reported], `${place.join('.')} is read`).toContain(mark + 1);
    found.push(
      ...some.filter(
        (key) => !reported.has(lines.findIndex((line, at) => at > mark && line.trim().startsWith(`"${key}":`)) + 1),
      ),
    );
  }
  return found;
}

const WORDS: readonly string[] = [...CONDITIONS.keys()];
/** Conditions that only rules have are read where rules are. */
const placeOf = (word: string): Place => (word === 'probe' ? ['rules', 0, 'always'] : ['steps', 0, 'expect']);

describe('a reader takes the keys of the schema, and no other', () => {
  const isOwnTest = ({ keys }: ClosedMap) => keys.includes('wait_for') || keys.includes('delivery');
  const maps = ALL.filter((one) => !isOwnTest(one) && one.place[0] !== 'crew');

  test('the schema has maps for sections, steps, rules and "when"', () => {
    expect(maps.length).toBeGreaterThan(60);
    expect(maps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['rules.0', 'when.0', 'steps.0.sos', 'receivers.one']),
    );
  });

  test.each(maps.map((map, nth) => ({ ...map, nth })))('in $name', ({ place, keys, nth }) => {
    const more = besides(place);
    const own = Object.keys(more);
    const others = place[0] === 'rules' ? ['always', 'never'] : place[0] === 'when' ? ['every'] : [];
    // Of the keys of other maps each map is given some, and together they are given all.
    const given = new Set(inputsOf(EVERY_KEY, 16, nth));
    const tried = EVERY_KEY.filter((key) => keys.includes(key) || given.has(key));
    const candidates = tried.filter((key) => ![...own, ...others].includes(key));
    expect([...accepted(place, candidates, more, keys), ...own, ...others].toSorted()).toEqual(keys.toSorted());
  });

  test('in a condition', () => {
    const known = [...CONDITIONS.values()].flatMap(({ word, fields, resource }, nth) => {
      const others = WORDS.filter((one) => one !== word && !Object.hasOwn(fields, one));
      // A modifier inside the braces ends the reading of a rule's condition.
      const left = [word, ...others, ...MODIFIER_NAMES];
      // As above: each condition is given some keys of the others.
      const own = new Set([...Object.keys(fields), ...Object.keys(resource?.schema.properties ?? {})]);
      const given = new Set(inputsOf(EVERY_KEY, 24, nth));
      const tried = EVERY_KEY.filter((key) => own.has(key) || given.has(key));
      const candidates = tried.filter((key) => !left.includes(key));
      const more = word === 'watch' ? { [word]: 1, shows: 'prompt' } : { [word]: 1 };
      // A prompt on a watch has any field.
      if (word === 'watch') return [word, 'shows'];
      return [word, ...accepted(placeOf(word), candidates, more, EVERY_KEY)];
    });
    const { properties } = definition('check');
    const screen = Object.keys(CONDITIONS.get('watch')?.resource?.schema.properties ?? {});
    expect([...new Set([...known, ...screen])].toSorted()).toEqual(Object.keys(properties as object).toSorted());
  });

  test('beside the word of a step', () => {
    const { properties } = definition('step');
    expect(Object.keys(properties as object).toSorted()).toEqual([...STEPS.keys(), ...MODIFIER_NAMES].toSorted());
  });
});
