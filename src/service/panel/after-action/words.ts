/** Times, spans and figures of the printed report. */
import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';

/** For example `2026-10-05 06:00:00 UTC`. */
export const dateAndTime = (at: Instant): string => `${formatInstant(at).slice(0, 19).replace('T', ' ')} UTC`;

/** For example `06:00:00`, for tables whose head has the day and the time zone. */
export const timeOfDay = (at: Instant): string => formatInstant(at).slice(11, 19);

/** For example `4:05` for minutes and seconds, `1:04:05` with hours; `-0:30` before the start. */
export function span(ms: number): string {
  const all = Math.round(Math.abs(ms) / 1_000);
  const [hours, minutes, seconds] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${ms < 0 && all > 0 ? '-' : ''}${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}`;
}

/** For example `3 min 20 s`, for sentences and figures. */
export function spanInWords(ms: number): string {
  const all = Math.round(ms / 1_000);
  const parts: string[] = [];
  if (all >= 3_600) parts.push(`${Math.floor(all / 3_600)} h`);
  if (all >= 60 && Math.floor(all / 60) % 60 > 0) parts.push(`${Math.floor(all / 60) % 60} min`);
  if (all < 3_600 && all % 60 > 0) parts.push(`${all % 60} s`);
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** Rounded down, so that 100 % means all people. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${Math.floor((part * 100) / whole)} %`;

export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** A number as on all other screens, without separators. */
export const figure = (count: number | null): string => (count === null ? '-' : String(count));
