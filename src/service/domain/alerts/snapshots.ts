/** Snapshots of the objects that an alert refers to, as of its last change. They are the same in the store, in events and in replies. [decisions 5] */
import { lastSeenAt } from '../watches/contact.ts';
import type { Alert, Device, DeviceSnapshot, Worker } from '../world/documents.ts';
import type { WorkerSnapshot } from '../world/embedded.ts';
import type { World } from '../world/world.ts';

export const workerSnapshot = ({ id, externalId, name, contractor }: Worker): WorkerSnapshot => ({
  id,
  externalId,
  name,
  contractor,
});

export function deviceSnapshot(world: World, device: Device, telemetry = world.telemetry(device.id)): DeviceSnapshot {
  return { id: device.id, serial: device.serial, batteryPct: telemetry.batteryPct, lastSeenAt: lastSeenAt(telemetry) };
}

/** The site, worker and device that an alert refers to, read again. The zone stays the one in which it began. */
export function refreshed(world: World, alert: Alert): Pick<Alert, 'site' | 'worker' | 'device'> {
  const site = world.get('site', alert.site.id);
  const worker = alert.worker === null ? undefined : world.get('worker', alert.worker.id);
  const device = alert.device === null ? undefined : world.get('device', alert.device.id);
  return {
    site: site === undefined ? alert.site : { id: site.id, name: site.name },
    worker: worker === undefined ? alert.worker : workerSnapshot(worker),
    device: device === undefined ? alert.device : deviceSnapshot(world, device),
  };
}
