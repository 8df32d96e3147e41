/** The rules about lists: order, page size, and the items that each filter selects. [decisions 1] */
import type { TObject } from 'typebox';
import { SEVERITIES, type Severity, severityAtLeast } from '../../../contract/enumerations.ts';
import { CONTRACT_OPERATIONS } from '../../../contract/operations/all.ts';
import type {
  AlertsQuery,
  DevicesQuery,
  EventsQuery,
  MustersQuery,
  PositionsQuery,
  WorkersQuery,
  ZonesQuery,
} from '../../../contract/requests.ts';
import { isMap, type JsonMap, nodesIn, type SchemaNode } from '../../../contract/schema.ts';
import type { ApiExchange, ContractFinding } from '../exchange.ts';
import { finding } from './contents.ts';

const MOST_IN_PAGE = 200;

interface ListOrder {
  /** The order as text, for messages. */
  readonly words: string;
  readonly key: (item: JsonMap) => string;
  readonly isDescending: boolean;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = (value: unknown): unknown => (isMap(value) ? value['id'] : undefined);
const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined || typeof value === 'object' ? null : String(value);

/** The order of each list, by path. */
const ORDERS: Readonly<Record<string, ListOrder>> = {
  '/v1/sites': { words: 'by name', key: ({ name }) => text(name), isDescending: false },
  '/v1/sites/:site_id/zones': { words: 'by name', key: ({ name }) => text(name), isDescending: false },
  '/v1/alerts': {
    words: 'newest first by date_created',
    key: (one) => text(one['date_created']),
    isDescending: true,
  },
  '/v1/musters': { words: 'newest first by started_at', key: (one) => text(one['started_at']), isDescending: true },
  '/v1/workers': { words: 'by id', key: ({ id }) => text(id), isDescending: false },
  '/v1/devices': { words: 'by id', key: ({ id }) => text(id), isDescending: false },
  '/v1/positions': { words: 'by device_id', key: (one) => text(one['device_id']), isDescending: false },
  '/v1/musters/:muster_id/missing': {
    words: 'help first, then by last_seen_at',
    key: (one) => `${one['status'] === 'help' ? 0 : 1} ${text(one['last_seen_at'])}`,
    isDescending: false,
  },
};

/** Returns null if the order is not known. The direction of events is an open point, so it is derived from the items. */
export function orderOf(path: string, items: readonly JsonMap[]): ListOrder | null {
  if (path !== '/v1/events') return ORDERS[path] ?? null;
  const [first, last] = [text(items[0]?.['created_at']), text(items.at(-1)?.['created_at'])];
  if (first === last) return null;
  return { words: 'by created_at', key: (one) => text(one['created_at']), isDescending: first > last };
}

/** Returns the id of an item of a list; null if it has none. */
export function itemId(path: string, item: JsonMap): string | null {
  const id =
    path === '/v1/positions' ? item['device_id'] : path.endsWith('/missing') ? idOf(item['worker']) : item['id'];
  return typeof id === 'string' ? id : null;
}

/** A filter by a field of the items. */
interface FieldFilter {
  /** Returns the value of the item; null if it has none. */
  readonly of: (item: JsonMap) => string | null;
  readonly fits: (value: string | null, wanted: readonly string[]) => boolean;
  /** True if the value of an item never changes. */
  readonly isFixed: boolean;
  /** Returns the values to request, given the values of the items: rare values first. */
  readonly wanted: (values: readonly string[]) => readonly string[];
}

/** `of site`: the items have no site field, so each item must be in the list of exactly one site. */
type Filter = FieldFilter | 'of site';

/** Most values that are requested of a filter. */
const MOST_VALUES = 2;
const rarest = (values: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const one of values) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => a - b).map(([value]) => value);
};
const few = (values: readonly string[]): readonly string[] => rarest(values).slice(0, MOST_VALUES);
const middle = (values: readonly string[]): readonly string[] =>
  values.length === 0 ? [] : [values.toSorted()[Math.floor(values.length / 2)] as string];

const anyOf = (value: string | null, wanted: readonly string[]): boolean => value !== null && wanted.includes(value);

const field = (name: string, isFixed = false): FieldFilter => ({
  of: (item) => textOrNull(item[name]),
  fits: anyOf,
  isFixed,
  wanted: few,
});
const flag = (name: string): FieldFilter => ({ ...field(name), wanted: () => ['true', 'false'] });
const objectId = (name: string): FieldFilter => ({ ...field(name, true), of: (item) => textOrNull(idOf(item[name])) });
/** Returns the ms from the bound to the value; 0 also if one of them is not a time. */
const compared = (value: string | null, [bound = '']: readonly string[]): number => {
  const difference = Date.parse(String(value)) - Date.parse(bound);
  return Number.isNaN(difference) ? 0 : difference;
};
const since = (name: string, isFixed = true): FieldFilter => ({
  ...field(name, isFixed),
  fits: (value, wanted) => compared(value, wanted) >= 0,
  wanted: middle,
});
const until = (name: string): FieldFilter => ({
  ...field(name, true),
  fits: (value, wanted) => compared(value, wanted) < 0,
  wanted: middle,
});

/** A rule for each filter that the contract declares. A filter without a rule does not compile. */
type FiltersOf<Q extends TObject> = { readonly [P in Exclude<keyof Q['properties'], 'limit' | 'cursor'>]: Filter };

const ZONE_FILTERS: FiltersOf<typeof ZonesQuery> = { type: field('type') };
const ALERT_FILTERS: FiltersOf<typeof AlertsQuery> = {
  site_id: objectId('site'),
  status: field('status'),
  type: field('type', true),
  min_severity: {
    ...field('severity'),
    fits: (value, [least]) =>
      !SEVERITIES.includes(value as Severity) || severityAtLeast(value as Severity, least as Severity),
    wanted: () => ['high', 'critical'],
  },
  worker_id: objectId('worker'),
  contractor: {
    ...field('contractor'),
    of: ({ worker }) => (isMap(worker) ? textOrNull(worker['contractor']) : null),
  },
  simulated: flag('simulated'),
  created_after: since('date_created'),
  created_before: until('date_created'),
  modified_since: since('date_last_modified', false),
};
const MUSTER_FILTERS: FiltersOf<typeof MustersQuery> = {
  site_id: objectId('site'),
  status: field('status'),
  kind: field('kind'),
};
const WORKER_FILTERS: FiltersOf<typeof WorkersQuery> = {
  site_id: 'of site',
  contractor: field('contractor'),
  is_active: flag('is_active'),
  external_id: { ...field('external_id'), wanted: (values) => rarest(values).slice(0, 1) },
};
const DEVICE_FILTERS: FiltersOf<typeof DevicesQuery> = {
  site_id: 'of site',
  status: field('status'),
  worn: flag('worn'),
};
const POSITION_FILTERS: FiltersOf<typeof PositionsQuery> = { site_id: 'of site' };
const EVENT_FILTERS: FiltersOf<typeof EventsQuery> = {
  site_id: field('site_id', true),
  type: {
    ...field('type', true),
    fits: (value, wanted) => anyOf(value, wanted) || wanted.includes(`${String(value).split('.')[0]}.*`),
    wanted: (values) => [...few(values), 'alert.*', 'muster.*'],
  },
  created_after: since('created_at'),
  created_before: until('created_at'),
};

/** Filters by path and parameter. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
  '/v1/sites/:site_id/zones': ZONE_FILTERS,
  '/v1/alerts': ALERT_FILTERS,
  '/v1/musters': MUSTER_FILTERS,
  '/v1/workers': WORKER_FILTERS,
  '/v1/devices': DEVICE_FILTERS,
  '/v1/positions': POSITION_FILTERS,
  '/v1/events': EVENT_FILTERS,
};

export const filterOf = (path: string, name: string): Filter | undefined => FILTERS[path]?.[name];

/** Returns the values of an item by which the filters select it, by filter. */
export function filterValues(path: string, item: JsonMap): Record<string, string | null> {
  const found: Record<string, string | null> = {};
  for (const [name, filter] of Object.entries(FILTERS[path] ?? {}))
    if (filter !== 'of site') found[name] = filter.of(item);
  return found;
}

/**
 * Returns `name=value` for each filter of the list: values that its items have, and a value that no item has. The latter reveals
 * a filter that is ignored, even if all items are alike. `sites`: ids of all sites.
 */
export function filterQueries(path: string, items: readonly JsonMap[], sites: readonly string[]): string[] {
  return Object.entries(FILTERS[path] ?? {}).flatMap(([name, filter]) => {
    const own = filter === 'of site' ? [] : items.map(filter.of).filter((value) => value !== null);
    const strange = wordsOf(path, name).find((word) => !own.includes(word) && !word.includes('*'));
    const others = name === 'site_id' ? sites : strange === undefined ? [] : [strange];
    const values = filter === 'of site' ? sites : [...filter.wanted(own), ...others];
    return [...new Set(values)].map((value) => `${name}=${encodeURIComponent(value)}`);
  });
}

/** Returns the enumerated values of a query parameter; empty if it has no enumeration. */
function wordsOf(path: string, name: string): string[] {
  const query = CONTRACT_OPERATIONS.find((route) => route.method === 'GET' && route.path === path)?.query;
  const node = query?.properties[name] as SchemaNode | undefined;
  return [...nodesIn(node?.items ?? node ?? {})].flatMap((one) => (one.enum ?? []).map(String));
}

/** Returns the values of each parameter. Several values can be repeated parameters or separated by commas. */
export function parametersOf(query: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    found.set(name, [...(found.get(name) ?? []), value, ...value.split(',')]);
  return found;
}

/** `path`: the path of the route. `sound`: the items without faults, with which filters are judged. */
export function listFindings(
  path: string,
  { query }: ApiExchange,
  items: readonly JsonMap[],
  sound: readonly JsonMap[],
): ContractFinding[] {
  const found: ContractFinding[] = [];
  const parameters = parametersOf(query);
  const limit = Number(parameters.get('limit')?.[0] ?? MOST_IN_PAGE);
  if (parameters.has('limit') && items.length > limit)
    found.push(
      finding('limit', '[decisions 1, Page size]', '/data', `has ${items.length} items, but limit is ${limit}`),
    );
  // `pageFindings` judges the order of events.
  const order = path === '/v1/events' ? null : orderOf(path, items);
  const keys = order === null ? [] : items.map(order.key);
  if (order !== null && keys.some((key, place) => place > 0 && isBefore(order, key, keys[place - 1] as string)))
    found.push(finding('order', '[decisions 1]', '/data', `is not ${order.words}`));
  if (path === '/v1/positions') found.push(...tooOld(items));
  for (const [name, values] of parameters) {
    const filter = filterOf(path, name);
    if (filter === undefined || filter === 'of site') continue;
    const strangers = sound.filter((item) => !filter.fits(filter.of(item), values));
    // If only an item exactly at the bound is wrong, the filter works, but includes its bound.
    const isBound = (item: JsonMap) => name.endsWith('_before') && compared(filter.of(item), values) === 0;
    const strange = strangers.find((item) => !isBound(item)) ?? strangers[0];
    if (strange === undefined) continue;
    const clause = isBound(strange) ? '[decisions 1, Time bounds]' : '[decisions 1]';
    found.push(finding('filter', clause, `?${name}`, `lists an object that does not fit the parameter ${name}`));
  }
  return found;
}

/** The last page has no cursor. [spec 2 Pages and lists] */
export const cursorFindings = ({ next_cursor: cursor }: JsonMap): ContractFinding[] =>
  cursor === ''
    ? [finding('cursor', '[spec 2 Pages and lists]', '/next_cursor', 'is empty; after the last page it is null')]
    : [];

/** No position is older than 15 min, so no two positions differ by more than that. [decisions 1] */
function tooOld(positions: readonly JsonMap[]): ContractFinding[] {
  const times = positions
    .map(({ location }) => (isMap(location) ? Date.parse(String(location['position_date_utc'])) : Number.NaN))
    .filter((time) => !Number.isNaN(time));
  if (times.length === 0 || Math.max(...times) - Math.min(...times) <= POSITION_AGE_MS) return [];
  return [finding('age', '[decisions 1]', '/data/*/location/position_date_utc', 'is older than 15 min')];
}
const POSITION_AGE_MS = 15 * 60_000;

/** True if `key` must come before `other`. */
export const isBefore = ({ isDescending }: ListOrder, key: string, other: string): boolean =>
  isDescending ? key > other : key < other;

/** True for a value at the start of a time window. Whether the window includes its start is an open point. */
export const isAtEdge = (name: string, value: string | null, wanted: readonly string[]): boolean =>
  /_(after|since)$/.test(name) && compared(value, wanted) === 0;
