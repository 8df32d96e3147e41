/** Twelve systems, each with one planted bug: `sandbox explore` finds each, and shrinks its scenario to at most eight steps. The table says in which time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import type { FoundScenario } from '../../../src/proving/explore/findings.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { unlessMachine } from '../../helpers/needs.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { exploreText, PLANTED_BUGS, searched } from './inboxes.ts';

/** These take a few scenarios, in .ci/run; `npm test` finds one in product/explore. All twelve take eight minutes of an idle machine: `EXPLORE=all`. */
const FOUND_SOON: readonly string[] = ['no-retry', 'null-zone'];
const isEachTried = process.env['EXPLORE'] === 'all';
const withoutTime = unlessMachine(isEachTried, 'EXPLORE=all', 'set it: eight minutes for all planted bugs');

const MOST_STEPS = 8;

/** A search ends when it has found something: a busy machine needs minutes for what an idle one finds in 15 s. Each is found in fewer. */
const MOST_SCENARIOS = 400;

const folder = ownFolder();
const found = new Map<string, FoundScenario>();

afterAll(() => {
  folder.remove();
  if (!isEachTried) return;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const rows = [...found].map(([bug, finding]) => ({
    bug,
    scenario: finding.story,
    found: seconds(finding.foundMs),
    shrunk: seconds(finding.shrunkMs),
    tries: finding.tries,
    from: finding.foundSteps,
    to: finding.steps,
    line: finding.rule.line,
  }));
  console.table(rows);
});

describe('a planted bug is found', () => {
  for (const { what, bug, inbox } of PLANTED_BUGS)
    unless(isEachTried ? null : FOUND_SOON.includes(bug) ? withoutWhole : withoutTime).test(`'${what}'`, async () => {
      const file = join(folder.path, `${bug}.explore.yaml`);
      writeFileSync(file, exploreText(inbox, bug));
      const { finding, error } = await searched(file, {
        endMs: Number.POSITIVE_INFINITY,
        mostScenarios: MOST_SCENARIOS,
      });
      expect(error).toBeNull();
      expect(finding).not.toBeNull();
      const { steps, path, rule } = finding as FoundScenario;
      found.set(bug, finding as FoundScenario);
      expect(steps).toBeLessThanOrEqual(MOST_STEPS);
      // The scenario that was written breaks the same rule when `sandbox run` plays it.
      const again = await runFile(path, { mode: 'fast', boot: bootStage, sink: () => {} });
      expect(again.verdict).toBe('failed');
      expect(again.failures.map(({ line }) => line)).toContain(rule.line);
      // Without the bug the same scenario passes, so it blames the bug and not the disturbance.
      writeFileSync(file, exploreText(inbox));
      const right = await runFile(path, { mode: 'fast', boot: bootStage, sink: () => {} });
      expect(right.failures.map(({ text }) => text)).toEqual([]);
    });
});
