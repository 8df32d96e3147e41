/** The retry schedule of a delivery, and the words for it. [spec 6.5, decisions 7] */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The times of the attempts after an event's `created_at`; milliseconds. After the last one, the delivery is lost. */
export const RETRY_SCHEDULE_MS: readonly number[] = [
  0,
  10 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  ...Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR),
];

/** Number of attempts, the first one included. */
export const ATTEMPTS = RETRY_SCHEDULE_MS.length;

/** Index of the attempt from which on there is one each hour. */
const HOURLY_FROM = RETRY_SCHEDULE_MS.indexOf(HOUR);

const inWords = (ms: number): string =>
  ms >= HOUR ? `${ms / HOUR} h` : ms >= MINUTE ? `${ms / MINUTE} min` : `${ms / SECOND} s`;

/** `24 h`: how long a delivery is tried. */
export const RETRIED_FOR = inWords(RETRY_SCHEDULE_MS.at(-1) as number);

/** `10 s, 30 s, 2 min, 10 min, 30 min, 1 h and then hourly until 24 h after the event`. */
export const RETRY_TIMES = `${RETRY_SCHEDULE_MS.slice(1, HOURLY_FROM + 1)
  .map(inWords)
  .join(', ')} and then hourly until ${RETRIED_FOR} after the event`;
