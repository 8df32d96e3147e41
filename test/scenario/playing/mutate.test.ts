/** `sandbox run --mutate`: a scenario is to fail when one detail of what it expects is wrong, or when something else happens; and each of its checks is to fail under some change. */
import { describe, expect, test } from 'vitest';
import { edited } from '../../../src/scenario/model/change.ts';
import { plantsOf } from '../../../src/scenario/model/plants.ts';
import { changesOf } from '../../../src/scenario/mutate/changes.ts';
import { nothingFails } from '../../../src/scenario/mutate/idle.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { isWhole } from '../../helpers/whole.ts';
import { mistakesTextOf } from '../small-stage.ts';
import { wholeScenario } from '../whole-stage.ts';
import { judged } from './judged-changes.ts';

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
    ...plantsOf(loaded.scenario.plan),
  });
  return changes.map(({ line, detail, versions }) => `${line - first} ${detail}: ${versions[0]!.text}`);
}

describe('what is changed', () => {
  test.each([
    ['a cause is left out, or of another worker', '- sos: {who: ana}', ['1 step: left out', '1 who: "ana" -> "luis"']],
    [
      'a step has another value, where the sandbox decides on it',
      '- fall: {who: ana, answers: ok, answers_after: 12s}\n- wear: {who: ana, is: off}',
      [
        '1 step: left out',
        '1 who: "ana" -> "luis"',
        '1 answers: "ok" -> "help"',
        '1 answers_after: "12s" -> "24s"',
        '2 step: left out',
        '2 who: "ana" -> "luis"',
        '2 is: "off" -> "on"',
      ],
    ],
    [
      'a free text is only passed on',
      '- exclude_point: {point: Gate, reason: Smoke, by: Lead}',
      ['1 step: left out', '1 point: "Gate" -> "Dock"'],
    ],
    ['a count that is never wrong is not changed', '- check: {alerts: open, count: 0..}', []],
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
      ['1 step: left out', '1 who: "ana" -> "luis"', '1 is: "lost" -> "back"', '2 for: for 1m -> for good'],
    ],
    [
      'what never comes is not found either',
      '- never: {event: alert.created}\n  for: 1m',
      ['1 never: never -> expect'],
    ],
    [
      'steps side by side, and again and again',
      '- together:\n    - sos: {who: ana}\n- repeat: {times: 2, steps: [{fall: {who: ana}}]}',
      ['2 step: left out', '2 who: "ana" -> "luis"', '3 step: left out', '3 who: "ana" -> "luis"'],
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
      '-5 alert: "$alert" -> "$a"',
      '1 step: left out',
      '1 who: "ana" -> "luis"',
      '-3 event: "alert.*" -> "muster.*"',
      '-1 never: never -> always',
    ]);
  });

  test('each threshold that the file itself sets', () => {
    expect(changesIn('- wait: 1s', 'service: {fall_prompt: 20s, low_battery_pct: 15, heat: {index_c: 38}}')).toEqual([
      '-1 fall_prompt: "20s" -> "40s"',
      '-1 low_battery_pct: 15 -> 30',
      '-1 heat.index_c: 38 -> 76',
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
  test('a scenario that checks everything notices every change, and no pause is waited for', async () => {
    const { outcomes } = await judged(`
      - sos: {who: ana}
        as: sos
      - expect: {event: alert.created, of: ana, object: {severity: critical}}
      - acknowledge: {alert: $sos, by: Desk}
      - expect: {event: alert.acknowledged, about: $sos}
      - clock: {pause: 1h}
    `);
    expect(outcomes).toEqual([
      '1 sos step needed',
      '1 sos who noticed',
      '3 expect event noticed',
      '3 expect of noticed',
      '3 expect object.severity noticed',
      '4 acknowledge step noticed',
      '5 expect event noticed',
    ]);
  });

  test('a scenario that does not check the effect of a step gets a proposal for what to check', async () => {
    const { weak } = await judged(`
      - sos: {who: ana}
        as: sos
      - acknowledge: {alert: $sos, by: Desk}
      - check: {alerts: all, of: ana, count: 1}
    `);
    expect(weak).toMatchObject([{ word: 'acknowledge', detail: 'step', outcome: 'unnoticed' }]);
    expect(weak[0]).toMatchObject({
      why: expect.stringMatching(/^No check looks at what it causes, at 00:00:00.000. Write below line \d+:$/),
      paste: { lines: ['  - expect: {event: alert.acknowledged, of: ana}'] },
    });
  });

  test('a scenario with a step that causes no event gets a proposal to check the state', async () => {
    // A proposal is found by plays of its own, so only .ci/run has one for each detail.
    const reasons = isWhole ? '' : '\n  equivalent: {who: Anybody will do., is: Either will do.}';
    const { weak } = await judged(
      `- wear: {who: luis, is: off}${reasons}\n- sos: {who: ana}\n- expect: {alert: sos, of: ana}`,
    );
    const details = isWhole ? ['step', 'who', 'is'] : ['step'];
    expect(weak.map(({ word, detail }) => `${word} ${detail}`)).toEqual(details.map((detail) => `wear ${detail}`));
    for (const { paste } of weak)
      expect(paste?.lines).toEqual([expect.stringMatching(/^ *- check: \{\w+: (?:luis|ana), /)]);
  });

  test('a scenario that names an equivalent with its reason is not blamed for it', async () => {
    const { outcomes, all } = await judged(`
      - wear: {who: luis, is: off}
        equivalent: {step: "It is for those who look at the map.", who: Anybody will do., is: Either will do.}
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
    `);
    expect(outcomes.slice(0, 3)).toEqual(['1 wear step equivalent', '1 wear who equivalent', '1 wear is equivalent']);
    expect(all[0]!.why).toBe('It is for those who look at the map.');
  });

  test('a scenario with an equivalent that is noticed after all, or is no change of the step, is reported', async () => {
    const { weak } = await judged(`
      - sos: {who: ana}
        equivalent: {step: no matter, stp: no matter}
      - expect: {alert: sos, of: ana}
    `);
    const reason = (why: RegExp) => ({ outcome: 'stale', why: expect.stringMatching(why) });
    expect(weak).toHaveLength(2);
    expect(weak).toEqual(
      expect.arrayContaining(
        [/It is noticed; delete step from equivalent/, /There is no such detail. What is changed here: step, who/].map(
          (why) => expect.objectContaining(reason(why)),
        ),
      ),
    );
  });

  test('a scenario that fails unchanged has no results of changes', async () => {
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
      '1 sos who noticed',
      '3 fall step noticed',
      '3 fall who noticed',
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

describe('a threshold', () => {
  const steps = (within: string) => `
      - fall: {who: ana}
      - expect: {alert: sos, of: ana, details: {trigger: after_fall}}
        within: ${within}
    `;

  test('a change of a threshold that a check depends on is noticed', async () => {
    const { all, weak } = await judged(steps('19s..21s'), 'service: {fall_prompt: 20s}');
    expect(all[0]).toMatchObject({ word: 'service', detail: 'fall_prompt', outcome: 'noticed' });
    expect(weak).toEqual([]);
  });

  test('a threshold that no check depends on is reported, or has a reason in its section', async () => {
    const { weak } = await judged(
      '- sos: {who: ana}\n- expect: {alert: sos, of: ana}',
      'service: {offline_after: 20m, low_battery_pct: 15, equivalent: {low_battery_pct: As on site., offline: As on site.}}',
    );
    expect(weak).toMatchObject([
      { detail: 'offline', outcome: 'stale' },
      { word: 'service', detail: 'offline_after', why: expect.stringMatching(/Delete it/) },
    ]);
  });
});

describe('a check that fails under no change', () => {
  test('is idle, a never as well as a rule; one that fails is not, and its reason is out of date', async () => {
    const { idle, advice } = await judged(
      `
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
        equivalent: {idle: It cannot fail.}
      - never: {alert: sos, of: luis}
        for: 5s
      - never: {alert: heat_stress}
        for: 5s
      - never: {alert: heat_stress}
        for: 1s
        equivalent: {idle: It is a cold day.}
    `,
      'rules:\n  - always: {alerts: open, count: 0..}\n  - never: {alert: sos, of: luis}',
    );
    expect(idle).toEqual(['2 expect stale', '6 never idle', '8 never equivalent', '-2 always idle']);
    expect(advice[0]).toMatch(/It fails under a change; delete idle from equivalent/);
    expect(advice[1]).toMatch(/^No change makes this happen.*equivalent: \{idle: "\.\.\."\}$/);
  });

  test('is judged where the failure of another ends nothing: a run goes on', async () => {
    const { idle } = await judged(`
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
      - check: {alerts: open, of: luis, count: 0..}
        note: The worker of the second check is another one.
      - never: {alert: any, of: luis}
        for: 1s
    `);
    expect(idle).toEqual(['3 check idle']);
  });

  test('of one case is judged by the changes of that case, also where another has noticed them', async () => {
    const { idle } = await judged(
      `
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
      - never: {alert: sos, of: luis}
        for: 1s
        only: {side: right}
    `,
      'cases: [{side: left}, {side: right}]',
    );
    expect(idle).toEqual([]);
  });

  test('is skipped where its name was never bound, which is no failure', async () => {
    const { idle } = await judged(`
      - sos: {who: ana}
      - expect: {alert: sos, of: ana}
        as: call
      - check: {alert: $call}
    `);
    expect(idle).toEqual(['4 check idle']);
  });

  test('leaves nothing that could fail, where there is no other', async () => {
    const weak = await judged('- sos: {who: ana}\n- never: {alert: heat_stress}\n  for: 1s');
    expect(nothingFails(weak.checks)).toBe(true);
    const sound = await judged('- sos: {who: ana}\n- expect: {alert: sos}');
    expect(nothingFails(sound.checks)).toBe(false);
  });
});

describe('a part', () => {
  const part = `part: Shared
service: {offline_after: 20m, equivalent: {offline_after: As on site.}}
macros:
  call:
    steps:
      - wear: {who: luis, is: off}
      - sos: {who: ana}
        equivalent: {step: Another scenario has an SOS anyway.}
      - expect: {alert: sos, of: ana}
        equivalent: {idle: In another scenario nothing else can happen.}
      - check: {alerts: open, count: 0..}
`;

  test('is never to lose a line or a reason for one of the scenarios that use it', async () => {
    const { weak, idle, advice } = await judged('- do: {macro: call}', 'use: [shared.yaml]', { 'shared.yaml': part });
    expect(weak.map(({ word, detail, outcome }) => `${word} ${detail} ${outcome}`)).toEqual([
      'wear step unnoticed',
      'wear who unnoticed',
      'wear is unnoticed',
    ]);
    expect(idle).toEqual([expect.stringMatching(/ check idle$/)]);
    for (const text of [...weak.map(({ why }) => why), ...advice]) expect(text).not.toMatch(/delete/i);
  });
});

test.each([
  ['a text', 'equivalent: nothing', /"nothing" is not what changes nothing. Write equivalent: \{step: why\}/],
  ['a detail without a reason', 'equivalent: {step: }', /An empty value is not a reason. Write it in words/],
])('%s is no list of equivalents', (_what, line, message) => {
  expect(mistakesTextOf(wholeScenario(`- sos: {who: ana}\n  ${line}`))).toMatch(message);
});
