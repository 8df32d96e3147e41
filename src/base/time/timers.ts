/** The machine's own time, in one place: wall clock, monotonic clock, timers and event-loop turns. */

/** Node.js replaces a longer delay by 1 ms, with a warning. So longer waits consist of several timers. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** Wall clock, ms since the Unix epoch. It can jump. */
export function wallMs(): number {
  return Date.now();
}

/** Monotonic milliseconds with a fraction, from an arbitrary zero. */
export function monotonicMs(): number {
  return performance.now();
}

/** Runs the task in the next turn of the event loop. */
export function nextTurn(task: () => void): () => void {
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}

/**
 * Runs the task once after `delayMs` of wall time, of any length; for 0 or less in the next turn. The returned function
 * cancels it.
 */
export function later(delayMs: number, task: () => void, { unref = false } = {}): () => void {
  if (delayMs <= 0) return nextTurn(task);
  const endMs = monotonicMs() + delayMs;
  let timeout: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    timeout = setTimeout(onTimeout, Math.min(Math.ceil(leftMs), LONGEST_TIMEOUT_MS));
    if (unref) timeout.unref();
  };
  // Node.js timers may fire a fraction of a millisecond early, so the remaining time is awaited.
  const onTimeout = (): void => {
    const leftMs = endMs - monotonicMs();
    if (leftMs > 0) arm(leftMs);
    else task();
  };
  arm(delayMs);
  return () => clearTimeout(timeout);
}

/**
 * The monotonic clock and the timers of a process, as a port: clocks and judgements by wall time take them from here, so
 * that a test can pass the time itself and can make a timer late.
 */
export interface MachineTime {
  monotonicMs(): number;
  later(delayMs: number, task: () => void, options?: { unref?: boolean }): () => void;
}

export const MACHINE_TIME: MachineTime = { monotonicMs, later };

/** Wall timers that can be cancelled together. */
export class WallTimers {
  readonly #cancels = new Set<() => void>();
  readonly #machine: MachineTime;

  constructor(machine: MachineTime) {
    this.#machine = machine;
  }

  /** Runs the task after `delayMs` of wall time. The returned function cancels it. */
  add(delayMs: number, task: () => void, options: { unref: boolean }): () => void {
    const runTask = (): void => {
      this.#cancels.delete(cancel);
      task();
    };
    const stopTimer = this.#machine.later(delayMs, runTask, options);
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      stopTimer();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  cancelAll(): void {
    for (const cancel of [...this.#cancels]) cancel();
  }
}
