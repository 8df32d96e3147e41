/** The world that a sandbox begins with, and the clock that goes on from where the stored one stood. */
import { CLOCK_END, type Clock, type Instant, realClock, scaledClock } from '../base/clock.ts';
import { randomSecret } from '../base/ids.ts';
import type { Meta } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import { keptUntil } from '../fleet/fleet.ts';
import type { DataFolder } from '../store/data-folder.ts';
import type { OpenedStore } from '../store/open-store.ts';
import type { Kept } from './fleet-memory.ts';
import { loadStored, resumePrompts, sameOrigin, writeNew } from './load-world.ts';
import { noteMadeWith } from './made-with.ts';
import { mendWorld, renewSecrets } from './mend-world.ts';
import type { SandboxOptions } from './options.ts';
import type { PlannedWorld } from './plan-of.ts';
import { documentsOf, type Secrets } from './world-from-plan.ts';

export interface OpenedWorld {
  readonly world: World;
  readonly meta: Meta;
  readonly clock: Clock;
}

/** The stored world goes on where its last commit stood; an empty folder gets a new one. */
export async function openWorld(
  options: SandboxOptions,
  asked: PlannedWorld,
  folder: DataFolder,
  { store, rowsLost, keyChanged }: OpenedStore,
  secrets: Secrets,
  fleetKept: Kept | null,
): Promise<OpenedWorld> {
  const stored = await loadStored(store);
  if (stored.meta !== null) {
    sameOrigin(stored.meta, asked.origin, folder.path);
    const clock = clockOf(options, stored.world, fleetKept === null ? null : keptUntil(fleetKept.memory));
    if (rowsLost) await mendWorld(store, stored.world, documentsOf(asked.plan, asked.worldSeed, secrets, clock.now()));
    if (keyChanged || options.credentials !== undefined) await renewSecrets(store, stored.world, secrets);
    resumePrompts(stored.world, clock);
    return { world: stored.world, meta: stored.meta, clock };
  }
  const clock = clockOf(options, stored.world, null);
  // A receiver with a database would drop a second run with the ids of the first, so only `--seed` repeats them.
  const meta: Meta = { id: 'meta', salt: options.seed ?? randomSecret(16), origin: asked.origin };
  if (folder.kept) noteMadeWith(folder.path, options);
  await writeNew(store, stored.world, meta, documentsOf(asked.plan, asked.worldSeed, secrets, clock.now()));
  return { world: stored.world, meta, clock };
}

/** Simulated time goes on from the later of the stored one and wall + stored offset. [decisions 9, a restart] */
function clockOf({ clock, speed = 1, start }: SandboxOptions, world: World, livedUntil: Instant | null): Clock {
  if (clock !== undefined) return clock;
  const from: { start?: Instant } = start === undefined ? {} : { start };
  const fresh = speed === 1 ? realClock(from) : scaledClock({ speed, ...from });
  const reading = world.get('clock', 'clock');
  if (reading === undefined || start !== undefined) return fresh;
  // The reading is written behind: at a high speed the fleet, and what occurred, may have come further.
  const occurred = [...world.all('organizationClock')].flatMap((one) => [one.lastEventAt, one.lastModifiedAt]);
  const latest = Math.max(reading.now, fresh.wall() + reading.offsetMs, livedUntil ?? 0, ...occurred);
  const resumed = { start: Math.min(latest, CLOCK_END) };
  fresh.stop();
  return speed === 1 ? realClock(resumed) : scaledClock({ speed, ...resumed });
}
