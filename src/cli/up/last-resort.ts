/**
 * Last-resort handler of uncaught exceptions: reports them and keeps the process alive, unless they occur in a loop.
 * [cli, up]
 */
import { asError } from '../../base/assert.ts';
import { monotonicMs } from '../../base/time/timers.ts';

/** If there are more uncaught exceptions within the window, this is a failure loop, and the process exits. */
const MOST = 100;
const WITHIN_MS = 10_000;

interface LastResort {
  readonly report: (error: Error) => void;
  /** Called if there is a failure loop. */
  readonly giveUp: (error: Error) => void;
}

/**
 * Reports uncaught exceptions instead of exiting. The world stays consistent, because it changes only in transactions
 * of the engine, which are atomic. Returns the function that uninstalls the handler.
 */
export function lastResort({ report, giveUp }: LastResort): () => void {
  let caught: number[] = [];
  const onUncaught = (thrown: unknown): void => {
    const error = asError(thrown);
    const now = monotonicMs();
    caught = [...caught.filter((at) => now - at < WITHIN_MS), now];
    if (caught.length > MOST) giveUp(error);
    else report(error);
  };
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
  return () => {
    process.off('uncaughtException', onUncaught);
    process.off('unhandledRejection', onUncaught);
  };
}
