/** Lets a run of a scenario choose the order in which requests that are in flight together begin, and change single ones. [scenario-language, Simultaneous work] */
import type { IncomingHttpHeaders } from 'node:http';
import type { FaultStatus } from './faults.ts';

/** A request whose caller is known and whose body is read. */
export interface ArrivingRequest {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Decides when a request begins. */
export interface ArrivalGate {
  /**
   * Returns null if the request begins now. Otherwise the promise resolves when the request may begin, with a function
   * to call when the request is answered or lets simulated time pass.
   */
  turn(request: ArrivingRequest): Promise<() => void> | null;
}

/** What a run changes of one request: no limit and no outage applies to it, or it meets an outage of its own. */
type RequestChange =
  | { readonly kind: 'spared' }
  | { readonly kind: 'fault'; readonly status: FaultStatus | null; readonly slowMs: number };

/** Without a gate, requests begin as they arrive; without `changeOf`, none is changed. */
export class Arrivals {
  gate: ArrivalGate | null = null;
  /** Called for each request before it is authorised; null: the request is not changed. */
  changeOf: ((request: Pick<ArrivingRequest, 'method' | 'target' | 'headers'>) => RequestChange | null) | null = null;
}
