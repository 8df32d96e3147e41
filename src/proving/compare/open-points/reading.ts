/** Observers of the open points about the reading operations. [decisions 1, cli compare] */
import type { READING_POINTS } from '../../../contract/gaps/reading.ts';
import type { ObservableId, ReadingOf } from '../../../contract/gaps.ts';
import { TURNED } from '../checks.ts';
import {
  bodyOf,
  byStatus,
  eventsOf,
  maps,
  type Observation,
  type ObservedParts,
  type Observers,
} from './observation.ts';

type ReadingId = Extract<(typeof READING_POINTS)[number]['id'], ObservableId>;

const FORMS = ['status=resolved,acknowledged', 'status=resolved&status=acknowledged', 'status=resolved%2Cacknowledged'];
const LIST_READINGS: Readonly<Record<string, ReadingOf<'lists'>>> = {
  '200 200 200': 'any',
  '200 422 422': 'comma',
  '422 200 422': 'repeat',
};

export const READING_OBSERVERS: Observers<ReadingId> = {
  paths: pageSize,
  'unknown-parameters': async ({ service }) =>
    byStatus(await service.tryCall({ method: 'GET', path: '/v1/alerts', query: 'stauts=resolved' }), {
      422: '422',
      200: 'ignored',
    }),
  lists: async ({ service }) => {
    const answers = [];
    for (const query of FORMS) answers.push(await service.tryCall({ method: 'GET', path: '/v1/alerts', query }));
    const statuses = answers.map((answer) => answer?.status ?? 'none');
    if (statuses.some((status) => status === 'none' || status === 403))
      return { unknown: `the service answers ${statuses.join(', ')}` };
    const reading = LIST_READINGS[statuses.join(' ')];
    return reading === undefined
      ? { other: `a comma ${statuses[0]}, a repeated parameter ${statuses[1]}, an encoded comma ${statuses[2]}` }
      : { reading };
  },
  'time-bounds': timeBounds,
  cursors: foreignCursor,
  'events-scope': async (parts) => {
    const request = { method: 'GET', path: '/v1/events', query: 'type=muster.*', scope: 'alerts:read' } as const;
    const answer = await parts.service.tryCall(request);
    if (answer === null) return { unknown: 'the client gets no token of alerts:read alone' };
    if (answer.status === 403) return { reading: 'own' };
    if (answer.status === 404) return { unknown: 'the service answers 404, as for an unknown operation' };
    if (answer.status !== 200) return byStatus(answer, {});
    const isSeen = maps(bodyOf(answer)['data']).length > 0;
    const isThere = (await eventsOf(parts)).some(({ type }) => String(type).startsWith('muster.'));
    return isSeen || !isThere ? { reading: 'all' } : { other: 'an empty page in place of a 403' };
  },
  'events-order': async (parts) => {
    const [first, second] = await eventsOf(parts);
    if (first === undefined || second === undefined) return { unknown: 'the log has fewer than two events' };
    if (first['created_at'] === second['created_at']) return { unknown: 'the first two events have the same time' };
    return { reading: String(first['created_at']) < String(second['created_at']) ? 'oldest' : 'newest' };
  },
};

/** Lists with a filter by the time of creation, and the field that it selects by. */
const BOUNDED = [
  ['/v1/alerts', 'date_created'],
  ['/v1/events', 'created_at'],
] as const;

/** Observes whether the start of a time window belongs to it. */
async function timeBounds({ service }: ObservedParts): Promise<Observation<ReadingOf<'time-bounds'>>> {
  const found = new Map<ReadingOf<'time-bounds'>, string>();
  let why = 'the client sees no alert and no event';
  for (const [path, field] of BOUNDED) {
    const all = (await service.list(path, 'limit=200'))
      .filter((item) => typeof item[field] === 'string')
      .toSorted((a, b) => String(b[field]).localeCompare(String(a[field])));
    const [newest, second] = all;
    const item = second ?? newest;
    if (item === undefined) continue;
    const query = `created_after=${encodeURIComponent(String(item[field]))}&limit=200`;
    const answer = await service.tryCall({ method: 'GET', path, query });
    if (answer?.status !== 200) return byStatus(answer, {});
    const ids = maps(bodyOf(answer)['data']).map(({ id }) => id);
    // A filter that finds nothing at all shows nothing about its bounds.
    if (ids.includes(item['id'])) found.set('inclusive', path);
    else if (second === undefined || ids.includes(newest?.['id'])) found.set('exclusive', path);
    else why = 'the filter does not find a newer item either';
  }
  const [reading] = found.keys();
  if (reading === undefined) return { unknown: why };
  return found.size === 1 ? { reading } : { other: [...found].map(([one, path]) => `${one} in ${path}`).join(', ') };
}

/** Lists with pages, each with a filter that most of its items fit. */
const FOREIGN = [
  ['/v1/workers', 'is_active=true'],
  ['/v1/devices', 'status=active'],
  ['/v1/events', 'type=alert.*'],
] as const;

/** With another filter, a free cursor continues in the filtered list, after the items of the first page. */
async function foreignCursor({ service }: ObservedParts): Promise<Observation<ReadingOf<'cursors'>>> {
  for (const [path, filter] of FOREIGN) {
    const first = await service.tryCall({ method: 'GET', path, query: 'limit=2' });
    const page = first === null ? {} : bodyOf(first);
    if (typeof page['next_cursor'] !== 'string') continue;
    const [all, filtered] = [await service.list(path, 'limit=200'), await service.list(path, `limit=200&${filter}`)];
    const last = all.findIndex(({ id }) => id === maps(page['data']).at(-1)?.['id']);
    const behind = new Set(all.slice(last + 1).map(({ id }) => id));
    const wanted = filtered.map(({ id }) => id).filter((id) => behind.has(id));
    const query = `limit=2&${filter}&cursor=${encodeURIComponent(page['next_cursor'])}`;
    const answer = await service.tryCall({ method: 'GET', path, query });
    if (answer?.status !== 200) return byStatus(answer, { 422: 'bound' });
    const got = maps(bodyOf(answer)['data']).map(({ id }) => id);
    // If the filtered list has no further items, an empty page shows nothing.
    if (last < 0 || wanted.length === 0) continue;
    if (got.join() === wanted.slice(0, 2).join()) return { reading: 'free' };
    return {
      other: got.some((id) => behind.has(id)) ? 'continues elsewhere' : 'does not continue after the previous page',
    };
  }
  return { unknown: 'no list has two pages' };
}

/** Observes the default page size: the size of the first page that has a next page. */
async function pageSize({ service }: ObservedParts): Promise<Observation<ReadingOf<'paths'>>> {
  let most = 0;
  for (const list of ['workers', 'devices', 'events', 'alerts', 'musters']) {
    const answer = await service.tryCall({ method: 'GET', path: `/v1/${list}` });
    if (answer?.status !== 200) continue;
    const { data, next_cursor: cursor } = bodyOf(answer);
    const size = maps(data).length;
    most = Math.max(most, size);
    if (typeof cursor !== 'string') continue;
    // The last page with items may be shorter.
    if ((await service.list(`/v1/${list}`, `cursor=${encodeURIComponent(cursor)}`)).length === 0) continue;
    const reading = PAGE_SIZES.find((one) => one === String(size));
    return reading === undefined ? { other: String(size) } : { reading };
  }
  return { unknown: `no list has two pages, and the longest has ${most} items` };
}

const PAGE_SIZES = ['10', '20', '25', '50', '100', '200'] as const satisfies readonly ReadingOf<'paths'>[];

/** Observer of the answer to a time window that ends before it starts. */
export const turnedWindow = async ({ service }: ObservedParts): Promise<Observation<ReadingOf<'turned-window'>>> =>
  byStatus(await service.tryCall({ method: 'GET', path: '/v1/alerts', query: TURNED }), { 422: '422', 200: 'empty' });
