/** New positions of people, as the service receives them. */

import type { SeenFix } from '../scenario/playing/ports.ts';
import { pointOf } from '../service/domain/privacy/places.ts';
import type { Engine } from '../service/engine/engine.ts';

/**
 * Calls back with new position fixes; reports without a new fix are skipped. `only`: the ids of the sites that are
 * followed; null: all.
 */
export function followFixes(
  engine: Engine,
  tell: (fix: SeenFix) => void,
  only: ReadonlySet<string> | null = null,
): () => void {
  const { world } = engine;
  const lastAt = new Map<string, number>();
  const tellNewFixes = (deviceIds: ReadonlySet<string>): void => {
    for (const id of deviceIds) {
      const { fix } = world.telemetry(id);
      const workerId = world.get('device', id)?.workerId ?? null;
      if (fix === null || workerId === null || lastAt.get(id) === fix.at) continue;
      lastAt.set(id, fix.at);
      const site = world.need('site', world.need('worker', workerId).siteId);
      if (only !== null && !only.has(site.id)) continue;
      tell({ workerId, site: site.name, at: pointOf(site, fix) });
    }
  };
  tellNewFixes(new Set([...world.all('device')].map(({ id }) => id)));
  return engine.listen({ committed: (record) => tellNewFixes(record.reportingDevices) });
}
