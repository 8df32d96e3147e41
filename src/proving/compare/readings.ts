/**
 * The requests of `sandbox compare --to` in addition to its checks, so that the judge can compare answers with each other: whole
 * lists, single pages, each filter, single objects, and the whole lists again, which show what did not change in between. These
 * answers are judged, and not compared with a sandbox.
 */

import { CONTRACT_OPERATIONS } from '../../contract/operations/all.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { jsonOf } from './compared-check.ts';
import type { JudgedService } from './judged-service.ts';
import { parametersIn } from './judging/contract-routes.ts';
import { filterQueries } from './judging/lists.ts';

/** Most pages of 200 items that are read of a list. Later pages are not read. */
const MOST_PAGES = 5;
/** Most pages of two items that are read of a list. */
const MOST_STEPS = 3;
const MOST_SITES = 4;
const MOST_MUSTERS = 3;
const MOST_ALERTS = 20;
/** Attempts to read a muster and its missing list without a headcount between them. */
const MOST_ATTEMPTS = 3;
/** Most missing workers whose alerts are read, if the list of all alerts is too long. */
const MOST_PEOPLE = 3;

interface WholeList {
  readonly items: readonly JsonMap[];
  /** True if the list has no further items. */
  readonly isWhole: boolean;
}

/** Lists without an id in their path, and whether they have pages. */
const LISTS = CONTRACT_OPERATIONS.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(
  (route) => ({
    path: route.path,
    hasPages: parametersIn(route).includes('limit'),
  }),
);

export async function readFurther(service: JudgedService): Promise<void> {
  const lists = new Map<string, WholeList>();
  for (const { path, hasPages } of LISTS) lists.set(path, await wholeList(service, path, hasPages, false));
  const itemsOf = (path: string) => lists.get(path)?.items ?? [];
  const sites = idsOf(itemsOf('/v1/sites')).slice(0, MOST_SITES);
  const zones = sites.map((id) => `/v1/sites/${encodeURIComponent(id)}/zones`);
  for (const path of zones) await readFilters(service, path, '/v1/sites/:site_id/zones', await service.list(path), []);
  for (const { path, hasPages } of LISTS) {
    if (hasPages) await walk(service, path);
    await readFilters(service, path, path, itemsOf(path), sites);
  }
  for (const id of oneOfEach(itemsOf('/v1/alerts'))) await get(service, `/v1/alerts/${id}`, false);
  const musters = idsOf(firstActive(itemsOf('/v1/musters'))).slice(0, MOST_MUSTERS);
  for (const id of musters) await readMuster(service, id, lists.get('/v1/alerts')?.isWhole === true);
  for (const path of zones) await service.tryCall({ method: 'GET', path }, true);
  for (const { path, hasPages } of LISTS) await wholeList(service, path, hasPages, true);
}

const get = (service: JudgedService, path: string, isFresh: boolean) =>
  service.tryCall({ method: 'GET', path }, isFresh);

const idsOf = (items: readonly JsonMap[]): string[] =>
  items.map(({ id }) => id).filter((id): id is string => typeof id === 'string');

const firstActive = (musters: readonly JsonMap[]): JsonMap[] =>
  musters.toSorted((a, b) => Number(b['status'] === 'active') - Number(a['status'] === 'active'));

/** Returns the id of one alert for each type and status. */
function oneOfEach(alerts: readonly JsonMap[]): string[] {
  const found = new Map(alerts.toReversed().map((one) => [`${one['type']} ${one['status']}`, one]));
  return idsOf([...found.values()]).slice(0, MOST_ALERTS);
}

async function wholeList(
  service: JudgedService,
  path: string,
  hasPages: boolean,
  isFresh: boolean,
): Promise<WholeList> {
  const items: JsonMap[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = hasPages ? `limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}` : undefined;
    const answer = await service.tryCall({ method: 'GET', path, ...(query === undefined ? {} : { query }) }, isFresh);
    const body = answer?.status === 200 ? jsonOf(answer.body) : null;
    if (!isMap(body) || !Array.isArray(body['data'])) return { items, isWhole: false };
    items.push(...body['data'].filter(isMap));
    if (typeof body['next_cursor'] !== 'string') return { items, isWhole: true };
    cursor = body['next_cursor'];
  }
  return { items, isWhole: false };
}

/** Reads the first pages of a list, one after another, by their cursors. */
async function walk(service: JudgedService, path: string): Promise<void> {
  let query = 'limit=2';
  for (let step = 0; step < MOST_STEPS; step++) {
    const answer = await service.tryCall({ method: 'GET', path, query });
    const body = answer?.status === 200 ? jsonOf(answer.body) : null;
    if (!isMap(body) || typeof body['next_cursor'] !== 'string') return;
    query = `limit=2&cursor=${encodeURIComponent(body['next_cursor'])}`;
  }
}

/** `list`: the path of the route. */
async function readFilters(
  service: JudgedService,
  path: string,
  list: string,
  items: readonly JsonMap[],
  sites: readonly string[],
): Promise<void> {
  const queries = items.length === 0 ? [] : filterQueries(list, items, sites);
  const ofSites = queries.filter((query) => sites.some((id) => query === `site_id=${id}`));
  for (const query of queries) await service.tryCall({ method: 'GET', path, query });
  // Reads the list of the first site again: an equal list did not change in between.
  if (ofSites.length > 1 && filterQueries(list, [], sites).length > 0)
    await service.tryCall({ method: 'GET', path, query: ofSites[0] as string }, true);
}

/** Reads the muster, its missing list and the muster again; then the list between two readings of its workers' alerts. */
async function readMuster(service: JudgedService, id: string, isEveryAlertKnown: boolean): Promise<void> {
  const path = `/v1/musters/${encodeURIComponent(id)}`;
  const totals: string[] = [];
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    for (const one of [path, `${path}/missing`, path]) {
      const answer = await get(service, one, true);
      const body = answer === null ? null : jsonOf(answer.body);
      if (one === path) totals.push(JSON.stringify(isMap(body) ? body['totals'] : null));
    }
    if (totals.at(-1) === totals.at(-2)) break;
  }
  if (isEveryAlertKnown) return;
  const people = (await service.list(`${path}/missing`)).map(({ worker }) => worker).filter(isMap);
  const queries = idsOf(people)
    .slice(0, MOST_PEOPLE)
    .map((one) => `worker_id=${encodeURIComponent(one)}`);
  const alerts = async () => {
    for (const query of queries) await service.tryCall({ method: 'GET', path: '/v1/alerts', query }, true);
  };
  await alerts();
  await get(service, `${path}/missing`, true);
  await alerts();
}
