/** Boots a sandbox for one run of a scenario: in memory, on free ports, with the runner's own world and clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRejection } from '../domain/changes.ts';
import { pointOf } from '../domain/privacy/places.ts';
import type { Engine } from '../engine/engine.ts';
import type { Boot, SeenFix } from '../scenario/playing/ports.ts';
import { Finder } from './actions/find.ts';
import { looksInto } from './stage-looks.ts';
import { startSandbox } from './start.ts';

export const bootStage: Boot = async ({ plan, clock, seed, forwards }) => {
  // Runs stand beside each other and beside a sandbox that is up, so each has a folder of its own.
  const folder = mkdtempSync(join(tmpdir(), 'muster-run-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const sandbox = await startSandbox({
      plan,
      clock,
      seed,
      forwards,
      memory: true,
      dataDir: folder,
      port: 0,
      mqttPort: 0,
    });
    return {
      apiUrl: sandbox.ready.api_url,
      mqttUrl: sandbox.ready.mqtt_url,
      dataDir: sandbox.ready.data_dir,
      controlToken: sandbox.ready.control_token,
      clients: sandbox.ready.clients.map(({ organization, client_id, client_secret }) => ({
        organization,
        organizationId: sandbox.engine.world.need('client', client_id).organizationId,
        clientId: client_id,
        clientSecret: client_secret,
      })),
      onNotice: sandbox.onNotice,
      onFix: (listener) => followFixes(sandbox.engine, listener),
      look: looksInto(sandbox),
      park: (url, eventId) => sandbox.webhooks.park(url, eventId),
      workerId: (externalId) => {
        const actor = new Finder(sandbox.engine.world, null).actor(externalId);
        if (isRejection(actor)) throw new Error(actor.detail);
        return actor.worker.id;
      },
      stop: async () => {
        await sandbox.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
};

/** A report without a new fix is not passed on. `only`: the ids of the sites that are followed; null: all. */
export function followFixes(
  engine: Engine,
  tell: (fix: SeenFix) => void,
  only: ReadonlySet<string> | null = null,
): () => void {
  const { world } = engine;
  const lastAt = new Map<string, number>();
  const heard = (deviceIds: ReadonlySet<string>): void => {
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
  heard(new Set([...world.all('device')].map(({ id }) => id)));
  return engine.listen({ committed: (record) => heard(record.heard) });
}
