/** Runs long work in slices: a command runs it without pauses, a server pauses for other requests. */
import { monotonicMs } from './timers.ts';

/** Work that yields between its parts. */
export type Slices<T> = Generator<void, T, void>;

/** True if the value is work in slices, false if it is the result itself; `T` must not be an iterable. */
export const isSlices = <T>(value: T | Slices<T>): value is Slices<T> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** Wall ms of work between two pauses. */
const SLICE_MS = 20;

/** Runs all slices at once. */
export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}

/** Runs the slices with pauses between them. `pause` resolves after other work of the process has run. */
export async function inSlices<T>(work: Slices<T>, pause: () => Promise<void>): Promise<T> {
  let begunMs = monotonicMs();
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    if (monotonicMs() - begunMs < SLICE_MS) continue;
    await pause();
    begunMs = monotonicMs();
  }
}
