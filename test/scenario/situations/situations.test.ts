/** Ten real situations, each with a plant of its own: one log in fast and scaled time, and each race is shown by its orders. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { shownCase } from '../../../src/scenario/model/scenario.ts';
import { FAST_START, type RunResult, runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { stallingMachine } from '../../helpers/stalling-machine.ts';
import { unless } from '../../helpers/unless.ts';
import { sampled, withoutWhole } from '../../helpers/whole.ts';

const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.scenario.yaml'))
  .sort();
const runs = files.flatMap((name) => {
  const file = join(import.meta.dirname, name);
  const loaded = loadScenario(file);
  const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
  // One case of each situation; .ci/run plays all.
  return sampled(cases, 8).map(({ row: values, skip }) => ({
    file,
    values,
    name: values === null ? name : `${name} ${shownCase(values)}`,
    skip,
  }));
});

const play = { boot: bootStage, sink: () => {}, mode: 'fast' } as const;
/** The fast run of a case, for the tests that look at it again. */
const fastRuns = new Map<string, Promise<RunResult>>();

function fastRun(file: string, values: (typeof runs)[number]['values'] = null): Promise<RunResult> {
  const key = JSON.stringify([file, values]);
  const run = fastRuns.get(key) ?? runFile(file, { ...play, values });
  fastRuns.set(key, run);
  return run;
}

const RACE = join(import.meta.dirname, 'acknowledge-races-resolve.scenario.yaml');
const STRICT_RACE = join(import.meta.dirname, 'acknowledge-races-resolve-strict.scenario.yaml');
const NOT_YET = join(import.meta.dirname, 'not-yet.scenario.yaml');

const outcomeOf = ({ verdict, failures, passed }: RunResult) => ({
  verdict,
  passed,
  failures: failures.map(({ text }) => text),
});

describe('the situation', () => {
  test('files are ten, one more for a race, and one that is skipped', () => {
    expect(files).toHaveLength(12);
  });

  for (const { file, values, name, skip } of runs)
    unless(skip).test(`'${name}' passes`, async () => {
      const { failures, error, verdict, reason } = await fastRun(file, values);
      const isSkipped = file === NOT_YET;
      expect({ failures, error, verdict }).toEqual({
        failures: [],
        error: null,
        verdict: isSkipped ? 'skipped' : 'passed',
      });
      if (isSkipped) expect(reason).toBe('The plan of the upper floor is not drawn yet.');
    });
});

describe('the race of acknowledge and resolve', () => {
  test('ends resolved in both orders, acknowledged in one of them', async () => {
    const [first, second] = [await fastRun(RACE), await runFile(RACE, { ...play, order: 1 })];
    expect([first.orders, outcomeOf(first).failures, outcomeOf(second).failures]).toEqual([2, [], []]);
    const acknowledged = ({ outcome }: RunResult) =>
      outcome.some((line) => line.startsWith('event alert.acknowledged'));
    expect([acknowledged(first), acknowledged(second)]).toEqual([true, false]);
  });

  test('is a known failure in the order in which the acknowledgement comes second', async () => {
    const second = await runFile(STRICT_RACE, { ...play, order: 1 });
    expect(second.verdict).toBe('known_failure');
    expect(second.failures[0]?.text).toMatch(/status +expected 200 +got 409/);
  });
});

const SPEED = 60;

describe('in scaled time, on a machine that stalls,', () => {
  for (const { file, values, name } of runs)
    unless(withoutWhole).test(`'${name}' has the log of the fast run`, async () => {
      const loaded = loadScenario(file);
      const start = (loaded.ok ? loaded.scenario.start : null) ?? FAST_START;
      const clock = lockstepClock({ start, pace: SPEED, pacedBy: stallingMachine(name) });
      const fast = await fastRun(file, values);
      const scaled = await runFile(file, { ...play, values, mode: 'scaled', speed: SPEED, clock });
      expect(outcomeOf(scaled)).toEqual(outcomeOf(fast));
      expect(scaled.logSha256).toBe(fast.logSha256);
    });
});
