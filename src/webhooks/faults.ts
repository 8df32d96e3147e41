/** Delivery faults of one destination: duplicates, shuffles or delays them. Delivery at least once, in any order, allows all of these. [spec 6.2, 6.3] */

import { streams } from '../base/random/streams.ts';
import type { Instant } from '../base/time/clock.ts';
import type { Delivery } from '../domain/world/documents.ts';

/** What is done to each event of a destination from now on. */
export interface DeliveryFault {
  /** How often each event is sent in all once it was accepted; 1: as it should be. */
  readonly copies: number;
  /** Upper bound of a seeded delay of the first attempt, so that events overtake each other; ms. */
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

  /** Omitted fields stay as they are. */
  set(destinationId: string, fault: Partial<DeliveryFault>): void {
    this.#byDestination.set(destinationId, { ...this.of(destinationId), ...fault });
  }

  of(destinationId: string): DeliveryFault {
    return this.#byDestination.get(destinationId) ?? NONE;
  }

  /** The delivery as it is taken up: its first attempt is due when the fault lets it. */
  delayed(delivery: Delivery, now: Instant): Delivery {
    const { shuffleMs, holdMs } = this.of(delivery.destinationId);
    if (shuffleMs + holdMs === 0 || delivery.tries > 0) return delivery;
    const drawn = shuffleMs === 0 ? 0 : streams(this.#seed).stream(delivery.eventId, 'shuffle').int(0, shuffleMs);
    return { ...delivery, due: Math.max(delivery.due, now) + holdMs + drawn };
  }
}
