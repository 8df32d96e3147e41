/**
 * Sends the contract's read-only checks to a service and to a sandbox, and compares what they answer: status, code, headers and
 * shape of the body. What a world has in it differs, so values are not compared. [cli, compare]
 */
import { isMap, type JsonMap } from '../contract/schema.ts';
import { type CheckRequest, type ComparedService, READ_CHECKS } from './checks.ts';
import { type ComparedCheck, comparedCheck, jsonOf } from './compared-check.ts';
import type { ApiExchange } from './exchange.ts';
import type { JudgedService } from './judged-service.ts';

interface ObserveParts {
  /** Judges its answers. */
  readonly service: JudgedService;
  readonly sandbox: ComparedService;
}

/** The checks as they compared. What of the service's answers does not fit the contract is in `service`. */
export async function observe({ service, sandbox }: ObserveParts): Promise<ComparedCheck[]> {
  const checks: ComparedCheck[] = [];
  for (const check of READ_CHECKS) {
    const theirs = await service.call(check.request).catch((error: Error) => error);
    // Nothing was answered at all: the address or the client is wrong, and the other checks would say it again.
    if (theirs instanceof Error && checks.every((one) => one.service === null)) throw theirs;
    const ours = await sandbox.call(check.request);
    if (!(theirs instanceof Error))
      for (const request of followUps(check.request, theirs)) await service.tryCall(request);
    const found = theirs instanceof Error ? [] : service.foundIn(theirs);
    checks.push(comparedCheck(check, theirs, ours, found));
  }
  return checks;
}

/** Objects of a list that are read one by one. */
const MOST_OBJECTS = 5;

/** What can be read further where a list has something: its next page, its first objects, and what belongs to them. Only judged. */
function followUps({ method, path, query, token, scope }: CheckRequest, { status, body }: ApiExchange): CheckRequest[] {
  if (
    method !== 'GET' ||
    status !== 200 ||
    token !== undefined ||
    scope !== undefined ||
    (query !== undefined && !query.startsWith('limit'))
  )
    return [];
  const value = jsonOf(body);
  const { data, next_cursor: cursor } = isMap(value) ? value : {};
  const page =
    typeof cursor === 'string' ? [{ method, path, query: `limit=2&cursor=${encodeURIComponent(cursor)}` }] : [];
  if (query !== undefined) return page;
  const ids = (Array.isArray(data) ? data : []).flatMap((one) => {
    const id = isMap(one) ? one['id'] : undefined;
    return typeof id === 'string' ? [encodeURIComponent(id)] : [];
  });
  const parts = ids.slice(0, MOST_OBJECTS).flatMap((id) => {
    if (path === '/v1/sites') return [`${path}/${id}/zones`];
    if (!HAS_OBJECTS.test(path)) return [];
    return path === '/v1/musters' ? [`${path}/${id}`, `${path}/${id}/missing`] : [`${path}/${id}`];
  });
  const filtered = filtersFor(path, Array.isArray(data) ? data.filter(isMap) : []);
  return [
    ...page,
    ...parts.map((one) => ({ method, path: one })),
    ...filtered.map((filter) => ({ method, path, query: filter })),
  ];
}

/** Filters by what the first object has: the judge knows which of the listed objects fit them. */
function filtersFor(path: string, [first]: readonly JsonMap[]): string[] {
  if (first === undefined) return [];
  const of = (name: string, value: unknown) =>
    typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : [];
  const idOf = (value: unknown) => (isMap(value) ? value['id'] : undefined);
  switch (path) {
    case '/v1/alerts':
      return [
        ...of('type', first['type']),
        ...of('status', first['status']),
        'min_severity=high',
        'simulated=false',
        ...of('site_id', idOf(first['site'])),
        ...of('worker_id', idOf(first['worker'])),
        ...of('created_after', first['date_created']),
        ...of('created_before', first['date_created']),
        ...of('modified_since', first['date_last_modified']),
      ];
    case '/v1/musters':
      return [...of('status', first['status']), ...of('kind', first['kind']), ...of('site_id', idOf(first['site']))];
    case '/v1/workers':
      return ['is_active=false', ...of('external_id', first['external_id'])];
    case '/v1/devices':
      return ['status=lost', 'worn=true'];
    case '/v1/events':
      return ['type=alert.*', ...of('type', first['type']), ...of('site_id', first['site_id'])];
    default:
      return [];
  }
}

/** Lists whose objects can be read one by one. */
const HAS_OBJECTS = /^\/v1\/(alerts|musters)$/;
