/** The catalogue of steps and subjects, and the schema for editors that follows from it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../../../src/plant/yaml-source.ts';
import { CONDITIONS } from '../../../src/scenario/language/conditions.ts';
import { CONDITION_CATALOGUE, STEP_CATALOGUE } from '../../../src/scenario/language/derive/catalogue.ts';
import { editorSchema } from '../../../src/scenario/language/derive/editor-schema.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const HEAD = `scenario: X
use: [scenarios/sites/harbour.yaml]
workers: {ana: {in: Dock}, luis: {in: Dock}}
crowd: {crew: {count: 4, in: Dock}}
receivers: {erp: {events: [alert.*]}}
system: {url: "http://127.0.0.1:3000", reset: /reset}
probes: {open_alerts: {get: /open}}
macros: {attend: {params: [alert], steps: [{acknowledge: {alert: $alert, by: Desk}}]}}
steps:
  - sos: {who: ana}
    as: sos
  - fall: {who: ana}
    as: fall
  - start_muster: {kind: general, by: Lead}
    as: m
`;
const scenarioWith = (step: string): string => `${HEAD}  - ${step}\n`;
const reported = (text: string): string => {
  const file = join(ROOT, 'x.scenario.yaml');
  const read = (path: string) => (path === file ? text : readFileSync(path, 'utf8'));
  const loaded = loadScenario(file, { read });
  return loaded.ok ? '' : loaded.text;
};

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const validate = ajv.compile(editorSchema());
const schemaSays = (text: string): unknown => {
  validate(readYaml(text, 'x.yaml').value);
  return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? [];
};

describe('the catalogue', () => {
  test('has every step and every subject of the language, once', () => {
    expect(STEP_CATALOGUE.map(({ word }) => word).toSorted()).toEqual([...STEPS.keys()].toSorted());
    expect(CONDITION_CATALOGUE.map(({ word }) => word).toSorted()).toEqual([...CONDITIONS.keys()].toSorted());
  });

  test.each(STEP_CATALOGUE)('the example of the step $word is a right one, for people and for editors', ({
    word,
    example,
  }) => {
    const step = `${word}: ${example}${word === 'never' ? '\n    for: 1m' : ''}`;
    expect(reported(scenarioWith(step))).toBe('');
    expect(schemaSays(scenarioWith(step))).toEqual([]);
  });

  test.each(CONDITION_CATALOGUE)('the example of the subject $word is a right one', ({ word, example }) => {
    // Only rules ask a probe.
    const text =
      word === 'probe'
        ? `${scenarioWith('wait: 1s')}rules:\n  - always: ${example}\n`
        : scenarioWith(`expect: ${example}\n    within: 5s`);
    expect(reported(text)).toBe('');
    expect(schemaSays(text)).toEqual([]);
  });

  test.each(STEP_CATALOGUE.filter(({ fields }) => fields.length > 0))('the keys of $word are those that are read', ({
    word,
    fields,
  }) => {
    const message = reported(scenarioWith(`${word}: {nothing_of_it: 1}`));
    expect(message).toContain('"nothing_of_it"');
    for (const { name, required } of fields.filter((field) => field.required))
      expect(`${message} ${required}`).toMatch(new RegExp(`needs "${name}"|one method|once a step|at a time`));
  });
});

/** What a client needs, where it needs something. [decisions 9] */
const NEEDS: Readonly<Record<string, string>> = {
  acknowledge: 'scopes alerts:write',
  resolve: 'scopes alerts:write',
  webhook: 'scopes webhooks:manage',
  api: 'call',
  expect: 'scopes alerts:read',
  check: 'scopes alerts:read',
  never: 'scopes alerts:read',
  wait_for: 'scopes musters:read',
};

/** The scopes without which a client cannot see what a check is about. */
const SCOPES: Readonly<Record<string, string>> = {
  event: 'alerts:read',
  alert: 'alerts:read',
  alerts: 'alerts:read',
  muster: 'musters:read',
  missing: 'musters:read',
  delivery: 'webhooks:manage',
  deliveries: 'webhooks:manage',
  destination: 'webhooks:manage',
  watch: 'alerts:read musters:read',
  worker: 'workers:read',
  device: 'workers:read',
  position: 'positions:read',
  request: '',
  probe: '',
  mail: 'webhooks:manage',
};

const scenarioOf = (text: string) => {
  const file = join(ROOT, 'x.scenario.yaml');
  const loaded = loadScenario(file, { read: (path) => (path === file ? text : readFileSync(path, 'utf8')) });
  if (!loaded.ok) throw new Error(loaded.text);
  return loaded.scenario;
};

describe('what a client needs', () => {
  test.each(STEP_CATALOGUE)('for the step $word', ({ word, example, action }) => {
    const step = `${word}: ${example}${word === 'never' ? '\n    for: 1m' : ''}`;
    const needs = scenarioOf(scenarioWith(step)).steps.at(-1)?.permission;
    const text = needs?.kind === 'scopes' ? `scopes ${needs.scopes.join(' ')}` : needs?.kind;
    expect(text).toBe(NEEDS[word] ?? (action === null ? 'free' : 'action'));
  });

  test('for an update at the panel is the control token', () => {
    const { steps } = scenarioOf(scenarioWith('resolve: {alert: $sos, by: Desk, via: panel}'));
    expect(steps.at(-1)?.permission).toEqual({ kind: 'control', what: 'via panel' });
  });

  test.each(CONDITION_CATALOGUE)('for a rule about $word', ({ word, example }) => {
    const { rules } = scenarioOf(`${scenarioWith('wait: 1s')}rules:\n  - always: ${example}\n`);
    expect(rules[0]?.subject.scopes.join(' ')).toBe(SCOPES[word]);
  });
});

describe('the schema for editors', () => {
  test('ships beside the scenarios, and is fresh', () => {
    const shipped = readFileSync(join(ROOT, 'scenario.schema.json'), 'utf8');
    expect(shipped, 'node --import tsx test/generated/write.ts renews it').toBe(
      `${JSON.stringify(editorSchema(), null, 2)}\n`,
    );
  });

  test('is flat: a step is one object with all words as optional keys', () => {
    const { definitions } = editorSchema() as { definitions: { step: { properties: object } } };
    expect(Object.keys(definitions.step.properties)).toEqual(expect.arrayContaining([...STEPS.keys(), 'within', 'as']));
    expect(JSON.stringify(editorSchema())).not.toContain('oneOf');
  });

  test.each([
    ['an unknown word of a step', '- soss: {who: ana}', '/steps/0 must NOT have additional properties'],
    ['an unknown key of a step', '- sos: {who: ana, hwo: ana}', '/steps/0/sos must NOT have additional properties'],
    ['a missing key', '- enter: {who: ana}', "/steps/0/enter must have required property 'zone'"],
    ['a wrong word', '- signal: {who: ana, is: gone}', '/steps/0/signal/is must be equal to one of the allowed values'],
    [
      'a number that is none',
      '- battery: {who: ana, pct: low}',
      '/steps/0/battery/pct must match pattern "^\\$[\\w-]+$|\\.\\."',
    ],
    ['a map where people belong', '- sos: {who: {ana: 1}}', '/steps/0/sos/who must be string,array'],
    ['a map where a name belongs', '- assign: {alert: {id: 1}, by: Desk}', '/steps/0/assign/alert must be string'],
    ['a wrong status of a receiver', '- receiver: {name: erp, does: 99}', '/steps/0/receiver/does must be >= 200'],
    [
      'a wrong severity',
      '- expect: {alert: sos, severity: hihg}',
      '/steps/0/expect/severity must match a schema in anyOf',
    ],
    ['people that are none', '- expect: {alert: sos, of: 7}', '/steps/0/expect/of must be string,array'],
    ['an unknown subject', '- expect: {alrt: sos}', '/steps/0/expect must NOT have additional properties'],
  ])('finds %s', (_what, step, error) => {
    expect(schemaSays(`scenario: X\nsteps:\n${step}\n`)).toContain(error);
  });

  test.each([
    '- signal: {who: ana, is: $how}',
    '- battery: {who: ana, pct: $pct}',
    '- battery: {who: ana, pct: 40..60}',
    '- receiver: {name: erp, does: [503, ok, $does]}',
    '- api: {get: /v1/sites, times: 2..5}',
    '- expect: {alert: sos, severity: "one of high, critical"}',
    '- expect: {alert: sos, severity: not low, status: $status, worker: null}',
    '- expect: {event: alert.*, object: {severity: any}, count: 1..3}',
  ])('lets names, ranges and matchers stand for values: %s', (step) => {
    expect(schemaSays(`scenario: X\nsteps:\n${step}\n`)).toEqual([]);
  });
});

describe('warnings', () => {
  const warned = (text: string, part?: string): string[] => {
    const file = join(ROOT, 'x.scenario.yaml');
    const own = new Map([
      [file, text],
      [join(ROOT, 'part.yaml'), part],
    ]);
    const loaded = loadScenario(file, { read: (path) => own.get(path) ?? readFileSync(path, 'utf8') });
    if (!loaded.ok) throw new Error(loaded.text);
    return loaded.warnings.map(({ line, message }) => `${line} ${message}`);
  };
  const quiet = `scenario: X
use: [scenarios/sites/harbour.yaml]
workers: {ana: {in: Dock}}
steps:
  - sos: {who: ana}
  - expect: {alert: sos}
    within: 2s
`;

  test.each([
    ['nothing is wrong', quiet, []],
    [
      'somebody is not used',
      quiet.replace('{ana: {in: Dock}}', '{ana: {in: Dock}, eva: {in: Dock}}'),
      ['3 The worker "eva" is not used in this file.'],
    ],
    [
      'somebody only stands near another',
      quiet.replace('{ana: {in: Dock}}', '{ana: {near: eva, distance: 5m}, eva: {in: Dock}}'),
      [],
    ],
    [
      'a receiver is never looked at',
      `${quiet}receivers: {erp: {}}\n`,
      ['8 The receiver "erp" is not used in this file.'],
    ],
    [
      'a rule looks at every receiver',
      `${quiet}receivers: {erp: {}}\nrules:\n  - every: {delivery: any}\n    signed: valid\n`,
      [],
    ],
    [
      'an expect has no limit',
      quiet.replace('    within: 2s\n', ''),
      ['6 Without "within" the limit is 5 s. Write it, so that readers know.'],
    ],
    [
      'a wait hides how long it took',
      quiet.replace('  - expect', '  - wait: 5s\n  - expect'),
      ['6 This wait hides how long it took. Delete it, and give the expect below a longer "within".'],
    ],
    [
      'a name is never used',
      quiet.replace('  - expect', '    as: sos\n  - expect'),
      ['6 $sos is not used in this file.'],
    ],
    [
      'a macro is never done',
      `${quiet}macros: {m: {steps: [{wait: 1s}]}}\n`,
      ['8 The macro "m" is not used in this file.'],
    ],
    ['a parameter stands nowhere', `${quiet}params: {silence: 30s}\n`, ['8 $silence is not used in this file.']],
    ['a case is only asked for by only', `${quiet}    only: {side: left}\nmatrix: {side: [left, right]}\n`, []],
    [
      'nothing is checked',
      quiet.replace(/ {2}- expect.*\n.*\n/, ''),
      ['4 The scenario checks nothing but the built-in rules. Write an expect.'],
    ],
  ])('when %s', (_when, text, expected) => {
    expect(warned(text)).toEqual(expected);
  });

  /** Everything that a file can name, and that the scenario `quiet` does not use. */
  const unused = `workers: {eva: {in: Dock}}
crowd: {crew: {count: 3, in: Dock}}
vehicles: {truck: {type: truck, in: Dock}}
receivers: {erp: {}}
macros: {m: {params: [a], steps: [{sos: {who: $a}, as: own}]}}
`;

  test('of names that a part has for other scenarios are none', () => {
    const part = `part: Shared\n${unused}setup:\n  - sos: {who: ana}\n    as: first\n`;
    expect(warned(quiet.replace('harbour.yaml', 'harbour.yaml, part.yaml'), part)).toEqual([]);
  });

  test('of names that the scenario does not use leave them to its author', () => {
    const all = warned(
      `${quiet.replace('workers: {ana: {in: Dock}}\n', unused.replace('eva', 'ana: {in: Dock}, eva'))}params: {p: 1}\n`,
    );
    expect(all.length).toBeGreaterThanOrEqual(5);
    expect(all.filter((one) => !/^\d+ (?:The \w+ "\w+"|\$\w+) is not used in this file\.$/.test(one))).toEqual([]);
  });
});
