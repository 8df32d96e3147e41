/** Observes what passes between the sandbox and the user's own system in one run, and changes single deliveries and calls. */

/** `passed`: to the system. `refused`: the receiver answers 503. `dropped`: the receiver accepts it, and the system never gets it. */
export type DeliveryFate = 'passed' | 'refused' | 'dropped';

/**
 * What becomes of a call of the system. `spared`: no limit and no outage applies to it. `fault`: it is answered late
 * (wall ms), with this status if there is one.
 */
export type CallChange =
  | { readonly kind: 'spared' }
  | { readonly kind: 'fault'; readonly status: 503 | null; readonly slowMs: number };

export interface TrafficPort {
  /** An attempt that a built-in receiver would pass on to the system. */
  fateOf(attempt: { readonly receiver: string; readonly eventId: string }): DeliveryFate;
  /** A call of the API by the system, before it is authorised; null: it is not changed. `target`: the path with its query. */
  changeOf(call: { readonly method: string; readonly target: string }): CallChange | null;
}
