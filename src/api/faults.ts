/** Outages of the API that are rehearsed: some or all answers are a 5xx, or come late. [scenario-language, api_fault] */
import type { Clock } from '../base/clock.ts';
import { type Stream, streams } from '../base/streams.ts';

/** The answers of an API that is in trouble; those below 503 come from whatever stands before it. */
export const FAULT_STATUSES = [500, 502, 503, 504] as const;
export type FaultStatus = (typeof FAULT_STATUSES)[number];

export interface ApiFault {
  /** Null: right answers, but late. */
  readonly status: FaultStatus | null;
  /** Wall ms: a client's patience is measured by its own clock. */
  readonly slowMs: number;
  /** Paths that begin with it; null: all of the public API. */
  readonly path: string | null;
  /** 0..1, drawn for each request. */
  readonly share: number;
}

/** Thrown to answer as a gateway would, or as an API that cannot. */
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
  #fault: ApiFault | null = null;

  constructor(clock: Clock, seed: string) {
    this.#clock = clock;
    this.#stream = streams(seed).stream('api', 'fault');
  }

  /** Null: none is rehearsed. */
  get current(): ApiFault | null {
    return this.#fault;
  }

  /** Null, or a share of 0: the API is well again. */
  set(fault: ApiFault | null): void {
    this.#fault = fault === null || fault.share === 0 ? null : fault;
  }

  /** Waits, throws, or does nothing; what only a sandbox has is never in trouble. */
  async meet(path: string): Promise<void> {
    const fault = this.#fault;
    if (fault === null || !path.startsWith('/v1/') || path.startsWith('/v1/sandbox/')) return;
    if (fault.path !== null && !path.startsWith(fault.path)) return;
    if (fault.share < 1 && this.#stream.float() >= fault.share) return;
    if (fault.slowMs > 0) await new Promise<void>((resolve) => this.#clock.afterWall(fault.slowMs, resolve));
    if (fault.status !== null) throw new FaultAnswer(fault.status);
  }
}
