/** Totals of delivery attempts by destination, in memory: those in the attempt log at the start, and each attempt since then. */
import type { Engine } from './engine.ts';
import type { AttemptRecord, DeliveryTotals, Store, StoredTotals } from './store-port.ts';

const NONE: DeliveryTotals = { delivered: 0, failed: 0, lost: 0, tookMs: [] };

/** The most response times kept for one destination: enough for a 95th percentile, and small in a snapshot. */
const MOST_TOOK = 50;

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

  constructor(stored: readonly StoredTotals[]) {
    for (const { destinationId, ...totals } of stored) this.#totals.set(destinationId, totals);
  }

  of(destinationId: string): DeliveryTotals {
    return this.#totals.get(destinationId) ?? NONE;
  }

  /** Adds committed attempts. */
  take(attempts: readonly AttemptRecord[]): void {
    for (const { destinationId, outcome, tookMs } of attempts) {
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

  forget(destinationId: string): void {
    this.#totals.delete(destinationId);
  }
}
