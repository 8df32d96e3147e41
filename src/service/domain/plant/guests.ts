/** A plant that joins a running world for a scenario, and leaves with everything that happened on it. [decisions 9] */
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { courseOf } from '../musters/course.ts';
import type { Destination, GuestScenario, Kind } from '../world/documents.ts';
import type { World } from '../world/world.ts';

type PlantDecision = { readonly changes: readonly Change[] } | Rejection;

/** All ids and serials must be new; otherwise nothing joins. */
export function joinPlant(world: World, _stamp: Stamp, { guest, documents }: CommandOf<'join-plant'>): PlantDecision {
  const taken = documents.find(
    ({ kind, id, document }) =>
      world.get(kind, id) !== undefined ||
      ('serial' in document && world.indexes.deviceId(document.serial) !== undefined),
  );
  if (taken !== undefined) return reject('action_refused', `There is a ${taken.kind} ${taken.id} already.`);
  return { changes: [{ kind: 'plant-joined', guest, documents }] };
}

/**
 * In one transaction: restores the contract from before the scenario, and removes its destinations and sites. A
 * scenario that has already left changes nothing, so that leaving may be retried.
 */
export function leavePlant(world: World, _stamp: Stamp, { guestId }: CommandOf<'leave-plant'>): PlantDecision {
  const guest = world.get('guest', guestId);
  if (guest === undefined) return { changes: [] };
  const client = world.get('client', guest.clientId);
  const { contract } = guest.before;
  const changes: Change[] = [];
  if (client !== undefined && contract !== null)
    changes.push({ kind: 'contract-changed', client: { ...client, ...contract } });
  for (const destination of world.all('destination'))
    if (isGuests(guest, destination)) changes.push({ kind: 'destination-deleted', destinationId: destination.id });
  for (const siteId of guest.siteIds)
    if (world.get('site', siteId) !== undefined) changes.push({ kind: 'plant-cleared', siteId });
  return { changes: [...changes, { kind: 'guest-left', guestId }] };
}

/**
 * True if the scenario created this destination: it leads to one of the scenario's receivers, and did not exist before.
 */
export function isGuests(guest: GuestScenario, { id, organizationId, url, session }: Destination): boolean {
  if (session !== undefined || organizationId !== guest.organizationId || guest.destinationIds.includes(id))
    return false;
  const { href, hostname } = new URL(url);
  return guest.receivers.urls.includes(href) || hostname.endsWith(`.${guest.receivers.domain}`);
}

/**
 * Removes everything on the site, and then the site. Its events stay in the log, and its pending deliveries continue.
 */
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
  remove('alert', alertsOfSite(world, siteId));
  remove(
    'expected',
    idsWhere(world.all('expected'), ({ musterId }) => musters.has(musterId)),
  );
  remove(
    'course',
    [...musters].flatMap((id) => courseOf(world, id)).map(({ id }) => id),
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
  remove('site', [siteId]);
}

/** Includes the alerts that memory has evicted. */
function alertsOfSite(world: World, siteId: string): Set<string> {
  const { organizationId } = world.need('site', siteId);
  const held = [...world.all('alert')].filter(({ site }) => site.id === siteId);
  const older =
    world.alertFloor(organizationId) === null ? [] : world.archivedAlerts({ organizationId, siteIds: [siteId] });
  return new Set([...held, ...older].map(({ id }) => id));
}
