/** What a run waits for in wall time, for the statistics of a search. */

export const RUN_WAITS = [
  /** The user's client obeys `Retry-After`. */
  'retry_after',
  /** A rule does not hold yet at the end of its limit. */
  'patience',
  /** The user's system may call the API after a delivery. */
  'after_delivery',
  'probe',
  /** The user's system has a delivery, and has not answered yet. */
  'delivery',
  'wake',
  /** The user's system is started or reset, or gets a secret. */
  'system',
  /** The sandbox of the scenario is started or stopped. */
  'sandbox',
] as const;

export type RunWait = (typeof RUN_WAITS)[number];

/** Called at the beginning of a wait; the returned function ends it, and a second call does nothing. */
export type OnRunWait = (what: RunWait) => () => void;
