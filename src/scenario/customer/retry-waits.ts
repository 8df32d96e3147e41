/**
 * Holds simulated time at the end of a rate limit until the user's own system has waited. The system obeys
 * `Retry-After` in wall time, but the limit ends in simulated time. [spec 8, decisions 8]
 */
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import { allowedLatenessMs } from '../../base/time/lateness.ts';
import type { OnRunWait } from '../model/run-wait.ts';

/** Time after its `Retry-After` in which the next call of a system may come; wall ms. */
const GRACE_MS = 300;

/** Quiet period after such a call, in which another call would come; wall ms. */
const QUIET_MS = 30;

/** Timers may fire this much before the end of a wait that began before they were set; wall ms. */
const EARLY_MS = 5;

/** A hold is renewed at this interval, because a long hold would be reported as stuck; wall ms. */
const RENEW_MS = 1_000;

export class RetryWaits {
  readonly #clock: Clock;
  /** By company: the simulated time at which time is, or will be, held. */
  readonly #waits = new Map<string, Instant>();
  /** By company: the time of the reply to its latest call; monotonic ms. */
  readonly #answeredMs = new Map<string, number>();

  readonly #onWait: OnRunWait | undefined;

  constructor(clock: Clock, onWait?: OnRunWait) {
    this.#clock = clock;
    this.#onWait = onWait;
  }

  /** Called when a call of the company's client was answered; `retryAfterS`: the header of a 429 reply, seconds. */
  answered(company: string, retryAfterS: number | null): void {
    const clock = this.#clock;
    this.#answeredMs.set(company, clock.monotonic());
    if (retryAfterS === null) return;
    const due = clock.now() + retryAfterS * 1_000;
    const endMs = clock.monotonic() + retryAfterS * 1_000;
    const known = this.#waits.get(company);
    if (known !== undefined && known >= due) return;
    this.#waits.set(company, due);
    const later = (at: Instant, isOver: () => boolean) =>
      clock.at(at, { lane: LANE.rest, actor: `retry of ${company}` }, () => {
        // A later limit has a wait of its own.
        if (this.#waits.get(company) === due) this.#standStill(company, endMs, isOver);
      });
    // This hold is just before the end of the limit, so a call before Retry-After is refused again.
    later(Math.max(clock.now(), due - 1), () => clock.monotonic() >= endMs - EARLY_MS);
    let graceEndsMs = endMs + GRACE_MS;
    let lookedMs = 0;
    let wasLate = false;
    later(due, () => {
      const now = clock.monotonic();
      // If this process was late, the system may have been too: it gets the time once more.
      const everyMs = lookedMs < endMs - EARLY_MS ? RENEW_MS : QUIET_MS;
      const isLate = lookedMs > 0 && now - lookedMs > everyMs + allowedLatenessMs(GRACE_MS);
      if (isLate && !wasLate) graceEndsMs = now + GRACE_MS;
      wasLate ||= isLate;
      lookedMs = now;
      const answeredMs = this.#answeredMs.get(company) ?? 0;
      return now >= graceEndsMs || (answeredMs >= endMs - EARLY_MS && now >= answeredMs + QUIET_MS);
    });
  }

  #standStill(company: string, endMs: number, isOver: () => boolean): void {
    const clock = this.#clock;
    if (isOver()) return;
    const release = clock.hold('other', () => `the call of ${company} after its Retry-After`);
    const waited = this.#onWait?.('retry_after');
    const leftMs = endMs - EARLY_MS - clock.monotonic();
    const again = () => {
      waited?.();
      this.#standStill(company, endMs, isOver);
      release();
    };
    clock.afterWall(leftMs > 0 ? Math.min(leftMs, RENEW_MS) : QUIET_MS, again, { unref: true });
  }
}
