/** The workers who were not safe when the last muster of a site ended, as a viewer may see them now. [decisions 4, After a muster] */
import type { Instant } from '../../../base/time/clock.ts';
import type { StreamNotSafe } from '../../../contract/stream.ts';
import { seesContractor, type TokenViewer } from '../access/viewer.ts';
import { linesOf } from '../musters/roll-rows.ts';
import { positionVisible, shownLocation } from '../privacy/places.ts';
import type { Muster, Roll, RollLine, Site } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { musterReason } from './person.ts';
import { location } from './references.ts';

/**
 * The muster of the site that started last. If several started at the same instant: the active one, else the one with
 * the highest id.
 */
export function lastMuster(world: World, siteId: string): Muster | null {
  let last: Muster | null = null;
  for (const muster of world.all('muster'))
    if (muster.site.id === siteId && (last === null || isLater(muster, last))) last = muster;
  return last;
}

function isLater(one: Muster, other: Muster): boolean {
  if (one.startedAt !== other.startedAt) return one.startedAt > other.startedAt;
  const [active, otherActive] = [one.status === 'active', other.status === 'active'];
  return active === otherActive ? one.id > other.id : active;
}

const found = new WeakMap<Roll, readonly RollLine[]>();

/** The people of a roll who were not safe. Memoised, since a roll never changes. */
function missingLines(roll: Roll): readonly RollLine[] {
  let lines = found.get(roll);
  if (lines === undefined) {
    lines = linesOf(roll).filter(({ status }) => status !== 'safe');
    found.set(roll, lines);
  }
  return lines;
}

/** The roll of the last muster of the site; null while a muster is active, and before the first. */
function lastRoll(world: World, siteId: string): Roll | null {
  const muster = lastMuster(world, siteId);
  return muster === null || muster.status === 'active' ? null : (world.get('roll', muster.id) ?? null);
}

/** The ids of the people who were not safe. */
export function notSafeIds(world: World, siteId: string): string[] {
  const roll = lastRoll(world, siteId);
  return roll === null ? [] : missingLines(roll).map(({ worker }) => worker.id);
}

/** In the order of the workers' ids; empty without the scope musters:read. */
export function notSafeView(world: World, site: Site, viewer: TokenViewer, now: Instant): StreamNotSafe[] {
  if (site.organizationId !== viewer.organizationId || !viewer.scopes.includes('musters:read')) return [];
  const roll = lastRoll(world, site.id);
  if (roll === null) return [];
  return missingLines(roll).flatMap((line) => lineView(world, site, roll.id, line, viewer, now));
}

function lineView(
  world: World,
  site: Site,
  musterId: string,
  line: RollLine,
  viewer: TokenViewer,
  now: Instant,
): StreamNotSafe[] {
  const { worker, status, fix } = line;
  // Contractor scoping uses the current contractor, or for a worker who was removed, the contractor in the roll.
  const contractor = (world.get('worker', worker.id) ?? worker).contractor;
  const reason = musterReason(line, viewer.scopes.includes('alerts:read') ? line.critical : null);
  if (status === 'safe' || reason === null || !seesContractor(viewer, contractor)) return [];
  return [
    {
      muster_id: musterId,
      worker_id: worker.id,
      status,
      reason,
      ...lastPlaceView(world, site, { worker, fix }, viewer, now),
    },
  ];
}

/** The last place in a line of a roll: the position is as of the end of the muster, and the veil as of now. */
export function lastPlaceView(
  world: World,
  site: Site,
  { worker, fix }: Pick<RollLine, 'worker' | 'fix'>,
  viewer: Pick<TokenViewer, 'scopes'>,
  now: Instant,
): Pick<StreamNotSafe, 'location' | 'location_withheld'> {
  const isShown =
    fix !== null && viewer.scopes.includes('positions:read') && positionVisible(world, site, worker.id, now);
  return {
    location: isShown ? location(shownLocation(world, site, fix)) : null,
    location_withheld: fix !== null && !isShown,
  };
}
