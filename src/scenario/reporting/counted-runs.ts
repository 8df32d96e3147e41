/** The number of runs by result, in one line, and the sign of a result: the same numbers are in each report and in the last line of the terminal. */

import { runTerm } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import type { RunVerdict } from '../log/run-notices.ts';

/** The number of runs by result. `others`: a text for each further result that a run has, such as `2 known failures`. */
export function runCounts(verdicts: readonly RunVerdict[]): {
  readonly passed: number;
  readonly failed: number;
  readonly others: readonly string[];
} {
  const count = (wanted: RunVerdict) => verdicts.filter((verdict) => verdict === wanted).length;
  const others = [
    [count('error'), plural(count('error'), 'error')],
    [count('skipped'), `${count('skipped')} skipped`],
    [count('known_failure'), plural(count('known_failure'), 'known failure')],
  ] as const;
  return {
    passed: count('passed'),
    failed: count('failed'),
    others: others.flatMap(([runs, text]) => (runs === 0 ? [] : [text])),
  };
}

/** The sign of a result, with its word where the sign alone is not enough. */
export function runSign(verdict: RunVerdict): string {
  const { glyph, word } = runTerm(verdict);
  if (verdict === 'error') return `${glyph} ${verdict}`;
  return verdict === 'passed' || verdict === 'failed' ? glyph : `${glyph} ${word}`;
}

/** Returns for example `1 of 4 runs passed, 1 failed, 1 error, 1 skipped`; results that no run has are omitted. */
export function countedRuns(verdicts: readonly RunVerdict[]): string {
  const { passed, failed, others } = runCounts(verdicts);
  const all = `${passed} of ${plural(verdicts.length, 'run')} passed`;
  return [all, ...(failed === 0 ? [] : [`${failed} failed`]), ...others].join(', ');
}
