/** Sites, zones, workers, watches and positions as a viewer may see them. [spec 2, decisions 4] */
import type {
  Device as DeviceResource,
  Polygon,
  Position,
  Site as SiteResource,
  Worker as WorkerResource,
  Zone as ZoneResource,
} from '../../../contract/resources.ts';
import type { StreamSite } from '../../../contract/stream.ts';
import { seesContractor, type Viewer } from '../access/viewer.ts';
import { deviceSnapshot, workerSnapshot } from '../alerts/snapshots.ts';
import { frameOf, shownLocation } from '../privacy/places.ts';
import { lastSeenAt } from '../watches/contact.ts';
import type { Device, Site, Worker, Zone } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import type { Positioned } from './person.ts';
import { deviceRef, location, time, workerRef } from './references.ts';

export const siteView = ({ id, name, location: where, privacyMode, unveilMinSeverity }: Site): SiteResource => ({
  id,
  name,
  location: where,
  privacy_mode: privacyMode,
  unveil_min_severity: unveilMinSeverity,
});

/** The boundary of the plant, as a map shows it. */
export const boundaryView = (site: Site): Polygon => ({
  type: 'Polygon',
  coordinates: [closedRing(site, site.boundary)],
});

/** The site with everything that a map of it needs. */
export const siteMapView = (world: World, site: Site): StreamSite => ({
  ...siteView(site),
  boundary: boundaryView(site),
  wind: site.wind === null ? null : { from_deg: site.wind.fromDeg, speed_ms: site.wind.speedMs },
  zones: world.indexes.zonesOfSite
    .of(site.id)
    .values()
    .map((zone) => zoneView(site, zone)),
});

/** Privacy zones expose only name and type. [spec 2 Zone] */
export function zoneView(site: Site, { id, name, type, ring, assemblyPoint }: Zone): ZoneResource {
  return {
    id,
    name,
    type,
    geometry: type === 'privacy' ? null : { type: 'Polygon', coordinates: [closedRing(site, ring)] },
    assembly_point:
      assemblyPoint === null
        ? null
        : {
            serves: [...assemblyPoint.serves],
            elevation_m: assemblyPoint.elevationM,
            elevation_source: assemblyPoint.elevationSource,
            vertical: assemblyPoint.vertical,
            capacity: assemblyPoint.capacity,
          },
  };
}

/** A GeoJSON ring ends where it begins, and runs counter-clockwise (RFC 7946). */
function closedRing(site: Site, ring: Zone['ring']): [number, number][] {
  const frame = frameOf(site);
  let twiceArea = 0;
  ring.forEach(([x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] as readonly [number, number];
    twiceArea += x * nextY - nextX * y;
  });
  const turned = twiceArea < 0 ? [...ring].reverse() : [...ring];
  return [...turned, turned[0] as readonly [number, number]].map((point) => {
    const { latitude, longitude } = frame.toDegrees(point);
    return [longitude, latitude];
  });
}

export function workerView(world: World, worker: Worker, viewer: Viewer): WorkerResource {
  const device = worker.deviceId === null ? undefined : world.get('device', worker.deviceId);
  return {
    ...workerRef(workerSnapshot(worker), viewer),
    role: worker.role,
    is_active: worker.isActive,
    device: device === undefined ? null : deviceRef(deviceSnapshot(world, device)),
    date_last_seen: device === undefined ? null : time(lastSeenAt(world.telemetry(device.id))),
  };
}

export function deviceView(world: World, device: Device, viewer: Viewer): DeviceResource {
  const worker = device.workerId === null ? undefined : world.get('worker', device.workerId);
  return {
    ...deviceRef(deviceSnapshot(world, device)),
    model: device.model,
    status: device.status,
    worn: world.telemetry(device.id).worn,
    worker: worker === undefined ? null : workerRef(workerSnapshot(worker), viewer),
  };
}

/**
 * True if the client may see this watch. Contractor scoping follows its wearer; a watch without a wearer belongs to the
 * company itself.
 */
export function seesDevice(world: World, device: Device, viewer: Viewer): boolean {
  if (device.organizationId !== viewer.organizationId) return false;
  const worker = device.workerId === null ? undefined : world.get('worker', device.workerId);
  return worker === undefined ? viewer.contractors === null : seesContractor(viewer, worker.contractor);
}

/** The position in the form of the API. */
export const positionView = (world: World, { device, worker, site, fix }: Positioned, viewer: Viewer): Position => ({
  device_id: device.id,
  worker: workerRef(workerSnapshot(worker), viewer),
  location: location(shownLocation(world, site, fix)),
  in_vehicle: fix.inVehicle,
});
