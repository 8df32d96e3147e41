/** The first Ctrl-C stops cleanly, and a second one forces the end. SIGTERM and SIGHUP stop cleanly too. [cli, up] */
import { later, monotonicMs } from '../base/time/timers.ts';
import { EXIT, talk } from './output.ts';

/** Debounce: a terminal and npm may both forward the same Ctrl-C. */
const SAME_MS = 100;

/** Time limit of a clean stop; wall ms. */
const FORCE_AFTER_MS = 2_000;

export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'broken';

export interface UntilSignal {
  readonly ended: Promise<StopReason>;
  end(why: StopReason): void;
  /** Called synchronously before a forced exit. */
  beforeForced(say: () => void): void;
  /** To be called when the clean stop has finished. */
  done(): void;
}

export function runUntilSignal(): UntilSignal {
  let firstAt: number | null = null;
  let stopForcing = () => {};
  let lastWords = () => {};
  let resolve: (why: StopReason) => void = () => {};
  const ended = new Promise<StopReason>((settle) => {
    resolve = settle;
  });
  const codeOf = (why: StopReason) => (why === 'SIGINT' ? EXIT.interrupted : EXIT.done);
  const stop = (why: StopReason) => {
    const now = monotonicMs();
    if (firstAt === null) {
      firstAt = now;
      resolve(why);
      stopForcing = later(FORCE_AFTER_MS, () => {
        talk('The stop took too long and was forced. Everything that was acknowledged is on disk.');
        lastWords();
        process.exit(codeOf(why));
      });
      return;
    }
    if (now - firstAt < SAME_MS) return;
    talk('Forced.');
    lastWords();
    process.exit(codeOf(why));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const listeners = signals.map((signal) => ({ signal, listener: () => stop(signal) }));
  for (const { signal, listener } of listeners) {
    // Removes the handlers of the launcher, which end a process that is still loading.
    process.removeAllListeners(signal);
    process.on(signal, listener);
  }
  return {
    ended,
    end: (why) => resolve(why),
    beforeForced: (say) => {
      lastWords = say;
    },
    done: () => {
      stopForcing();
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}
