/** The envelope of `sandbox run --json`: the runs, those not begun, and errors. [scenario-language, Command line] */

import type { RunError } from '../scenario/playing/run-file.ts';
import { type RunData, seedData } from '../scenario/reporting/run-data.ts';
import { EXIT, envelope, out } from './output.ts';
import type { PlannedRun } from './run-plan.ts';
import { smallestFailure } from './run-summary.ts';

export interface RunsEnvelope {
  readonly data: readonly RunData[];
  readonly notBegun: readonly PlannedRun[];
  readonly code: number;
  /** The first error of a run. */
  readonly error: RunError | null;
  /** By a signal. */
  readonly isBrokenOff: boolean;
}

const INTERRUPTED: RunError = { code: 'interrupted', message: 'The runs were interrupted.', cure: 'Run them again.' };

/** The last line of stdout. An aborted run has the verdict `error`; runs that never began are in `not_begun`. */
export function printRuns({ data, notBegun, code, error, isBrokenOff }: RunsEnvelope): void {
  const runs = {
    runs: data,
    not_begun: notBegun.map(({ file, values, seed, order }) => ({
      ...{ file, case: values, seed: seed === undefined ? null : seedData(seed), order },
    })),
    smallest_failure: smallestFailure(data),
  };
  const line = envelope('run', runs);
  const trouble = isBrokenOff ? INTERRUPTED : error;
  if (trouble === null) return out(JSON.stringify(line));
  const { code: name, message, cure, details = null } = trouble;
  const retryable = code === EXIT.environment || code === EXIT.interrupted;
  out(
    JSON.stringify({
      ...line,
      status: 'error',
      error: { code: name, message, retryable, details, actions: [cure] },
    }),
  );
}
