/** The text of a failure: place, expected and got by path, the nearest candidate, the context, late arrival, and the command that reproduces it. [scenario-language, Messages] */
import { describe, expect, test } from 'vitest';
import { plainFailureText } from '../../../src/scenario/judging/failure-text.ts';
import { plainWriter } from '../../../src/scenario/reporting/plain-writer.ts';
import { playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';

const textsOf = async (...args: Parameters<typeof playSteps>): Promise<string[]> =>
  (await playSteps(...args)).result.failures.map(({ text }) => text);

describe('a failed expectation', () => {
  test('shows the nearest of its candidates by path, and what happened around it', async () => {
    const [text] = await textsOf(
      [
        'expect: {alert: sos, of: ana, details: {trigger: after_fall}, severity: critical}\n    within: 1s',
        'wait: 10s',
      ],
      (world) => {
        world.at(500, () => {
          world.alert('a1', { type: 'sos', of: 'luis', details: { trigger: 'control_room' } }, 'alert.created');
          world.alert('a2', { type: 'sos', details: { trigger: 'watch_button' } }, 'alert.created');
          world.attempt('erp', 'event-2', 'a2');
        });
      },
    );
    expect(text).toBe(
      `✗ small.scenario.yaml:7  expect alert sos of ana within 1s
    details.trigger   expected after_fall   got watch_button   everything else matched (1 of 2 candidates)
    at        00:00:00.000, waited 1.000 s
    late      it did not come within 3 s either
    around    00:00:00.500  alert.created sos · alert.created sos · erp 204
    again     npx sandbox run small.scenario.yaml --seed 7 --until 7`,
    );
  });

  test('tells by how much it came late', async () => {
    const [text] = await textsOf(['expect: {alert: sos}\n    within: 1s', 'wait: 10s'], (world) => {
      world.at(2_400, () => world.alert('a1', { type: 'sos' }));
    });
    expect(text).toMatch(
      /^ {4}there was nothing that it could have been\n(?:.*\n)* {4}late {6}it came 1\.400 s after the limit\n/m,
    );
  });

  test('tells that the run ended before anybody could know', async () => {
    const [text] = await textsOf(['expect: {alert: sos}\n    within: 1s']);
    expect(text).toContain('    late      it did not come before the run ended either\n');
  });

  test('tells of what fits but lies before the start of its search, and how to find it', async () => {
    const [text] = await textsOf(
      ['wait: 2s', 'battery: {who: ana, pct: 9}', 'expect: {event: alert.created}\n    within: 1s'],
      (world) => {
        world.at(1_000, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
      },
    );
    expect(text).toContain(
      '    it came before the search of this check started: alert.created sos at 00:00:01.000\n    with this line beside the check it passes:  since: start\n',
    );
  });

  test('tells of what fits but satisfied another expectation', async () => {
    const twice = ['expect: {event: alert.created}', 'expect: {event: alert.created}\n    within: 1s'];
    const [text] = await textsOf(twice, (world) => {
      world.at(1_000, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
    });
    expect(text).toContain(
      'it came once and satisfied an expectation before this one: alert.created sos at 00:00:01.000',
    );
  });

  test('says too early', async () => {
    const [text] = await textsOf(['expect: {alert: sos}\n    within: 2s..3s'], (world) => {
      world.at(1_500, () => world.alert('a1', { type: 'sos' }));
    });
    expect(text?.split('\n').slice(1)).toEqual([
      '    too early: it was so after 1.500 s, and expected not before 2.000 s',
      '    at        00:00:00.000, waited 1.500 s',
      '    again     npx sandbox run small.scenario.yaml --seed 7 --until 7',
    ]);
  });
});

describe('other failures', () => {
  test('never shows what came', async () => {
    const [text] = await textsOf(['never: {event: alert.*, of: ana}\n    for: 5m'], (world) => {
      world.at(90_000, () => world.alert('a1', { type: 'sos' }, 'alert.created'));
    });
    expect(text).toBe(
      `✗ small.scenario.yaml:7  never event alert.* of ana for 5m
    it came at 00:01:30.000: alert.created sos
    at        00:00:00.000, waited 90.000 s
    around    00:01:30.000  alert.created sos
    again     npx sandbox run small.scenario.yaml --seed 7 --until 7`,
    );
  });

  test('a count shows what was counted', async () => {
    const [text] = await textsOf(['wait: 2s', 'check: {alerts: open, count: 0}'], (world) => {
      world.at(1_000, () => world.alert('a1', { type: 'sos' }));
    });
    expect(text?.split('\n').slice(1, 2)).toEqual(['    count   expected 0   got 1: alert sos of ana']);
  });

  test('a name without a thing names the line that did not find it', async () => {
    const rest = ['when: [{first: {alert: fall_detected}, steps: [{check: {alert: $sos}}]}]'];
    const { result } = await playSmall(
      scenarioOf(['wait: 1s', 'expect: {alert: sos}\n    as: sos', 'wait: 1s'], rest),
      (world) => world.at(500, () => world.alert('a1', { type: 'fall_detected' })),
    );
    expect(result.failures[0]?.text).toContain('$sos has no value: line 8 did not find it');
  });
});

test.each([
  { file: 'a b.yaml', mode: 'fast', again: "npx sandbox run 'a b.yaml' --seed 7 --until 3" },
  { file: "ana's.yaml", mode: 'real', again: "npx sandbox run 'ana'\\''s.yaml' --seed 7 --mode real --until 3" },
] as const)('the line that runs $file again can be pasted into a shell', ({ file, mode, again }) => {
  const step = { file, line: 3, text: 'sos ana', afterMs: 0, atMs: null, as: null, refused: false };
  expect(plainFailureText(step, 0, 'refused', { file, seed: '7', mode, values: null, line: 3 })).toContain(
    `again     ${again}`,
  );
});

test('the line that runs a scenario again has all that the run was given', () => {
  const step = { file: 'a.yaml', line: 3, text: 'sos ana', afterMs: 0, atMs: null, as: null, refused: false };
  const given = {
    seed: '7',
    mode: 'scaled',
    speed: 40,
    values: { with: 'watch_button' },
    set: { charge: 15 },
    receivers: new Map([['erp', 'http://127.0.0.1:9/hook']]),
  } as const;
  const againOf = (more: object) =>
    /again {5}(.*)/.exec(plainFailureText(step, 0, 'refused', { file: 'a.yaml', line: null, ...given, ...more }))?.[1];
  const command =
    'npx sandbox run a.yaml --seed 7 --mode scaled --speed 40 --case with=watch_button --set charge=15 --receiver erp=http://127.0.0.1:9/hook';
  expect(againOf({})).toBe(command);
  expect(againOf({ order: 2 })).toBe(`${command} --orders 2..2`);
  expect(againOf({ order: 3, shufflesTies: true })).toBe(`${command} --shuffle-ties 3`);
  expect(againOf({ order: 1, shufflesTies: true })).toBe(`${command} --shuffle-ties`);
});

test('the plain view tells a run in lines, simulated time first', async () => {
  const written: string[] = [];
  const write = plainWriter((text) => written.push(text));
  const script = (world: SmallWorld) => {
    world.at(2_000, () => world.alert('a1', { type: 'sos' }));
  };
  const steps = [
    'mark: The start',
    'sos: {who: [ana, luis], with: watch_button}',
    'expect: {alert: sos}',
    'check: {alerts: open, count: 0}',
  ];
  await playSteps(steps, script, { sink: write });
  const text = written
    .join('')
    .replace(/in \d+\.\d s/, 'in 0.1 s')
    .replace(/[0-9a-f]{64}/, 'HASH');
  expect(text).toBe(`small.scenario.yaml  A small scenario  (fast, seed 7)
00:00:00.000 # The start
00:00:00.000   sos ana, luis, with watch_button
00:00:02.000 ✓ expect alert sos within 5s                                                waited 2s
00:00:02.000 ✗ check alerts open count 0
✗ small.scenario.yaml:10  check alerts open count 0
    count   expected 0   got 1: alert sos of ana
    at        00:00:02.000
    again     npx sandbox run small.scenario.yaml --seed 7 --until 10
T+0 #${'─'.repeat(54)}✗ T+2s
log sha256  HASH
failed  2s simulated in 0.1 s
1 passed, 1 failed
`);
});
