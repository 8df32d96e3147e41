/** Receivers of the user whose client calls the API after a delivery: in a fast run, time is held after each delivery until the client has called and is idle. [scenario-language, receivers] */
import type { Cancel, Clock, Release } from '../../base/time/clock.ts';
import type { OnRunWait } from '../model/run-wait.ts';

/** Default time to wait for the first call after a delivery; wall ms. */
const CALLS_WITHIN_MS = 1_000;

/** Quiet period after which a client that has called is done; wall ms. */
const QUIET_MS = 30;

interface AwaitedCaller {
  readonly release: Release;
  cancel: Cancel;
}

export class CallBacks {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, AwaitedCaller>();
  /** Companies whose client called before it replied to the delivery. */
  readonly #called = new Set<string>();

  readonly #firstMs: number;
  readonly #onWait: OnRunWait | undefined;

  constructor(clock: Clock, firstMs = CALLS_WITHIN_MS, onWait?: OnRunWait) {
    this.#clock = clock;
    this.#firstMs = firstMs;
    this.#onWait = onWait;
  }

  /** A calling-back receiver of the company accepted an event. */
  delivered(company: string): void {
    if (this.#clock.mode !== 'lockstep') return;
    const waiting = this.#waiting.get(company);
    if (waiting === undefined) {
      const waited = this.#onWait?.('after_delivery');
      const released = this.#clock.hold('http', () => `the call of ${company} after a delivery`);
      const release = () => {
        waited?.();
        released();
      };
      this.#waiting.set(company, { release, cancel: () => {} });
    }
    this.#endAfter(company, this.#called.delete(company) ? Math.min(QUIET_MS, this.#firstMs) : this.#firstMs);
  }

  /** The company's client got an answer; token requests do not count. */
  answered(company: string): void {
    if (this.#waiting.has(company)) this.#endAfter(company, Math.min(QUIET_MS, this.#firstMs));
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
