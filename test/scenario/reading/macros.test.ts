/** A macro is the steps of a scenario under a name; what it calls things is its own business. [scenario-language, Fine print] */
import { describe, expect, test } from 'vitest';
import { mistakesTextOf, playSmall, type SmallRun, type SmallWorld, scenarioOf } from '../small-stage.ts';

const sosAt =
  (...times: readonly number[]) =>
  (world: SmallWorld): void => {
    for (const [i, ms] of times.entries())
      world.at(ms, () => world.alert(`a${i + 1}`, { type: 'sos' }, 'alert.created'));
  };

const macros = (...lines: string[]): string[] => ['macros:', ...lines.map((line) => `  ${line}`)];

const play = (steps: readonly string[], rest: readonly string[], script = sosAt(1_000, 6_000)): Promise<SmallRun> =>
  playSmall(scenarioOf(steps, rest), script);

const updated = ({ world }: SmallRun): string[] => world.updates.map(({ id }) => id);

const firstOf = (steps: readonly string[], rest: readonly string[]): string =>
  mistakesTextOf(scenarioOf(steps, rest))
    .split('\n')[0]
    ?.replace(/^\S+ {2}/, '') ?? '';

const ATTEND =
  'attend: {steps: [{expect: {event: alert.created}, as: it, within: 6s}, {acknowledge: {alert: $it.object, by: Desk}}]}';
const TAKE = 'take: {params: [alert], steps: [{acknowledge: {alert: $alert, by: Desk}}]}';

describe('the names of a macro', () => {
  test('are its own, so that it can be done twice', async () => {
    const run = await play(['do: {macro: attend}', 'do: {macro: attend}'], macros(ATTEND));
    expect(run.result.verdict).toBe('passed');
    expect(updated(run)).toEqual(['a1', 'a2']);
  });

  test('may be names of the scenario, which mean there what they meant before', async () => {
    const steps = [
      'expect: {event: alert.created}\n    as: it',
      'do: {macro: attend}',
      'acknowledge: {alert: $it.object, by: Desk}',
    ];
    const run = await play(steps, macros(ATTEND));
    expect(updated(run)).toEqual(['a2', 'a1']);
  });

  test('are not known after it', () => {
    expect(firstOf(['do: {macro: attend}', 'check: {alert: $it}'], macros(ATTEND))).toBe(
      '$it is not defined before this line.',
    );
  });

  test('begin anew each time: what an earlier time has found is not found again', async () => {
    const run = await play(['repeat: {times: 2, steps: [{do: {macro: attend}}]}'], macros(ATTEND), sosAt(1_000));
    expect(updated(run)).toEqual(['a1']);
    expect(run.result.skipped.map(({ why }) => why).join('\n')).toContain('$it.object has no value');
  });

  test('have a mistake where the argument is written, not where the macro uses it', () => {
    const go = ['macros: {go: {params: [zone], steps: [{enter: {who: ana, zone: $zone}}]}}'];
    const text = mistakesTextOf(scenarioOf(['do: {macro: go, with: {zone: Dok}}'], go));
    expect(text).toMatch(/^x.scenario.yaml:7:34 {2}"Dok" is not a zone of the plant. Did you mean "Dock"\?\n.*do:/);
  });

  test('do not stand for what has that name outside before the macro has found it', () => {
    const early = 'early: {steps: [{acknowledge: {alert: $it, by: Desk}}, {expect: {alert: sos}, as: it}]}';
    expect(firstOf(['expect: {alert: sos}\n    as: it', 'do: {macro: early}'], macros(early))).toBe(
      '$it is not defined before this line.',
    );
  });

  test.each([
    ['a parameter of the file', ['params: {it: 3}', ...macros(ATTEND)]],
    ['a parameter of the macro', macros(ATTEND.replace('{steps', '{params: [it], steps'))],
  ])('are not those of %s', (_what, rest) => {
    expect(
      firstOf(
        ['do: {macro: attend, with: {it: 1}}'].map((step) =>
          rest[0]?.startsWith('params') ? 'do: {macro: attend}' : step,
        ),
        rest,
      ),
    ).toMatch(/^"it" has a meaning since line \d+\. Write another name\.$/);
  });

  test('a parameter of the macro hides one of the file', async () => {
    const press = 'press: {params: [who], steps: [{sos: {who: $who}}]}';
    const { world } = await play(
      ['do: {macro: press, with: {who: luis}}', 'sos: {who: $who}'],
      ['params: {who: ana}', ...macros(press)],
    );
    expect(world.actions.map(({ who }) => who)).toEqual(['luis', 'ana']);
  });
});

describe('a name', () => {
  const found = 'expect: {event: alert.created}\n    as: it';

  test.each([
    ['of an alert', ['expect: {alert: sos}\n    as: it', 'do: {macro: take, with: {alert: $it}}']],
    ['of the alert of an event', [found, 'do: {macro: take, with: {alert: $it.object}}']],
  ])('%s can be handed in', async (_what, steps) => {
    const run = await play(steps, macros(TAKE));
    expect(run.result.verdict).toBe('passed');
    expect(updated(run)).toEqual(['a1']);
  });

  test('a name that is handed in is not mistaken for one that the macro gives', async () => {
    const both =
      'both: {params: [alert], steps: [{expect: {event: alert.created}, as: it, within: 6s}, {acknowledge: {alert: $alert, by: Desk}}, {resolve: {alert: $it.object, by: Desk}}]}';
    const run = await play([found, 'do: {macro: both, with: {alert: $it.object}}'], macros(both));
    expect(run.result.failures).toEqual([]);
    expect(updated(run)).toEqual(['a1', 'a2']);
  });

  test('can be handed in within a list, through two macros', async () => {
    const steps = [
      'expect: {alert: sos}\n    as: it',
      'expect: {event: alert.created}\n    as: e',
      'expect: {event: alert.created}\n    as: more\n    within: 6s',
      'do: {macro: outer, with: {alerts: [$it, $more.object]}}',
    ];
    const inner = 'inner: {params: [alerts], steps: [{acknowledge: {alert: $alerts, by: Desk}}]}';
    const outer =
      'outer: {params: [alerts], steps: [{expect: {alert: any}, as: it}, {do: {macro: inner, with: {alerts: $alerts}}}]}';
    const run = await play(steps, macros(inner, outer));
    expect(run.result.failures).toEqual([]);
    expect(updated(run)).toEqual(['a1', 'a2']);
  });

  test('has its fields inside the macro, in the path of a call too', async () => {
    const get = 'get: {params: [alert], steps: [{api: {get: /v1/alerts/$alert.id}}]}';
    const { notices } = await play(
      ['expect: {alert: sos}\n    as: it', 'do: {macro: get, with: {alert: $it}}'],
      macros(get),
    );
    expect(notices.flatMap((notice) => (notice.kind === 'step-refused' ? [notice.detail] : []))).toEqual([]);
  });

  test('a name without a value says so inside the macro', async () => {
    const run = await play(
      ['expect: {alert: sos}\n    as: it', 'do: {macro: take, with: {alert: $it}}'],
      macros(TAKE),
      () => {},
    );
    expect(run.result.skipped.at(-1)?.why).toContain('$alert has no value, because line 7 failed');
  });

  test('of another kind is reported at the line of the macro that needs it', () => {
    expect(firstOf([found, 'do: {macro: take, with: {alert: $it}}'], macros(TAKE))).toBe(
      '$alert is not the name of an alert. Write $alert.object, the alert of that event.'.replace('the name of ', ''),
    );
  });

  test('an unknown name is reported where it is handed in', () => {
    expect(firstOf(['do: {macro: take, with: {alert: $it}}'], macros(TAKE))).toBe(
      '$it is not defined before this line.',
    );
  });
});

describe('"as" beside "do" names the last thing that the macro found', () => {
  const DO = 'do: {macro: find}\n    as: last';

  test.each([
    [
      'by a check that has a name in it',
      'find: {steps: [{expect: {event: alert.created}, as: it}, {wait: 1s}]}',
      ['a1'],
    ],
    ['by a check that has none', 'find: {steps: [{expect: {event: alert.created}}]}', ['a1']],
    [
      'by the later of two',
      'find: {steps: [{expect: {event: alert.created}}, {expect: {event: alert.created}, within: 6s}]}',
      ['a2'],
    ],
    [
      'in a repetition',
      'find: {steps: [{repeat: {times: 2, steps: [{expect: {event: alert.created}, within: 6s}]}}]}',
      ['a2'],
    ],
    [
      'by a macro in it',
      'find: {steps: [{do: {macro: deeper}}]}\n  deeper: {steps: [{expect: {event: alert.created}}]}',
      ['a1'],
    ],
  ])('%s', async (_what, macro, ids) => {
    const run = await play([DO, 'acknowledge: {alert: $last.object, by: Desk}'], macros(macro));
    expect(run.result.failures).toEqual([]);
    expect(updated(run)).toEqual(ids);
  });

  test('anew each time', async () => {
    const find = 'find: {steps: [{expect: {event: alert.created}, within: 6s}]}';
    const steps = [
      DO,
      'do: {macro: find}\n    as: second',
      'acknowledge: {alert: $second.object, by: Desk}',
      'acknowledge: {alert: $last.object, by: Desk}',
    ];
    expect(updated(await play(steps, macros(find)))).toEqual(['a2', 'a1']);
  });

  test('of a macro that finds nothing is a mistake', () => {
    expect(firstOf([DO], macros('find: {steps: [{wait: 1s}]}'))).toBe(
      'This step finds nothing that could have a name. Delete "as".',
    );
  });

  test('has the kind of that thing', () => {
    expect(firstOf([DO, 'check: {alert: $last}'], macros('find: {steps: [{expect: {event: alert.created}}]}'))).toBe(
      '$last is not an alert. Write $last.object, the alert of that event.',
    );
  });
});

describe('a macro', () => {
  test('can do another one, each with its own words', async () => {
    const inner = 'press: {params: [who], steps: [{sos: {who: $who}}]}';
    const outer =
      'both: {params: [first, second], steps: [{do: {macro: press, with: {who: $first}}}, {do: {macro: press, with: {who: $second}}}]}';
    const { world } = await play(['do: {macro: both, with: {first: luis, second: ana}}'], macros(inner, outer));
    expect(world.actions.map(({ who }) => who)).toEqual(['luis', 'ana']);
  });

  test('can be repeated', async () => {
    const run = await play(['repeat: {times: 2, steps: [{do: {macro: attend}}]}'], macros(ATTEND));
    expect(run.result.verdict).toBe('passed');
    expect(updated(run)).toEqual(['a1', 'a2']);
  });

  test('can be done by several at once', async () => {
    const run = await play(['together: [{do: {macro: attend}}, {do: {macro: attend}}]'], macros(ATTEND));
    expect(run.result.verdict).toBe('passed');
    expect(updated(run).toSorted()).toEqual(['a1', 'a2']);
  });

  test('moves the beginning of searches as its actions do, when they stand in the scenario', async () => {
    const press = 'press: {steps: [{sos: {who: ana}}]}';
    const { results } = await play(
      ['wait: 2s', 'do: {macro: press}', 'expect: {event: alert.created}\n    within: 1s'],
      macros(press),
      sosAt(1_000),
    );
    expect(results).toEqual(['9 failed at 3000 waited 1000']);
  });

  test('a macro that does itself is reported, also by way of another', () => {
    const circle = macros('a: {steps: [{do: {macro: b}}]}', 'b: {steps: [{do: {macro: a}}]}');
    expect(firstOf(['do: {macro: a}'], circle)).toBe('"a" does itself, so it would never end. Write its steps here.');
  });
});

describe('a parameter', () => {
  test('of the file is filled in where it is in the path of a call', async () => {
    const { notices } = await play(['api: {get: /v1/$what}'], ['params: {what: alerts}']);
    expect(notices.flatMap((notice) => (notice.kind === 'step-began' ? [notice.text] : []))).toEqual([
      'api GET /v1/alerts',
    ]);
  });

  test('has no fields', () => {
    expect(firstOf(['check: {alert: $limit.id}'], ['params: {limit: 3}'])).toBe(
      '$limit is a parameter, and its value has no "id". Write $limit.',
    );
  });
});
