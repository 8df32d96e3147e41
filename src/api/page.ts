/** A page of a sorted list: an immutable key, so that a walk neither skips nor repeats whatever changes meanwhile. [decisions 1] */
import type { Sorted } from '../domain/world/indexes.ts';
import { bindingOf, type Cursors } from './cursor.ts';

export interface Walk<T> {
  readonly list: Sorted<T>;
  readonly keyOf: (item: T) => string;
  readonly direction: 'ascending' | 'descending';
  readonly keep: (item: T) => boolean;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Starts by binary search, so that the hundredth page costs what the first does. */
export function pageOf<T>(
  cursors: Cursors,
  clientId: string,
  name: string,
  query: PageQuery,
  { list, keyOf, direction, keep }: Walk<T>,
): { items: T[]; next_cursor: string | null } {
  const binding = bindingOf(clientId, name, query as unknown as Record<string, unknown>);
  const after = cursors.read(binding, query.cursor);
  const step = direction === 'ascending' ? 1 : -1;
  let place = startOf(list, after, direction);
  const items: T[] = [];
  for (; place >= 0 && place < list.length; place += step) {
    const item = list.at(place) as T;
    if (after !== null && keyOf(item) === after) continue;
    if (!keep(item)) continue;
    if (items.length === query.limit) return { items, next_cursor: cursors.write(binding, keyOf(items.at(-1) as T)) };
    items.push(item);
  }
  return { items, next_cursor: null };
}

function startOf<T>(list: Sorted<T>, after: string | null, direction: 'ascending' | 'descending'): number {
  if (direction === 'ascending') return after === null ? 0 : list.lowerBound(after);
  return after === null ? list.length - 1 : list.lowerBound(after) - 1;
}
