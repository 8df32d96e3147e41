/** The effects of a change: events (a record in the log, and a delivery for each destination that gets it), downlinks and notices. The views render them at that instant. [spec 6] */

import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { API_VERSION, type EventType } from '../../contract/enumerations.ts';
import type { Event } from '../../contract/events.ts';
import { clientOf, seesEvent, unscopedViewer, viewerOf } from './access/viewer.ts';
import type { Change, ChangeOf, Stamp } from './changes.ts';
import { getsAlert, getsMuster, priorityOf, subscribes } from './deliveries/subscription.ts';
import { testAlert } from './deliveries/test-event.ts';
import type { Effect } from './effects.ts';
import { musterForWatches } from './musters/for-watches.ts';
import { type Addresses, alertView } from './views/alert.ts';
import { destinationView } from './views/destination.ts';
import { musterView } from './views/muster.ts';
import type { Alert, Delivery, Destination, EventRecord } from './world/documents.ts';
import { nextEventAt } from './world/organization-clock.ts';
import type { World } from './world/world.ts';

interface Consequences {
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}

/** One object for all silent changes: a position makes one for every message of every watch. */
const NOTHING: Consequences = { changes: [], effects: [] };

export function consequences(world: World, change: Change, stamp: Stamp, addresses: Addresses): Consequences {
  switch (change.kind) {
    // The alert as it was applied, with its assigned `modifiedAt`.
    case 'alert-raised':
      return alertConsequences(world, world.need('alert', change.alert.id), 'alert.created', stamp, addresses);
    case 'alert-changed':
      return alertConsequences(world, world.need('alert', change.alert.id), change.event, stamp, addresses);
    case 'alert-noted':
      return alertConsequences(world, world.need('alert', change.alert.id), null, stamp, addresses);
    case 'prompt-opened': {
      const { deviceId, until } = change.prompt;
      return only({
        kind: 'downlink',
        deviceId,
        payload: { kind: 'prompt', fall_id: change.prompt.fallId, until: formatInstant(until) },
      });
    }
    case 'vehicle-warned': {
      const { id, deviceId, vehicleType, distanceM } = change.warning;
      const payload = { kind: 'vehicle', warning_id: id, vehicle_type: vehicleType, distance_m: distanceM } as const;
      return only({ kind: 'downlink', deviceId, payload });
    }
    case 'watch-born':
      return greeting(world, change.deviceId);
    case 'destination-created':
    case 'destination-changed': {
      const { organizationId } = change.destination;
      const destination = destinationView(change.destination);
      const at = formatInstant(stamp.now);
      return only(notice({ kind: 'destination-changed', at, organization_id: organizationId, destination }));
    }
    case 'destination-deleted':
      return only(
        notice({ kind: 'destination-deleted', at: formatInstant(stamp.now), destination_id: change.destinationId }),
      );
    case 'destination-tested':
      return tested(world, change.destination, change.nonce, stamp, addresses);
    case 'muster-changed':
      return musterConsequences(world, change, stamp);
    case 'prompt-closed':
    case 'device-changed':
    case 'telemetry-heard':
    case 'uplink-heard':
    case 'token-issued':
    case 'token-ended':
    case 'contract-changed':
    case 'site-changed':
    case 'plant-joined':
    case 'plant-cleared':
    case 'guest-left':
    case 'worker-changed':
    case 'permit-changed':
    case 'stay-begun':
    case 'stay-ended':
    case 'warning-acknowledged':
    case 'warning-forgotten':
    case 'unveiled':
    case 'expected-changed':
    // Records for the time after a muster are not published: the panel requests them. [decisions 6]
    case 'course-drawn':
    case 'roll-closed':
    case 'event-occurred':
    case 'delivery-queued':
    case 'delivery-settled':
    case 'delivery-lost':
    case 'mail-kept':
      return NOTHING;
  }
}

const only = (...effects: Effect[]): Consequences => ({ changes: [], effects });
const notice = (content: Extract<Effect, { kind: 'notice' }>['notice']): Effect => ({
  kind: 'notice',
  notice: content,
});

/** The event (if any), its deliveries, the message to the worker's watch, and the notice. */
function alertConsequences(
  world: World,
  alert: Alert,
  type: EventType | null,
  stamp: Stamp,
  addresses: Addresses,
): Consequences {
  const at = formatInstant(stamp.now);
  const view = alertView(alert, unscopedViewer(world, { id: alert.organizationId }), addresses);
  const effects: Effect[] = [notice({ kind: 'alert-changed', at, organization_id: alert.organizationId, alert: view })];
  if (alert.device !== null && type !== null)
    effects.push({ kind: 'downlink', deviceId: alert.device.id, payload: shownOnWatch(alert) });
  if (alert.device !== null && type === 'alert.created' && alert.type === 'heat_stress')
    effects.push({ kind: 'downlink', deviceId: alert.device.id, payload: { kind: 'rest', alert_id: alert.id } });
  if (type === null) return { changes: [], effects };
  const client = clientOf(world, alert.organizationId);
  const occurred = occur(world, stamp, {
    type,
    organizationId: alert.organizationId,
    siteId: alert.site.id,
    objectId: alert.id,
    contractor: alert.worker === null ? null : (alert.worker.contractor ?? ''),
    at: stamp.now,
    // The same object if both views are equal: the newest ones are kept in memory for a while.
    data: { alert: client.contractors === null ? view : alertView(alert, viewerOf(client), addresses) },
    priority: priorityOf(type, alert),
    goesTo: (destination) => getsAlert(destination, client, alert),
  });
  return { changes: occurred.changes, effects: [...effects, ...occurred.effects] };
}

/** What the watch shows: an action of the control room, or that there is an alert to acknowledge. [watch-protocol] */
const shownOnWatch = ({ id, type, status, acknowledged, resolved }: Alert) =>
  ({
    kind: 'alert',
    alert_id: id,
    type,
    status,
    by: status === 'resolved' ? (resolved?.by ?? null) : (acknowledged?.by ?? null),
  }) as const;

/** At each birth the service sends the watch its open prompts and its open alerts; its configuration is retained by the broker. [watch-protocol] */
function greeting(world: World, deviceId: string): Consequences {
  const effects: Effect[] = [];
  for (const prompt of world.all('prompt'))
    if (prompt.deviceId === deviceId)
      effects.push({
        kind: 'downlink',
        deviceId,
        payload: { kind: 'prompt', fall_id: prompt.fallId, until: formatInstant(prompt.until) },
      });
  const device = world.need('device', deviceId);
  if (device.workerId !== null)
    for (const alert of world.indexes.openAlertsOfWorker.of(device.workerId).values())
      effects.push({ kind: 'downlink', deviceId, payload: shownOnWatch(alert) });
  return { changes: [], effects };
}

/** One event to one destination only, whatever its subscriptions; it is in no log. [spec 4 Test, decisions 7] */
function tested(
  world: World,
  destination: Destination,
  nonce: string,
  stamp: Stamp,
  addresses: Addresses,
): Consequences {
  const { event, siteId } = testAlert(world, destination.organizationId, nonce, stamp, addresses);
  const record: EventRecord = {
    id: event.id,
    type: 'alert.created',
    organizationId: destination.organizationId,
    siteId,
    objectId: event.data.alert.id,
    contractor: null,
    createdAt: stamp.now,
    body: JSON.stringify(event),
    listed: false,
    hidden: false,
  };
  const delivery = deliveryOf(record, destination, 0, stamp);
  return {
    changes: [
      { kind: 'event-occurred', record },
      { kind: 'delivery-queued', delivery },
    ],
    effects: [notice({ kind: 'event-occurred', at: formatInstant(stamp.now), event, listed: false })],
  };
}

// Who is notified of a muster: the event log, its destinations, the watches of the site, and the internal listeners.
// [spec 6, decisions 7]

/** Only these events change what watches show. Watches do not receive headcounts. */
const WATCHES_HEAR: ReadonlySet<string> = new Set([
  'muster.started',
  'muster.kind_changed',
  'muster.phase_changed',
  'muster.targets_changed',
  'muster.ended',
]);

function musterConsequences(
  world: World,
  { muster, events, at }: ChangeOf<'muster-changed'>,
  stamp: Stamp,
): Consequences {
  const { id, organizationId, site } = muster;
  const view = musterView(muster);
  const client = clientOf(world, organizationId);
  const now = formatInstant(stamp.now);
  // The events of one count get consecutive times, since the organization's clock moves only when they are applied.
  // [decisions 1, 6]
  const first = nextEventAt(world, organizationId, at);
  const changes: Consequences['changes'][number][] = [];
  const effects: Consequences['effects'][number][] = [
    { kind: 'notice', notice: { kind: 'muster-changed', at: now, organization_id: organizationId, muster: view } },
  ];
  events.forEach((type, place) => {
    const occurred = occur(world, stamp, {
      type,
      organizationId,
      siteId: site.id,
      objectId: id,
      // The totals of a muster are not limited to contractors. [decisions 4]
      contractor: null,
      at: first + place,
      data: { muster: view },
      priority: priorityOf(type, null),
      goesTo: (destination) => getsMuster(destination, client, muster),
    });
    changes.push(...occurred.changes);
    effects.push(...occurred.effects);
  });
  if (events.some((type) => WATCHES_HEAR.has(type)))
    effects.push({ kind: 'muster', siteId: site.id, payload: musterForWatches(world, muster) });
  return { changes, effects };
}

/**
 * If simulated time went back, an event's `created_at` may be hours ahead, since it strictly increases. The first
 * attempt does not wait for that. In a burst, `created_at` is one millisecond ahead for each event, and the attempt
 * waits for it.
 */
const MOST_AHEAD_MS = 1_000;

interface Occurrence extends Pick<EventRecord, 'type' | 'organizationId' | 'siteId' | 'objectId'> {
  /** The contractor of the worker concerned; null if the event is visible to all clients of the company. */
  readonly contractor: string | null;
  /** The instant at which it occurred. */
  readonly at: Instant;
  /** The object exactly as the matching GET returns it now. [spec 2 Event] */
  readonly data: Event['data'];
  readonly priority: Delivery['priority'];
  /** The condition for a destination, in addition to its event types, which are checked here. */
  readonly goesTo: (destination: Destination) => boolean;
}

function occur(world: World, stamp: Stamp, occurrence: Occurrence): { changes: Change[]; effects: Effect[] } {
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
    id: event.id,
    type,
    organizationId,
    siteId,
    objectId,
    contractor,
    createdAt,
    body: JSON.stringify(event),
    listed: true,
    hidden: !seesEvent(clientOf(world, organizationId), type, contractor),
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

function deliveryOf(
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
