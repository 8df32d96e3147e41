/** A plant that joins a running world for the time of a story, and leaves it with all that happened on it. [decisions 9] */
import type { Change } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { type Rejection, reject } from '../rejection.ts';
import type { Stamp } from '../stamp.ts';
import type { Kind } from '../world/documents.ts';
import type { World } from '../world/world.ts';

type Verdict = { readonly changes: readonly Change[] } | Rejection;

/** Its ids and serials are fresh, or nothing of it joins. */
export function joinPlant(world: World, _stamp: Stamp, { documents }: CommandOf<'join-plant'>): Verdict {
  const taken = documents.find(
    ({ kind, id, document }) =>
      world.get(kind, id) !== undefined ||
      ('serial' in document && world.indexes.deviceId(document.serial) !== undefined),
  );
  if (taken !== undefined) return reject('action_refused', `There is a ${taken.kind} ${taken.id} already.`);
  return { changes: [{ kind: 'plant-joined', documents }] };
}

/** Sites that are gone already are passed by. */
export function clearPlant(world: World, _stamp: Stamp, { siteIds }: CommandOf<'clear-plant'>): Verdict {
  const known = siteIds.filter((id) => world.get('site', id) !== undefined);
  return { changes: known.map((siteId) => ({ kind: 'plant-cleared', siteId })) };
}

/** Everything that stands on the site, and then the site. Its events stay in the log, and its deliveries on their way. */
export function removeSite(world: World, siteId: string): void {
  const devices = new Set(
    world.indexes.devicesOfSite
      .of(siteId)
      .values()
      .map(({ id }) => id),
  );
  const workers = new Set(
    world.indexes.workersOfSite
      .of(siteId)
      .values()
      .map(({ id }) => id),
  );
  const musters = new Set([...world.all('muster')].filter(({ site }) => site.id === siteId).map(({ id }) => id));
  const remove = <K extends Kind>(kind: K, ids: Iterable<string>) => {
    for (const id of [...ids]) world.remove(kind, id);
  };
  const idsWhere = <T extends { readonly id: string }>(all: Iterable<T>, fits: (one: T) => boolean): string[] =>
    [...all].filter(fits).map(({ id }) => id);
  remove(
    'prompt',
    idsWhere(world.all('prompt'), (one) => one.siteId === siteId),
  );
  remove(
    'alert',
    idsWhere(world.all('alert'), ({ site }) => site.id === siteId),
  );
  remove(
    'expected',
    idsWhere(world.all('expected'), ({ musterId }) => musters.has(musterId)),
  );
  remove(
    'course',
    idsWhere(world.all('course'), ({ musterId }) => musters.has(musterId)),
  );
  remove('roll', musters);
  remove('muster', musters);
  remove(
    'permit',
    idsWhere(world.all('permit'), (one) => one.siteId === siteId),
  );
  remove(
    'stay',
    idsWhere(world.all('stay'), ({ deviceId }) => devices.has(deviceId)),
  );
  remove(
    'warning',
    idsWhere(world.all('warning'), ({ deviceId }) => devices.has(deviceId)),
  );
  remove(
    'unveiling',
    idsWhere(world.all('unveiling'), ({ id }) => workers.has(id)),
  );
  remove(
    'vehicle',
    idsWhere(world.all('vehicle'), (one) => one.siteId === siteId),
  );
  remove('telemetry', devices);
  remove('device', devices);
  remove('worker', workers);
  remove(
    'zone',
    idsWhere(world.all('zone'), (one) => one.siteId === siteId),
  );
  remove('siteClock', [siteId]);
  remove('site', [siteId]);
}
