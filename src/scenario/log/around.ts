/** What happened around a failed check: the entries of a run nearest to it in time. */

/** Window around a failure: before the start of the step and after its result, simulated ms. */
export const BEFORE_MS = 10_000;
export const AFTER_MS = 10_000;

/** If the window has fewer entries, the latest entries before it are added. */
const LEAST_AROUND = 4;

/** Maximum number of entries; those nearest to the result are kept. */
const MOST_AROUND = 40;

/** A failed check in time: the start of its step, and its result. */
export interface FailedSpan {
  readonly beganMs: number;
  readonly atMs: number;
}

/** Returns the entries around the failure in their order, and the number of omitted ones. */
export function nearestTo<T extends { readonly t: number }>(
  { beganMs, atMs }: FailedSpan,
  entries: readonly T[],
): { readonly kept: ReadonlySet<T>; readonly leftOut: number } {
  const within = entries.filter(({ t }) => t >= beganMs - BEFORE_MS && t <= atMs + AFTER_MS);
  // If the window has few entries, the cause is probably in the entries just before it.
  const before = entries.filter(({ t }) => t < beganMs - BEFORE_MS);
  const near = within.length >= LEAST_AROUND ? within : [...before.slice(within.length - LEAST_AROUND), ...within];
  const byDistance = near.toSorted((a, b) => distance(a.t, beganMs, atMs) - distance(b.t, beganMs, atMs));
  const kept = new Set(byDistance.slice(0, MOST_AROUND));
  return { kept, leftOut: near.length - kept.size };
}

/** Time to the start of the step or to its result, whichever is nearer. */
const distance = (t: number, beganMs: number, atMs: number): number =>
  Math.min(Math.abs(t - beganMs), Math.abs(t - atMs));
