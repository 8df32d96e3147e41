/** The results of deliveries, by destination: the totals of the snapshot, and the later changes. */
import type { StreamDelivery } from '../../contract/stream.ts';

export interface Tally {
  readonly delivered: number;
  /** Number of failed attempts. */
  readonly failed: number;
  readonly lost: number;
  /** Response times of the newest attempts that were delivered; wall ms. */
  readonly tookMs: readonly number[];
}

export const NO_TALLY: Tally = { delivered: 0, failed: 0, lost: 0, tookMs: [] };

/** Number of recent attempts with a known response time. */
const MOST_TOOK = 200;

/** Adds the difference between the previous and the present state of a delivery. */
export function tallied(tally: Tally, before: StreamDelivery | undefined, after: StreamDelivery): Tally {
  const isNews = before?.state !== after.state;
  const isDelivered = isNews && after.state === 'delivered';
  const tries = Math.max(0, after.tries - (before?.tries ?? 0));
  const took = isDelivered && after.took_ms != null ? [...tally.tookMs, after.took_ms].slice(-MOST_TOOK) : tally.tookMs;
  return {
    delivered: tally.delivered + (isDelivered ? 1 : 0),
    failed: tally.failed + (isDelivered ? Math.max(0, tries - 1) : tries),
    lost: tally.lost + (isNews && after.state === 'lost' ? 1 : 0),
    tookMs: took,
  };
}

/** Returns null if there are no values. */
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
}
