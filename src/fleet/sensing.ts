/** How a watch sees where it is: the true point with an error, and the uncertainty that it reports. */
import type { Point } from '../base/geometry.ts';
import type { Stream } from '../base/streams.ts';

export interface Sensed {
  readonly point: Point;
  readonly uncertaintyM: number;
}

/** A puppet's watch is exact, so that a story says to the metre where somebody is. */
const PUPPET_UNCERTAINTY_M = 3;

const MIN_UNCERTAINTY_M = 4;
const MAX_UNCERTAINTY_M = 8;

/** Share of the reported uncertainty that the error along one axis usually has. */
const ERROR_SHARE = 0.5;

/** A fix of the true point. Each error stands alone; errors that drift as real ones do will come in here. */
export function sense(point: Point, fixes: Stream | null): Sensed {
  if (fixes === null) return { point, uncertaintyM: PUPPET_UNCERTAINTY_M };
  const uncertaintyM = Math.round(fixes.truncatedNormal(5, 1, MIN_UNCERTAINTY_M, MAX_UNCERTAINTY_M) * 10) / 10;
  const sd = uncertaintyM * ERROR_SHARE;
  const [x, y] = point;
  return { point: [x + fixes.normal(0, sd), y + fixes.normal(0, sd)], uncertaintyM };
}
