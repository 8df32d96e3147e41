/** The state of this process's claim on one site, from the first read at the broker. */
import type { Cancel } from '../../../base/time/clock.ts';

export interface ClaimHolding {
  phase: 'reading' | 'waiting' | 'claiming' | 'held';
  /** Wall-clock ms of the claim, and the monotonic clock at that moment. */
  sinceWall: number;
  sinceMs: number;
  /** `at` in the last sent message, and the monotonic clock at that moment. */
  sentAt: string;
  sentMs: number;
  /** The instant at which the last message that returned had been sent; monotonic ms. */
  confirmedMs: number;
  /** True if another process claimed the site at the same time. */
  isContested: boolean;
  /** The process whose claim was taken over, and until when its messages count as late, from the first; monotonic ms. */
  overtaken: { readonly process: string; untilMs: number | null } | null;
  /** The number of messages against other claims since the last renewal. */
  objections: number;
  /** True if the claim only has to return before the service starts, without a settling time. */
  readonly isLate: boolean;
  cancel: Cancel;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** `nowMs`: the time of the monotonic clock. */
export function newHolding(isLate: boolean, nowMs: number): ClaimHolding {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => {}, () => {}];
  const done = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // The promise is also rejected when a claim is dropped, even if no caller awaits it.
  done.catch(() => {});
  return {
    phase: 'reading',
    sinceWall: 0,
    sinceMs: nowMs,
    sentAt: '',
    sentMs: nowMs,
    confirmedMs: Number.NEGATIVE_INFINITY,
    isContested: false,
    overtaken: null,
    objections: 0,
    isLate,
    cancel: () => {},
    done,
    resolve,
    reject,
  };
}
