/** Sun exposure: intervals outdoors by daylight, kept as long as a rule may need them. [decisions 5 `heat_stress`] */
import type { Instant } from '../../../base/time/clock.ts';

/** Start and end, the oldest first, none touching the next. */
export type SunSpans = readonly (readonly [from: Instant, to: Instant])[];

/** Gap between fixes beyond which the person's whereabouts are unknown; milliseconds. */
const MOST_BETWEEN_FIXES_MS = 5 * 60_000;

/**
 * Adds a fix in the sun: it extends the last interval if the fix before was in the sun too. Intervals that ended before
 * `since` are removed.
 */
export function inSunAt(spans: SunSpans, at: Instant, continues: boolean, since: Instant): SunSpans {
  const last = spans[spans.length - 1];
  const kept = (spans[0]?.[1] ?? since) < since ? spans.filter(([, to]) => to >= since) : spans;
  if (last === undefined || !continues || at - last[1] > MOST_BETWEEN_FIXES_MS) return [...kept, [at, at]];
  if (at <= last[1]) return kept;
  return [...kept.slice(0, -1), [last[0], at]];
}

/** Milliseconds of sun between `since` and `now`. */
export function sunBetween(spans: SunSpans, since: Instant, now: Instant): number {
  let sum = 0;
  for (const [from, to] of spans) sum += Math.max(0, Math.min(to, now) - Math.max(from, since));
  return sum;
}
