/** Who wears a watch, and how a rule answers what the watch said. */
import type { Change } from '../changes.ts';
import type { Device, Worker } from '../world/documents.ts';
import type { World } from '../world/world.ts';

export interface AlertDecision {
  readonly changes: readonly Change[];
  readonly alertId?: string;
  /** Heard, and dropped: why. */
  readonly dropped?: string;
}

export interface Wearer {
  readonly worker: Worker;
  readonly device: Device;
}

/** Who wears the watch; a watch without a wearer can raise nothing. */
export function wearerOf(world: World, deviceId: string): Wearer | null {
  const device = world.need('device', deviceId);
  const worker = device.workerId === null ? undefined : world.get('worker', device.workerId);
  return worker === undefined ? null : { worker, device };
}

export const NO_WEARER: AlertDecision = { changes: [], dropped: 'the watch has no worker' };
