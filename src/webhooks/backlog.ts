/** The waiting deliveries of one destination, and their order: 4 in flight, one of them reserved for urgent events. [decisions 7] */

import { SortedIndex, timeKey } from '../base/sorted-index.ts';
import type { Instant } from '../base/time/clock.ts';
import type { Delivery } from '../domain/world/documents.ts';

export const IN_FLIGHT = 4;
/** Slots of the four that deliveries below priority 0 may take. */
const IN_FLIGHT_PLAIN = 3;

const byDue = ({ due, id }: Delivery): string => timeKey(due, id);
const byPrecedence = ({ priority, due, eventAt, id }: Delivery): string =>
  `${priority}/${timeKey(due, timeKey(eventAt, id))}`;

/** Kept beside the world's index, which is in the order of events and not of dues: nothing here scans what waits. */
export class Backlog {
  /** Due in the future. */
  readonly #later = new SortedIndex<Delivery>();
  /** Due, and waiting for a free slot. */
  readonly #ready = new SortedIndex<Delivery>();
  /** Later, ready or in flight. */
  readonly #known = new Set<string>();
  #inFlight = 0;
  #plainInFlight = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** A delivery that is known already is left alone. */
  add(delivery: Delivery, now: Instant): void {
    if (this.#known.has(delivery.id)) return;
    this.#known.add(delivery.id);
    this.#put(delivery, now);
  }

  /** The next one that is due and has a place; it is in flight from then on. */
  take(now: Instant): Delivery | null {
    this.#ripen(now);
    const first = this.#ready.at(0);
    if (first === undefined || this.#inFlight >= IN_FLIGHT) return null;
    // Priority 0 sorts first: where the first is plain, nothing urgent waits.
    if (isPlain(first) && this.#plainInFlight >= IN_FLIGHT_PLAIN) return null;
    this.#ready.delete(byPrecedence(first));
    this.#inFlight += 1;
    if (isPlain(first)) this.#plainInFlight += 1;
    return first;
  }

  /** An attempt has ended: `next` is the delivery as it waits now, null when it waits no more. */
  ended(delivery: Delivery, next: Delivery | null, now: Instant): void {
    this.#inFlight -= 1;
    if (isPlain(delivery)) this.#plainInFlight -= 1;
    if (next === null) this.#known.delete(delivery.id);
    else this.#put(next, now);
  }

  /** True where something due waits for a free slot. */
  isReady(now: Instant): boolean {
    this.#ripen(now);
    return this.#ready.length > 0;
  }

  /** The earliest that is due later. */
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
