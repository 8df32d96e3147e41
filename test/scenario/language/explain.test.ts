/** The reference of the language: every word has an entry, and the example of each is played, or loaded as a whole scenario. [scenario-language] */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explainWord, isExplained } from '../../../src/cli/scenarios/explain.ts';
import { ALERT_STATUSES, ALERT_TYPES, EVENT_SELECTORS, SEVERITIES } from '../../../src/contract/enumerations.ts';
import { PROBLEM_CODES } from '../../../src/contract/problems.ts';
import { ServiceSection } from '../../../src/plant/thresholds.ts';
import { readYaml } from '../../../src/plant/yaml-source.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { CONDITIONS } from '../../../src/scenario/language/conditions.ts';
import {
  entriesOf,
  REFERENCE,
  type WordGroup,
  type WordHelp,
  wordsWithKey,
} from '../../../src/scenario/language/derive/reference.ts';
import { MODIFIER_NAMES } from '../../../src/scenario/language/modifiers.ts';
import { RULE_FIELDS } from '../../../src/scenario/language/rules.ts';
import { SECTION_NAMES } from '../../../src/scenario/language/sections.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { WHEN_FIELDS } from '../../../src/scenario/language/whens.ts';
import { BEHAVIOUR_WORDS } from '../../../src/scenario/model/receiver-behaviour.ts';
import { RUN_MODES, TOKEN_KINDS } from '../../../src/scenario/model/scenario.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { eachOf } from '../../helpers/each-of.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILE = join(ROOT, 'example.scenario.yaml');
const read = (text: string) => (path: string) => (path === FILE ? text : readFileSync(path, 'utf8'));

/** A scenario into which every example fits; the example of a key replaces that key. */
const SCENARIO: Readonly<Record<string, string>> = {
  scenario: 'scenario: An example',
  use: 'use: [scenarios/sites/harbour.yaml]',
  workers: 'workers: {ana: {in: Dock}, luis: {near: ana, distance: 40m}}',
  crowd: 'crowd: {crew: {count: 12, in: Dock}}',
  receivers: 'receivers: {erp: {events: [alert.*, muster.*]}}',
  macros: 'macros: {attend: {params: [alert], steps: [{acknowledge: {alert: $alert, by: Desk}}]}}',
  steps: 'steps:\n  - wait: 1s',
};

const scenarioWith = (sections: Readonly<Record<string, string>>): string =>
  `${Object.values({ ...SCENARIO, ...sections }).join('\n')}\n`;

const listed = (key: string, lines: string): string => `${key}:\n${lines.replace(/^/gm, '  ')}`;

const SOS = '- sos: {who: ana}\n  as: sos\n';
const FALL = '- fall: {who: ana}\n  as: fall\n';
const DRILL = '- start_muster: {kind: general, by: Lead}\n  as: m\n';
const ALL_SAFE = `${DRILL}- mark_safe: {who: [ana, luis, crew], by: Lead}\n`;
const LATE = '- expect: {muster: $m, totals: {safe: 14}}\n  within: 30s\n';

/** What has to happen before the example of a step or of what a check is about. */
const BEFORE: Readonly<Record<string, string>> = {
  answer: FALL,
  free: FALL,
  press_ack: SOS,
  reopen: `${SOS}- resolve: {alert: $sos, by: Desk}\n`,
  acknowledge: SOS,
  resolve: SOS,
  assign: SOS,
  do: SOS,
  expect: SOS,
  cannot_evacuate: DRILL,
  declare: DRILL,
  change_kind: DRILL,
  exclude_point: DRILL,
  mark_safe: DRILL,
  reinstate_point: `${DRILL}- exclude_point: {point: Gate A, reason: Smoke, by: Lead}\n`,
  inspect: ALL_SAFE + LATE,
  end_muster: DRILL,
  wait_for: ALL_SAFE,
  leave: '- enter: {who: ana, zone: Tank farm}\n',
  unveil: '- privacy: {site: Harbour plant, mode: on_demand}\n',
};

const BEFORE_SUBJECT: Readonly<Record<string, string>> = {
  event: SOS,
  alert: FALL,
  muster: ALL_SAFE,
  delivery: SOS,
  watch: FALL,
  missing: `${DRILL}- cannot_evacuate: {who: ana, reason: trapped}\n`,
  device: '- battery: {who: ana, pct: 18}\n',
  request: `${SOS}- acknowledge: {alert: $sos, by: Desk}\n`,
  deliveries: SOS,
  mail: `- receiver: {name: erp, does: 503}\n${SOS}- clock: {advance: 25h}\n`,
};

/** Other sections that an example needs. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deliveries: {
    when: 'when:\n  - every: {event: alert.created}\n    as: e\n    steps: [{acknowledge: {alert: $e.object, by: D}}]',
  },
  only: { cases: 'cases: [{side: left}, {side: right}]' },
};

function textOf({ word, group, example }: WordHelp): string {
  if (group === 'file') return OF_PARTS.includes(word) ? '' : scenarioWith(sectionsFor(word, example));
  if (group === 'rules') {
    const key = example.startsWith('- first') ? 'when' : 'rules';
    const steps = listed('steps', `${SOS}- acknowledge: {alert: $sos, by: Desk}\n- wait: 1s`);
    return scenarioWith({ [key]: listed(key, example), steps });
  }
  const before = group === 'subjects' ? BEFORE_SUBJECT[word] : BEFORE[word];
  const more = group === 'subjects' || word === 'only' ? (BESIDE[word] ?? {}) : {};
  return scenarioWith({ ...more, steps: listed('steps', `${before ?? ''}${example}`) });
}

/** Keys that conflict with the example of a key. */
function sectionsFor(word: string, example: string): Record<string, string> {
  const steps = 'steps:\n  - sos: {who: ana}';
  switch (word) {
    case 'site':
      return { use: '', site: example };
    case 'sites':
      return { use: '', sites: example, workers: 'workers: {ana: {site: North, in: Dock}}', crowd: '' };
    case 'rules':
      return { steps, rules: example };
    case 'when':
      return { steps, when: example };
    default:
      return { [word]: example };
  }
}

const nameOf = ({ word, group }: { word: string; group: WordGroup }): string => `${word} (${group})`;

/** Keys of parts alone: they are read as parts below. */
const OF_PARTS = ['part', 'crew', 'setup'];
/** These need a system of the user's, which test/proving/explore has. */
const OF_OWN_SYSTEM = ['explore (file)', 'system (file)', 'probes (file)', 'moves (file)', 'probe (subjects)'];
const PLAYED = REFERENCE.filter(
  (entry) => !(entry.group === 'file' && OF_PARTS.includes(entry.word)) && !OF_OWN_SYSTEM.includes(nameOf(entry)),
);

describe('the reference', () => {
  const wordsOf = (...groups: WordGroup[]): string[] =>
    REFERENCE.filter(({ group }) => groups.includes(group)).map(({ word }) => word);

  test('has every key of a file, step, subject, modifier, and word of rules', () => {
    expect(wordsOf('file').toSorted()).toEqual(SECTION_NAMES.toSorted());
    expect(REFERENCE.map(({ word }) => word)).toEqual(expect.arrayContaining([...STEPS.keys(), ...CONDITIONS.keys()]));
    expect(wordsOf('beside').toSorted()).toEqual(MODIFIER_NAMES.toSorted());
    expect(wordsOf('rules', 'beside')).toEqual(expect.arrayContaining(Object.keys(RULE_FIELDS)));
  });

  test.each([
    ...[
      'site',
      'contract',
      'companies',
      'service',
      'workers',
      'crowd',
      'vehicles',
      'receivers',
      'macros',
      'use',
      'params',
    ],
    ...[
      'matrix',
      'cases',
      'finally',
      'rules',
      'when',
      'within',
      'range',
      'a..b',
      '>=',
      '/regex/',
      '+1',
      'one of',
      'any',
    ],
    ...['null', 'contains', '$name', 'duration', 'people', '3 of crew', ...Object.keys(WHEN_FIELDS)],
  ])('tells of %s', (word) => {
    expect(entriesOf(word)).not.toEqual([]);
  });

  test.each([
    'fall_prompt',
    'privacy_mode',
    'calls_back',
    'serves',
    'doors',
    'radius_m',
    'answers_after',
  ])('finds the key %s below its word', (key) => {
    expect(entriesOf(key)).toEqual([]);
    expect(wordsWithKey(key)).not.toEqual([]);
  });

  test.each(
    REFERENCE.map((entry) => [nameOf(entry), entry] as const),
  )('%s says what it is, with an example', (_name, entry) => {
    expect(entry.help).toMatch(/[.]$/);
    expect(entry.example).not.toBe('');
    expect(readYaml(entry.example, 'example').mistakes).toEqual([]);
  });

  test('says nothing twice in one group', () => {
    const names = REFERENCE.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('explain knows', () => {
  const thresholds = [...Object.keys(ServiceSection.properties), 'index_c', 'sun_index_c', 'again_after'];
  const keys = [...CONDITIONS.values()].flatMap(({ fields }) => Object.keys(fields));

  test.each([
    [
      'alert types, event types, statuses and severities',
      [...ALERT_TYPES, ...EVENT_SELECTORS, ...ALERT_STATUSES, ...SEVERITIES],
    ],
    ['problem codes', PROBLEM_CODES],
    ['thresholds', thresholds.filter((key) => key !== 'equivalent')],
    ['modifiers, and modes', [...MODIFIER_NAMES, ...RUN_MODES]],
    ['behaviours of receivers, and tokens', [...BEHAVIOUR_WORDS, ...TOKEN_KINDS]],
    ['words of steps and of checks', ['lost', 'back', 'scripted', 'waiting', 'dropped', 'prompt', 'nothing', 'auto']],
    ['terms', ['last action', 'last-action', 'visibility', 'idle']],
    ['keys of checks', keys],
  ])('%s', (_what, words) => {
    expect(words.filter((word) => !isExplained(word))).toEqual([]);
  });

  test('each threshold with its default', () => {
    const { keys: ofService = [] } = entriesOf('service')[0] ?? {};
    const without = ofService.filter(
      ({ name, meaning }) =>
        !/equivalent|^heat$/.test(name) && !/Default: /.test((meaning as { description: string }).description),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  test('what each check sees', () => {
    for (const { group, remarks } of REFERENCE)
      if (group === 'subjects') expect(remarks.at(-1)).toMatch(/^The check sees /);
  });

  test.each([
    ['narow', 'narrow'],
    ['lost_anwser', 'lost_answer'],
    ['fall_promt', 'fall_prompt'],
    ['rate_limted', 'rate_limited'],
    ['last actoin', 'last action'],
    ['alert.craeted', 'alert.created'],
    ['garbge', 'garbage'],
  ])('what is meant by %s', (typed, meant) => {
    expect(() => explainWord(typed, false)).toThrow(expect.objectContaining({ actions: [`Did you mean "${meant}"?`] }));
  });
});

describe('the example of', () => {
  // Each boots a sandbox of its own.
  const played = PLAYED.map((entry) => [nameOf(entry), entry] as const);
  eachOf(played, 40)('%s plays', async (_name, entry) => {
    const text = textOf(entry);
    const loaded = loadScenario(FILE, { read: read(text) });
    expect(loaded.ok ? '' : loaded.text).toBe('');
    const result = await runFile(FILE, { mode: 'fast', boot: bootStage, sink: () => {}, read: read(text) });
    expect([...result.failures.map((failure) => failure.text), result.error?.message ?? 'passed']).toEqual(['passed']);
  });

  test('what is about the user’s own system is one that a scenario can use', () => {
    const [explore = '', system = '', probes = '', moves = '', probe = ''] = OF_OWN_SYSTEM.map(
      (name) => REFERENCE.find((entry) => nameOf(entry) === name)?.example ?? '',
    );
    const own = [explore, system, probes, moves, listed('rules', `${probe}\n  within: 10s`)].join('\n');
    const text = scenarioWith({ use: 'use: [scenarios/sites/harbour.yaml, own.yaml]' });
    const loaded = loadScenario(FILE, { read: (path) => (path.endsWith('own.yaml') ? own : read(text)(path)) });
    expect(loaded.ok ? '' : loaded.text).toBe('');
  });

  test('a part, and what only parts have, is one that a scenario can use', () => {
    const part = OF_PARTS.map((key) => REFERENCE.find(({ word }) => word === key)?.example ?? '').join('\n');
    const text = scenarioWith({ use: 'use: [scenarios/sites/harbour.yaml, own.yaml]' });
    const loaded = loadScenario(FILE, { read: (path) => (path.endsWith('own.yaml') ? part : read(text)(path)) });
    expect(loaded.ok ? '' : loaded.text).toBe('');
  });
});
