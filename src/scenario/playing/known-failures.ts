/** Outdated marks of `known_failure`. [scenario-language, Scenario files and keys] */

import { plural } from '../../contract/sentences.ts';
import { plainFailureText } from '../judging/failure-text.ts';
import type { RunResult } from './run-file.ts';

/**
 * Returns the results. If all runs of a scenario that is marked `known_failure` passed, its last run is changed to
 * failed, so that the user removes the mark. A scenario is judged over all its cases, seeds and orders.
 */
export function withOutdatedMarks(results: readonly RunResult[]): RunResult[] {
  const runsOf = new Map<string, RunResult[]>();
  for (const result of results) {
    const runs = runsOf.get(result.file);
    if (runs === undefined) runsOf.set(result.file, [result]);
    else runs.push(result);
  }
  const outdated = new Map(
    [...runsOf.values()]
      .filter((runs) => runs.every(({ verdict, reason }) => verdict === 'passed' && reason !== null))
      .map((runs) => [runs.at(-1), runs.length]),
  );
  return results.map((result) => {
    const runs = outdated.get(result);
    return runs === undefined ? result : failedByMark(result, runs);
  });
}

function failedByMark(result: RunResult, runs: number): RunResult {
  const { file, scenario, reason, simulatedMs: atMs, again } = result;
  const why = `It is marked known_failure (${reason}), and none of its ${plural(runs, 'run')} failed. Remove known_failure from the file.`;
  const text = plainFailureText({ file, line: 1, text: scenario }, null, why, again);
  const named = { file, line: 1, calledAt: { file, line: 1 }, step: scenario, reasons: [why] };
  const failure = { ...named, text, whole: text, lagMs: null, rows: [], late: null, beganMs: atMs, atMs, again };
  return { ...result, verdict: 'failed', exitCode: 1, failed: result.failed + 1, failures: [failure] };
}
