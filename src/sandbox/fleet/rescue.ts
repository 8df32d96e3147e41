/** Fallen and trapped people are freed once the control room resolves their alert, whether or not the watch has coverage. [decisions 6] */

import type { Fleet } from '../../fleet/fleet.ts';
import type { Alert } from '../../service/domain/world/documents.ts';
import type { Engine } from '../../service/engine/engine.ts';

/**
 * The rescue team reaches people even without radio coverage; a watch with coverage also receives the change on
 * `down/alert`.
 */
export function followRescues(engine: Engine, fleet: Fleet): () => void {
  return engine.listen({
    committed: ({ touched }) => {
      for (const { kind, before, after } of touched) {
        if (kind !== 'alert' || after === undefined) continue;
        const alert = after as Alert;
        if (alert.status !== 'resolved' || (before as Alert | undefined)?.status === 'resolved') continue;
        const worker = alert.worker === null ? undefined : engine.world.get('worker', alert.worker.id);
        const device = worker?.deviceId == null ? undefined : engine.world.get('device', worker.deviceId);
        if (device !== undefined) fleet.rescued(device.serial, alert.type);
      }
    },
  });
}
