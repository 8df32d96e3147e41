/** The messages that the service sends to watches after a commit, over any broker. */
import type { DownAlert, MusterNotice } from '../../contract/watch.ts';
import { musterForWatches } from '../domain/musters/for-watches.ts';
import type { Device } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import type { Engine } from '../engine/engine.ts';

/** Sends the messages of the service to watches. */
export interface MessageSink {
  toWatch(device: Device, payload: DownAlert): void;
  /** Publishes the site's muster, retained for later connections; null clears it. [watch-protocol `all/muster`] */
  setMuster(siteId: string, notice: MusterNotice | null): void;
}

/** Sends the downlinks and musters of every transaction. The returned function stops this. */
export function followEffects(engine: Engine, sink: MessageSink): () => void {
  return engine.listen({
    committed: ({ effects }) => {
      for (const effect of effects)
        if (effect.kind === 'muster') {
          sink.setMuster(effect.siteId, effect.payload);
          // When a muster ends, one more message is sent, and then the topic is cleared. [watch-protocol]
          if (effect.payload.status !== 'active') sink.setMuster(effect.siteId, null);
        } else if (effect.kind === 'downlink') {
          const device = engine.world.get('device', effect.deviceId);
          if (device !== undefined) sink.toWatch(device, effect.payload);
        }
    },
  });
}

/** The active musters by site. */
export function* activeMusters(world: World): Iterable<readonly [siteId: string, notice: MusterNotice]> {
  for (const muster of world.indexes.activeMusters()) yield [muster.site.id, musterForWatches(world, muster)];
}
