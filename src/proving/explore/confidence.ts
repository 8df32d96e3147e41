/** How often a stored failure has to be played again before its absence means something: Clopper–Pearson bounds. */

/** How often a scenario broke its rule when it was played again. */
export interface BreakRate {
  readonly broke: number;
  readonly of: number;
}

/** Confidence of the lower bound of a rate. */
const LEVEL = 0.95;

/** Probability with which a failure as frequent as the lower bound must show. */
const SHOWS_WITH = 0.98;

/** The number of plays is rounded up to a multiple of this. */
const ROUND_TO = 5;

/** Halvings of the interval from 0 to 1: more than a double distinguishes. */
const HALVINGS = 60;

/** Probability of at least `broke` failures in `of` plays, if one play fails with this probability. */
function tail({ broke, of }: BreakRate, probability: number): number {
  let below = 0;
  let one = (1 - probability) ** of;
  for (let k = 0; k < broke; k++) {
    below += one;
    one *= ((of - k) / (k + 1)) * (probability / (1 - probability));
  }
  return 1 - below;
}

/** Returns the one-sided lower 95 % bound of a rate (Clopper–Pearson), from 0 to 1. */
export function lowerBoundOf(rate: BreakRate): number {
  if (rate.broke === 0) return 0;
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (tail(rate, middle) < 1 - LEVEL) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the probability with which a failure of this frequency shows in the plays, from 0 to 1. */
export const shownWith = (frequency: number, plays: number): number => 1 - (1 - frequency) ** plays;

/** Returns the number of plays in which a failure as frequent as the lower bound of its rate shows with 98 %. */
export function playsFor(rate: BreakRate): number {
  const bound = lowerBoundOf(rate);
  const plays = Math.log(1 - SHOWS_WITH) / Math.log(1 - bound);
  return Math.ceil(Math.ceil(plays) / ROUND_TO) * ROUND_TO;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Returns for example `0 of 45; a failure as frequent as the lower bound of 3 in 10 (8.7 %) would have shown with 98.4 %`. */
export function heldText(stored: BreakRate, plays: number): string {
  const bound = lowerBoundOf(stored);
  return `0 of ${plays}; a failure as frequent as the lower bound of ${stored.broke} in ${stored.of} (${percent(bound)}) would have shown with ${percent(shownWith(bound, plays))}`;
}
