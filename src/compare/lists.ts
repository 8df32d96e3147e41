/** What the contract says of a list: its order, its size, and that its items are those of the filters. [decisions 1] */
import { SEVERITIES, type Severity, severityAtLeast } from '../contract/enumerations.ts';
import { isMap, type JsonMap } from '../contract/schema.ts';
import { finding } from './contents.ts';
import type { ApiExchange, ContractFinding } from './exchange.ts';

const MOST_IN_PAGE = 200;

/** Names of the parameters that end a walk or cut it, and are no filter. */
const OF_PAGES: readonly string[] = ['limit', 'cursor'];

interface ListOrder {
  /** As the rule says it. */
  readonly words: string;
  /** Ascending. */
  readonly key: (item: JsonMap) => string;
  readonly isDescending?: true;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = (value: unknown): unknown => (isMap(value) ? value['id'] : undefined);

/** By path. The order of events is an open point, which `history.ts` judges within a page. */
const ORDERS: Readonly<Record<string, ListOrder>> = {
  '/v1/sites': { words: 'by name', key: ({ name }) => text(name) },
  '/v1/sites/:site_id/zones': { words: 'by name', key: ({ name }) => text(name) },
  '/v1/alerts': { words: 'newest first by date_created', key: (one) => text(one['date_created']), isDescending: true },
  '/v1/musters': { words: 'newest first by started_at', key: (one) => text(one['started_at']), isDescending: true },
  '/v1/workers': { words: 'by id', key: ({ id }) => text(id) },
  '/v1/devices': { words: 'by id', key: ({ id }) => text(id) },
  '/v1/positions': { words: 'by device_id', key: (one) => text(one['device_id']) },
  '/v1/musters/:muster_id/missing': {
    words: 'help first, then by last_seen_at',
    key: (one) => `${one['status'] === 'help' ? 0 : 1} ${text(one['last_seen_at'])}`,
  },
};

type Filter = (item: JsonMap, values: readonly string[]) => boolean;

const one =
  (field: string): Filter =>
  (item, values) =>
    values.includes(String(item[field]));
const site: Filter = ({ site: of }, values) => values.includes(String(idOf(of)));
const since =
  (field: string): Filter =>
  (item, [bound = '']) =>
    compared(item[field], bound) >= 0;
const until =
  (field: string): Filter =>
  (item, [bound = '']) =>
    compared(item[field], bound) <= 0;
/** The moment itself is an open point. */
const compared = (value: unknown, bound: string): number => {
  const difference = Date.parse(String(value)) - Date.parse(bound);
  return Number.isNaN(difference) ? 0 : difference;
};

/** By path and parameter: whether an item is one of those that were requested. Positions and missing workers have no field for it. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
  '/v1/sites/:site_id/zones': { type: one('type') },
  '/v1/alerts': {
    site_id: site,
    status: one('status'),
    type: one('type'),
    min_severity: ({ severity }, [least]) =>
      !SEVERITIES.includes(severity as Severity) || severityAtLeast(severity as Severity, least as Severity),
    worker_id: ({ worker }, values) => values.includes(String(idOf(worker))),
    contractor: ({ worker }, values) => values.includes(String(isMap(worker) ? worker['contractor'] : null)),
    simulated: one('simulated'),
    created_after: since('date_created'),
    created_before: until('date_created'),
    modified_since: since('date_last_modified'),
  },
  '/v1/musters': { site_id: site, status: one('status'), kind: one('kind') },
  '/v1/workers': { is_active: one('is_active'), contractor: one('contractor'), external_id: one('external_id') },
  '/v1/devices': { status: one('status'), worn: one('worn') },
  '/v1/events': {
    site_id: one('site_id'),
    type: ({ type }, values) => values.includes(String(type)) || values.includes(`${String(type).split('.')[0]}.*`),
    created_after: since('created_at'),
    created_before: until('created_at'),
  },
};

/** Filters by what changes, so that an object which was seen before may be out of the list by right. */
const CHANGING: readonly string[] = ['status', 'modified_since', 'worn', 'is_active', 'contractor'];

/** The values of each parameter, in each way in which several can be written. */
function parametersOf(query: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    found.set(name, [...(found.get(name) ?? []), value, ...value.split(',')]);
  return found;
}

/** `path`: of the route. */
export function listFindings(path: string, { query }: ApiExchange, items: readonly JsonMap[]): ContractFinding[] {
  const found: ContractFinding[] = [];
  const parameters = parametersOf(query);
  const limit = Number(parameters.get('limit')?.[0] ?? MOST_IN_PAGE);
  if (parameters.has('limit') && items.length > limit)
    found.push(
      finding('limit', '[decisions 1, Page size]', '/data', `has ${items.length} items, and limit is ${limit}`),
    );
  const order = ORDERS[path];
  const keys = order === undefined ? [] : items.map(order.key);
  const isWrong = (key: string, place: number): boolean => {
    const before = keys[place - 1] ?? key;
    return order?.isDescending === true ? key > before : key < before;
  };
  if (order !== undefined && keys.some(isWrong))
    found.push(finding('order', '[decisions 1]', '/data', `is not ${order.words}`));
  for (const [name, values] of parameters) {
    const filter = FILTERS[path]?.[name];
    const strange = filter === undefined ? -1 : items.findIndex((item) => !filter(item, values));
    if (strange >= 0)
      found.push(finding('filter', '[decisions 1]', `/data/${strange}`, `does not fit the parameter ${name}`));
  }
  return found;
}

/** Whether a list with this query has to contain the object; false also where that is not sure. */
export function mustContain(path: string, { query }: ApiExchange, object: JsonMap): boolean {
  const filters = FILTERS[path];
  // Destinations, positions and missing workers come and go.
  if (filters === undefined) return false;
  return [...parametersOf(query)].every(([name, values]) => {
    if (OF_PAGES.includes(name)) return true;
    const filter = filters[name];
    if (filter === undefined || CHANGING.includes(name)) return false;
    const isEdge = /_(after|before)$/.test(name) && values.some((value) => isAt(object, value));
    return !isEdge && filter(object, values);
  });
}

const isAt = (object: JsonMap, bound: string): boolean =>
  [object['date_created'], object['created_at']].some((at) => at !== undefined && compared(at, bound) === 0);
