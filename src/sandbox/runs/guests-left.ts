/** What stories have left behind in a data folder whose sandbox was killed while they played. */
import type { Engine } from '../../engine/engine.ts';
import type { Asked } from '../plan-of.ts';
import { siteIdOf } from '../world-from-plan.ts';

/** A host of a story's built-in receiver. */
const GUEST_HOST = /\.run-[0-9a-f]{8}\.receiver\.example$/;

/** What a story adds to the serials of its watches. */
const GUEST_SERIAL = /-[0-9a-f]{8}$/;

/** A site that the world was not made with, and whose watches are all a story's, came with one. */
export async function clearGuests(engine: Engine, { plan, worldSeed }: Asked): Promise<void> {
  const { world } = engine;
  const own = new Set<string>();
  for (const organization of world.all('organization'))
    for (const { name, sites } of plan.organizations)
      if (name === organization.name)
        for (const site of sites) own.add(siteIdOf(worldSeed, organization.id, site.name));
  const isGuest = (siteId: string): boolean => {
    const watches = world.indexes.devicesOfSite.of(siteId).values();
    return watches.length > 0 && watches.every(({ serial }) => GUEST_SERIAL.test(serial));
  };
  const siteIds = [...world.all('site')].flatMap(({ id }) => (own.has(id) || !isGuest(id) ? [] : [id]));
  if (siteIds.length > 0) await engine.submit({ type: 'clear-plant', siteIds });
  const left = [...world.all('destination')].filter(({ url }) => GUEST_HOST.test(new URL(url).hostname));
  for (const { id } of left) await engine.submit({ type: 'delete-destination', destinationId: id });
}
