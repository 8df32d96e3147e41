/** Ownership: a foreign site is 403 whether or not it exists, a foreign object is 404. [decisions 2] */
import { compareText } from '../../../base/text/order.ts';
import type { Site } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns a path id in lower case. Anything but a UUID is 404. */
export function pathId(id: string | undefined): string {
  if (id === undefined || !UUID.test(id)) throw new ProblemAnswer('not_found', 'There is no such resource.');
  return id.toLowerCase();
}

export function ownSite(world: World, organizationId: string, id: string): Site {
  const site = world.get('site', id.toLowerCase());
  if (site === undefined || site.organizationId !== organizationId)
    throw new ProblemAnswer('site_not_accessible', 'The site is not one of this client.');
  return site;
}

/**
 * Returns the ids of the named sites, or undefined without the filter. Throws 403 if a site is not one of the client.
 */
export function namedSites(
  world: World,
  organizationId: string,
  ids: readonly string[] | undefined,
): Set<string> | undefined {
  return ids === undefined ? undefined : new Set(ids.map((id) => ownSite(world, organizationId, id).id));
}

export function sitesOf(world: World, organizationId: string): Site[] {
  const own = [...world.all('site')].filter((site) => site.organizationId === organizationId);
  return own.sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
}
