/** The scenarios that ship: each passes against a whole sandbox, with one result in fast and scaled time, and between them they cover what they must. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { shownCase } from '../../../src/scenario/model/scenario.ts';
import { type RunResult, runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { ownMachine } from '../../helpers/needs.ts';
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
  } of sampled(runs, 8))
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

/** Wall seconds that a scaled run is to take at most, on a machine that keeps up. */
const WALL_S = 20;
/** A short scenario is not played faster than this, since limits are lengthened by wall time. */
const SHORT_SCENARIO_SPEED = 20;
/** A machine that is late makes simulated seconds of its milliseconds: a run with another result is repeated, slower by this. */
const SLOWER = 3;
const MOST_RUNS = 3;

const outcomeOf = ({ verdict, passed, failed, failures, error }: RunResult) => ({
  verdict,
  passed,
  failed,
  error,
  failures: failures.map(({ text }) => text),
});

/** The first scaled run with the outcome of the fast one; else the slowest. */
async function scaledRun(file: string, fast: RunResult): Promise<RunResult> {
  let speed = Math.max(SHORT_SCENARIO_SPEED, fast.simulatedMs / 1_000 / WALL_S);
  for (let run = 1; ; run++) {
    const scaled = await runFile(file, { ...play, mode: 'scaled', speed });
    if (run === MOST_RUNS || isDeepStrictEqual(outcomeOf(scaled), outcomeOf(fast))) return scaled;
    speed /= SLOWER;
  }
}

const inBothModes = scenarios.filter(({ file }) => {
  const loaded = loadedOf(file);
  return loaded.ok && loaded.scenario.modes.includes('scaled');
});

// One scenario, one result, in either mode. They wait more than they work. [scenario-language, three ways time passes]
describe.concurrent('a scenario', () => {
  for (const {
    row: { name, file },
    skip,
  } of sampled(inBothModes, 20))
    unless(skip, ownMachine).test(`'${name}'`, { timeout: 600_000 }, async () => {
      const fast = await fastRun(file);
      const scaled = await scaledRun(file, fast);
      expect(outcomeOf(fast)).toMatchObject({ verdict: 'passed', failed: 0 });
      expect(outcomeOf(scaled)).toEqual(outcomeOf(fast));
    });
});

test('there are scenarios enough to compare', () => {
  expect(inBothModes.length).toBeGreaterThan(35);
});
