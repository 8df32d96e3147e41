/** Timers of a page: code in a browser has no part in the simulation, and Node's timers do not exist there. */

/** Runs the task once after `delayMs` of wall time. The answer cancels it. */
export function afterMs(delayMs: number, task: () => void): () => void {
  const timeout = setTimeout(task, delayMs);
  return () => clearTimeout(timeout);
}

/** Runs the task again and again, with `periodMs` of wall time between. */
export function everyMs(periodMs: number, task: () => void): void {
  setInterval(task, periodMs);
}

/** Milliseconds that only go forward, with a fraction, since the page was opened. */
export const pageMs = (): number => performance.now();
