/** How every alert begins: folded into the open one of the same subject, or made whole with all that it refers to. [decisions 5] */
import type { AlertType } from '../../contract/enumerations.ts';
import type { AlertDetails } from '../../contract/resources.ts';
import type { Change } from '../changes.ts';
import { shownLocation, zoneAt } from '../privacy/places.ts';
import { unveils } from '../privacy/veil.ts';
import type { Stamp } from '../stamp.ts';
import type { Alert, Device, Telemetry, TimelineEntry, Worker } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { ALERT_KINDS } from './catalogue.ts';
import { nearbyOf } from './nearby.ts';
import { deviceSnapshot, workerSnapshot } from './snapshots.ts';
import { MAX_TIMELINE, withLine } from './timeline.ts';

export interface Cause {
  readonly type: AlertType;
  readonly details: AlertDetails;
  readonly worker: Worker;
  readonly device: Device;
  /** What the alert's id is made of: the message or the due moment that raised it. */
  readonly from: readonly (string | number)[];
  readonly what: string;
  /** What the watch tells with the very message that raises the alert; default: what it told last. */
  readonly telemetry?: Telemetry;
}

/** Names the one open alert of a worker and type. */
export const subjectOf = (workerId: string, type: AlertType): string => `${type}/${workerId}`;

/** The open alert with a further line, or a new alert. Also says which alert it is. */
export function raise(world: World, stamp: Stamp, cause: Cause): { changes: Change[]; alertId: string } {
  const subject = subjectOf(cause.worker.id, cause.type);
  const openId = world.indexes.openAlertId(subject);
  const line: TimelineEntry = { at: stamp.now, what: cause.what, by: cause.worker.name, reason: null, note: null };
  if (openId !== undefined) {
    const open = world.need('alert', openId);
    return { changes: [{ kind: 'alert-changed', alert: withLine(open, line), event: null }], alertId: openId };
  }
  const alert = newAlert(world, stamp, cause, subject, line);
  return { changes: [{ kind: 'alert-raised', alert }], alertId: alert.id };
}

function newAlert(world: World, stamp: Stamp, cause: Cause, subject: string, line: TimelineEntry): Alert {
  const { type, worker, device } = cause;
  const kind = ALERT_KINDS[type];
  const site = world.need('site', device.siteId);
  const telemetry = cause.telemetry ?? world.telemetry(device.id);
  const { fix } = telemetry;
  const shown = unveils(site, kind.severity);
  const zone = fix === null || !(shown || kind.namesItsZone) ? null : zoneAt(world, site, fix);
  return {
    id: stamp.id('alert', type, ...cause.from),
    organizationId: site.organizationId,
    type,
    severity: kind.severity,
    status: 'unacknowledged',
    createdAt: stamp.now,
    modifiedAt: stamp.now,
    site: { id: site.id, name: site.name },
    zone: zone === null ? null : { id: zone.id, name: zone.name },
    worker: workerSnapshot(worker),
    device: deviceSnapshot(world, device, telemetry),
    location: fix !== null && shown ? shownLocation(world, site, fix) : null,
    locationWithheld: fix !== null && !shown,
    details: cause.details,
    nearby: kind.tellsNearby ? nearbyOf(world, site, worker, fix, stamp.now) : [],
    vehicleWarnings: [],
    workerAcknowledgedAt: null,
    acknowledged: null,
    resolved: null,
    assignedTo: null,
    subject,
    timeline: [line].slice(0, MAX_TIMELINE),
  };
}
