/** Timers of a page: code in a browser is not part of the simulation, and has no Node.js timers. */

/** Runs the task once after `delayMs` of wall time. The returned function cancels it. */
export function afterMs(delayMs: number, task: () => void): () => void {
  const timeout = setTimeout(task, delayMs);
  return () => clearTimeout(timeout);
}

/** Runs the task repeatedly, every `periodMs` of wall time. */
export function everyMs(periodMs: number, task: () => void): void {
  setInterval(task, periodMs);
}

/** Monotonic milliseconds since the page was opened, with a fraction. */
export const pageMs = (): number => performance.now();
