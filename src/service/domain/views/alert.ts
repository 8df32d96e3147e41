/** The Alert as a viewer may see it. The API, the event log and the webhooks all use it. [spec 2 Alert] */
import { formatInstant } from '../../../base/time/instants.ts';
import { ALERT_KINDS } from '../../../contract/resources/alert-kinds.ts';
import type { Alert as AlertResource } from '../../../contract/resources.ts';
import { seesContractor, type Viewer } from '../access/viewer.ts';
import type { Alert } from '../world/documents.ts';
import { deviceRef, location, time, workerRef } from './references.ts';

export interface Addresses {
  /** The panel URL without a final slash. */
  readonly panelUrl: string;
}

/** Older alerts do not contain the ids of the workers nearby. Simulated time. [spec 2 Nearby, decisions 5] */
const NEARBY_IDS_SINCE = Date.UTC(2026, 8, 24);

export function alertView(alert: Alert, viewer: Viewer, { panelUrl }: Addresses): AlertResource {
  const hasIds = alert.createdAt >= NEARBY_IDS_SINCE;
  const view = {
    id: alert.id,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    title: titleOf(alert, viewer),
    date_created: formatInstant(alert.createdAt),
    date_last_modified: formatInstant(alert.modifiedAt),
    site: { id: alert.site.id, name: alert.site.name },
    zone: alert.zone === null ? null : { id: alert.zone.id, name: alert.zone.name },
    worker: alert.worker === null ? null : workerRef(alert.worker, viewer),
    device: alert.device === null ? null : deviceRef(alert.device),
    location: alert.location === null ? null : location(alert.location),
    location_withheld: alert.locationWithheld,
    details: alert.details,
    nearby: alert.nearby
      .filter(({ worker }) => seesContractor(viewer, worker.contractor))
      .map(({ kind, worker, vehicleType, distanceM, reportedAt }) => ({
        kind,
        worker: hasIds ? workerRef(worker, viewer) : { ...workerRef(worker, viewer), id: null },
        vehicle_type: vehicleType,
        distance_m: distanceM,
        reported_at: formatInstant(reportedAt),
      })),
    vehicle_warnings: alert.vehicleWarnings.map(({ at, vehicleType, distanceM, workerAcknowledgedAt }) => ({
      at: formatInstant(at),
      vehicle_type: vehicleType,
      distance_m: distanceM,
      worker_acknowledged_at: time(workerAcknowledgedAt),
    })),
    worker_acknowledged_at: time(alert.workerAcknowledgedAt),
    acknowledged:
      alert.acknowledged === null ? null : { at: formatInstant(alert.acknowledged.at), by: alert.acknowledged.by },
    resolved:
      alert.resolved === null
        ? null
        : { at: formatInstant(alert.resolved.at), by: alert.resolved.by, note: alert.resolved.note },
    assigned_to: alert.assignedTo,
    // Every alert of a sandbox is simulated. [decisions 5]
    simulated: true,
    panel_url: `${panelUrl}/alerts/${alert.id}`,
  };
  return view;
}

/** "<Type>: <who> in <zone>", without the parts that are absent; site-wide: "<Type> at <site>". [decisions 5] */
export function titleOf(alert: Alert, viewer: Viewer): string {
  const { words, siteWide } = ALERT_KINDS[alert.type];
  if (siteWide) return `${words} at ${alert.site.name}`;
  const who = alert.worker === null ? null : viewer.names ? alert.worker.name : alert.worker.externalId;
  const place = alert.zone === null ? '' : ` in ${alert.zone.name}`;
  return who === null ? `${words}${place}` : `${words}: ${who}${place}`;
}
