/** Instants as text: the one format that this program writes, and a strict parser for RFC 3339. */
import { assert } from '../assert.ts';

const DAY_MS = 86_400_000;
const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** The first and the last instant that RFC 3339 can represent: the years 0000 to 9999, in ms since the Unix epoch. */
export const FIRST_INSTANT = -62_167_219_200_000;
export const LAST_INSTANT = 253_402_300_799_999;

/** True if the instant can be represented. */
export const isWritable = (ms: number): boolean => ms >= FIRST_INSTANT && ms <= LAST_INSTANT;

/** The nearest instant that can be represented, for clocks that may be wrong by any amount. */
export const writable = (ms: number): number => Math.min(LAST_INSTANT, Math.max(FIRST_INSTANT, ms));

/** Formats ms since the Unix epoch as `YYYY-MM-DDTHH:mm:ss.sssZ`; a fraction of a millisecond is dropped. */
export function formatInstant(ms: number): string {
  assert(isWritable(ms), () => `${ms} ms is no instant of the years 0 to 9999.`);
  if (ms === lastMs) return lastText;
  const day = Math.floor(ms / DAY_MS);
  // Memoised by day: long lists contain mostly times of one day, and the calendar computation would dominate the cost.
  if (day !== lastDay) {
    lastDay = day;
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, 11);
  }
  const rest = Math.floor(ms) - day * DAY_MS;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  lastMs = ms;
  lastText = `${lastDate}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${String(rest % 1000).padStart(3, '0')}Z`;
  return lastText;
}

/** The instant as a `Date`, for interfaces that require one. */
export const dateOf = (ms: number): Date => new Date(ms);

let lastMs = Number.NaN;
let lastText = '';
let lastDay = Number.NaN;
let lastDate = '';

const TWO = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

/**
 * The ms since the Unix epoch of an RFC 3339 date and time with a zone; null for any other text, and outside of the
 * years 0 to 9999. Digits below a millisecond are dropped. A leap second (`:60`) is refused, since Unix time does not
 * represent it.
 */
export function parseInstant(text: string): number | null {
  return parseParts(text)?.ms ?? null;
}

/**
 * Like `parseInstant`, but the first whole millisecond at or after the instant. For a value in whole milliseconds, a
 * comparison with this result is the same as a comparison with the exact instant.
 */
export function parseInstantUp(text: string): number | null {
  const parts = parseParts(text);
  return parts === null ? null : parts.ms + (parts.isFiner ? 1 : 0);
}

function parseParts(text: string): { readonly ms: number; readonly isFiner: boolean } | null {
  const parts = RFC_3339.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const zoneHour = Number(parts[9] ?? 0);
  const zoneMinute = Number(parts[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || zoneHour > 23 || zoneMinute > 59) return null;
  const fractionMs = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const local = daysSinceEpoch(year, month, day) * DAY_MS + clockMs(hour, minute, second) + fractionMs;
  const offset = clockMs(zoneHour, zoneMinute, 0) * (parts[8] === '-' ? -1 : 1);
  const ms = local - offset;
  return isWritable(ms) ? { ms, isFiner: /[1-9]/.test((parts[7] ?? '').slice(3)) } : null;
}

/**
 * Parses a text that is known to be an RFC 3339 date and time. It runs for every message of a watch, nearly always with
 * the same day.
 */
export function instantOf(text: string): number {
  if (text.length !== WRITTEN_LENGTH) return Date.parse(text);
  if (!text.startsWith(readDay)) {
    readDay = text.slice(0, DAY_LENGTH);
    readDayMs = Date.parse(`${readDay}00:00:00.000Z`);
  }
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  return readDayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000 + twoDigits(text, 20) * 10 + digit(text, 22);
}

/** The length of `YYYY-MM-DDTHH:mm:ss.sssZ`, the only form of this length, and the length of its day with the `T`. */
const WRITTEN_LENGTH = 24;
const DAY_LENGTH = 11;
let readDay = 'none yet';
let readDayMs = Number.NaN;

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

/** Formats ms since the start of a run as `00:00:50.000`; hours may exceed 24. */
export function formatClockTime(ms: number): string {
  const whole = Math.floor(Math.abs(ms));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = two(Math.floor(whole / 3_600_000));
  const minutes = two(Math.floor(whole / 60_000) % 60);
  const seconds = two(Math.floor(whole / 1000) % 60);
  return `${ms < 0 ? '-' : ''}${hours}:${minutes}:${seconds}.${String(whole % 1000).padStart(3, '0')}`;
}

function clockMs(hour: number, minute: number, second: number): number {
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

// Here a year begins in March, so that the leap day is the last one. (`Date.UTC` maps the years 0 to 99 to 1900 to
// 1999.)
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
