/** Delivery faults of one destination: duplicates, shuffles or delays them. Delivery at least once, in any order, allows all of these. [spec 6.2, 6.3] */

import { streams } from '../../base/random/streams.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { Delivery } from '../domain/world/documents.ts';

/** The fault that is applied to each event of a destination from now on. */
export interface DeliveryFault {
  /** Total number of times that each event is sent after it was accepted; 1: normal delivery. */
  readonly copies: number;
  /** Upper limit of a seeded delay of the first attempt, with which events can overtake each other; ms. */
  readonly shuffleMs: number;
  /** Delay of the first attempt; ms. */
  readonly holdMs: number;
}

const NONE: DeliveryFault = { copies: 1, shuffleMs: 0, holdMs: 0 };

export class DeliveryFaults {
  readonly #seed: string;
  readonly #byDestination = new Map<string, DeliveryFault>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Changes the given fields; omitted fields keep their values. */
  set(destinationId: string, fault: Partial<DeliveryFault>): void {
    this.#byDestination.set(destinationId, { ...this.of(destinationId), ...fault });
  }

  of(destinationId: string): DeliveryFault {
    return this.#byDestination.get(destinationId) ?? NONE;
  }

  /** Returns the delivery with the due time of its first attempt delayed by the fault. */
  delayed(delivery: Delivery, now: Instant): Delivery {
    const { shuffleMs, holdMs } = this.of(delivery.destinationId);
    if (shuffleMs + holdMs === 0 || delivery.tries > 0) return delivery;
    const drawn = shuffleMs === 0 ? 0 : streams(this.#seed).stream(delivery.eventId, 'shuffle').int(0, shuffleMs);
    return { ...delivery, due: Math.max(delivery.due, now) + holdMs + drawn };
  }
}
