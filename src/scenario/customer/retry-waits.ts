/**
 * Holds simulated time at the end of a rate limit until the user's own system has waited. The system obeys `Retry-After` by the wall clock,
 * but the limit ends by simulated time. [spec 8, decisions 8]
 */
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';

/** How long the next call of a system may come after its `Retry-After`; wall ms. */
const GRACE_MS = 300;

/** Quiet time after such a call, in which the next one would come; wall ms. */
const QUIET_MS = 30;

/** Timers may fire this much earlier than the wait that began before them; wall ms. */
const EARLY_MS = 5;

/** A hold is opened anew so often, since one that lasts would look stuck; wall ms. */
const RENEW_MS = 1_000;

export class RetryWaits {
  readonly #clock: Clock;
  /** By company: where time will stand, or stands. */
  readonly #waits = new Map<string, Instant>();
  /** By company: when its latest call was answered; monotonic ms. */
  readonly #answeredMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call of the company's client was answered; `retryAfterS`: with a 429 and this header, seconds. */
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
    // The limit is still active, so a call before Retry-After is refused again.
    later(Math.max(clock.now(), due - 1), () => clock.monotonic() >= endMs - EARLY_MS);
    later(due, () => {
      const now = clock.monotonic();
      const answeredMs = this.#answeredMs.get(company) ?? 0;
      return now >= endMs + GRACE_MS || (answeredMs >= endMs - EARLY_MS && now >= answeredMs + QUIET_MS);
    });
  }

  #standStill(company: string, endMs: number, isOver: () => boolean): void {
    const clock = this.#clock;
    if (isOver()) return;
    const release = clock.hold('other', () => `the call of ${company} after its Retry-After`);
    const leftMs = endMs - EARLY_MS - clock.monotonic();
    const again = () => {
      this.#standStill(company, endMs, isOver);
      release();
    };
    clock.afterWall(leftMs > 0 ? Math.min(leftMs, RENEW_MS) : QUIET_MS, again, { unref: true });
  }
}
