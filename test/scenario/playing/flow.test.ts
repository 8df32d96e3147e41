/** Steps that hold others, steps beside the scenario, rules over the whole run, and values that are filled in. */
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import {
  filesOf,
  mistakesTextOf,
  playSmall,
  playSteps,
  type SmallRun,
  type SmallWorld,
  scenarioOf,
} from '../small-stage.ts';

const sosAt =
  (...times: readonly number[]) =>
  (world: SmallWorld): void => {
    for (const [i, ms] of times.entries())
      world.at(ms, () => world.alert(`a${i + 1}`, { type: 'sos' }, 'alert.created'));
  };

const marksOf = ({ notices }: SmallRun): string[] =>
  notices.flatMap((notice) => (notice.kind === 'mark' ? [`${notice.text} ${notice.atMs}`] : []));

const firstOf = (text: string): string =>
  mistakesTextOf(text)
    .split('\n')[0]
    ?.replace(/^\S+ {2}/, '') ?? '';

describe('together', () => {
  test('begins all its steps at once, and is done when the last of them is', async () => {
    const run = await playSteps([
      'together:\n      - mark: A\n        after: 3s\n      - mark: B\n      - wait: 8s',
      'mark: C',
    ]);
    expect(marksOf(run)).toEqual(['B 0', 'A 3000', 'C 8000']);
  });

  test('is one action: what came since it began is found after it', async () => {
    const { results } = await playSteps(
      [
        'together:\n      - sos: {who: ana}\n      - sos: {who: luis}\n        after: 4s',
        'expect: {event: alert.created, of: ana}',
      ],
      sosAt(1_000),
    );
    expect(results).toEqual(['11 passed at 4000 waited 0']);
  });

  test('does what is due at one instant in the order of the lines', async () => {
    const { world } = await playSteps([
      'together:\n      - sos: {who: ana}\n      - battery: {who: luis, pct: 4}\n      - sos: {who: luis}',
    ]);
    expect(world.actions.map(({ action, who }) => `${action} ${who}`)).toEqual(['sos ana', 'battery luis', 'sos luis']);
  });
});

test('repeat plays its steps so often, each time so long after the last began', async () => {
  const run = await playSteps(['repeat: {times: 3, every: 10s, steps: [{mark: X}, {wait: 2s}]}', 'mark: Y']);
  expect(marksOf(run)).toEqual(['X 0', 'X 10000', 'X 20000', 'Y 22000']);
});

test('a repeated step may give its name anew', async () => {
  const { results } = await playSteps(
    [
      'repeat:\n      times: 2\n      steps:\n        - expect: {event: alert.created}\n          as: it\n        - check: {alert: $it.object}',
    ],
    sosAt(1_000, 2_000),
  );
  expect(results.map((verdict) => verdict.split(' ')[1])).toEqual(['passed', 'passed', 'passed', 'passed']);
});

describe('a macro', () => {
  const MACRO = 'macros:\n  press: {params: [who, how], steps: [{sos: {who: $who, with: $how}}]}';

  test('is done with its words filled in', async () => {
    const steps = [
      'do: {macro: press, with: {who: ana, how: watch_button}}',
      'do: {macro: press, with: {who: luis, how: watch_hardware_button}}',
    ];
    const { world } = await playSmall(scenarioOf(steps, [MACRO]));
    expect(world.actions).toEqual([
      { action: 'sos', who: 'ana', with: 'watch_button' },
      { action: 'sos', who: 'luis', with: 'watch_hardware_button' },
    ]);
  });

  test.each([
    ['do: {macro: pres, with: {}}', '"pres" is not a macro. Did you mean "press"?'],
    ['do: {macro: press, with: {who: ana}}', '"press" needs "how". Write with: {how: ...}.'],
    ['do: {macro: press, with: {who: ana, how: watch_button, hwo: 1}}', '"hwo" is not a parameter of "press".'],
  ])('a macro that is used wrongly is reported: %s', (step, message) => {
    expect(firstOf(scenarioOf([step], [MACRO]))).toBe(message);
  });

  test('a macro that does itself is reported', () => {
    const text = scenarioOf(['do: {macro: a}'], ['macros:\n  a: {steps: [{do: {macro: a}}]}']);
    expect(firstOf(text)).toBe('"a" does itself, so it would never end. Write its steps here.');
  });
});

describe('when', () => {
  test('runs its steps each time that it comes true, beside the scenario', async () => {
    const run = await playSmall(
      scenarioOf(
        ['wait: 10s', 'mark: End'],
        [
          'when:',
          '  - every: {event: alert.created}',
          '    as: it',
          '    after: 2s',
          '    steps: [{acknowledge: {alert: $it.object, by: Desk}}, {mark: Done}]',
        ],
      ),
      sosAt(1_000, 5_000),
    );
    expect(run.world.updates.map(({ id }) => id)).toEqual(['a1', 'a2']);
    expect(marksOf(run)).toEqual(['Done 3000', 'Done 7000', 'End 10000']);
  });

  test('first runs them once, and the scenario waits for them at its end', async () => {
    const run = await playSmall(
      scenarioOf(
        ['wait: 6s'],
        ['when:\n  - first: {alert: sos}\n    steps: [{wait: 20s}, {mark: Late}]', 'finally: [{mark: Last}]'],
      ),
      sosAt(1_000, 5_000),
    );
    expect(marksOf(run)).toEqual(['Late 21000', 'Last 21000']);
  });

  test('its failures count', async () => {
    const { result } = await playSmall(
      scenarioOf(['wait: 6s'], ['when:\n  - first: {alert: sos}\n    steps: [{check: {alerts: open, count: 0}}]']),
      sosAt(1_000),
    );
    expect(result).toMatchObject({ verdict: 'failed', failed: 1 });
  });
});

describe('rules', () => {
  const ruled = (rule: string, script: (world: SmallWorld) => void, steps = ['wait: 30s']) =>
    playSmall(scenarioOf(steps, ['rules:', `  - ${rule}`]), script);
  const reasonOf = ({ result }: SmallRun): string | undefined => result.failures[0]?.text.split('\n')[1]?.trim();

  test('every fails where it matched nothing, unless that is right', async () => {
    expect(reasonOf(await ruled('every: {event: muster.*}', () => {}))).toBe(
      'it matched nothing. Write count: 0.. beside it where that is right',
    );
    expect((await ruled('every: {event: alert.*}\n    count: 2', sosAt(1_000, 2_000))).result.failures).toEqual([]);
    expect(reasonOf(await ruled('every: {event: alert.*}\n    count: 2', sosAt(1_000)))).toBe(
      'there were 1, and expected 2',
    );
  });

  test('apart is the least time between two', async () => {
    expect((await ruled('every: {event: alert.*}\n    apart: 5s', sosAt(1_000, 6_000))).result.verdict).toBe('passed');
    expect(reasonOf(await ruled('every: {event: alert.*}\n    apart: 5s', sosAt(1_000, 5_999)))).toBe(
      'at 00:00:05.999: alert.created sos came 4.999 s after the one before, and expected 5.000 s',
    );
  });

  test('delivered_to asks for each event, and the run goes on until its limit is over', async () => {
    const rule = 'every: {event: alert.*}\n    delivered_to: erp\n    within: 10s';
    const late = (ms: number) => (world: SmallWorld) => {
      sosAt(1_000)(world);
      world.at(ms, () => world.attempt('erp', 'event-1', 'a1'));
    };
    const { result } = await ruled(rule, late(11_000), ['wait: 2s']);
    expect(result).toMatchObject({ verdict: 'passed', simulatedMs: 11_000 });
    expect(reasonOf(await ruled(rule, late(11_001)))).toContain(
      'alert.created sos was delivered after 10.001 s, and expected within 10.000 s',
    );
    expect(reasonOf(await ruled(rule, sosAt(1_000)))).toBe('at 00:00:01.000: alert.created sos was not delivered');
  });

  test('always and never look at each notice', async () => {
    const muster = (world: SmallWorld) => {
      world.at(1_000, () => world.muster('m', { phase: 'evacuating' }));
      world.at(2_000, () => world.muster('m', { phase: 'inspecting' }));
      world.at(3_000, () => world.muster('m', { phase: 'evacuating' }));
    };
    expect(reasonOf(await ruled('always: {muster: active, phase: evacuating}', muster))).toBe(
      'at 00:00:02.000: muster active phase: phase is inspecting, and expected evacuating',
    );
    expect((await ruled('never: {muster: active, kind: earthquake}', muster)).result.verdict).toBe('passed');
    expect(reasonOf(await ruled('never: {event: alert.created}', sosAt(4_000)))).toBe(
      'at 00:00:04.000: alert.created sos',
    );
  });

  test.each([
    ['evry: {event: alert.*}', '"evry" is not a rule. Did you mean "every"?'],
    ['never: {event: alert.*}\n    apart: 5s', '"apart" has no effect next to "never". Delete it.'],
    ['every: {alerts: open}', 'There is no "every" of "alerts". Write always: or never:.'],
    ['every: {event: alert.*}\n    signed: valid', 'Deliveries are signed. Write every: {delivery: any} beside it.'],
    ['every: {event: alert.*}\n    delivered_to: epr', '"epr" is not a receiver. Did you mean "erp"?'],
  ])('wrong rules are reported: %s', (rule, message) => {
    expect(firstOf(scenarioOf(['wait: 1s'], ['rules:', `  - ${rule}`]))).toBe(message);
  });
});

describe('values', () => {
  const load = (text: string, options = {}) =>
    loadScenario('x.yaml', { read: filesOf({ 'x.yaml': text }), ...options });

  test('of params are filled in, and may be set from outside', async () => {
    const text = scenarioOf(['wait: $pause', 'mark: $word'], ['params: {pause: 7s, word: Hello}']);
    expect(marksOf(await playSmall(text))).toEqual(['Hello 7000']);
    expect(marksOf(await playSmall(text, undefined, { set: { pause: '2s' } }))).toEqual(['Hello 2000']);
    const wrong = load(text, { set: { puase: '2s' } });
    expect(wrong.ok ? '' : wrong.mistakes[0]?.message).toBe(
      '"puase" is set, but is not a parameter. Did you mean "pause"?',
    );
  });

  test('of a matrix make every combination, of cases the list', () => {
    const matrix = load(scenarioOf(['wait: $a'], ['matrix: {a: [1s, 2s], b: [x, y]}']));
    expect(matrix.ok && matrix.cases).toEqual([
      { a: '1s', b: 'x' },
      { a: '1s', b: 'y' },
      { a: '2s', b: 'x' },
      { a: '2s', b: 'y' },
    ]);
    const cases = load(scenarioOf(['wait: $a'], ['cases: [{a: 1s}, {a: 2s}]']));
    expect(cases.ok && cases.cases).toEqual([{ a: '1s' }, { a: '2s' }]);
  });

  test('only keeps a step to its cases', async () => {
    const text = scenarioOf(
      ['mark: A\n    only: {fault: [x, y]}', 'mark: B\n    only: {fault: x}', 'mark: C\n    only: {fault: z}'],
      ['cases: [{fault: x}, {fault: y}]'],
    );
    expect(marksOf(await playSmall(text, undefined, { values: { fault: 'y' } }))).toEqual(['A 0']);
    expect(marksOf(await playSmall(text))).toEqual(['A 0', 'B 0']);
  });

  test.each([
    [
      'matrix: {a: [1]}\ncases: [{a: 1}]',
      'A file has matrix (every combination) or cases (a list), not both. Delete one.',
    ],
    ['matrix: {a: 1}', '1 is not a list of values. Write a: [1].'],
    ['params: {a: 1}\nmatrix: {a: [1]}', '"a" is a parameter already. Write another name.'],
    ['cases: [{a: 1}, {b: 2}]', 'This case does not say "b", as others do.'],
  ])('wrong values are reported: %s', (line, message) => {
    expect(firstOf(scenarioOf(['wait: 1s'], [line]))).toBe(message);
  });

  test('and names are of one space', () => {
    expect(firstOf(scenarioOf(['expect: {alert: sos}\n    as: a'], ['params: {a: 1}']))).toBe(
      '"a" has a meaning since line 9. Write another name.',
    );
  });
});
