/** Runs long work in slices: a command runs it without pauses, and a server pauses for other requests. */
import { monotonicMs } from './timers.ts';

/** Work that yields between pieces of it. */
export type Slices<T> = Generator<void, T, void>;

/** Whether a reader works in slices, or has its value at once; `T` is no iterable. */
export const isSlices = <T>(value: T | Slices<T>): value is Slices<T> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

/** Wall ms of work between two pauses. */
const SLICE_MS = 20;

/** All slices at once. */
export function atOnce<T>(work: Slices<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}

/** The slices with pauses between them; `pause` resolves when other work of the process has had its turn. */
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
