/** The people within 100 m of a critical alert: distances only, without people in a privacy zone. [spec 2 Nearby, decisions 4, 5] */

import { distance } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { hidingZone, pointOf } from '../privacy/places.ts';
import type { NearbyEntry, Site, Worker } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';
import { workerSnapshot } from './snapshots.ts';

const RADIUS_M = 100;
const MAX_AGE_MS = 2 * 60_000;

/** The nearest first. Empty for a person in a privacy zone, since distances would reveal the place. */
export function nearbyOf(world: World, site: Site, alerted: Worker, fix: Fix | null, now: Instant): NearbyEntry[] {
  if (fix === null || hidingZone(world, site, fix) !== null) return [];
  const centre = pointOf(site, fix);
  const found: (NearbyEntry & { exactM: number })[] = [];
  for (const worker of world.indexes.workersOfSite.of(site.id).values()) {
    if (worker.id === alerted.id || !worker.isActive || worker.deviceId === null) continue;
    const theirs = world.telemetry(worker.deviceId).fix;
    if (theirs === null || now - theirs.at > MAX_AGE_MS) continue;
    const exactM = distance(centre, pointOf(site, theirs));
    if (exactM >= RADIUS_M || hidingZone(world, site, theirs) !== null) continue;
    const vehicle = theirs.inVehicle ? vehicleOf(world, worker.id) : null;
    found.push({
      kind: theirs.inVehicle ? 'vehicle' : 'person',
      worker: workerSnapshot(worker),
      vehicleType: vehicle?.type ?? null,
      distanceM: Math.floor(exactM),
      reportedAt: theirs.at,
      exactM,
    });
  }
  found.sort((a, b) => a.exactM - b.exactM || (a.worker.id < b.worker.id ? -1 : 1));
  return found.map(({ exactM: _, ...entry }) => entry);
}

function vehicleOf(world: World, driverId: string) {
  for (const vehicle of world.all('vehicle')) if (vehicle.driverId === driverId) return vehicle;
  return null;
}
