/** The scenarios that ship: each passes against a whole sandbox, with one result in fast and scaled time, and between them they cover what they must. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { later } from '../../../src/base/time/timers.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { RUN_MODES, shownCase } from '../../../src/scenario/model/scenario.ts';
import { FAST_START, type RunResult, runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { ownMachine } from '../../helpers/needs.ts';
import { stallingMachine } from '../../helpers/stalling-machine.ts';
import { unless } from '../../helpers/unless.ts';
import { sampled, withoutWhole } from '../../helpers/whole.ts';
import { CLAUSES, coverageReadme, covering, SCENARIOS, shippedScenarios } from '../coverage.ts';

const scenarios = shippedScenarios();
const loadedFiles = new Map(scenarios.map(({ file }) => [file, loadScenario(file)]));
const loadedOf = (file: string) => loadedFiles.get(file) ?? expect.unreachable();
const runs = scenarios.flatMap(({ name, file }) => {
  const loaded = loadedOf(file);
  const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
  return sampled(cases, 8).map(({ row: values, skip }) => ({
    file,
    values,
    name: values === null ? name : `${name} ${shownCase(values)}`,
    skip,
  }));
});

const play = { boot: bootStage, sink: () => {} };

/** The fast run of each scenario without cases, for the tests that compare another run with it. */
const fastRuns = new Map<string, RunResult>();

async function fastRun(file: string): Promise<RunResult> {
  const known = fastRuns.get(file) ?? (await runFile(file, { ...play, mode: 'fast' }));
  fastRuns.set(file, known);
  return known;
}

describe('the scenario', () => {
  // Of what they play, each rule has a cheaper test in its own folder.
  for (const {
    row: { file, values, name, skip },
    skip: left,
  } of sampled(runs, 40))
    unless(skip ?? left).test(`'${name}' passes`, async () => {
      const run = values === null ? await fastRun(file) : await runFile(file, { ...play, mode: 'fast', values });
      const { failures, error, verdict } = run;
      expect({ failures, error, verdict }).toEqual({ failures: [], error: null, verdict: 'passed' });
    });
});

describe('a general evacuation turns into a tsunami muster', () => {
  // test/sandbox/muster-run.test.ts has a muster of a whole plant, and test/fleet/muster.test.ts a change of its kind.
  unless(withoutWhole).test('of 26 people, who all end safe, with the same log each time', async () => {
    const file = resolve(SCENARIOS, 'tsunami-muster.scenario.yaml');
    const one = await fastRun(file);
    expect(one.failures).toEqual([]);
    expect(one).toMatchObject({ verdict: 'passed', passed: 17, failed: 0, error: null });
    // Other logs are compared in test/product/seeds-and-orders.test.ts.
    expect((await runFile(file, { ...play, mode: 'fast' })).logSha256).toBe(one.logSha256);
  });
});

describe('all scenarios', () => {
  test('are at least thirty, and each is valid without a warning', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(30);
    for (const { file } of scenarios) {
      const loaded = loadedOf(file);
      expect(loaded.ok ? loaded.warnings : loaded.text, file).toEqual([]);
    }
  });

  test.each(CLAUSES)('cover [$clause] $what', (clause) => {
    expect(covering(clause, scenarios)).not.toEqual([]);
  });

  test('stand in the table of what covers which clause', () => {
    const written = readFileSync(resolve(SCENARIOS, 'README.md'), 'utf8');
    expect(written, 'node --import tsx test/generated/write.ts renews it').toBe(coverageReadme());
  });

  test('are as many as the README says', () => {
    expect(readFileSync(resolve(SCENARIOS, '../README.md'), 'utf8')).toContain(
      `[${shippedScenarios().length} scenarios](`,
    );
  });
});

/** The scenario in every mode, from one start: some take days, and real time begins now where the file does not say when. */
function inAllModes(file: string) {
  const loaded = loadedOf(file);
  if (!loaded.ok) return expect.unreachable();
  const { scenario } = loaded;
  return { start: scenario.start ?? FAST_START, loaded: { ...loaded, scenario: { ...scenario, modes: RUN_MODES } } };
}

// One scenario, one log, at any pace and on any machine: this one stalls and jumps. [scenario-language, Time modes]
describe('the log of a scenario is the same in the three modes:', () => {
  for (const {
    row: { name, file },
    skip,
  } of sampled(scenarios, 60))
    unless(skip).test(`'${name}'`, async () => {
      const { start, loaded } = inAllModes(file);
      const at = (pace: number) => lockstepClock({ start, pace, pacedBy: stallingMachine(`${name} ${pace}`) });
      const fast = await runFile(file, { ...play, loaded, mode: 'fast', clock: lockstepClock({ start }) });
      const scaled = await runFile(file, { ...play, loaded, mode: 'scaled', speed: 60, clock: at(60) });
      const real = await runFile(file, { ...play, loaded, mode: 'real', clock: at(1) });
      expect([scaled.logSha256, real.logSha256]).toEqual([fast.logSha256, fast.logSha256]);
      expect(fast.verdict).toBe('passed');
    });
});

/** Takes the core of this process for three quarters of the time until the returned function is called. */
function busy(): () => void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let isOver = false;
  const block = (): void => {
    if (isOver) return;
    Atomics.wait(nothing, 0, 0, 120);
    // Wall time: the machine is to be busy for most of it, and nothing is judged by it.
    later(40, block);
  };
  block();
  return () => {
    isOver = true;
  };
}

// The clock of this machine, which has no time: only where nothing else makes it late too.
unless(ownMachine).describe('on a busy machine the log of a scaled run is that of a fast one:', () => {
  test.each([
    ['fall-to-sos', 300],
    ['on-demand-veil', 600],
    ['tsunami-muster', 3_000],
  ])("'%s'", async (name, speed) => {
    const file = resolve(SCENARIOS, `${name}.scenario.yaml`);
    const { loaded } = inAllModes(file);
    const fast = await runFile(file, { ...play, loaded, mode: 'fast' });
    const end = busy();
    const scaled = await runFile(file, { ...play, loaded, mode: 'scaled', speed });
    end();
    expect([scaled.logSha256, scaled.error]).toEqual([fast.logSha256, null]);
  });
});
