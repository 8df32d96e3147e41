/** Orders requests of the user's own programs that are in flight together: they begin one after another, in the order of the run. [scenario-language, Simultaneous work] */
import type { IncomingHttpHeaders } from 'node:http';
import { SCENARIO_AGENT } from '../../base/network/program-agent.ts';
import type { Cancel, Clock, Release } from '../../base/time/clock.ts';

/** After this many timer intervals without a further request (75 ms), the waiting requests form one group. A busy machine can take tens of ms between two calls of one program. */
const QUIET_TURNS = 5;

/** Duration of a timer interval; wall ms. */
const TURN_MS = 15;

/**
 * A timer that is at least this late shows that the machine was busy, so the user's program may have been delayed too:
 * its interval does not count as quiet. Wall ms.
 */
const LATE_MS = 10;

/** The longest wait of a request for others, not counting late intervals; wall ms. */
const MOST_MS = 500;

/** The longest extension of this wait because of late intervals; wall ms. */
const MOST_LATE_MS = 2_000;

interface GatheredRequest {
  /** The sort key, because the network decides the order in which requests arrive. */
  readonly key: string;
  readonly begin: () => void;
}

/**
 * Holds simulated time from the first arrival until the last request of the group is answered, or waits for simulated
 * time itself.
 */
export class RequestsInFlight {
  readonly #clock: Clock;
  readonly #together: number | null;
  readonly #permuted: <T>(items: readonly T[]) => readonly T[];
  #gathered: GatheredRequest[] = [];
  /**
   * Latest end of the gathering, by the clock's monotonic time; and the remaining extension because of late intervals.
   */
  #endMs = 0;
  #lateLeftMs = 0;
  #quietTurns = 0;
  #cancel: Cancel = () => {};
  readonly #queue: GatheredRequest[] = [];
  #isBusy = false;

  /**
   * `permuted`: returns a group in the order of this run; called for groups of at least two requests. `together`: the
   * number of requests of each group, where it is known; wall time makes no difference then.
   */
  constructor(clock: Clock, permuted: <T>(items: readonly T[]) => readonly T[], together: number | null = null) {
    this.#clock = clock;
    this.#together = together;
    this.#permuted = permuted;
  }

  /** Returns null for a request that is not ordered; otherwise the promise of `ArrivalGate`. */
  turn(request: {
    method: string;
    target: string;
    headers: IncomingHttpHeaders;
    body: string;
  }): Promise<() => void> | null {
    const { method, target, headers, body } = request;
    const isOrdered = /^\/v1\/(?!sandbox\/|oauth\/)/.test(target) && headers['user-agent'] !== SCENARIO_AGENT;
    if (!isOrdered) return null;
    const what = `${method} ${target}`;
    const release = this.#clock.hold('http', () => `${what}, which waits for requests in flight with it`);
    return new Promise((resolve) => {
      this.#gather({ key: `${what} ${body}`, begin: () => resolve(this.#onEnd(release)) });
    });
  }

  #gather(request: GatheredRequest): void {
    const nowMs = this.#clock.monotonic();
    if (this.#gathered.length === 0) {
      this.#endMs = nowMs + MOST_MS;
      this.#lateLeftMs = MOST_LATE_MS;
    }
    this.#gathered.push(request);
    this.#quietTurns = 0;
    this.#cancel();
    if (this.#together === null) this.#waitOneTurn(nowMs);
    else if (this.#gathered.length >= this.#together) this.#close();
  }

  #waitOneTurn(fromMs: number): void {
    const dueMs = Math.max(fromMs, Math.min(fromMs + TURN_MS, this.#endMs));
    this.#cancel = this.#clock.afterWall(dueMs - fromMs, () => this.#onTurn(fromMs, dueMs), { unref: true });
  }

  #onTurn(fromMs: number, dueMs: number): void {
    const nowMs = this.#clock.monotonic();
    const isLate = nowMs - dueMs >= LATE_MS && this.#lateLeftMs > 0;
    if (isLate) {
      const lostMs = Math.min(nowMs - fromMs, this.#lateLeftMs);
      this.#lateLeftMs -= lostMs;
      this.#endMs += lostMs;
    } else this.#quietTurns++;
    if (this.#quietTurns >= QUIET_TURNS || nowMs >= this.#endMs) this.#close();
    else this.#waitOneTurn(nowMs);
  }

  #close(): void {
    const group = this.#gathered.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    this.#gathered = [];
    this.#queue.push(...(group.length > 1 ? this.#permuted(group) : group));
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const next = this.#queue.shift();
    this.#isBusy = next !== undefined;
    next?.begin();
  }

  #onEnd(release: Release): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#next();
      release();
    };
  }
}
