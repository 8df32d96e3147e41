/** Messages of mistakes: place, cause and fix. */
import { describe, expect, test } from 'vitest';
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
        `order | $e (alert.created sos of ana), alert.created | ${CAME}`,
        'order[0] | $e (alert.created sos of ana) | alert.created low_battery of luis',
      ],
    ],
    [
      'one too many',
      '[alert.created]',
      [`order | alert.created | ${CAME}`, 'order[1] | (nothing) | alert.created sos of ana'],
    ],
    [
      'one missing',
      '[alert.created, alert.created, alert.resolved]',
      [`order | alert.created, alert.created, alert.resolved | ${CAME}`, 'order[2] | alert.resolved | (nothing)'],
    ],
    [
      'some in another order',
      '{contains: [$e, alert.resolved]}',
      [
        `order | contains $e (alert.created sos of ana), alert.resolved | ${CAME}`,
        'order[1] | alert.resolved, after $e (alert.created sos of ana) | (nothing)',
      ],
    ],
  ])('%s', async (_what, order, rows) => {
    expect(await rowsOf(order)).toEqual(rows);
  });
});
