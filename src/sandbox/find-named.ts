/** Finds what an action names: by its id, or by its name where that is unique. [decisions 9] */
import { type Rejection, reject } from '../domain/rejection.ts';
import type { Muster, Site, Worker, Zone } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';

export function findSite(world: World, named: string): Site | null {
  const byId = world.get('site', named.toLowerCase());
  if (byId !== undefined) return byId;
  const meant = [...world.all('site')].filter(({ name }) => name === named);
  return meant.length === 1 ? (meant[0] ?? null) : null;
}

/** Of one site where that is known, else of all. */
export function findZone(world: World, named: string, siteId: string | null, pointer: string): Zone | Rejection {
  const byId = world.get('zone', named.toLowerCase());
  const meant =
    byId === undefined
      ? [...world.all('zone')].filter(({ name, siteId: of }) => name === named && (siteId === null || of === siteId))
      : [byId];
  const [zone] = meant;
  if (zone === undefined) return unknown('zone or point', named, pointer);
  return meant.length === 1
    ? zone
    : reject('validation_failed', `"${named}" is the name of ${meant.length} zones; give the id.`, [
        { pointer, detail: 'is not unique' },
      ]);
}

/** The one that is named; without a name the one that is active, on the site where that is known. */
export function findMuster(world: World, named: string | undefined, siteId: string | null): Muster | Rejection {
  if (named !== undefined) return world.get('muster', named.toLowerCase()) ?? unknown('muster', named, '/muster');
  const active = [...world.indexes.activeMusters()].filter(({ site }) => siteId === null || site.id === siteId);
  const [muster] = active;
  if (muster === undefined) return reject('action_refused', 'No muster is active.');
  return active.length === 1
    ? muster
    : reject('validation_failed', 'More than one muster is active; name one.', [
        { pointer: '/muster', detail: 'is required' },
      ]);
}

/** A worker's external_id or id, or a watch's serial; also one who wears no watch now. */
export function findPerson(world: World, who: string): Worker | Rejection {
  const device = world.get('device', world.indexes.deviceId(who) ?? '');
  const worker = world.get('worker', device?.workerId ?? who.toLowerCase());
  if (worker !== undefined) return worker;
  for (const other of world.all('worker')) if (other.externalId === who) return other;
  return unknown('worker or watch', who, '/who');
}

export const unknown = (what: string, named: string, pointer: string): Rejection =>
  reject('not_found', `There is no ${what} "${named}".`, [{ pointer, detail: `"${named}" is not known` }]);
