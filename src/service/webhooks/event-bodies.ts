/** The bodies of deliveries: those of recent events in memory, older ones from the store. [spec 6.2] */
import { assert } from '../../base/assert.ts';
import type { EventRecord } from '../domain/world/documents.ts';
import type { Store } from '../engine/store-port.ts';

/** Events kept in memory for their first attempt; older ones are read from the store. */
const MAX_EVENTS = 1_000;

/** The fields of an event that an attempt needs. */
export type DeliveredEvent = Pick<EventRecord, 'id' | 'type' | 'objectId' | 'body' | 'listed'>;

export class EventBodies {
  readonly #store: Pick<Store, 'event'>;
  readonly #recent = new Map<string, DeliveredEvent>();

  constructor(store: Pick<Store, 'event'>) {
    this.#store = store;
  }

  /** Call this only for an event with a delivery: other events would evict bodies that are about to be sent. */
  keep(event: DeliveredEvent): void {
    this.#recent.set(event.id, event);
    if (this.#recent.size > MAX_EVENTS) this.#recent.delete(this.#recent.keys().next().value as string);
  }

  async find(eventId: string): Promise<DeliveredEvent> {
    const event = this.#recent.get(eventId) ?? (await this.#store.event(eventId));
    // Both were written in one transaction, and events are kept 29 days longer than deliveries.
    assert(event !== null, () => `A delivery waits for the event ${eventId}, which is not in the store.`);
    return event;
  }
}
