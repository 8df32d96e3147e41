/** Ids are derived from what happened. If two equal things happen in one instant, the second gets a different id. */
import type { Stamp } from '../changes.ts';
import type { Kind } from './documents.ts';
import type { World } from './world.ts';

export function freshId(world: World, stamp: Stamp, kind: Kind, ...parts: readonly (string | number)[]): string {
  let id = stamp.id(kind, ...parts);
  for (let again = 2; world.get(kind, id) !== undefined; again++) id = stamp.id(kind, ...parts, again);
  return id;
}
