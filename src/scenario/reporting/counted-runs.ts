/** The number of runs by result, in one line: the same numbers are in each report and in the last line of the terminal. */

import { plural } from '../../contract/sentences.ts';
import type { RunVerdict } from '../log/run-notices.ts';

/** Returns for example `1 of 4 runs passed, 1 failed, 1 error, 1 skipped`; results that no run has are omitted. */
export function countedRuns(verdicts: readonly RunVerdict[]): string {
  const count = (wanted: RunVerdict) => verdicts.filter((verdict) => verdict === wanted).length;
  const others = [
    [count('failed'), `${count('failed')} failed`],
    [count('error'), plural(count('error'), 'error')],
    [count('skipped'), `${count('skipped')} skipped`],
    [count('known_failure'), plural(count('known_failure'), 'known failure')],
  ] as const;
  const shown = others.flatMap(([runs, text]) => (runs === 0 ? [] : [text]));
  return [`${count('passed')} of ${plural(verdicts.length, 'run')} passed`, ...shown].join(', ');
}
