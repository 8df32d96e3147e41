/** Round numbers of a drawing: short coordinates, lengths of scale bars, steps of axes. */

/** A tenth of a unit is finer than a screen shows. */
export const tenth = (value: number): number => Math.round(value * 10) / 10;

export const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

const powerBelow = (value: number): number => 10 ** Math.floor(Math.log10(value));

/** The greatest 1, 2 or 5 times a power of ten that is at most `most`. */
export function roundLength(most: number): number {
  const power = powerBelow(most);
  return ([5, 2, 1].find((times) => times * power <= most) ?? 1) * power;
}

/** The least 1, 2 or 5 times a power of ten that is a whole number and at least `least`. */
export function roundStep(least: number): number {
  const power = powerBelow(Math.max(1, least));
  return ([1, 2, 5].find((times) => times * power >= least) ?? 10) * power;
}

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000] as const;
const TIME_STEPS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24, 48].map((hours) => hours * HOUR_MS),
];

/** The step of a time axis: the least with at most `most` steps in the span, and not below `leastMs`; milliseconds. */
export const timeStepMs = (spanMs: number, most: number, leastMs: number = SECOND_MS): number =>
  TIME_STEPS_MS.find((step) => step >= leastMs && spanMs / step <= most) ?? 48 * HOUR_MS;
