/** The vehicle notices that belong to an incident: those of the 10 minutes before it. [decisions 5] */
import type { Instant } from '../../../base/time/clock.ts';
import type { Warning } from '../world/documents.ts';
import type { World } from '../world/world.ts';

/** Notices of the 10 min before an incident belong to it. [decisions 5] */
export const INCIDENT_WINDOW_MS = 10 * 60_000;

/** The oldest first. */
export const recentWarnings = (world: World, deviceId: string, now: Instant): readonly Warning[] =>
  world.indexes.warningsOfDevice
    .of(deviceId)
    .values()
    .filter(({ at }) => now - at <= INCIDENT_WINDOW_MS);

/** The part of a notice that an alert stores. */
export const shortOf = ({ id, at, vehicleType, distanceM, workerAcknowledgedAt }: Warning) => ({
  id,
  at,
  vehicleType,
  distanceM,
  workerAcknowledgedAt,
});
