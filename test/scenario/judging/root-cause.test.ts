/** The first failure is the cause that a reader sees first; what depends on it is skipped. [scenario-language, Failed bindings] */
import { describe, expect, test } from 'vitest';
import { commandOf } from '../../../src/scenario/model/again.ts';
import { withOutdatedMarks } from '../../../src/scenario/playing/known-failures.ts';
import type { RunResult } from '../../../src/scenario/playing/run-file.ts';
import { jsonReport } from '../../../src/scenario/reporting/json-report.ts';
import { junitReport } from '../../../src/scenario/reporting/junit.ts';
import { markdownReport } from '../../../src/scenario/reporting/markdown.ts';
import { plainWriter } from '../../../src/scenario/reporting/plain-writer.ts';
import { runData } from '../../../src/scenario/reporting/run-data.ts';
import { Witness } from '../../../src/scenario/reporting/witness.ts';
import { mistakesTextOf, playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';

const MISSED = 'expect: {alert: sos}\n    within: 1s\n    as: call';
const skippedLines = ({ skipped }: RunResult) => skipped.map(({ line, why }) => [line, why]);
const WHY = 'because line 7 failed: expect alert sos within 1s';

test('a failed `wait_for` also skips the steps of `finally` that use a name bound behind it, and plays the others', async () => {
  const stop = 'wait_for: {alert: sos}\n    within: 1s';
  const steps = [stop, 'together: [{expect: {alert: low_battery}, as: low}]'];
  const last = ['finally:', '  - check: {alert: $low}', '  - check: {alerts: open, count: 0}'];
  const { result } = await playSmall(scenarioOf(steps, last));
  expect(result).toMatchObject({ passed: 1, failed: 1 });
  expect(result.skipped.map(({ line }) => line)).toEqual([9, 11]);
});

describe('a step that uses the name of a failed one is skipped', () => {
  test.each([
    ['a check', 'check: {alert: $call}'],
    ['a field of the name', 'expect: {event: alert.created, object: {id: $call.id}}'],
    ['an action', 'press_ack: {who: ana, alert: $call}'],
    ['an update', 'acknowledge: {alert: $call, by: Desk}'],
    ['a call', 'api: {get: /v1/alerts/$call.id}'],
    ['a hard check, which does not stop the run', 'wait_for: {alert: $call}'],
  ])('%s', async (_what, step) => {
    const { result, world, notices } = await playSteps([MISSED, step, 'check: {alerts: open, count: 0}']);
    expect(result).toMatchObject({ verdict: 'failed', passed: 1, failed: 1 });
    expect(result.failures.map(({ line }) => line)).toEqual([7]);
    expect(skippedLines(result)).toEqual([[10, expect.stringContaining(WHY)]]);
    expect([world.actions, world.updates]).toEqual([[], []]);
    // It did not begin, so that no line says so.
    const begun = notices.filter((one) => one.kind === 'step-began' && one.line === 10 && !one.judged);
    expect(begun).toEqual([]);
  });

  test('and so is one that uses a name of a skipped step, with the first cause', async () => {
    const { result } = await playSteps([
      MISSED,
      'expect: {event: alert.created, about: $call}\n    as: e',
      'acknowledge: {alert: $e.object, by: Desk}',
    ]);
    expect(skippedLines(result).map(([line]) => line)).toEqual([10, 12]);
    for (const [, why] of skippedLines(result)) expect(why).toContain(WHY);
  });

  test('in a macro that is handed the name, and after it', async () => {
    const macros = ['macros: {attend: {params: [a], steps: [{expect: {event: alert.created, about: $a}, as: e}]}}'];
    const steps = [MISSED, 'do: {macro: attend, with: {a: $call}}\n    as: seen', 'check: {event: $seen}'];
    const { result } = await playSmall(scenarioOf(steps, macros));
    expect(result.failures.map(({ line }) => line)).toEqual([7]);
    expect(skippedLines(result)).toHaveLength(2);
  });

  test('as a rule about the name is', async () => {
    const { result } = await playSmall(scenarioOf([MISSED], ['rules: [{never: {alert: $call, severity: low}}]']));
    expect(result.failures.map(({ line }) => line)).toEqual([7]);
    expect(skippedLines(result)).toEqual([[10, expect.stringContaining(WHY)]]);
  });

  test('after an action that the state refused', async () => {
    const { result } = await playSteps(['sos: {who: ana}\n    as: call', 'check: {alert: $call}'], (world) => {
      world.onAction = () => ({ status: 409, body: { code: 'action_refused', detail: 'The watch is off.' } });
    });
    expect(result).toMatchObject({ passed: 0, failed: 1 });
    expect(skippedLines(result)).toEqual([[9, expect.stringContaining('because line 7 failed: sos ana')]]);
  });

  test('but not in a later round in which the name is found', async () => {
    const steps = [
      'repeat:\n      times: 2\n      every: 2s\n      steps:\n        - expect: {alert: sos}\n          within: 1s\n          as: call\n        - check: {alert: $call}',
    ];
    const { result } = await playSteps(steps, (world) => world.at(2_500, () => world.alert('a1', { type: 'sos' })));
    expect(result).toMatchObject({ passed: 2, failed: 1 });
    expect(result.skipped).toHaveLength(1);
  });
});

describe('the first failure is the first everywhere', () => {
  /** A check whose text is complete late, a refused action, and a rule at the top of the file that breaks last. */
  const scenario = `scenario: Several failures
use: [site.yaml]
workers: {ana: {in: Dock}}
rules:
  - never: {alert: sos}
steps:
  - expect: {alert: low_battery}
    within: 10s
    as: low
  - sos: {who: ana}
  - check: {alert: $low}
  - wait: 5s
`;
  const script = (world: SmallWorld) => {
    world.onAction = () => ({ status: 409, body: { code: 'action_refused', detail: 'The watch is off.' } });
    world.at(11_000, () => world.alert('a1', { type: 'sos' }));
  };
  const played = async () => {
    const witness = new Witness();
    const lines: string[] = [];
    const write = plainWriter((text) => void lines.push(text));
    const run = await playSmall(scenario, script, { witness, sink: write });
    for (const notice of run.notices) write(notice);
    const report = witness.report(run.result, '1.2.3', commandOf(run.result.again));
    return { ...run, report, terminal: lines.join('') };
  };

  test('in the result, the terminal, JSON, JUnit and Markdown, with the same counts', async () => {
    const { result, report, terminal } = await played();
    const order = [7, 10, 5];
    expect(result.failures.map(({ line }) => line)).toEqual(order);
    expect([...terminal.matchAll(/^✗ \S+:(\d+)/gm)].map(([, line]) => Number(line))).toEqual(order);
    expect(terminal).toMatch(/\n0 passed, 3 failed, 1 skipped\n$/);
    const data = runData(result);
    expect(data.failures.map(({ line }) => line)).toEqual(order);
    expect(data.expectations).toEqual({ passed: 0, failed: 3, skipped: 1 });
    expect(data.skipped).toEqual([
      { line: 11, text: expect.stringMatching(/^check alert \$low.*because line 7 failed/) },
    ]);
    const json = JSON.parse(jsonReport([report]));
    expect(json.runs[0].failures.map(({ line }: { line: number }) => line)).toEqual(order);
    const junit = junitReport([report]);
    expect(junit).toContain('tests="4" failures="3" errors="0" skipped="1"');
    expect([...junit.matchAll(/<failure .*?message="[^"]*?:(\d+) /g)].map(([, line]) => Number(line))).toEqual(order);
    const markdown = markdownReport([report]);
    expect([...markdown.matchAll(/^✗ \S+:(\d+)/gm)].map(([, line]) => Number(line))).toEqual(order);
    expect(markdown).toContain('0 passed, **3 failed**, 1 skipped');
  });

  test('names of JUnit do not depend on lines, and times are wall times', async () => {
    const { report } = await played();
    const moved = { ...report, steps: report.steps.map((step) => ({ ...step, line: step.line + 10 })) };
    const namesOf = (xml: string) => [...xml.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name);
    const failures = report.result.failures.map((failure) => ({ ...failure, line: failure.line + 10 }));
    const later = junitReport([{ ...moved, result: { ...report.result, failures } }]);
    expect(namesOf(later)).toEqual(namesOf(junitReport([report])));
    expect(namesOf(later)).not.toContainEqual(expect.stringMatching(/L\d/));
    const [, seconds] = /<testcase name="expect alert low_battery[^>]*time="([\d.]+)"/.exec(later) ?? [];
    // It waited for 10 s of simulated time.
    expect(Number(seconds)).toBeLessThan(10);
  });
});

describe('workers have their short names', () => {
  test('the row of a check that got another worker has short names', async () => {
    const { result, world } = await playSteps(['expect: {alert: sos, worker: ana}\n    within: 1s'], (stage) =>
      stage.at(100, () => stage.alert('a1', { type: 'sos', of: 'luis' })),
    );
    expect(world.actions).toEqual([]);
    expect(result.failures[0]?.rows).toEqual([{ path: 'worker', expected: 'ana', got: 'luis' }]);
  });
});

describe('a marked scenario', () => {
  const marked = (mark: string, steps: readonly string[]) => `${mark}\n${scenarioOf(steps)}`;

  test('with "skip" is not played, and says why', async () => {
    const { result, notices, world } = await playSmall(marked('skip: Gate 4 has no reader yet.', ['sos: {who: ana}']));
    expect(result).toMatchObject({ verdict: 'skipped', exitCode: 0, reason: 'Gate 4 has no reader yet.', error: null });
    expect(notices.map(({ kind }) => kind)).toEqual(['run-began', 'run-ended']);
    expect(world).toBeNull();
  });

  test('with "known_failure" that fails does not change the exit code', async () => {
    const { result } = await playSmall(marked('known_failure: Ticket 812.', [MISSED]));
    expect(result).toMatchObject({ verdict: 'known_failure', exitCode: 0, failed: 1, reason: 'Ticket 812.' });
    expect(withOutdatedMarks([result])).toEqual([result]);
  });

  test.each([
    ['every run passes: the last one fails', ['passed', 'passed'], ['passed', 'failed']],
    ['one run fails: the others stay', ['known_failure', 'passed'], ['known_failure', 'passed']],
    ['a run has no result: it stays an error', ['error', 'passed'], ['error', 'passed']],
    ['it is skipped', ['skipped'], ['skipped']],
  ] as const)('%s', async (_what, verdicts, expected) => {
    const { result } = await playSmall(marked('known_failure: Ticket 812.', ['wait: 1s']));
    const results = withOutdatedMarks(verdicts.map((verdict) => ({ ...result, verdict })));
    expect(results.map(({ verdict }) => verdict)).toEqual(expected);
    const [failed] = results.filter(({ verdict }) => verdict === 'failed');
    if (failed !== undefined) {
      expect(failed).toMatchObject({ exitCode: 1, failed: 1 });
      expect(failed.failures[0]?.text).toContain('known_failure (Ticket 812.), and none of its 2 runs failed');
    }
  });

  test('is judged with all its cases, and apart from other files', async () => {
    const { result } = await playSmall(marked('known_failure: Ticket 812.', ['wait: 1s']));
    const other: RunResult = { ...result, file: 'other.scenario.yaml', verdict: 'known_failure' };
    expect(withOutdatedMarks([result, other]).map(({ verdict }) => verdict)).toEqual(['failed', 'known_failure']);
  });

  test.each(['skip', 'known_failure'])('says why in a sentence: %s', (key) => {
    expect(mistakesTextOf(`${key}: ""\n${scenarioOf(['wait: 1s'])}`)).toContain(`"${key}" is empty. Write a sentence.`);
  });
});
