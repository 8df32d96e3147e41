/** The machine's own time, in one place: wall clock, monotonic clock, timers and event-loop turns. */
import { performance } from 'node:perf_hooks';

/** Node turns a longer delay into 1 ms, with a warning; longer waits are made of several. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

/** Wall clock, ms since the Unix epoch. It can jump. */
export function wallMs(): number {
  return Date.now();
}

/** Milliseconds that only go forward, with a fraction, from an arbitrary zero. */
export function monotonicMs(): number {
  return performance.now();
}

/** Runs the task on the next turn of the event loop. */
export function nextTurn(task: () => void): () => void {
  const immediate = setImmediate(task);
  return () => clearImmediate(immediate);
}

/** Runs the task once after `delayMs` of wall time, however long; at 0 or less on the next turn. The answer cancels it. */
export function later(delayMs: number, task: () => void, { unref = false } = {}): () => void {
  if (delayMs <= 0) return nextTurn(task);
  const endMs = monotonicMs() + delayMs;
  let timeout: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    timeout = setTimeout(onTimeout, Math.min(Math.ceil(leftMs), LONGEST_TIMEOUT_MS));
    if (unref) timeout.unref();
  };
  // Node's timers may fire a fraction of a millisecond early, so the rest is waited for.
  const onTimeout = (): void => {
    const leftMs = endMs - monotonicMs();
    if (leftMs > 0) arm(leftMs);
    else task();
  };
  arm(delayMs);
  return () => clearTimeout(timeout);
}

/** Wall timers that can be dropped together. */
export class WallTimers {
  readonly #cancels = new Set<() => void>();

  /** Runs the task after `delayMs` of wall time. The answer cancels it. */
  add(delayMs: number, task: () => void, options: { unref: boolean }): () => void {
    const runTask = (): void => {
      this.#cancels.delete(cancel);
      task();
    };
    const stopTimer = later(delayMs, runTask, options);
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
