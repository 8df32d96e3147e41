/** A page of a sorted list. Keys are immutable, so a walk neither skips nor repeats items while the list changes. [decisions 1] */
import type { SortedIndex } from '../../../base/sorted-index.ts';
import { type Call, clientOf } from '../route.ts';
import { bindingOf, Cursors } from './cursor.ts';

interface Walk<T> {
  readonly list: SortedIndex<T>;
  readonly keyOf: (item: T) => string;
  readonly direction: 'ascending' | 'descending';
  readonly keep: (item: T) => boolean;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** A requested page, and the key after which it begins. */
interface OpenPage {
  readonly limit: number;
  readonly after: string | null;
  readonly cursorAt: (key: string) => string;
}

/** Reads the cursor, which is part of the query: it is refused before any site is checked. [decisions 2] */
export function openPage(call: Call, list: string, query: PageQuery): OpenPage {
  const cursors = new Cursors(call.parts.cursorKey);
  const isFree = call.parts.assumptions.cursors === 'free';
  const binding = bindingOf(
    clientOf(call).client.id,
    list,
    isFree ? {} : (query as unknown as Record<string, unknown>),
  );
  return {
    limit: query.limit,
    after: cursors.read(binding, query.cursor),
    cursorAt: (key) => cursors.write(binding, key),
  };
}

/** Starts by binary search: the hundredth page costs as much as the first. */
export function pageOf<T>(
  { limit, after, cursorAt }: OpenPage,
  { list, keyOf, direction, keep }: Walk<T>,
): { items: T[]; next_cursor: string | null } {
  const step = direction === 'ascending' ? 1 : -1;
  let place = startOf(list, after, direction);
  const items: T[] = [];
  for (; place >= 0 && place < list.length; place += step) {
    const item = list.at(place) as T;
    if (after !== null && keyOf(item) === after) continue;
    if (!keep(item)) continue;
    if (items.length === limit) return { items, next_cursor: cursorAt(keyOf(items.at(-1) as T)) };
    items.push(item);
  }
  return { items, next_cursor: null };
}

function startOf<T>(list: SortedIndex<T>, after: string | null, direction: 'ascending' | 'descending'): number {
  if (direction === 'ascending') return after === null ? 0 : list.lowerBound(after);
  return after === null ? list.length - 1 : list.lowerBound(after) - 1;
}
