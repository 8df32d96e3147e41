/** How far a figure of a drill can be trusted: bootstrap intervals over its runs. */
import { streams } from '../base/random/streams.ts';
import type { RunValue } from './spread.ts';

/** Resamples of the runs: the ends of an interval move by less than a twentieth of its width from seed to seed. */
const RESAMPLES = 1_000;

/** Share of intervals that hold the figure of endlessly many runs; percent. */
export const CONFIDENCE_PCT = 95;

/** The figure lies between these with 95 % confidence; null: it may be never. */
export interface RunInterval {
  readonly from: RunValue;
  readonly to: RunValue;
}

/**
 * The interval of a nearest-rank percentile over runs: as many runs are drawn with replacement, again and again, and the
 * middle 95 % of their percentiles are the interval. The same values and seed give the same interval. Null: there are no runs.
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
