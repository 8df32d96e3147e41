/** The events of the last commits: which deliveries they made, and the bytes that these carry. */
import { assert } from '../base/assert.ts';
import type { Instant } from '../base/clock.ts';
import { parseInstant } from '../base/instants.ts';
import type { Event } from '../contract/events.ts';
import type { Delivery, EventRecord } from '../domain/world/documents.ts';
import { timeKey } from '../domain/world/indexes.ts';
import type { World } from '../domain/world/world.ts';
import type { Store } from '../engine/store-port.ts';

/** Bodies kept in memory for their first attempt; what is older is read from the store. */
const MAX_TOLD = 1_000;

const PRIORITIES = [0, 1, 2] as const satisfies readonly Delivery['priority'][];

/** What an attempt needs of its event. */
export type Told = Pick<EventRecord, 'id' | 'type' | 'objectId' | 'body'>;

export class EventsTold {
  readonly #store: Pick<Store, 'event'>;
  readonly #told = new Map<string, Told>();

  constructor(store: Pick<Store, 'event'>) {
    this.#store = store;
  }

  /**
   * The deliveries that a committed event made: its notice follows the commit, so the index holds them all by then.
   * The index is asked by key, so a backlog costs nothing.
   */
  hear(world: World, event: Event): Delivery[] {
    const at = parseInstant(event.created_at) as Instant;
    const found: Delivery[] = [];
    for (const { id } of world.all('destination')) found.push(...deliveriesOf(world, id, event.id, at));
    if (found.length > 0) this.#keep(event);
    return found;
  }

  /** From memory, else from the store. */
  async find(eventId: string): Promise<Told> {
    const told = this.#told.get(eventId) ?? (await this.#store.event(eventId));
    // Both were written in one transaction, and events outlive deliveries by 29 days.
    assert(told !== null, () => `A delivery waits for the event ${eventId}, which is not in the store.`);
    return told;
  }

  #keep(event: Event): void {
    const object = 'alert' in event.data ? event.data.alert : event.data.muster;
    // The same object makes the same text, so these are the bytes of the stored record.
    this.#told.set(event.id, { id: event.id, type: event.type, objectId: object.id, body: JSON.stringify(event) });
    if (this.#told.size > MAX_TOLD) this.#told.delete(this.#told.keys().next().value as string);
  }
}

/** The index is in the order of (priority, time of the event, id of the delivery). */
function deliveriesOf(world: World, destinationId: string, eventId: string, at: Instant): Delivery[] {
  const waiting = world.indexes.waitingOfDestination.of(destinationId);
  const found: Delivery[] = [];
  for (const priority of PRIORITIES) {
    let place = waiting.lowerBound(`${priority}/${timeKey(at, '')}`);
    for (let next = waiting.at(place); next?.eventAt === at && next.priority === priority; next = waiting.at(++place))
      if (next.eventId === eventId) found.push(next);
  }
  return found;
}
