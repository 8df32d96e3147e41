/** References to sites, zones, workers and watches: ids with their names. Names are present only if the contract includes them. [spec 2, 5] */
import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { DeviceRef, Location, WorkerRef } from '../../../contract/resources.ts';
import type { Viewer } from '../access/viewer.ts';
import type { DeviceSnapshot, ShownLocation } from '../world/documents.ts';
import type { WorkerSnapshot } from '../world/embedded.ts';

export const time = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));

export const workerRef = ({ id, externalId, name, contractor }: WorkerSnapshot, viewer: Viewer): WorkerRef =>
  viewer.names ? { id, external_id: externalId, name, contractor } : { id, external_id: externalId, contractor };

export const deviceRef = ({ id, serial, batteryPct, lastSeenAt }: DeviceSnapshot): DeviceRef => ({
  id,
  serial,
  battery: batteryPct,
  date_last_seen: time(lastSeenAt),
});

export const location = ({ at, height, uncertaintyM, ...point }: ShownLocation): Location => ({
  latitude: point.latitude,
  longitude: point.longitude,
  uncertainty_m: uncertaintyM,
  source: point.source,
  masked: point.masked,
  position_date_utc: formatInstant(at),
  height:
    height === null
      ? null
      : {
          height_m: height.heightM,
          uncertainty_m: height.uncertaintyM,
          building: height.building,
          floor: height.floor,
        },
});
