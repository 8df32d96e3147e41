/** One event: the record of the log, rendered at that instant, and a delivery for each destination that gets it. [spec 6] */
import type { Instant } from '../base/clock.ts';
import { formatInstant } from '../base/instants.ts';
import { API_VERSION, type EventType } from '../contract/enumerations.ts';
import type { Event } from '../contract/events.ts';
import type { Change, Stamp } from './changes.ts';
import { subscribes } from './deliveries/subscription.ts';
import type { Effect } from './effects.ts';
import type { Delivery, Destination, EventRecord } from './world/documents.ts';
import { nextEventAt } from './world/organization-clock.ts';
import type { World } from './world/world.ts';

/**
 * Where simulated time went back, an event's `created_at` may lie hours ahead (it strictly increases all the same). Its first
 * attempt does not wait for that. In a burst it lies a millisecond ahead for each event, which the attempt keeps to.
 */
const MOST_AHEAD_MS = 1_000;

export interface Occurrence {
  readonly type: EventType;
  readonly organizationId: string;
  readonly siteId: string;
  readonly objectId: string;
  /** The contractor of the worker concerned; null: visible to all clients of the company. */
  readonly contractor: string | null;
  /** When it occurred. */
  readonly at: Instant;
  /** The object exactly as the matching GET shows it now. [spec 2 Event] */
  readonly data: Event['data'];
  readonly priority: Delivery['priority'];
  /** Beside the event types, which are looked at here. */
  readonly goesTo: (destination: Destination) => boolean;
}

export function occur(world: World, stamp: Stamp, occurrence: Occurrence): { changes: Change[]; effects: Effect[] } {
  const { type, organizationId, siteId, objectId, contractor } = occurrence;
  const createdAt = nextEventAt(world, organizationId, occurrence.at);
  const event = {
    id: stamp.id('event', type, objectId, createdAt),
    type,
    api_version: API_VERSION,
    created_at: formatInstant(createdAt),
    organization_id: organizationId,
    site_id: siteId,
    data: occurrence.data,
  } as Event;
  const record: EventRecord = {
    ...{ id: event.id, type, organizationId, siteId, objectId, contractor, createdAt },
    body: JSON.stringify(event),
    listed: true,
  };
  const changes: Change[] = [{ kind: 'event-occurred', record }];
  for (const destination of world.all('destination'))
    if (
      destination.organizationId === organizationId &&
      destination.isActive &&
      subscribes(destination, type) &&
      occurrence.goesTo(destination)
    )
      changes.push({ kind: 'delivery-queued', delivery: deliveryOf(record, destination, occurrence.priority, stamp) });
  const notice = { kind: 'event-occurred', at: formatInstant(stamp.now), event, listed: true } as const;
  return { changes, effects: [{ kind: 'notice', notice }] };
}

export function deliveryOf(
  record: EventRecord,
  destination: Destination,
  priority: Delivery['priority'],
  stamp: Stamp,
): Delivery {
  return {
    id: stamp.id('delivery', record.id, destination.id),
    eventId: record.id,
    eventType: record.type,
    destinationId: destination.id,
    priority,
    eventAt: record.createdAt,
    slot: 0,
    due: Math.min(record.createdAt, stamp.now + MOST_AHEAD_MS),
    tries: 0,
    state: 'waiting',
    lastStatus: null,
  };
}
