/** The `data` of the envelope of `sandbox run --json`. [scenario-language, Command line] */

import type { JsonMap } from '../../contract/schema.ts';
import type { RunCounts } from '../judging/run-reporter.ts';
import { commandOf } from '../model/again.ts';
import type { RunError, RunResult } from '../playing/run-file.ts';

export interface RunData extends Pick<RunResult, 'scenario' | 'file' | 'verdict' | 'mode' | 'order' | 'deliveries'> {
  /** The values of this case; null for a single run. */
  readonly case: JsonMap | null;
  readonly seed: number | string;
  readonly log_sha256: string | null;
  readonly expectations: RunCounts;
  /** The first failure is the likely cause of the others. `step`: the step or rule as its file has it. */
  readonly failures: readonly {
    readonly line: number;
    readonly step: string;
    readonly text: string;
    /** The command that plays the run up to this line. */
    readonly again: string;
  }[];
  /** Steps and rules that were not evaluated, because a step that should have bound a name failed. */
  readonly skipped: readonly { readonly line: number; readonly text: string }[];
  /** The reason of `skip` or `known_failure` in the file. */
  readonly reason: string | null;
  readonly simulated_s: number;
  readonly wall_s: number;
  /** How far the run fell behind its pace; in a running sandbox, the longest delay of due work. Wall ms. */
  readonly lag_ms: number;
  /** With `--orders`: the orders of the scenario with this case and seed. */
  readonly orders?: { readonly exist: number; readonly ran: number; readonly differ: readonly string[] };
  /** The command that reproduces the run. */
  readonly again: string;
  /** The reason why the scenario has no result. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** In the order of the runs. */
export function runsData(results: readonly RunResult[]): { runs: RunData[] } {
  return { runs: results.map(runData) };
}

/** The first error, with the distinct mistakes of all invalid files; null if every run has a result. */
export function troubleOf(results: readonly Pick<RunResult, 'error'>[]): RunError | null {
  const errors = results.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (first === undefined) return null;
  const details = new Map(errors.flatMap((error) => error.details ?? []).map((one) => [JSON.stringify(one), one]));
  return details.size === 0 ? first : { ...first, details: [...details.values()] };
}

/** A numeric seed is returned as a number, as in the file. */
export const seedData = (seed: string): number | string => (/^(?:0|[1-9]\d{0,14})$/.test(seed) ? Number(seed) : seed);

export function runData(result: RunResult): RunData {
  const { scenario, file, values, verdict, seed, mode, order, logSha256, passed, failed, failures, error } = result;
  const { skipped, reason, lagMs, simulatedMs, wallMs, deliveries, again } = result;
  return {
    scenario,
    file,
    case: values,
    verdict,
    seed: seedData(seed),
    mode,
    order,
    log_sha256: logSha256,
    expectations: { passed, failed, skipped: skipped.length },
    failures: failures.map(({ calledAt: { line }, step, text, again: upTo }) => ({
      line,
      step,
      text,
      again: commandOf(upTo),
    })),
    skipped: skipped.map(({ line, text, why }) => ({ line, text: `${text}: ${why}` })),
    reason,
    deliveries,
    simulated_s: simulatedMs / 1000,
    wall_s: wallMs / 1000,
    lag_ms: Math.round(lagMs),
    again: commandOf(again),
    error: error === null ? null : { code: error.code, message: error.message },
  };
}
