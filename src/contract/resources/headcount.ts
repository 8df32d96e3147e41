/**
 * The statuses of a headcount. Their words, signs and ranks are in vocabulary.ts; the compiler names the tables that a new
 * status is missing from. Pages read this file in a browser, so it imports nothing. [decisions 6]
 */

/** In the order of the specification. [spec 2 MissingWorker] */
export const MISSING_STATUSES = ['help', 'wrong_point', 'pending', 'no_signal', 'not_worn'] as const;

/** The reason why a worker does not count as safe. */
export type MissingStatus = (typeof MISSING_STATUSES)[number];

/** The status of a person in a headcount; exactly one at a time. [decisions 6] */
export const COUNTED_STATUSES = ['safe', ...MISSING_STATUSES] as const;
export type CountedStatus = (typeof COUNTED_STATUSES)[number];
