/** The cursors of a running API. */
import { Cursors } from './cursor.ts';
import type { ApiParts } from './parts.ts';

const made = new WeakMap<ApiParts, Cursors>();

export function cursorsOf(parts: ApiParts): Cursors {
  let cursors = made.get(parts);
  if (cursors === undefined) {
    cursors = new Cursors(parts.cursorKey);
    made.set(parts, cursors);
  }
  return cursors;
}
