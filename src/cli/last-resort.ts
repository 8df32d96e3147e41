/** Last-resort handler of uncaught exceptions: reports them and keeps the process alive, unless they keep coming. [cli, up] */
import { asError } from '../base/assert.ts';
import { monotonicMs } from '../base/timers.ts';

/** More uncaught exceptions than this within the window mean a failure loop, and the process gives up. */
const MOST = 100;
const WITHIN_MS = 10_000;

export interface LastResort {
  readonly report: (error: Error) => void;
  /** They never end: the process should. */
  readonly giveUp: (error: Error) => void;
}

/**
 * From now on an exception outside of every containment is reported instead of ending the process. The world is safe from it:
 * it changes in the engine's turns only, and these are whole or not at all. The answer ends it.
 */
export function lastResort({ report, giveUp }: LastResort): () => void {
  let caught: number[] = [];
  const hear = (thrown: unknown): void => {
    const error = asError(thrown);
    const now = monotonicMs();
    caught = [...caught.filter((at) => now - at < WITHIN_MS), now];
    if (caught.length > MOST) giveUp(error);
    else report(error);
  };
  process.on('uncaughtException', hear);
  process.on('unhandledRejection', hear);
  return () => {
    process.off('uncaughtException', hear);
    process.off('unhandledRejection', hear);
  };
}
