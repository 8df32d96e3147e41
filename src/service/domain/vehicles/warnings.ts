/** Notices that a vehicle is near, for the watch and for current incident alerts. They are no alerts. [spec 2 VehicleWarning, decisions 5] */
import { distance } from '../../../base/geometry/shapes.ts';
import { type AlertDecision, changed, wearerOf } from '../alerts/raise.ts';
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { hidingZone, pointOf } from '../privacy/places.ts';
import type { Alert, Device, Vehicle, Warning } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import { freshId } from '../world/fresh-id.ts';
import type { World } from '../world/world.ts';
import { INCIDENT_WINDOW_MS, shortOf } from './recent.ts';

/** A vehicle in motion is near if its reported distance is less than this; metres. */
const NEAR_M = 15;

/** Two positions are compared only if the older one is at most this old; milliseconds. */
const FRESH_MS = 30_000;

/** Minimum interval between two warnings about the same vehicle; milliseconds. */
const AGAIN_AFTER_MS = 2 * 60_000;

/** True for alerts that list vehicle notices. */
const isIncident = ({ type }: Alert): boolean => type === 'sos' || type === 'fall_detected';

/** A vehicle is near a worker, by an action. */
export function warnOfVehicle(
  world: World,
  stamp: Stamp,
  command: CommandOf<'warn-of-vehicle'>,
): (AlertDecision & { warningId: string }) | Rejection {
  if (wearerOf(world, command.deviceId) === null) return reject('action_refused', 'Nobody wears this watch.');
  const { deviceId, vehicleType, distanceM } = command;
  return warned(world, stamp, { deviceId, vehicleId: null, vehicleType, distanceM: Math.floor(distanceM) });
}

/**
 * Notices that a new fix triggers: a vehicle passes people on foot, or a person walks up to a vehicle. For worn watches
 * only.
 */
export function judgeVehicles(world: World, stamp: Stamp, device: Device, fix: Fix): Change[] {
  const vehicles = world.indexes.vehiclesOfSite.of(device.siteId).values();
  if (vehicles.length === 0) return [];
  return fix.inVehicle ? drivesPast(world, stamp, device, fix, vehicles) : walksUp(world, stamp, device, fix, vehicles);
}

function drivesPast(world: World, stamp: Stamp, device: Device, fix: Fix, vehicles: readonly Vehicle[]): Change[] {
  const vehicle = vehicles.find(({ driverId }) => driverId === device.workerId);
  if (vehicle === undefined) return [];
  const changes: Change[] = [];
  for (const worker of world.indexes.workersOfSite.of(device.siteId).values()) {
    if (worker.id === device.workerId || !worker.isActive || worker.deviceId === null) continue;
    const theirs = world.telemetry(worker.deviceId).fix;
    if (theirs === null || theirs.inVehicle || stamp.now - theirs.at > FRESH_MS) continue;
    changes.push(...meeting(world, stamp, worker.deviceId, theirs, vehicle, fix));
  }
  return changes;
}

function walksUp(world: World, stamp: Stamp, device: Device, fix: Fix, vehicles: readonly Vehicle[]): Change[] {
  const changes: Change[] = [];
  for (const vehicle of vehicles) {
    // A driver who gets out still counts as driving until this report is applied.
    if (vehicle.driverId === device.workerId) continue;
    const driver = vehicle.driverId === null ? undefined : world.get('worker', vehicle.driverId);
    const theirs = driver?.deviceId == null ? null : world.telemetry(driver.deviceId).fix;
    if (theirs === null || !theirs.inVehicle || stamp.now - theirs.at > FRESH_MS) continue;
    changes.push(...meeting(world, stamp, device.id, fix, vehicle, theirs));
  }
  return changes;
}

/** No notice in a privacy zone, where a distance would reveal the place. [decisions 4] */
function meeting(world: World, stamp: Stamp, deviceId: string, walker: Fix, vehicle: Vehicle, driver: Fix): Change[] {
  const site = world.need('site', vehicle.siteId);
  const apart = distance(pointOf(site, walker), pointOf(site, driver));
  if (apart >= NEAR_M) return [];
  const isWarned = world.indexes.warningsOfDevice
    .of(deviceId)
    .values()
    .some(({ vehicleId, at }) => vehicleId === vehicle.id && stamp.now - at < AGAIN_AFTER_MS);
  if (isWarned || hidingZone(world, site, walker) !== null || hidingZone(world, site, driver) !== null) return [];
  const { id: vehicleId, type: vehicleType } = vehicle;
  return [...warned(world, stamp, { deviceId, vehicleId, vehicleType, distanceM: Math.floor(apart) }).changes];
}

function warned(
  world: World,
  stamp: Stamp,
  what: Pick<Warning, 'deviceId' | 'vehicleId' | 'vehicleType' | 'distanceM'>,
): AlertDecision & { warningId: string } {
  const { deviceId, vehicleId, vehicleType } = what;
  const id = freshId(world, stamp, 'warning', deviceId, vehicleId ?? vehicleType ?? '', stamp.now);
  const warning: Warning = { ...what, id, at: stamp.now, workerAcknowledgedAt: null };
  const changes: Change[] = [{ kind: 'vehicle-warned', warning }];
  for (const old of world.indexes.warningsOfDevice.of(deviceId).values())
    if (stamp.now - old.at > INCIDENT_WINDOW_MS) changes.push({ kind: 'warning-forgotten', warningId: old.id });
  const alerts = incidentsOf(world, deviceId).map((alert): Change => {
    const line = { at: stamp.now, what: textOf(warning), by: null, reason: null, note: null };
    const vehicleWarnings = [...alert.vehicleWarnings, shortOf(warning)];
    return { kind: 'alert-changed', alert: changed(world, stamp.now, alert, { vehicleWarnings }, line), event: null };
  });
  return { changes: [...changes, ...alerts], warningId: id };
}

const textOf = ({ vehicleType, distanceM }: Warning): string =>
  `Vehicle near: ${vehicleType ?? 'unknown'}, ${distanceM} m`;

function incidentsOf(world: World, deviceId: string): Alert[] {
  const wearer = wearerOf(world, deviceId);
  if (wearer === null) return [];
  return world.indexes.openAlertsOfWorker.of(wearer.worker.id).values().filter(isIncident);
}

/** The wearer saw the notice; its time is the watch's clock. [watch-protocol `vehicle_ack`] */
export function acknowledgeVehicle(
  world: World,
  stamp: Stamp,
  command: CommandOf<'acknowledge-vehicle'>,
): AlertDecision {
  const warning = world.get('warning', command.warningId);
  const inAlerts = incidentsOf(world, command.deviceId).filter(({ vehicleWarnings }) =>
    vehicleWarnings.some(({ id }) => id === command.warningId),
  );
  const unknown = warning === undefined || warning.deviceId !== command.deviceId;
  if (unknown && inAlerts.length === 0) return { changes: [], dropped: 'there is no such warning' };
  if (warning?.workerAcknowledgedAt != null) return { changes: [] };
  const changes: Change[] = inAlerts.map((alert) => {
    const vehicleWarnings = alert.vehicleWarnings.map((one) =>
      one.id === command.warningId ? { ...one, workerAcknowledgedAt: command.watchTime } : one,
    );
    const line = { at: stamp.now, what: 'Acknowledged the vehicle', by: null, reason: null, note: null };
    return { kind: 'alert-changed', alert: changed(world, stamp.now, alert, { vehicleWarnings }, line), event: null };
  });
  if (!unknown)
    changes.push({ kind: 'warning-acknowledged', warning: { ...warning, workerAcknowledgedAt: command.watchTime } });
  return { changes };
}
