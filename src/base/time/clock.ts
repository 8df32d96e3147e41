/** The clock port: the only source of time. */
import { LAST_INSTANT } from './instants.ts';

/** Simulated ms since the Unix epoch, an integer. */
export type Instant = number;

/**
 * Simulated time stops here: one year before the last instant that can be formatted. So everything that is due within a
 * year (a retry, a prompt, a secret's end) can be formatted too.
 */
export const CLOCK_END: Instant = LAST_INSTANT - 365 * 86_400_000;

/**
 * The largest `advance` of a running sandbox: the 30 days of the log and one more. A hundred watches send about 900,000
 * reports a day.
 */
export const LONGEST_ADVANCE_MS = 31 * 86_400_000;

/** The earliest start: earlier times are negative in milliseconds, which receivers do not expect. */
export const CLOCK_BEGIN: Instant = 0;

/** Cancels the request; idempotent, also after the task ran. */
export type Cancel = () => void;

/** Closes a hold; a second call does nothing. */
export type Release = () => void;

/** A text, or a function if building the text is costly: it is called only when the label is shown. */
export type Label = string | (() => string);

/** Order among entries of one instant: lane, then actor (by code units), then insertion. */
export interface DueKey {
  readonly lane: number;
  readonly actor: string;
}

/** The lanes of one instant, in the order in which they are executed. */
export const LANE = { step: 0, uplink: 1, service: 2, event: 3, delivery: 4, rest: 5, expectation: 6 } as const;

/** The kind of real work that is in flight while a hold is open. */
export type HoldLane = 'uplink' | 'downlink' | 'delivery' | 'http' | 'engine' | 'connect' | 'other';

export type ClockMode = 'real' | 'scaled' | 'lockstep';

/** An open hold: simulated time does not pass while one is open. */
export interface ClockHold {
  readonly lane: HoldLane;
  readonly label: string;
}

export interface ClockState {
  readonly now: Instant;
  /** Simulated ms per wall-clock ms; no effect in lock-step. */
  readonly speed: number;
  readonly paused: boolean;
  readonly mode: ClockMode;
  /** The time to show: with a pace, the time of the pace between two entries. Otherwise `now`. */
  readonly shown: Instant;
}

/** The time port for all modules above `base`. */
export interface Clock {
  readonly mode: ClockMode;

  /**
   * Simulated time, which never goes back. In a due task it is the task's due instant, or later if the task is late.
   */
  now(): Instant;

  /** The wall clock, ms since the Unix epoch. For everything that a receiver or a client measures by its own clock. */
  wall(): number;

  /**
   * The time that applies to the tokens and limits of clients, ms since the Unix epoch. It is the wall clock, by which
   * a client caches its token. In lock-step, at any pace, it is simulated time, so that each run gives the same
   * result. [decisions 3, 8]
   */
  clientTime(): Instant;

  /** True if `clientTime` is simulated time. Then a request also has a fixed query time. */
  readonly simulatesClients: boolean;

  /**
   * The greatest delay of work that was due at or after the instant, because the machine was busy; wall-clock ms. 0 in
   * lock-step.
   */
  lagSince(instant: Instant): number;

  /** How far a lock-step clock with a pace fell behind it in all; wall-clock ms. 0 for every other clock. */
  readonly behindMs: number;

  /** Monotonic time in ms, with a fraction; for measuring durations. */
  monotonic(): number;

  /**
   * Runs the task when simulated time reaches `due` (rounded up to a whole ms). If `due` is past, it runs at once, on a
   * later turn of the event loop.
   */
  at(due: Instant, key: DueKey, task: () => void): Cancel;

  /** Runs the task after wall time, in every mode. With `unref`, the process may end before it. */
  afterWall(delayMs: number, task: () => void, options?: { unref?: boolean }): Cancel;

  /** Runs the task in the next turn of the event loop. Time does not pass before that. */
  soon(task: () => void): void;

  /** In lock-step, and during `advance` in any mode, time does not pass while the hold is open. */
  hold(lane: HoldLane, label: Label): Release;

  /** The open holds, in the order in which they were opened. */
  holders(): readonly ClockHold[];

  /** True while `ordered()` defers tasks. Hot paths check it first, to avoid building a key and a closure. */
  readonly ordering: boolean;

  /**
   * Applies a reply that arrives over a real socket. In real and scaled mode the task runs at once, synchronously. In
   * lock-step, and during `advance`, it waits until there are as many replies as open holds in the lane. Then all of
   * them run, synchronously, by key (code units; equal keys in order of arrival).
   */
  ordered(lane: HoldLane, key: string, task: () => void): void;

  state(): ClockState;

  /**
   * Moves simulated time forward by `byMs`. If it is negative, simulated time pauses until the clock has caught up. Not
   * in lock-step.
   */
  correct(byMs: number): void;

  /**
   * Called when a request or packet from outside arrives. A lock-step clock with a pace, on which nothing is held, moves to
   * the time of the pace, at most to the next due entry; so what an outsider causes has the time that it sees. No effect
   * on any other clock.
   */
  arrive(): void;

  /** What is due until the instant runs without pace, as fast as possible. No effect on a clock without a pace. */
  hurry(until: Instant): void;

  /** Sets the simulated ms per wall-clock ms, above 0. A lock-step clock without a pace only stores it. */
  setSpeed(factor: number): void;

  /** Simulated time stops, except for `advance`. */
  pause(): void;

  /**
   * Gives a person control of the clock: it is paused, and a lock-step clock follows the wall clock after it is
   * resumed, at speed 1 until another speed is set. Otherwise it would run through everything that is due. `mode` does
   * not change.
   */
  handOver(): void;
  resume(): void;

  /**
   * Executes every entry that is due in the next `ms` in order, as in lock-step, in any mode, also while paused or not
   * yet started. Resolves when everything is executed and quiet. Rejects if the clock is stopped first. A second call
   * waits for the first. The caller must not hold the clock while it awaits this. It ends at `CLOCK_END`.
   */
  advance(ms: number): Promise<void>;

  /**
   * From now on, an exception thrown by a task (due, wall timer, next turn, ordered reply) goes to `report` with the
   * actor or lane of the task, and the clock continues. Without it the exception is thrown, which ends the process.
   */
  contain(report: (error: Error, actor: string) => void): void;

  /** Due tasks begin to run. A lock-step clock does not move before that. */
  start(): void;

  /** Stops for good: due tasks and wall timers are dropped, and the process may end. Idempotent. */
  stop(): void;
}
