/** Receivers of the user's own that call the API back: in a fast run, time waits after each delivery until their client has called and is quiet. [scenario-language, receivers] */
import type { Cancel, Clock, Release } from '../../base/clock.ts';

/** A client that has not called by then does not call for this event; wall ms. */
const CALLS_WITHIN_MS = 1_000;

/** A client that has called, and then is quiet for so long, is done; wall ms. */
const QUIET_MS = 30;

interface AwaitedCaller {
  readonly release: Release;
  cancel: Cancel;
}

export class CallBacks {
  readonly #clock: Clock;
  /** Companies whose client is waited for. */
  readonly #waiting = new Map<string, AwaitedCaller>();
  /** Companies whose client has called since their last delivery: it called before it answered. */
  readonly #called = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A receiver of the company, which calls back, has accepted an event. */
  delivered(company: string): void {
    if (this.#clock.mode !== 'lockstep') return;
    const waiting = this.#waiting.get(company);
    if (waiting === undefined) {
      const release = this.#clock.hold('http', () => `the call of ${company} after a delivery`);
      this.#waiting.set(company, { release, cancel: () => {} });
    }
    this.#endAfter(company, this.#called.delete(company) ? QUIET_MS : CALLS_WITHIN_MS);
  }

  /** The company's client was answered; a request for a token is not yet its call. */
  answered(company: string): void {
    if (this.#waiting.has(company)) this.#endAfter(company, QUIET_MS);
    else this.#called.add(company);
  }

  #endAfter(company: string, delayMs: number): void {
    const waiting = this.#waiting.get(company);
    if (waiting === undefined) return;
    waiting.cancel();
    const end = () => {
      this.#waiting.delete(company);
      waiting.release();
    };
    waiting.cancel = this.#clock.afterWall(delayMs, end, { unref: true });
  }
}
