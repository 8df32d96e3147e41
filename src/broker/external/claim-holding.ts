/** The state of this process's claim on one site, from the first read at the broker. */
import type { Cancel } from '../../base/time/clock.ts';

export interface ClaimHolding {
  phase: 'reading' | 'waiting' | 'claiming' | 'held';
  /** Wall ms, and the monotonic clock at that moment. */
  sinceWall: number;
  sinceMs: number;
  /** `at` of the last message that was sent, and the monotonic clock then. */
  sentAt: string;
  sentMs: number;
  /** When the last message that came back had been sent; monotonic ms. */
  confirmedMs: number;
  /** Another process claimed the site at the same time. */
  isContested: boolean;
  /** The process whose claim was taken over, and until when messages of it may still be on their way; monotonic ms. */
  overtaken: { readonly process: string; readonly untilMs: number } | null;
  /** Messages against other claims since the last renewal. */
  objections: number;
  /** The service waits for nothing more than the claim's return. */
  readonly isLate: boolean;
  cancel: Cancel;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** `nowMs`: the monotonic clock. */
export function newHolding(isLate: boolean, nowMs: number): ClaimHolding {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => {}, () => {}];
  const done = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  // Rejected once more where a claim that nobody waits for any more is dropped.
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
