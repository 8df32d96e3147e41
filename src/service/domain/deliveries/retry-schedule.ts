/** The retry schedule: 30 attempts at offsets from an event's `created_at`, then it is lost. [spec 6.5, decisions 7] */
import type { Instant } from '../../../base/time/clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** 0, 10 s, 30 s, 2 min, 10 min, 30 min, then every hour from 1 h to 24 h; milliseconds. */
export const RETRY_SCHEDULE_MS: readonly number[] = [
  0,
  10 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  ...Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR),
];

/**
 * The delays after each failed attempt, for the other reading of the schedule; after the last one, hourly. [gap retry]
 */
const DELAYS_MS = RETRY_SCHEDULE_MS.slice(1, 7);
const LAST_MS = 24 * HOUR;

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
