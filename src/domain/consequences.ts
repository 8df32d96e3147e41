/** What follows from a change: events with their deliveries, downlinks and notices. Rendered at that instant, by the views. [spec 6] */
import { formatInstant } from '../base/instants.ts';
import type { EventType } from '../contract/enumerations.ts';
import { API_VERSION } from '../contract/enumerations.ts';
import type { Event } from '../contract/events.ts';
import { clientOf, unscopedViewer, viewerOf } from './access/viewer.ts';
import type { Change } from './changes.ts';
import { clientSees, passesFilters, priorityOf, subscribes } from './deliveries/subscription.ts';
import { testAlert } from './deliveries/test-event.ts';
import type { Effect } from './effects.ts';
import type { Stamp } from './stamp.ts';
import { type Addresses, alertView } from './views/alert.ts';
import { destinationView } from './views/destination.ts';
import type { Alert, Delivery, Destination, EventRecord } from './world/documents.ts';
import type { World } from './world/world.ts';

export interface Consequences {
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}

const NOTHING: Consequences = { changes: [], effects: [] };

export function consequences(world: World, change: Change, stamp: Stamp, addresses: Addresses): Consequences {
  const at = formatInstant(stamp.now);
  switch (change.kind) {
    case 'alert-raised':
      return alertTold(world, change.alert, 'alert.created', stamp, addresses);
    case 'alert-changed':
      return alertTold(world, change.alert, change.event, stamp, addresses);
    case 'prompt-opened': {
      const { id, deviceId, until } = change.prompt;
      return only({
        kind: 'downlink',
        deviceId,
        payload: { kind: 'prompt', fall_id: id, until: formatInstant(until) },
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
      return only(notice({ kind: 'destination-changed', at, organization_id: organizationId, destination }));
    }
    case 'destination-deleted':
      return only(notice({ kind: 'destination-deleted', at, destination_id: change.destinationId }));
    case 'destination-tested':
      return tested(world, change.destination, change.nonce, stamp, addresses);
    case 'prompt-closed':
    case 'device-changed':
    case 'telemetry-heard':
    case 'uplink-heard':
    case 'token-issued':
    case 'token-ended':
    case 'contract-changed':
    case 'site-changed':
    case 'worker-changed':
    case 'permit-changed':
    case 'stay-begun':
    case 'stay-ended':
    case 'warning-acknowledged':
    case 'warning-forgotten':
    case 'unveiled':
    case 'event-occurred':
    case 'delivery-queued':
    case 'delivery-settled':
      return NOTHING;
  }
}

const only = (...effects: Effect[]): Consequences => ({ changes: [], effects });
const notice = (told: Extract<Effect, { kind: 'notice' }>['notice']): Effect => ({ kind: 'notice', notice: told });

/** The event (if any), its deliveries, the worker's watch, and those who watch. */
function alertTold(
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
  const createdAt = Math.max(stamp.now, (world.get('siteClock', alert.site.id)?.lastEventAt ?? 0) + 1);
  const event: Event = {
    id: stamp.id('event', type, alert.id, createdAt),
    type,
    api_version: API_VERSION,
    created_at: formatInstant(createdAt),
    organization_id: alert.organizationId,
    site_id: alert.site.id,
    data: { alert: alertView(alert, viewerOf(client), addresses) },
  } as Event;
  const record: EventRecord = {
    id: event.id,
    type,
    organizationId: alert.organizationId,
    siteId: alert.site.id,
    objectId: alert.id,
    contractor: alert.worker === null ? null : (alert.worker.contractor ?? ''),
    createdAt,
    body: JSON.stringify(event),
    listed: true,
  };
  effects.push(notice({ kind: 'event-occurred', at, event, listed: true }));
  const deliveries: Change[] = [];
  if (clientSees(client, alert))
    for (const destination of world.all('destination'))
      if (destination.organizationId === alert.organizationId && wants(destination, type, alert))
        deliveries.push({ kind: 'delivery-queued', delivery: deliveryOf(record, destination, alert, stamp) });
  return { changes: [{ kind: 'event-occurred', record }, ...deliveries], effects };
}

const wants = (destination: Destination, type: EventType, alert: Alert): boolean =>
  destination.isActive && subscribes(destination, type) && passesFilters(destination, alert);

function deliveryOf(record: EventRecord, destination: Destination, alert: Alert | null, stamp: Stamp): Delivery {
  return {
    id: stamp.id('delivery', record.id, destination.id),
    eventId: record.id,
    eventType: record.type,
    destinationId: destination.id,
    priority: priorityOf(record.type, alert),
    eventAt: record.createdAt,
    slot: 0,
    due: record.createdAt,
    tries: 0,
    state: 'waiting',
    lastStatus: null,
  };
}

/** What the control room did, or that there is now something to acknowledge. [watch-protocol] */
const shownOnWatch = ({ id, type, status, acknowledged, resolved }: Alert) =>
  ({
    kind: 'alert',
    alert_id: id,
    type,
    status,
    by: status === 'resolved' ? (resolved?.by ?? null) : (acknowledged?.by ?? null),
  }) as const;

/** At each birth the service sends the watch its open prompts and its open alerts. [watch-protocol] */
function greeting(world: World, deviceId: string): Consequences {
  const effects: Effect[] = [{ kind: 'greet', deviceId }];
  for (const prompt of world.all('prompt'))
    if (prompt.deviceId === deviceId)
      effects.push({
        kind: 'downlink',
        deviceId,
        payload: { kind: 'prompt', fall_id: prompt.id, until: formatInstant(prompt.until) },
      });
  const device = world.need('device', deviceId);
  if (device.workerId !== null)
    for (const alert of world.indexes.openAlertsOfWorker.of(device.workerId).values())
      effects.push({ kind: 'downlink', deviceId, payload: shownOnWatch(alert) });
  return { changes: [], effects };
}

/** One event to one destination alone, whatever it subscribed to; in no log. [spec 4 Test, decisions 7] */
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
  };
  const delivery = { ...deliveryOf(record, destination, null, stamp), priority: 0 } as const;
  return {
    changes: [
      { kind: 'event-occurred', record },
      { kind: 'delivery-queued', delivery },
    ],
    effects: [notice({ kind: 'event-occurred', at: formatInstant(stamp.now), event, listed: false })],
  };
}
