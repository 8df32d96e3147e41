/** Exact sliding windows of one minute per client: 600 requests, and 30 s of query time. [spec 8, decisions 8] */

const WINDOW_MS = 60_000;

export interface Limits {
  readonly requestsPerMinute: number;
  readonly querySecondsPerMinute: number;
  /** Multiplies the time that a request is charged with, so that the second limit can be rehearsed. */
  readonly queryTimeFactor: number;
}

export const DEFAULT_LIMITS: Limits = { requestsPerMinute: 600, querySecondsPerMinute: 30, queryTimeFactor: 1 };

/** A log of (when, how much) that forgets what has left the window. */
class Window {
  #entries: { at: number; amount: number }[] = [];
  #first = 0;
  #sum = 0;

  sum(now: number): number {
    while (this.#first < this.#entries.length) {
      const oldest = this.#entries[this.#first] as { at: number; amount: number };
      if (oldest.at > now - WINDOW_MS) break;
      this.#sum -= oldest.amount;
      this.#first += 1;
    }
    if (this.#first > 256 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    return this.#first === this.#entries.length ? 0 : this.#sum;
  }

  add(at: number, amount: number): void {
    if (this.#first === this.#entries.length) this.#sum = 0;
    this.#entries.push({ at, amount });
    this.#sum += amount;
  }

  /** Milliseconds until the sum has fallen below the limit. */
  waitMs(now: number, limit: number): number {
    let left = this.sum(now);
    for (let place = this.#first; place < this.#entries.length; place++) {
      const { at, amount } = this.#entries[place] as { at: number; amount: number };
      left -= amount;
      if (left < limit) return at + WINDOW_MS - now;
    }
    return 0;
  }
}

export type Verdict =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly code: 'rate_limited' | 'query_time_exceeded'; readonly retryAfterS: number };

export class RateLimiter {
  readonly #requests = new Map<string, Window>();
  readonly #queryTime = new Map<string, Window>();
  readonly #limits = new Map<string, Limits>();

  limitsOf(clientId: string): Limits {
    return this.#limits.get(clientId) ?? DEFAULT_LIMITS;
  }

  setLimits(clientId: string, change: Partial<Limits>): void {
    this.#limits.set(clientId, { ...this.limitsOf(clientId), ...change });
  }

  /** Counts the request when it is admitted; one that is refused does not count. */
  admit(clientId: string, now: number): Verdict {
    const { requestsPerMinute, querySecondsPerMinute } = this.limitsOf(clientId);
    const requests = windowOf(this.#requests, clientId);
    if (requests.sum(now) >= requestsPerMinute)
      return { admitted: false, code: 'rate_limited', retryAfterS: seconds(requests.waitMs(now, requestsPerMinute)) };
    const spent = windowOf(this.#queryTime, clientId);
    const budgetMs = querySecondsPerMinute * 1_000;
    if (spent.sum(now) >= budgetMs)
      return { admitted: false, code: 'query_time_exceeded', retryAfterS: seconds(spent.waitMs(now, budgetMs)) };
    requests.add(now, 1);
    return { admitted: true };
  }

  /** Charged after the answer: each request spends the time it took. */
  charge(clientId: string, now: number, tookMs: number): void {
    windowOf(this.#queryTime, clientId).add(now, tookMs * this.limitsOf(clientId).queryTimeFactor);
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

function windowOf(windows: Map<string, Window>, clientId: string): Window {
  let found = windows.get(clientId);
  if (found === undefined) {
    found = new Window();
    windows.set(clientId, found);
  }
  return found;
}
