/** The waiting deliveries of one destination, and their order: 4 in flight, one of them reserved for urgent events. [decisions 7] */

import { SortedIndex, timeKey } from '../../base/sorted-index.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { Delivery } from '../domain/world/documents.ts';

export const IN_FLIGHT = 4;
/** Maximum number of slots for deliveries that are not urgent, that is, with a priority number above 0. */
const IN_FLIGHT_PLAIN = 3;

const byDue = ({ due, id }: Delivery): string => timeKey(due, id);
const byPrecedence = ({ priority, due, eventAt, id }: Delivery): string =>
  `${priority}/${timeKey(due, timeKey(eventAt, id))}`;

/**
 * An index in addition to the world's index, which is ordered by event and not by due time, so that waiting deliveries
 * are never scanned.
 */
export class Backlog {
  /** Due in the future. */
  readonly #later = new SortedIndex<Delivery>();
  /** Due, and waiting for a free slot. */
  readonly #ready = new SortedIndex<Delivery>();
  /** Ids of all deliveries that are later, ready or in flight. */
  readonly #known = new Set<string>();
  #inFlight = 0;
  #plainInFlight = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Adds a delivery; a delivery that is already known is ignored. */
  add(delivery: Delivery, now: Instant): void {
    if (this.#known.has(delivery.id)) return;
    this.#known.add(delivery.id);
    this.#put(delivery, now);
  }

  /** Returns the next due delivery that gets a slot; it is in flight from then on. Returns null if there is none. */
  take(now: Instant): Delivery | null {
    this.#ripen(now);
    const first = this.#ready.at(0);
    if (first === undefined || this.#inFlight >= IN_FLIGHT) return null;
    // Priority 0 sorts first: if the first delivery is not urgent, no urgent delivery waits.
    if (isPlain(first) && this.#plainInFlight >= IN_FLIGHT_PLAIN) return null;
    this.#ready.delete(byPrecedence(first));
    this.#inFlight += 1;
    if (isPlain(first)) this.#plainInFlight += 1;
    return first;
  }

  /** Called when an attempt has ended: `next` is the delivery with its next due time, or null if it is complete. */
  ended(delivery: Delivery, next: Delivery | null, now: Instant): void {
    this.#inFlight -= 1;
    if (isPlain(delivery)) this.#plainInFlight -= 1;
    if (next === null) this.#known.delete(delivery.id);
    else this.#put(next, now);
  }

  /** Returns true if a due delivery waits for a free slot. */
  isReady(now: Instant): boolean {
    this.#ripen(now);
    return this.#ready.length > 0;
  }

  /** Returns the delivery with the earliest due time in the future. */
  nextLater(): Delivery | null {
    return this.#later.at(0) ?? null;
  }

  #put(delivery: Delivery, now: Instant): void {
    if (delivery.due <= now) this.#ready.set(byPrecedence(delivery), delivery);
    else this.#later.set(byDue(delivery), delivery);
  }

  #ripen(now: Instant): void {
    for (let first = this.#later.at(0); first !== undefined && first.due <= now; first = this.#later.at(0)) {
      this.#later.delete(byDue(first));
      this.#ready.set(byPrecedence(first), first);
    }
  }
}

const isPlain = ({ priority }: Delivery): boolean => priority !== 0;
