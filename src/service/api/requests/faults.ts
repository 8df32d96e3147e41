/** Simulated outages of the API: some or all answers are a 5xx, or late. [scenario-language, api_fault] */

import { SCENARIO_AGENT } from '../../../base/network/program-agent.ts';
import { type Stream, streams } from '../../../base/random/streams.ts';
import type { Clock } from '../../../base/time/clock.ts';

/** Statuses of an outage. 502 and 504 are answered as a gateway does, the others as problems. */
const FAULT_STATUSES = [500, 502, 503, 504] as const;
export type FaultStatus = (typeof FAULT_STATUSES)[number];

interface ApiFault {
  /** Null if answers are late but correct. */
  readonly status: FaultStatus | null;
  /** Delay in wall ms, because a client's timeout runs on the client's own clock. */
  readonly slowMs: number;
  /** A prefix of the affected paths, or null for the whole public API. */
  readonly path: string | null;
  /** Probability per request. */
  readonly share: number;
}

/** Thrown to answer as a gateway, or as an API that is down. */
export class FaultAnswer extends Error {
  readonly status: FaultStatus;

  constructor(status: FaultStatus) {
    super(`A rehearsed ${status}.`);
    this.status = status;
  }
}

export class ApiFaults {
  readonly #clock: Clock;
  readonly #stream: Stream;
  /** For the steps of a scenario: whether one of them is affected does not depend on the requests of the user's system. */
  readonly #ofSteps: Stream;
  #fault: ApiFault | null = null;

  constructor(clock: Clock, seed: string) {
    this.#clock = clock;
    this.#stream = streams(seed).stream('api', 'fault');
    this.#ofSteps = streams(seed).stream('api', 'fault of steps');
  }

  /** The current outage, or null. */
  get current(): ApiFault | null {
    return this.#fault;
  }

  /** Null, or a share of 0, ends the outage. */
  set(fault: ApiFault | null): void {
    this.#fault = fault === null || fault.share === 0 ? null : fault;
  }

  /**
   * Delays the request or throws, if the outage affects it. Paths under /v1/sandbox/ are exempt. `isSpared`: the outage
   * does not apply to this request, and the draws of the others stay as they are.
   */
  async meet(path: string, userAgent: string | undefined, isSpared = false): Promise<void> {
    const fault = this.#fault;
    if (fault === null || !path.startsWith('/v1/') || path.startsWith('/v1/sandbox/')) return;
    if (fault.path !== null && !path.startsWith(fault.path)) return;
    const stream = userAgent === SCENARIO_AGENT ? this.#ofSteps : this.#stream;
    if (fault.share < 1 && stream.float() >= fault.share) return;
    if (!isSpared) await this.apply(fault);
  }

  /** Delays a request, or throws, as the outage says. */
  async apply({ slowMs, status }: Pick<ApiFault, 'slowMs' | 'status'>): Promise<void> {
    if (slowMs > 0) await new Promise<void>((resolve) => this.#clock.afterWall(slowMs, resolve));
    if (status !== null) throw new FaultAnswer(status);
  }
}
