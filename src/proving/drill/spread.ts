/** Percentiles over the runs of a drill. A value that a run never reached ranks above all other values. */

/** Seconds, people or metres of one run; null: never. */
export type RunValue = number | null;

/** One figure over all runs. */
export interface RunSpread {
  readonly p5: RunValue;
  readonly median: RunValue;
  readonly p95: RunValue;
  /** Runs in which the value was never reached. */
  readonly never: number;
}

/**
 * The nearest-rank percentile: the smallest value that at least `percent` of the values do not exceed. Values are not
 * interpolated, so the result is the value of a run, or null for never. The list must not be empty.
 */
export function percentile(values: readonly RunValue[], percent: number): RunValue {
  return ranked(values)[rankOf(values.length, percent)] ?? null;
}

/** Without runs, all percentiles are null. */
export function spreadOf(values: readonly RunValue[]): RunSpread {
  const sorted = ranked(values);
  const at = (percent: number): RunValue => sorted[rankOf(sorted.length, percent)] ?? null;
  return { p5: at(5), median: at(50), p95: at(95), never: values.filter((value) => value === null).length };
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const ranked = (values: readonly RunValue[]): RunValue[] =>
  values.toSorted((a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY) || 0);

const rankOf = (count: number, percent: number): number => Math.max(0, Math.ceil((percent * count) / 100) - 1);
