/** The next attempt of a delivery by the retry schedule, after which it is lost. [spec 6.5, decisions 7] */
import type { Instant } from '../../../base/time/clock.ts';
import { RETRY_SCHEDULE_MS } from '../../../contract/resources/retry-schedule.ts';

const HOUR = 3_600_000;

/**
 * The delays after each failed attempt, for the other reading of the schedule; after the last one, hourly. [gap retry]
 */
const DELAYS_MS = RETRY_SCHEDULE_MS.slice(1, RETRY_SCHEDULE_MS.indexOf(HOUR) + 1);
const LAST_MS = RETRY_SCHEDULE_MS.at(-1) as number;

/** The same retry schedule, counted from the failed attempt, until 24 h after the event. */
export function nextDelay(eventAt: Instant, slot: number, failedAt: Instant): { slot: number; due: Instant } | null {
  const due = failedAt + (DELAYS_MS[slot] ?? HOUR);
  return due > eventAt + LAST_MS ? null : { slot: slot + 1, due };
}

/**
 * The next attempt after `now`; null if the retry schedule has ended. Attempts that became due meanwhile are skipped
 * and not repeated.
 */
export function nextAttempt(eventAt: Instant, slot: number, now: Instant): { slot: number; due: Instant } | null {
  const next = RETRY_SCHEDULE_MS.findIndex((offsetMs, index) => index > slot && eventAt + offsetMs > now);
  return next === -1 ? null : { slot: next, due: eventAt + (RETRY_SCHEDULE_MS[next] as number) };
}
