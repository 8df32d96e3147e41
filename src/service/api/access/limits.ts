/** Exact sliding windows of one minute per client: 600 requests, and 30 s of query time. [spec 8, decisions 8] */
import { DEFAULT_LIMITS } from '../../../contract/requests.ts';

const WINDOW_MS = 60_000;

export interface Limits {
  readonly requestsPerMinute: number;
  readonly querySecondsPerMinute: number;
  /** Multiplies the query time charged per request, so that the second limit can be tried out. */
  readonly queryTimeFactor: number;
  /**
   * The time at which the default limits apply again, on the clock of clients. If absent, the change lasts until the
   * next one.
   */
  readonly endsAt?: number;
}

const LIMITS: Limits = {
  requestsPerMinute: DEFAULT_LIMITS.requests_per_minute,
  querySecondsPerMinute: DEFAULT_LIMITS.query_seconds_per_minute,
  queryTimeFactor: DEFAULT_LIMITS.query_time_factor,
};

/**
 * Amounts by time; entries older than the window are dropped. Times and amounts are two lists of numbers, which take 16
 * bytes an entry: as objects, the entries of a busy client took 9 MB.
 */
class SlidingWindow {
  #times: number[] = [];
  #amounts: number[] = [];
  #first = 0;
  #sum = 0;

  sum(now: number): number {
    while (this.#first < this.#times.length && (this.#times[this.#first] as number) <= now - WINDOW_MS)
      this.#dropOldest();
    return this.#sum;
  }

  /** Bounds the log: a limit of N requests depends on the last N only. */
  add(at: number, amount: number, most = Number.POSITIVE_INFINITY): void {
    this.#times.push(at);
    this.#amounts.push(amount);
    this.#sum += amount;
    while (this.#times.length - this.#first > most) this.#dropOldest();
  }

  /** Milliseconds until the sum is below the limit; a whole window if that never happens. */
  waitMs(now: number, limit: number): number {
    let left = this.sum(now);
    if (left < limit) return 0;
    for (let place = this.#first; place < this.#times.length; place++) {
      left -= this.#amounts[place] as number;
      if (left < limit) return (this.#times[place] as number) + WINDOW_MS - now;
    }
    return WINDOW_MS;
  }

  #dropOldest(): void {
    this.#sum -= this.#amounts[this.#first] as number;
    this.#first += 1;
    // An empty log has the sum 0, not the rounding error of the fractions.
    if (this.#first === this.#times.length) this.#sum = 0;
    if (this.#first > 256 && this.#first * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#first);
      this.#amounts = this.#amounts.slice(this.#first);
      this.#first = 0;
    }
  }
}

export type LimitDecision =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly code: 'rate_limited' | 'query_time_exceeded'; readonly retryAfterS: number };

/** Limits that an action changed, by client. */
export type ChangedLimits = Map<string, Limits>;

export class RateLimiter {
  readonly #requests = new Map<string, SlidingWindow>();
  readonly #queryTime = new Map<string, SlidingWindow>();
  readonly #limits: ChangedLimits;

  /** `limits` has the changes that were made before, and stores later changes. */
  constructor(limits: ChangedLimits = new Map()) {
    this.#limits = limits;
  }

  limitsOf(clientId: string): Limits {
    return this.#limits.get(clientId) ?? LIMITS;
  }

  /** Without `endsAt` the change lasts until the next one. */
  setLimits(clientId: string, change: Partial<Limits>): void {
    const { endsAt: _endsAt, ...before } = this.limitsOf(clientId);
    this.#limits.set(clientId, { ...before, ...change });
  }

  /**
   * Counts an admitted request. A refused request does not count. After `retryAfterS` neither limit refuses a request.
   */
  admit(clientId: string, now: number): LimitDecision {
    if ((this.limitsOf(clientId).endsAt ?? Number.POSITIVE_INFINITY) <= now) this.#limits.delete(clientId);
    const limits = this.limitsOf(clientId);
    const requests = windowOf(this.#requests, clientId);
    const queryTime = windowOf(this.#queryTime, clientId);
    const requestsWaitMs = soonest(now, limits, (limit) => requests.waitMs(now, limit.requestsPerMinute));
    const queryWaitMs = soonest(now, limits, (limit) => queryTime.waitMs(now, limit.querySecondsPerMinute * 1_000));
    if (requestsWaitMs > 0 || queryWaitMs > 0) {
      const code = requestsWaitMs > 0 ? 'rate_limited' : 'query_time_exceeded';
      return { admitted: false, code, retryAfterS: seconds(Math.max(requestsWaitMs, queryWaitMs)) };
    }
    requests.add(now, 1);
    return { admitted: true };
  }

  /**
   * Counts a request that gets its normal answer although its client is over a limit, such as one to an unknown path.
   */
  count(clientId: string, now: number): void {
    windowOf(this.#requests, clientId).add(now, 1, Math.max(1, this.limitsOf(clientId).requestsPerMinute));
  }

  /** Charges the time that a request took. Called after its answer. */
  charge(clientId: string, now: number, tookMs: number): void {
    windowOf(this.#queryTime, clientId).add(now, tookMs * this.limitsOf(clientId).queryTimeFactor);
  }
}

/** The shorter of two waits: until these limits admit the call, or until they end and the default limits admit it. */
function soonest(now: number, limits: Limits, waitMs: (limits: Limits) => number): number {
  const wait = waitMs(limits);
  return wait === 0 || limits.endsAt === undefined
    ? wait
    : Math.min(wait, Math.max(limits.endsAt - now, waitMs(LIMITS)));
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

function windowOf(windows: Map<string, SlidingWindow>, clientId: string): SlidingWindow {
  let found = windows.get(clientId);
  if (found === undefined) {
    found = new SlidingWindow();
    windows.set(clientId, found);
  }
  return found;
}
