/** Ids follow from what happened; of two equal things that happen in one instant, the second gets an id of its own. */
import type { Stamp } from '../changes.ts';
import type { Kind } from './documents.ts';
import type { World } from './world.ts';

export function freshId(world: World, stamp: Stamp, kind: Kind, ...parts: readonly (string | number)[]): string {
  let id = stamp.id(kind, ...parts);
  for (let again = 2; world.get(kind, id) !== undefined; again++) id = stamp.id(kind, ...parts, again);
  return id;
}
