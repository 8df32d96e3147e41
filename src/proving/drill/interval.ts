/** Confidence intervals of the figures of a drill: bootstrap intervals over its runs. */
import { streams } from '../../base/random/streams.ts';
import type { RunValue } from './spread.ts';

/** Number of bootstrap resamples. With 1,000, the ends of an interval vary by less than 5 % of its width between seeds. */
const RESAMPLES = 1_000;

/** Confidence level of the intervals; percent. */
export const CONFIDENCE_PCT = 95;

/** The figure lies between these values with 95 % confidence; null stands for never. */
export interface RunInterval {
  readonly from: RunValue;
  readonly to: RunValue;
}

/**
 * Percentile bootstrap interval of a nearest-rank percentile over runs. The same values and seed give the same
 * interval. Returns null if there are no runs.
 */
export function intervalOf(values: readonly RunValue[], percent: number, seed: string): RunInterval | null {
  const count = values.length;
  if (count === 0) return null;
  const sorted = values.map((value) => value ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent * count) / 100));
  const stream = streams(seed).stream('drill', `bootstrap/${percent}`);
  const drawn = new Uint16Array(count);
  const figures = Array.from({ length: RESAMPLES }, () => {
    drawn.fill(0);
    for (let n = 0; n < count; n++) drawn[Math.floor(stream.float() * count)]! += 1;
    let place = 0;
    for (let below = drawn[0]!; below < rank; below += drawn[place]!) place += 1;
    return sorted[place]!;
  }).sort((a, b) => a - b);
  const tail = (RESAMPLES * (100 - CONFIDENCE_PCT)) / 200;
  return { from: reached(figures[tail]!), to: reached(figures[RESAMPLES - 1 - tail]!) };
}

const reached = (value: number): RunValue => (Number.isFinite(value) ? value : null);
