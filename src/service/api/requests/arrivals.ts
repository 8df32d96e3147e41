/** Lets a run of a scenario choose the order in which requests that are in flight together begin. [scenario-language, Simultaneous work] */
import type { IncomingHttpHeaders } from 'node:http';

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

/** Without a gate, requests begin as they arrive. */
export class Arrivals {
  gate: ArrivalGate | null = null;
}
