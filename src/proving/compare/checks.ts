/** The read-only requests of `sandbox compare --to`, with the clause that each one tests. [cli, compare] */

import type { ObservableId } from '../../contract/gaps.ts';
import { CONTRACT_OPERATIONS } from '../../contract/operations/all.ts';
import { TOKEN_PATH } from '../../contract/operations/operation.ts';
import type { SchemaNode } from '../../contract/schema.ts';
import type { ApiExchange } from './exchange.ts';
import { filtersIn, parametersIn } from './judging/contract-routes.ts';

/** The service or the sandbox of a comparison. */
export interface ComparedService {
  readonly name: 'service' | 'sandbox';
  readonly credentials: { readonly client_id: string; readonly client_secret: string };
  /** Sends a request, with the client's token unless `token` is set. Rejects with `ServiceRefused` if there is no response. */
  call(request: CheckRequest): Promise<ApiExchange>;
}

export interface CheckRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: string;
  /** `none`: no Authorization header; `wrong`: an invalid token; `basic`: HTTP Basic credentials. Absent: the client's token. */
  readonly token?: 'none' | 'wrong' | 'basic';
  /** Uses a token with only these scopes. Absent: a token with all scopes of the client. */
  readonly scope?: string;
  readonly form?: Readonly<Record<string, string>>;
  /** Adds the client's credentials to the form. */
  readonly hasCredentials?: true;
  /** The body text, which is sent as `application/json`. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The open point that a check tests, and the status for each reading except the first one. */
export interface OpenReading {
  readonly point: ObservableId;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface ReadCheck {
  readonly name: string;
  readonly clause: string;
  readonly request: CheckRequest;
  readonly open?: OpenReading;
}

/** A valid UUID that no object has. */
export const MISSING_ID = '00000000-0000-4000-8000-000000000000';
const GETS = CONTRACT_OPERATIONS.filter(({ method }) => method === 'GET');
/** Routes of lists without an id in the path. */
const LISTS = GETS.filter(({ path }) => !path.includes(':'));
const PAGED = LISTS.filter((route) => parametersIn(route).includes('cursor'));
const nameOf = ({ path }: { readonly path: string }): string => path.split('/')[2] ?? path;

const LIST_CLAUSE = '[decisions 1, List parameters]';
/** A time window that ends before it starts. */
export const TURNED = 'created_after=2026-01-02T00:00:00Z&created_before=2026-01-01T00:00:00Z';

/** Credentials of a client that does not exist. Failed attempts with them lock out no real client. */
export const NOBODY = { client_id: 'compare_nobody', client_secret: 'x' };
const EQUAL = 'created_after=2026-01-01T00:00:00Z&created_before=2026-01-01T00:00:00Z';
const GRANT = { grant_type: 'client_credentials' };

const OPEN_SITE: OpenReading = { point: 'foreign-objects', statuses: { 404: 404 } };
const OPEN_PARAMETERS: OpenReading = { point: 'unknown-parameters', statuses: { ignored: 200 } };
const OPEN_SECRET: OpenReading = { point: 'token-failures', statuses: { 400: 400 } };

/** A token request. */
const token = (name: string, form: Readonly<Record<string, string>>, more: Partial<CheckRequest> = {}): ReadCheck => ({
  name,
  clause: '[decisions 3]',
  request: { method: 'POST', path: TOKEN_PATH, token: 'none', form, ...more },
});

const get = (name: string, clause: string, path: string, query?: string, token?: CheckRequest['token']): ReadCheck => ({
  name,
  clause,
  request: {
    method: 'GET',
    path,
    ...(query === undefined ? {} : { query }),
    ...(token === undefined ? {} : { token }),
  },
});
const open = (check: ReadCheck, reading: OpenReading): ReadCheck => ({ ...check, open: reading });

/** Returns a value that the filter must reject; null if the filter accepts any text. */
function noValueOf(node: SchemaNode): string | null {
  const { items = node, ...own } = node;
  const format = items.format ?? own.format;
  if (format === 'any-date-time') return 'yesterday';
  if (format === 'any-uuid') return 'not-an-id';
  const isOfWords = (items.enum ?? own.enum ?? items.anyOf) !== undefined;
  return isOfWords ? 'nonsense' : null;
}

const noValues = LISTS.flatMap((route) =>
  filtersIn(route).flatMap((name) => {
    const value = noValueOf(route.query?.properties[name] as SchemaNode);
    return value === null
      ? []
      : [get(`${nameOf(route)} by ${name} with an invalid value`, '[decisions 2]', route.path, `${name}=${value}`)];
  }),
);

/** The status of one notation of a list of values, for each reading of the open point. */
const inForm = (comma: number, repeated: number): OpenReading => ({
  point: 'lists',
  statuses: { comma, repeat: repeated },
});

/** All checks of `compare --to` that change nothing at the service. */
export const READ_CHECKS: readonly ReadCheck[] = [
  ...LISTS.map((route) => get(`the list of ${nameOf(route)}`, '[spec 4]', route.path)),
  ...PAGED.flatMap((route) => [
    get(`a page of two ${nameOf(route)}`, '[decisions 1, Page size]', route.path, 'limit=2'),
    get(`a page of 201 ${nameOf(route)}`, '[decisions 1, Page size]', route.path, 'limit=201'),
    get(`an invalid cursor of ${nameOf(route)}`, '[decisions 1, Cursor]', route.path, 'cursor=abc'),
  ]),
  get('a page of 0 items', '[decisions 1, Page size]', '/v1/alerts', 'limit=0'),
  get('a page of 200 items', '[decisions 1, Page size]', '/v1/alerts', 'limit=200'),
  ...LISTS.map((route) =>
    open(
      get(
        `an unknown parameter of ${nameOf(route)}`,
        '[decisions 1, Unknown query parameters]',
        route.path,
        'stauts=resolved',
      ),
      OPEN_PARAMETERS,
    ),
  ),
  open(
    get('a list of values with a comma', LIST_CLAUSE, '/v1/alerts', 'status=resolved,acknowledged'),
    inForm(200, 422),
  ),
  open(
    get('a list of values by repetition', LIST_CLAUSE, '/v1/alerts', 'status=resolved&status=acknowledged'),
    inForm(422, 200),
  ),
  open(
    get('a list of values with an encoded comma', LIST_CLAUSE, '/v1/alerts', 'status=resolved%2Cacknowledged'),
    inForm(422, 422),
  ),
  get('a list of values with brackets', LIST_CLAUSE, '/v1/alerts', 'status[]=resolved'),
  get('a single value twice', LIST_CLAUSE, '/v1/alerts', 'min_severity=low&min_severity=high'),
  ...noValues,
  open(get('a time window that ends before it starts', '[decisions 1, Time bounds]', '/v1/alerts', TURNED), {
    point: 'turned-window',
    statuses: { empty: 200 },
  }),
  get('a time window of zero length', '[decisions 1, Time bounds]', '/v1/alerts', EQUAL),
  ...LISTS.filter((route) => parametersIn(route).includes('site_id')).map((route) =>
    open(get(`${nameOf(route)} of an unknown site`, '[decisions 2]', route.path, `site_id=${MISSING_ID}`), OPEN_SITE),
  ),
  get('alerts of an unknown worker', '[decisions 4, Filters]', '/v1/alerts', `worker_id=${MISSING_ID}`),
  ...(['alerts', 'musters'] as const).flatMap((list) => [
    get(`an unknown id of ${list}`, '[decisions 2]', `/v1/${list}/${MISSING_ID}`),
    get(`an invalid id of ${list}`, '[decisions 2]', `/v1/${list}/not-an-id`),
  ]),
  get('the missing workers of an unknown muster', '[decisions 2]', `/v1/musters/${MISSING_ID}/missing`),
  open(get('the zones of an unknown site', '[decisions 2]', `/v1/sites/${MISSING_ID}/zones`), OPEN_SITE),
  get('an unknown path', '[decisions 2]', '/v1/nothing'),
  get('an invalid percent-encoding', '[decisions 2]', '/v1/alerts/%zz'),
  { name: 'an unsupported method', clause: '[decisions 1]', request: { method: 'PUT', path: '/v1/alerts' } },
  { name: 'HEAD of a list', clause: '[decisions 1]', request: { method: 'HEAD', path: '/v1/alerts' } },
  ...LISTS.map((route) => get(`${nameOf(route)} without a token`, '[spec 5]', route.path, undefined, 'none')),
  get('an invalid token', '[spec 5]', '/v1/alerts', undefined, 'wrong'),
  ...LISTS.filter(({ access }) => access !== 'any').map(
    (route): ReadCheck => ({
      name: `${nameOf(route)} with a token that lacks the scope`,
      clause: '[spec 5]',
      request: {
        method: 'GET',
        path: route.path,
        scope: route.access === 'workers:read' ? 'positions:read' : 'workers:read',
      },
    }),
  ),
  {
    name: 'muster events with a token that has only alerts:read',
    clause: '[spec 5]',
    request: { method: 'GET', path: '/v1/events', query: 'type=muster.*', scope: 'alerts:read' },
    open: { point: 'events-scope', statuses: { all: 200 } },
  },
  // Without credentials, because a service may check them before the grant type.
  open(token('another grant type', { grant_type: 'password' }), OPEN_SECRET),
  token('another grant type with valid credentials', { grant_type: 'password' }, { hasCredentials: true }),
  token('no grant type', {}),
  token('no grant type with valid credentials', {}, { hasCredentials: true }),
  token('a token of one scope', { ...GRANT, scope: 'alerts:read' }, { hasCredentials: true }),
  token('a token of an unknown scope', { ...GRANT, scope: 'alerts:delete' }, { hasCredentials: true }),
  open(token('no credentials', GRANT), OPEN_SECRET),
  open(token('invalid credentials', { ...GRANT, ...NOBODY }), OPEN_SECRET),
];
