/**
 * Totals of delivery attempts by destination, in memory: those in the attempt log at the start, and each attempt since then;
 * and the newest ended deliveries.
 */
import type { Instant } from '../../base/time/clock.ts';
import type { Engine } from './engine.ts';
import type { AttemptRecord, DeliveryTotals, Store, StoredTotals } from './store-port.ts';

const NONE: DeliveryTotals = { delivered: 0, failed: 0, lost: 0, tookMs: [] };

/** The most response times kept for one destination: enough for a 95th percentile, and small in a snapshot. */
const MOST_TOOK = 50;

/** The most ended deliveries kept: a snapshot has those of the last minute. */
const MOST_ENDED = 1_000;

/** The last attempt of a delivery that has ended. */
export type EndedDelivery = Pick<
  AttemptRecord,
  'deliveryId' | 'eventId' | 'eventType' | 'destinationId' | 'tryNumber' | 'at' | 'tookMs' | 'status' | 'error'
> & { readonly outcome: 'delivered' | 'lost' };

/**
 * Reads the log, then follows the engine. It must be called before the engine starts, so that no attempt is missed or
 * counted twice.
 */
export async function followDeliveries(engine: Engine, store: Store): Promise<DeliveryLedger> {
  const ledger = new DeliveryLedger(await store.attemptTotals(MOST_TOOK));
  engine.listen({
    committed: ({ attempts, touched }) => {
      ledger.take(attempts);
      for (const { kind, id, after } of touched) if (kind === 'destination' && after === undefined) ledger.forget(id);
    },
  });
  return ledger;
}

export class DeliveryLedger {
  readonly #totals = new Map<string, DeliveryTotals>();
  /** By the delivery's id, the oldest first. */
  readonly #ended = new Map<string, EndedDelivery>();

  constructor(stored: readonly StoredTotals[]) {
    for (const { destinationId, ...totals } of stored) this.#totals.set(destinationId, totals);
  }

  of(destinationId: string): DeliveryTotals {
    return this.#totals.get(destinationId) ?? NONE;
  }

  /** The deliveries that ended after that time, the newest first. */
  endedSince(after: Instant): EndedDelivery[] {
    return [...this.#ended.values()].filter(({ at }) => at > after).reverse();
  }

  /** Adds committed attempts. */
  take(attempts: readonly AttemptRecord[]): void {
    for (const attempt of attempts) {
      const { destinationId, outcome, tookMs } = attempt;
      this.#follow(attempt);
      const before = this.of(destinationId);
      const isDelivered = outcome === 'delivered';
      this.#totals.set(destinationId, {
        delivered: before.delivered + (isDelivered ? 1 : 0),
        failed: before.failed + (isDelivered ? 0 : 1),
        lost: before.lost + (outcome === 'lost' ? 1 : 0),
        tookMs: isDelivered ? [...before.tookMs, tookMs].slice(-MOST_TOOK) : before.tookMs,
      });
    }
  }

  #follow({ outcome, ...attempt }: AttemptRecord): void {
    const { deliveryId, eventId, eventType, destinationId, tryNumber, at, tookMs, status, error } = attempt;
    this.#ended.delete(deliveryId);
    if (outcome === 'failed') return;
    const ended = { deliveryId, eventId, eventType, destinationId, tryNumber, at, tookMs, status, error, outcome };
    this.#ended.set(deliveryId, ended);
    if (this.#ended.size > MOST_ENDED) this.#ended.delete(this.#ended.keys().next().value as string);
  }

  forget(destinationId: string): void {
    this.#totals.delete(destinationId);
  }
}
