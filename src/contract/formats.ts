/** The string formats of the contract: a test and a message for each. */

interface TextFormat {
  readonly admits: (value: string) => boolean;
  readonly rule: string;
}

/**
 * An id as the service writes it, in lower case. New ids have version 4 in their bits [decisions 1]. Readers accept
 * every version, since data folders of earlier releases contain ids of version 8.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ANY_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const WELL_FORMED = /^[^\0\p{Cs}]*$/u;
const URI = /^[a-z][a-z0-9+.-]*:[^\s\\^`{|}<>"\p{Cc}\p{Cs}]+$/iu;

/**
 * True for an RFC 3339 time. T and Z may be lower case; the date must be valid, with a year of 0 to 9999 also in UTC. A
 * 60th second is refused, since no clock here has it.
 */
export function isDateTime(value: string): boolean {
  // Fast path: every message of a watch has a time, mostly in the form of the service and of the same day as the last
  // one.
  if (value.length === WRITTEN_LENGTH && value.startsWith(lastDay) && isWrittenTime(value)) return true;
  const parts = DATE_TIME.exec(value);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHour, offsetMinute] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  const eastward = (offsetHour * 60 + offsetMinute) * (parts[7] === '-' ? -1 : 1);
  const is =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOf(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    offsetHour <= 23 &&
    offsetMinute <= 59 &&
    staysInRange(year, month, day, hour * 60 + minute - eastward);
  if (is) lastDay = value.slice(0, DAY_LENGTH);
  return is;
}

/**
 * The time with `:00`, if only its seconds are missing, as `OffsetDateTime.toString()` of Java omits them on whole
 * minutes. Any other text is returned unchanged. [decisions 1]
 */
export const withSeconds = (value: string): string => value.replace(NO_SECONDS, '$1:00$2');

const NO_SECONDS = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2})([Zz]|[+-]\d{2}:\d{2})$/;

/** Offsets are shorter than a day, so only the first and the last day can be in another year of UTC. [decisions 1] */
function staysInRange(year: number, month: number, day: number, minuteOfDay: number): boolean {
  if (year === 0 && month === 1 && day === 1) return minuteOfDay >= 0;
  if (year === 9999 && month === 12 && day === 31) return minuteOfDay < 24 * 60;
  return true;
}

/** The length of `YYYY-MM-DDTHH:mm:ss.sssZ`, and the length of its date with the `T`. */
const WRITTEN_LENGTH = 24;
const DAY_LENGTH = 11;
let lastDay = 'none yet';

/** True if `HH:mm:ss.sssZ` follows the date. */
function isWrittenTime(value: string): boolean {
  return (
    below(value, 11, 24) &&
    value.charCodeAt(13) === COLON &&
    below(value, 14, 60) &&
    value.charCodeAt(16) === COLON &&
    below(value, 17, 60) &&
    value.charCodeAt(19) === POINT &&
    below(value, 20, 100) &&
    isDigit(value.charCodeAt(22)) &&
    value.charCodeAt(23) === ZULU
  );
}

const [ZERO, COLON, POINT, ZULU] = [48, 58, 46, 90];
const isDigit = (code: number): boolean => code >= ZERO && code < ZERO + 10;

function below(value: string, at: number, limit: number): boolean {
  const [tens, ones] = [value.charCodeAt(at), value.charCodeAt(at + 1)];
  return isDigit(tens) && isDigit(ones) && (tens - ZERO) * 10 + ones - ZERO < limit;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const DATE_TIME_RULE =
  'must be a real date and time after RFC 3339, in the years 0 to 9999 of UTC, like 2026-10-05T06:00:00.000Z';

/**
 * The formats by their JSON Schema name. `text` and those with `any-` are internal: in a published schema, `text` is
 * omitted, and the others lose their `any-`.
 */
export const FORMATS: Readonly<Record<string, TextFormat>> = {
  'any-uuid': { admits: (value) => ANY_UUID.test(value), rule: 'must be a UUID' },
  uuid: { admits: (value) => UUID.test(value), rule: 'must be a UUID in lower case' },
  'any-date-time': { admits: (value) => isDateTime(withSeconds(value)), rule: DATE_TIME_RULE },
  'date-time': { admits: isDateTime, rule: DATE_TIME_RULE },
  uri: { admits: (value) => URI.test(value), rule: 'must be an absolute address' },
  text: { admits: (value) => WELL_FORMED.test(value), rule: 'must be well-formed Unicode without NUL' },
};
