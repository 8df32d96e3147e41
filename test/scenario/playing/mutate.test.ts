/** `sandbox run --mutate`: a scenario is to fail when one detail of what it expects is wrong, or one of its causes is missing. */
import { describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { edited } from '../../../src/scenario/model/change.ts';
import { changesOf } from '../../../src/scenario/mutate/changes.ts';
import { mutateScenario } from '../../../src/scenario/mutate/mutate-scenario.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { mistakesTextOf } from '../small-stage.ts';
import { wholeScenario } from '../whole-stage.ts';

const FILE = 'short.scenario.yaml';

/** The changes of a scenario with these steps: `line detail: what`, lines counted from the first step. */
function changesIn(steps: string, rest = ''): string[] {
  const text = wholeScenario(steps, rest);
  const loaded = loadScenario(FILE, { read: (path) => (path === FILE ? text : undefined) });
  if (!loaded.ok) throw new Error(loaded.text);
  const first = text.split('\n').indexOf('steps:') + 1;
  const { changes } = changesOf(loaded.source, {
    people: [...loaded.scenario.cast.keys()],
    receivers: loaded.scenario.receivers.map(({ name }) => name),
    companies: loaded.scenario.plan.organizations.map(({ name }) => name),
  });
  return changes.map(({ line, detail, versions }) => `${line - first} ${detail}: ${versions[0]!.text}`);
}

async function judged(steps: string, rest = '') {
  const text = wholeScenario(steps, rest);
  const first = text.split('\n').indexOf('steps:') + 1;
  const read = (path: string) => (path === FILE ? text : undefined);
  const loaded = loadScenario(FILE, { read });
  const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
  const report = await mutateScenario(FILE, { boot: bootStage, cases, read });
  const { judged: all, broken } = report;
  return {
    broken,
    all,
    outcomes: all.map(({ line, word, detail, outcome }) => `${line - first} ${word} ${detail} ${outcome}`),
    weak: all.filter(({ outcome }) => outcome === 'unnoticed' || outcome === 'stale'),
  };
}

describe('what is changed', () => {
  test.each([
    ['a cause is left out', '- sos: {who: ana}', ['1 step: left out']],
    ['a wait and a mark cause nothing', '- wait: 1s\n- mark: Here', []],
    [
      'of a check, each detail',
      '- check: {alerts: open, of: ana, count: 0}',
      ['1 of: "ana" -> "luis"', '1 count: 0 -> 1'],
    ],
    [
      'details of a body, however deep',
      '- expect: {event: alert.created, object: {severity: critical, details: {trigger: watch_button}}}',
      [
        '1 event: "alert.created" -> "alert.acknowledged"',
        '1 object.severity: "critical" -> "low"',
        '1 object.details.trigger: "watch_button" -> "watch_hardware_button"',
      ],
    ],
    [
      'the items of a list, and that there are no others',
      '- check: {deliveries: erp, order: [alert.created, alert.resolved]}',
      [
        '1 order: without its last item',
        '1 order[0]: "alert.created" -> "alert.acknowledged"',
        '1 order[1]: "alert.resolved" -> "alert.reopened"',
      ],
    ],
    [
      'the time before which it must not come',
      '- expect: {alert: sos}\n  within: 29s..31s',
      ['1 alert: "sos" -> "fall_detected"', '2 within: "29s..31s" -> "28s999ms"'],
    ],
    ['an answer that is judged', '- api: {get: /v1/sites, answers: {status: 200}}', ['1 answers.status: 200 -> 201']],
    ['a call without judgement is made for its own sake', '- api: {get: /v1/sites}', ['1 step: left out']],
    [
      'a step that is refused',
      '- reopen: {alert: $x, by: Desk}\n  refused: true',
      ['2 refused: refused: true -> done'],
      'x',
    ],
    [
      'what ends by itself goes on',
      '- signal: {who: ana, is: lost}\n  for: 1m',
      ['1 step: left out', '2 for: for 1m -> for good'],
    ],
    [
      'what never comes is not found either',
      '- never: {event: alert.created}\n  for: 1m',
      ['1 never: never -> expect'],
    ],
    [
      'steps side by side, and again and again',
      '- together:\n    - sos: {who: ana}\n- repeat: {times: 2, steps: [{fall: {who: ana}}]}',
      ['2 step: left out', '3 step: left out'],
    ],
  ] as [string, string, string[], string?][])('%s', (_what, steps, changes, named) => {
    const before = named === undefined ? [] : [`- sos: {who: ana}`, `  as: ${named}`];
    const all = changesIn([...before, steps].join('\n'));
    const shift = before.length;
    const moved = changes.map((one) => one.replace(/^\d+/, (line) => String(Number(line) + shift)));
    expect(all.filter((one) => Number(one.split(' ')[0]) > shift)).toEqual(moved);
  });

  test('steps of a macro once, where they stand, and rules', () => {
    const rest = `macros:
  attend: {params: [alert], steps: [{resolve: {alert: $alert, by: Desk}}]}
rules:
  - every: {event: alert.*}
    delivered_to: erp
  - never: {mail: any}`;
    expect(changesIn('- sos: {who: ana}\n  as: a\n- do: {macro: attend, with: {alert: $a}}', rest)).toEqual([
      '-5 step: left out',
      '1 step: left out',
      '-3 event: "alert.*" -> "muster.*"',
      '-1 never: never -> always',
    ]);
  });

  test('an edit replaces, adds or takes away one place and shares the rest', () => {
    const value = { a: { b: [1, { c: 2 }] }, d: { e: 3 } };
    expect(edited(value, [{ path: ['a', 'b', 1, 'c'], value: 9 }])).toEqual({ a: { b: [1, { c: 9 }] }, d: { e: 3 } });
    expect(edited(value, [{ path: ['a', 'f'], value: 1 }])).toMatchObject({ a: { f: 1 } });
    expect(edited(value, [{ path: ['d', 'e'], value: undefined }])).toEqual({ a: value.a, d: {} });
    expect(edited(value, [{ path: ['d', 'e'], value: 4 }])['a']).toBe(value.a);
  });
});

describe('a scenario', () => {
  test('that looks at everything notices every change', async () => {
    const { outcomes } = await judged(`
      - sos: {who: ana}
        as: sos
      - expect: {event: alert.created, of: ana, object: {severity: critical}}
      - acknowledge: {alert: $sos, by: Desk}
      - expect: {event: alert.acknowledged, about: $sos}
    `);
    expect(outcomes).toEqual([
      '1 sos step needed',
      '3 expect event noticed',
      '3 expect of noticed',
      '3 expect object.severity noticed',
      '4 acknowledge step noticed',
      '5 expect event noticed',
    ]);
  });

  test('whose cause nobody looks at is told what to look at', async () => {
    const { weak } = await judged(`
      - sos: {who: ana}
        as: sos
      - acknowledge: {alert: $sos, by: Desk}
      - check: {alerts: all, count: 1}
    `);
    expect(weak).toMatchObject([{ word: 'acknowledge', detail: 'step', outcome: 'unnoticed' }]);
    expect(weak[0]!.why).toMatch(/Write below it: - expect: \{event: alert.acknowledged, of: ana\}/);
  });

  test('whose step changes nothing that the log shows is told so', async () => {
    const { weak } = await judged('- wear: {who: luis, is: off}\n- sos: {who: ana}\n- expect: {alert: sos, of: ana}');
    expect(weak).toMatchObject([{ word: 'wear', why: expect.stringMatching(/^Nothing in the log follows from it/) }]);
  });

  test('that names an equivalent with its reason is not blamed for it', async () => {
    const { outcomes, all } = await judged(`
      - wear: {who: luis, is: off}
        equivalent: {step: "It is for those who look at the map."}
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
    `);
    expect(outcomes[0]).toBe('1 wear step equivalent');
    expect(all[0]!.why).toBe('It is for those who look at the map.');
  });

  test.each([
    ['is noticed after all', 'step', /It is noticed; delete step from equivalent/],
    ['is no change of the step', 'stp', /There is no such detail. What is changed here: step/],
  ])('whose equivalent %s is reported', async (_what, detail, why) => {
    const { weak } = await judged(`
      - sos: {who: ana}
        equivalent: {${detail}: no matter}
      - expect: {alert: sos, of: ana}
    `);
    expect(weak).toMatchObject([{ outcome: 'stale', why: expect.stringMatching(why) }]);
  });

  test('that fails as it is says nothing of changes', async () => {
    const { broken, all } = await judged('- check: {alerts: open, count: 3}');
    expect(broken).toMatchObject({ exitCode: 1, text: expect.stringMatching(/check alerts open count 3/) });
    expect(all).toEqual([]);
  });

  test('of several cases notices what one of them notices', async () => {
    const { outcomes } = await judged(
      `
      - sos: {who: ana}
        only: {kind: sos}
      - fall: {who: ana}
        only: {kind: fall}
      - expect: {event: alert.created, of: ana}
    `,
      'cases: [{kind: sos}, {kind: fall}]',
    );
    expect(outcomes).toEqual([
      '1 sos step noticed',
      '3 fall step noticed',
      '5 expect event noticed',
      '5 expect of noticed',
    ]);
  });

  test('need not notice a value that was true on the way', async () => {
    // One of the two is counted before the other: `safe: 1` is true for a moment, `safe: 1000002` never.
    const { weak } = await judged(
      `
      - start_muster: {kind: general, by: Lead}
        as: m
      - declare: {who: ana, point: Gate}
      - declare: {who: luis, point: Gate}
        after: 10s
      - expect: {muster: $m, totals: {safe: 2}}
        within: 1m
    `,
    );
    expect(weak).toEqual([]);
  });
});

test.each([
  ['a text', 'equivalent: nothing', /"nothing" is not what changes nothing. Write equivalent: \{step: why\}/],
  ['a detail without a reason', 'equivalent: {step: }', /An empty value is not a reason. Write it in words/],
])('%s is no list of equivalents', (_what, line, message) => {
  expect(mistakesTextOf(wholeScenario(`- sos: {who: ana}\n  ${line}`))).toMatch(message);
});
