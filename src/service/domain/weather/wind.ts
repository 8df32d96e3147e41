/** The wind over a site. It determines which assembly points the system proposes to exclude. [decisions 6] */
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { World } from '../world/world.ts';

export function reportWind(
  world: World,
  _stamp: Stamp,
  { siteId, wind }: CommandOf<'report-wind'>,
): { readonly changes: readonly Change[] } | Rejection {
  const site = world.get('site', siteId);
  if (site === undefined) return reject('not_found', 'There is no such site.');
  return { changes: [{ kind: 'site-changed', site: { ...site, wind } }] };
}
