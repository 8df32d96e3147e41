/** How an alert begins: merged into the open alert of the same subject, or created with all its references. Also the timeline. [decisions 5] */

import type { Instant } from '../../../base/time/clock.ts';
import type { AlertType } from '../../../contract/enumerations.ts';
import { ALERT_KINDS } from '../../../contract/resources/alert-kinds.ts';
import type { AlertDetails } from '../../../contract/resources.ts';
import type { Change, Stamp } from '../changes.ts';
import { shownLocation, unveils, zoneAt } from '../privacy/places.ts';
import { recentWarnings, shortOf } from '../vehicles/recent.ts';
import type { Alert, Device, Site, Telemetry, Worker, Zone } from '../world/documents.ts';
import type { TimelineEntry } from '../world/embedded.ts';
import { freshId } from '../world/fresh-id.ts';
import type { World } from '../world/world.ts';
import { nearbyOf } from './nearby.ts';
import { deviceSnapshot, refreshed, workerSnapshot } from './snapshots.ts';

interface AnyCause {
  readonly type: AlertType;
  readonly details: AlertDetails;
  /** The parts of which the alert's id is made: the message or the due instant that raised it. */
  readonly from: readonly (string | number)[];
  readonly what: string;
  /** The actor in the timeline; default: the worker. */
  readonly by?: string;
}

/** Something that happened to a person. */
export interface Cause extends AnyCause {
  readonly worker: Worker;
  readonly device: Device;
  /** A type has at most one open alert about the same subject; default: the worker. */
  readonly subject?: string;
  /** The zone that the alert is about; default: the zone where the person is. */
  readonly zone?: Zone;
  /** The telemetry of the message that raises the alert; default: the latest. */
  readonly telemetry?: Telemetry;
}

/** Something that happened to the whole plant. */
interface PlantCause extends AnyCause {
  readonly site: Site;
}

type Raised = { changes: Change[]; alertId: string; joined?: boolean };

/** Names the one open alert of a type about a worker, a worker in a zone, a permit or a site. */
export const subjectOf = (about: string, type: AlertType): string => `${type}/${about}`;

/** Adds a line to the open alert, or raises a new one. Returns the changes and the alert's id. */
export function raise(world: World, stamp: Stamp, cause: Cause): Raised {
  const subject = subjectOf(cause.subject ?? cause.worker.id, cause.type);
  return folded(world, stamp, cause, subject, cause.by ?? cause.worker.name, (line) =>
    personal(world, stamp, cause, subject, line),
  );
}

/** The same for the whole plant: no worker, no device, no location. [spec 2 AlertType] */
export function raiseSiteWide(world: World, stamp: Stamp, cause: PlantCause): Raised {
  const subject = subjectOf(cause.site.id, cause.type);
  return folded(world, stamp, cause, subject, cause.by ?? null, (line) => ({
    ...bare(world, stamp, cause, cause.site, subject, line),
    ...OF_NOBODY,
  }));
}

function folded(
  world: World,
  stamp: Stamp,
  cause: AnyCause,
  subject: string,
  by: string | null,
  make: (line: TimelineEntry) => Alert,
): Raised {
  const line: TimelineEntry = { at: stamp.now, what: cause.what, by, reason: null, note: null };
  const openId = world.indexes.openAlertId(subject);
  if (openId !== undefined) {
    const open = world.need('alert', openId);
    return { changes: [{ kind: 'alert-noted', alert: withLine(open, line) }], alertId: openId, joined: true };
  }
  const alert = make(line);
  return { changes: [{ kind: 'alert-raised', alert }], alertId: alert.id };
}

/** What an alert has that concerns no single worker. [spec 2 AlertType] */
export const OF_NOBODY = {
  zone: null,
  worker: null,
  device: null,
  location: null,
  locationWithheld: false,
  nearby: [],
  vehicleWarnings: [],
} as const satisfies Partial<Alert>;

/** What an alert has before anybody reacts to it. */
export const UNTOUCHED = {
  status: 'unacknowledged',
  workerAcknowledgedAt: null,
  acknowledged: null,
  resolved: null,
  assignedTo: null,
} as const satisfies Partial<Alert>;

const bare = (
  world: World,
  stamp: Stamp,
  cause: AnyCause,
  site: Site,
  subject: string,
  line: TimelineEntry,
): Omit<Alert, keyof typeof OF_NOBODY> => ({
  ...UNTOUCHED,
  id: freshId(world, stamp, 'alert', cause.type, ...cause.from),
  organizationId: site.organizationId,
  type: cause.type,
  severity: ALERT_KINDS[cause.type].severity,
  createdAt: stamp.now,
  modifiedAt: stamp.now,
  site: { id: site.id, name: site.name },
  details: cause.details,
  subject,
  timeline: [line],
});

function personal(world: World, stamp: Stamp, cause: Cause, subject: string, line: TimelineEntry): Alert {
  const { worker, device } = cause;
  const kind = ALERT_KINDS[cause.type];
  const site = world.need('site', device.siteId);
  const telemetry = cause.telemetry ?? world.telemetry(device.id);
  const { fix } = telemetry;
  const shown = unveils(site, kind.severity);
  const place = fix === null || !(shown || kind.namesItsZone) ? null : zoneAt(world, site, fix);
  const zone = cause.zone ?? place;
  return {
    ...bare(world, stamp, cause, site, subject, line),
    zone: zone === null ? null : { id: zone.id, name: zone.name },
    worker: workerSnapshot(worker),
    device: deviceSnapshot(world, device, telemetry),
    location: fix !== null && shown ? shownLocation(world, site, fix) : null,
    locationWithheld: fix !== null && !shown,
    nearby: kind.tellsNearby ? nearbyOf(world, site, worker, fix, stamp.now) : [],
    vehicleWarnings: kind.tellsNearby ? recentWarnings(world, device.id, stamp.now).map(shortOf) : [],
  };
}

// The wearer of a watch, and the decision about a watch's message.

export interface AlertDecision {
  readonly changes: readonly Change[];
  readonly alertId?: string;
  readonly joined?: boolean;
  /** Why the message was accepted (PUBACK) but ignored. */
  readonly dropped?: string;
}

export interface Wearer {
  readonly worker: Worker;
  readonly device: Device;
}

/** The wearer of the watch. A watch without a wearer raises no alerts. */
export function wearerOf(world: World, deviceId: string): Wearer | null {
  const device = world.need('device', deviceId);
  const worker = device.workerId === null ? undefined : world.get('worker', device.workerId);
  return worker === undefined ? null : { worker, device };
}

export const NO_WEARER: AlertDecision = { changes: [], dropped: 'the watch has no worker' };

// The timeline: who did what, when and why. The panel's page shows it; the API's Alert does not contain it.
// [spec 3, decisions 5]

/** A watch with a stuck button must not grow an alert without limit. The first lines and the last ones stay. */
export const MAX_TIMELINE = 500;

/** A line alone changes nothing that the API shows, so `date_last_modified` does not change. */
export function withLine(alert: Alert, line: TimelineEntry): Alert {
  const timeline = [...alert.timeline, line];
  if (timeline.length > MAX_TIMELINE) timeline.splice(MAX_TIMELINE / 2, 1);
  return { ...alert, timeline };
}

/** A change that the API shows, as of now: the references are read again. [decisions 5] */
export function changed(world: World, now: Instant, alert: Alert, change: Partial<Alert>, line: TimelineEntry): Alert {
  return { ...withLine(alert, line), ...refreshed(world, alert), ...change, modifiedAt: now };
}
