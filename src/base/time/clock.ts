/** The clock port: the only source of time. */
import { LAST_INSTANT } from './instants.ts';

/** Simulated ms since the Unix epoch, an integer. */
export type Instant = number;

/**
 * Simulated time stands still from here on: a year before the last moment that can be written, so that whatever is due within
 * a year (a retry, a prompt, a secret's end) can be written too.
 */
export const CLOCK_END: Instant = LAST_INSTANT - 365 * 86_400_000;

/** Largest `advance` of a running sandbox: the log's 30 days and one more. A hundred watches report some 900,000 times a day. */
export const LONGEST_ADVANCE_MS = 31 * 86_400_000;

/** The earliest start: earlier times are negative in milliseconds, which receivers do not expect. */
export const CLOCK_BEGIN: Instant = 0;

/** Cancels the request; idempotent, also after the task ran. */
export type Cancel = () => void;

/** Closes a hold; a second call does nothing. */
export type Release = () => void;

/** A text, or a function where building the text costs: it is called only when the label is shown. */
export type Label = string | (() => string);

/** Order among entries of one instant: lane, then actor (by code units), then insertion. */
export interface DueKey {
  readonly lane: number;
  readonly actor: string;
}

/** The lanes of one instant, in the order in which they are played. */
export const LANE = { step: 0, uplink: 1, service: 2, event: 3, delivery: 4, rest: 5, expectation: 6 } as const;

/** The kind of real work that is in flight while a hold is open. */
export type HoldLane = 'uplink' | 'downlink' | 'delivery' | 'http' | 'engine' | 'connect' | 'other';

/** Simulated seconds in a second of wall time: the most that anything may ask for. */
export const HIGHEST_SPEED = 10_000;

export type ClockMode = 'real' | 'scaled' | 'lockstep';

/** An open hold: simulated time does not pass while there is one. */
export interface ClockHold {
  readonly lane: HoldLane;
  readonly label: string;
}

export interface ClockState {
  readonly now: Instant;
  /** Simulated ms per wall ms; without effect in lock-step. */
  readonly speed: number;
  readonly paused: boolean;
  readonly mode: ClockMode;
}

/** The time port for all rooms above `base`. */
export interface Clock {
  readonly mode: ClockMode;

  /** Simulated time. It never goes back. In a due task it is the task's due instant, or later where the task is late. */
  now(): Instant;

  /** Wall clock, ms since the Unix epoch; for anything that a receiver or a client measures by its own clock. */
  wall(): number;

  /**
   * The time that the tokens and limits of clients follow, ms since the Unix epoch: the wall clock, by which a client caches its
   * token; in fast and scaled runs of scenarios simulated time, so that both give the same result. [decisions 3, 8]
   */
  clientTime(): Instant;

  /** Whether `clientTime` is simulated time; then a request has a fixed query time, too. */
  readonly simulatesClients: boolean;

  /** The most by which work that was due at or after the instant ran late, because the machine was busy; wall ms. 0 in lock-step. */
  lagSince(instant: Instant): number;

  /** Ms that only go forward, with a fraction; for measuring how long something took. */
  monotonic(): number;

  /** Runs the task when simulated time reaches `due` (rounded up to a whole ms); on a later turn, but at once, when that is past. */
  at(due: Instant, key: DueKey, task: () => void): Cancel;

  /** Runs the task after wall time, in every mode; `unref` lets the process end before it. */
  afterWall(delayMs: number, task: () => void, options?: { unref?: boolean }): Cancel;

  /** Runs the task on the next turn of the event loop. Time does not pass before it ran. */
  soon(task: () => void): void;

  /** In lock-step (and during `advance` in any mode) time cannot pass while the hold is open. */
  hold(lane: HoldLane, label: Label): Release;

  /** The open holds, in the order in which they were opened. */
  holders(): readonly ClockHold[];

  /** True while `ordered()` defers tasks. Hot paths check it first, to avoid building a key and a closure. */
  readonly ordering: boolean;

  /**
   * Applies an answer that comes over a real socket. In real and scaled mode the task runs at once, synchronously.
   * In lock-step (and during `advance`) it waits until as many answers are there as holds are open in the lane;
   * then all of them run, synchronously, by key (code units; equal keys in order of arrival).
   */
  ordered(lane: HoldLane, key: string, task: () => void): void;

  state(): ClockState;

  /** Moves simulated time forward by `byMs`. Negative: simulated time pauses until the clock has caught up. Not in lock-step. */
  correct(byMs: number): void;

  /** Simulated ms per wall ms, above 0. Lock-step remembers it only. */
  setSpeed(factor: number): void;

  /** Simulated time stops, except for `advance`. */
  pause(): void;

  /**
   * Hands the clock to a person: it is paused, and a lock-step clock follows the wall from now on (at speed 1 until it is
   * turned) when it is resumed, where by its own rule it would rush through everything that is due. `mode` stays.
   */
  handOver(): void;
  resume(): void;

  /**
   * Plays every entry due in the next `ms` in order, in the lock-step manner, in any mode, also paused or not yet started.
   * Resolves when all of it is played and quiet; rejects when the clock is stopped first. A second call waits for the first.
   * The caller must not hold the clock while it awaits this. It ends at `CLOCK_END`.
   */
  advance(ms: number): Promise<void>;

  /**
   * From now on an exception thrown by a task (due, wall timer, next turn, ordered answer) goes to `report` with the actor or
   * lane of the task, and the clock goes on. Without it the exception is thrown, which ends the process.
   */
  contain(report: (error: Error, actor: string) => void): void;

  /** Due tasks begin to run. A lock-step clock stands still before it. */
  start(): void;

  /** For good: due tasks and wall timers are dropped, and the process may end. May be called twice. */
  stop(): void;
}
