/** Messages of mistakes: place, cause and fix. */

import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ACTION_NAMES, fieldsOfAction } from '../../../src/contract/actions.ts';
import type { SchemaNode } from '../../../src/contract/schema.ts';
import { checkSection, placeIn } from '../../../src/plant/mistakes.ts';
import { SiteFileSchema } from '../../../src/plant/site-schema.ts';
import { CONDITIONS } from '../../../src/scenario/language/conditions.ts';
import { ProbeSection, ReceiverSection, SystemSection } from '../../../src/scenario/language/section-schemas.ts';
import { STEPS } from '../../../src/scenario/language/steps.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { runsData, troubleOf } from '../../../src/scenario/reporting/run-data.ts';
import { bootSmall, filesOf, mistakesTextOf, playSteps, SITE, type SmallWorld, scenarioOf } from '../small-stage.ts';

const firstOf = (text: string, files = {}): string =>
  mistakesTextOf(text, files)
    .split('\n')[0]
    ?.replace(/^\S+ {2}/, '') ?? '';

describe('a modifier inside the braces', () => {
  test.each([
    ['of a check', 'expect: {alert: sos, within: 5s}', ['  - expect: {alert: sos}', '    within: 5s']],
    ['of an action', 'fall: {who: ana, after: 3s}', ['  - fall: {who: ana}', '    after: 3s']],
    ['before the other keys', 'fall: {after: 3s, who: ana}', ['  - fall: {who: ana}', '    after: 3s']],
    ['of a step in braces', '{sos: {who: ana, at: 3s}}', ['  - {sos: {who: ana}, at: 3s}']],
    ['with a comment behind', 'sos: {who: ana, note: Hm}  # why', ['  - sos: {who: ana}  # why', '    note: Hm']],
    ['of a check in lines', 'expect:\n      alert: sos\n      within: 5s  # why', ['    within: 5s  # why']],
  ])('%s shows the lines as they should be', (_where, step, lines) => {
    const reported = mistakesTextOf(scenarioOf([step]));
    expect(reported).toContain('not inside. Write it next to the step, on its own line: ');
    expect(reported.split('\n').flatMap((line) => (line.startsWith('      + ') ? [line.slice(8)] : []))).toEqual(lines);
  });

  test.each([
    [
      'of a rule',
      ['rules:', '  - every: {event: alert.*, delivered_to: erp}'],
      '"delivered_to" belongs next to "every"',
    ],
    [
      'of a when',
      ['when:', '  - every: {event: alert.*, as: e}', '    steps: [{wait: 1s}]'],
      '"as" belongs next to "every"',
    ],
  ])('%s is reported too', (_where, rest, message) => {
    expect(firstOf(scenarioOf(['wait: 1s'], rest))).toContain(message);
  });

  test.each([
    [
      'may not stand beside it either',
      'sos: {who: ana, within: 5s}',
      '"within" has no effect in "sos" or next to it. Delete it.',
    ],
    [
      'is there already',
      'expect: {alert: sos, within: 5s}\n    within: 4s',
      '"within" belongs next to "expect", not inside. It is there already: delete this one.',
    ],
  ])('a modifier that %s is reported otherwise', (_what, step, message) => {
    expect(firstOf(scenarioOf([step]))).toBe(message);
  });

  test.each(['position: {who: ana, at: [1, 2]}', 'fall: {who: ana}\n    after: 3s'])('is none: %s', (step) => {
    expect(mistakesTextOf(scenarioOf([step]))).toBe('');
  });

  test('does not make the rest of the step a mistake', () => {
    expect(mistakesTextOf(scenarioOf(['never: {alert: sos, for: 5s}'])).match(/x\.scenario/g)).toHaveLength(1);
  });
});

describe('a misspelt key', () => {
  const scenario = (line: string): string => `scenario: X\nuse: [part.yaml]\n${line}\nsteps: [{wait: 1s}]\n`;
  const part = `${SITE}contract: {include_worker_names: true}\nservice: {fall_prompt: 9s}\nworkers: {ana: {in: Dock, battery: 50}}\n`;

  test.each([
    [
      'contract: {include_worker_name: false}',
      '"include_worker_name" is not a key of a contract. Did you mean "include_worker_names"?',
    ],
    ['service: {fall_promt: 5s}', 'Did you mean "fall_prompt"?'],
    ['workers: {ana: {batery: 9}}', 'Did you mean "battery"?'],
    ['site: {nmae: Other}', 'Did you mean "name"?'],
  ])('is told what it means, also where a part sets that key: %s', (line, message) => {
    expect(firstOf(scenario(line), { 'part.yaml': part })).toContain(message);
  });

  test('of a key that the same file sets is not meant', () => {
    const text = scenario('workers: {ana: {batery: 9, battery: 8}}');
    expect(firstOf(text, { 'part.yaml': part })).not.toContain('Did you mean "battery"');
  });

  test('a misspelt word that may be two words gets both proposals', () => {
    const text = scenarioOf(['sos: {who: an}']).replace('luis:', 'anb:');
    expect(firstOf(text)).toBe('"an" is not a worker or a crowd. Did you mean "ana" or "anb"?');
  });
});

describe('a number where a name is needed', () => {
  const IN_QUOTES = 'Put it in quotes: "007".';
  const lacking = (fields: readonly string[]) =>
    fields.filter((one) => !mistakesTextOf(scenarioOf([one])).includes(IN_QUOTES));

  test('of an action is to be put in quotes, as it is written', () => {
    const fields = ACTION_NAMES.flatMap((action) =>
      Object.entries(fieldsOfAction(action)).flatMap(([key, node]) =>
        isText(node) && node['x-holds'].kind !== 'alert' ? `${action}: {${key}: 007}` : [],
      ),
    );
    expect(fields.length).toBeGreaterThan(60);
    expect(lacking(fields)).toEqual([]);
  });

  test('of another step or a check is to be put in quotes, as it is written', () => {
    const kinds = ['company', 'people', 'receiver', 'text'];
    // Their texts are paths, scopes and addresses.
    const others = ['api', 'mail', 'request'];
    const fields = [
      ...[...STEPS.values()].flatMap(({ word, value: { fields: own = {} } }) =>
        Object.entries(own).flatMap(([key, { kind }]) =>
          kinds.includes(kind) && !others.includes(word) ? `${word}: {${key}: 007}` : [],
        ),
      ),
      ...[...CONDITIONS.values()].flatMap(({ word, fields: own }) =>
        Object.entries(own).flatMap(([key, { kind }]) =>
          !kinds.includes(kind) || others.includes(key)
            ? []
            : key === word
              ? `check: {${word}: 007}`
              : `check: {${word}: any, ${key}: 007}`,
        ),
      ),
      'api: {get: /v1/alerts, company: 007}',
      'check: {probe: 007}',
      'check: {alert: any, zone: 007}',
      'check: {worker: ana, site: 007}',
    ];
    expect(fields.length).toBeGreaterThan(20);
    expect(lacking(fields)).toEqual([]);
  });

  test('of a section is to be put in quotes, as it is written', () => {
    const sections = [SiteFileSchema, ReceiverSection, SystemSection, ProbeSection].flatMap((schema) =>
      textsIn(schema),
    );
    expect(sections.length).toBeGreaterThan(30);
    expect(
      sections.filter((schema) => {
        const messages: string[] = [];
        const mistake = (_: unknown, message: string) => messages.push(message);
        checkSection(schema, 7, placeIn({ mistake, warning: () => {}, writtenAt: () => '007' }));
        return messages[0]?.includes(IN_QUOTES) !== true;
      }),
    ).toEqual([]);
  });

  test.each([
    ['check: {worker: ana, external_id: 007}', 'A number is not a text. Put it in quotes: "007".'],
    ['check: {event: any, object: {worker: {external_id: 1.10}}}', 'Put it in quotes: "1.10".'],
    ['check: {device: ana, battery: "60"}', '"battery" is a number, and never the text "60". Write 60 without quotes.'],
    ['mark: 007', 'Put it in quotes: "007".'],
    ['sos: 007', 'Put it in quotes: "007".'],
    ['wait: 1.10', '1.10 has no unit. Write 1s100ms or 1m6s.\n'],
  ])('of a check has the text of its field, or is a mistake: %s', (step, message) => {
    expect(mistakesTextOf(scenarioOf([step]))).toContain(message);
  });

  test.each([
    'check: {worker: ana, external_id: 1041}',
    'check: {worker: ana, external_id: "one of 007, 1041"}',
    'check: {device: ana, battery: "not 60"}',
    'check: {device: ana, battery: "one of 60, 7.5"}',
    'mark: 7',
  ])('is no mistake where its text is kept: %s', (step) => {
    expect(mistakesTextOf(scenarioOf([step]))).toBe('');
  });

  test.each([
    ['a tag', 'tags: [smoke, 1.10]', '"1.10"'],
    ['a file', 'use: [007]', '"007"'],
    ['a truth value', 'about: TRUE', '"TRUE"'],
    ['digits that no number has', 'workers: {ana: {in: 12345678901234567890}}', '"12345678901234567890"'],
  ])('is quoted as it is written: %s', (_what, line, text) => {
    expect(mistakesTextOf(`scenario: X\n${SITE.split('\n').slice(1).join('\n')}${line}\nsteps: []\n`)).toContain(
      `Put it in quotes: ${text}.`,
    );
  });

  test.each([
    ['a parameter', 'params: {zone: 1.10}', {}, 'at x.scenario.yaml:8: "1.10"'],
    ['a case', 'cases: [{zone: 1.10}]', {}, 'at x.scenario.yaml:8: "1.10"'],
    ['a cell', 'cases: c.csv', { 'c.csv': 'zone\n1.10\n' }, 'at c.csv:2, column zone: "1.10"'],
  ])('is to be put in quotes where %s has it', (_what, line, files, where) => {
    const text = mistakesTextOf(scenarioOf(['enter: {who: ana, zone: $zone}'], [line]), files);
    expect(text).toContain(`$zone is a number, not a text. Put its value in quotes, ${where}.`);
  });
});

/** True for a field that takes any text. */
function isText(node: SchemaNode): boolean {
  const { type, anyOf = [], enum: words, pattern, format } = node;
  if (words !== undefined || (format ?? 'text') !== 'text' || !new RegExp(pattern ?? '', 'u').test('007')) return false;
  return type === 'string' || anyOf.some(isText);
}

/** The schemas below this one that accept the text 007. */
function textsIn(schema: TSchema): TSchema[] {
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = schema as SchemaNode;
  const below = [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...(items === undefined ? [] : [items]),
  ];
  const variants = anyOf.length > 0 ? anyOf : [schema as SchemaNode];
  const fits = variants.some(
    (one) =>
      one.type === 'string' &&
      one.enum === undefined &&
      one.const === undefined &&
      new RegExp(one.pattern ?? '', 'u').test('007'),
  );
  return [
    ...(fits ? [schema] : []),
    ...[...below, ...anyOf.filter(({ type: kind }) => kind !== 'string')].flatMap((one) => textsIn(one as TSchema)),
  ];
}

describe('the result of an invalid file', () => {
  const ran = async (...texts: string[]) => {
    const results = await Promise.all(
      texts.map((text, i) =>
        runFile(`${i}.yaml`, {
          mode: 'fast',
          boot: bootSmall(() => {}),
          sink: () => {},
          read: filesOf({ [`${i}.yaml`]: text }),
        }),
      ),
    );
    return { trouble: troubleOf(results), runs: runsData(results).runs };
  };

  test('has every mistake with its place, and the seed of the file', async () => {
    const { trouble, runs } = await ran(scenarioOf(['wait: 20', 'sos: {who: anna}']));
    expect(trouble?.details).toEqual([
      { file: '0.yaml', line: 7, column: 11, message: '20 has no unit. Write 20s or 20m.' },
      { file: '0.yaml', line: 8, column: 16, message: '"anna" is not a worker or a crowd. Did you mean "ana"?' },
    ]);
    expect(runs.map(({ seed }) => seed)).toEqual([7]);
  });

  test('of several files has those of all, each once', async () => {
    const { trouble } = await ran(scenarioOf(['wait: 20']), scenarioOf(['wait: 1s']), scenarioOf(['wait: 30']));
    expect(trouble?.details?.map(({ file, line }) => `${file}:${line}`)).toEqual(['0.yaml:7', '2.yaml:7']);
  });
});

describe('a failed order of deliveries names the events', () => {
  const world = (world: SmallWorld) => {
    world.at(1_000, () => world.alert('a1', { type: 'sos', of: 'ana' }, 'alert.created'));
    world.at(2_000, () => world.alert('a2', { type: 'low_battery', of: 'luis' }, 'alert.created'));
    world.at(3_000, () => world.attempt('erp', 'event-2', 'a2'));
    world.at(4_000, () => world.attempt('erp', 'event-1', 'a1'));
  };
  const rowsOf = async (order: string): Promise<string[]> => {
    const steps = [
      'expect: {event: alert.created, of: ana}\n    as: e',
      'wait: 5s',
      `check: {deliveries: erp, order: ${order}}`,
    ];
    const { result } = await playSteps(steps, world);
    const text = result.failures[0]?.text ?? '';
    return text.split('\n').flatMap((line) => (/^ +order/.test(line) ? [line.trim().replace(/ {2,}/g, ' | ')] : []));
  };
  const CAME = 'alert.created low_battery of luis, alert.created sos of ana';

  test.each([
    [
      'another event first',
      '[$e, alert.created]',
      [
        `order | expected $e (alert.created sos of ana), alert.created | got ${CAME}`,
        'order[0] | expected $e (alert.created sos of ana) | got alert.created low_battery of luis',
      ],
    ],
    [
      'one too many',
      '[alert.created]',
      [`order | expected alert.created | got ${CAME}`, 'order[1] | expected (nothing) | got alert.created sos of ana'],
    ],
    [
      'one missing',
      '[alert.created, alert.created, alert.resolved]',
      [
        `order | expected alert.created, alert.created, alert.resolved | got ${CAME}`,
        'order[2] | expected alert.resolved | got (nothing)',
      ],
    ],
    [
      'some in another order',
      '{contains: [$e, alert.resolved]}',
      [
        `order | expected contains $e (alert.created sos of ana), alert.resolved | got ${CAME}`,
        'order[1] | expected alert.resolved, after $e (alert.created sos of ana) | got (nothing)',
      ],
    ],
  ])('%s', async (_what, order, rows) => {
    expect(await rowsOf(order)).toEqual(rows);
  });
});
