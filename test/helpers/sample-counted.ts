/** Samples of slow tables: `.ci/run` takes all rows. */
import { test } from 'vitest';
import { isWhole } from './whole.ts';

/** Every `step`th row, or all. Each row that is left out counts as a skipped test, so this is called where tests are collected. */
export function sampleCounted<T>(rows: readonly T[], step: number, first = 0): T[] {
  const isTaken = (_row: T, place: number): boolean => isWhole || (place + first) % step === 0;
  const left = rows.filter((row, place) => !isTaken(row, place));
  for (const [place] of left.entries()) test.skip(`row ${place + 1} of ${left.length} that .ci/run takes as well`);
  return rows.filter(isTaken);
}
