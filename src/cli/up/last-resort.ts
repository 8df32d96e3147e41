/** Last-resort handler of uncaught exceptions: reports them and keeps the process alive, unless they keep coming. [cli, up] */
import { asError } from '../../base/assert.ts';
import { monotonicMs } from '../../base/time/timers.ts';

/** More uncaught exceptions within the window are a failure loop: the process exits. */
const MOST = 100;
const WITHIN_MS = 10_000;

interface LastResort {
  readonly report: (error: Error) => void;
  /** Called in a failure loop. */
  readonly giveUp: (error: Error) => void;
}

/**
 * Reports uncaught exceptions instead of exiting. The world stays consistent:
 * it changes only in the engine's turns, which are atomic. Returns the function that uninstalls it.
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
