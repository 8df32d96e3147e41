/** The read-only requests of `sandbox compare --to`, with the clause that each is about. [cli, compare] */
import type { ApiExchange } from './exchange.ts';

/** One of the two sides. */
export interface ComparedService {
  readonly name: 'service' | 'sandbox';
  readonly credentials: { readonly client_id: string; readonly client_secret: string };
  /** Sends a request; with the client's token unless `token` says otherwise. Throws `ServiceRefused` where nothing answers. */
  call(request: CheckRequest): Promise<ApiExchange>;
}

export interface CheckRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: string;
  /** `none`: no header; `wrong`: a token that nobody has; `basic`: the client's credentials by HTTP Basic. Absent: the client's own. */
  readonly token?: 'none' | 'wrong' | 'basic';
  /** A token of these scopes alone, in place of one with all that the client has. */
  readonly scope?: string;
  readonly form?: Readonly<Record<string, string>>;
  /** The body, as it is sent; its type is JSON. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReadCheck {
  readonly name: string;
  readonly clause: string;
  readonly request: CheckRequest;
}

/** No object has it. */
export const MISSING_ID = '00000000-0000-4000-8000-000000000000';
const LISTS = ['sites', 'alerts', 'musters', 'workers', 'devices', 'positions', 'events', 'webhooks'] as const;

const LIST_CLAUSE = '[decisions 1, List parameters]';
/** Bounds of time that are turned round. */
export const TURNED = 'created_after=2026-01-02T00:00:00Z&created_before=2026-01-01T00:00:00Z';

/** A client that nobody has: attempts in its name lock nobody out. */
export const NOBODY = { client_id: 'compare_nobody', client_secret: 'x' };
const EQUAL = 'created_after=2026-01-01T00:00:00Z&created_before=2026-01-01T00:00:00Z';

/** A token request that is refused. */
const token = (name: string, form: Readonly<Record<string, string>>): ReadCheck => ({
  name,
  clause: '[decisions 3]',
  request: { method: 'POST', path: '/v1/oauth/token', token: 'none', form },
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

/** None of them changes anything. */
export const READ_CHECKS: readonly ReadCheck[] = [
  ...LISTS.map((list) => get(`the list of ${list}`, '[spec 4]', `/v1/${list}`)),
  ...(['alerts', 'musters', 'events', 'workers', 'devices'] as const).map((list) =>
    get(`a page of two ${list}`, '[decisions 1, Page size]', `/v1/${list}`, 'limit=2'),
  ),
  get('a page of none', '[decisions 1, Page size]', '/v1/alerts', 'limit=0'),
  get('a page of 200', '[decisions 1, Page size]', '/v1/alerts', 'limit=200'),
  get('a page of 201', '[decisions 1, Page size]', '/v1/alerts', 'limit=201'),
  get('a cursor that nobody issued', '[decisions 1, Cursor]', '/v1/alerts', 'cursor=abc'),
  get('an unknown query parameter', '[decisions 1, Unknown query parameters]', '/v1/alerts', 'stauts=resolved'),
  get('a list of values with a comma', LIST_CLAUSE, '/v1/alerts', 'status=resolved,acknowledged'),
  get('a list of values by repetition', LIST_CLAUSE, '/v1/alerts', 'status=resolved&status=acknowledged'),
  get('a list of values with an encoded comma', LIST_CLAUSE, '/v1/alerts', 'status=resolved%2Cacknowledged'),
  get('a list of values with brackets', LIST_CLAUSE, '/v1/alerts', 'status[]=resolved'),
  get('a single value twice', LIST_CLAUSE, '/v1/alerts', 'min_severity=low&min_severity=high'),
  ...(
    [
      ['alerts', 'status=closed'],
      ['alerts', 'min_severity=fatal'],
      ['alerts', 'type=fire'],
      ['alerts', 'simulated=maybe'],
      ['musters', 'status=open'],
      ['musters', 'kind=fire'],
      ['workers', 'is_active=perhaps'],
      ['devices', 'status=broken'],
      ['events', 'type=alert.deleted'],
    ] as const
  ).map(([list, query]) => get(`a value of ${list} that is none`, '[decisions 2]', `/v1/${list}`, query)),
  get('a time that is none', '[decisions 1, Times]', '/v1/alerts', 'created_after=yesterday'),
  get('bounds that are turned', '[decisions 1, Time bounds]', '/v1/alerts', TURNED),
  get('bounds that are equal', '[decisions 1, Time bounds]', '/v1/alerts', EQUAL),
  ...(['alerts', 'musters', 'workers', 'devices', 'positions', 'events'] as const).map((list) =>
    get(`${list} of a site of nobody`, '[decisions 2]', `/v1/${list}`, `site_id=${MISSING_ID}`),
  ),
  get('alerts of a worker of nobody', '[decisions 4, Filters]', '/v1/alerts', `worker_id=${MISSING_ID}`),
  get('an id of a filter that is none', '[decisions 2]', '/v1/alerts', 'site_id=not-an-id'),
  ...(['alerts', 'musters'] as const).map((list) =>
    get(`an unknown id of ${list}`, '[decisions 2]', `/v1/${list}/${MISSING_ID}`),
  ),
  get('the missing of no muster', '[decisions 2]', `/v1/musters/${MISSING_ID}/missing`),
  get('the zones of no site', '[decisions 2]', `/v1/sites/${MISSING_ID}/zones`),
  get('an id that is none', '[decisions 2]', '/v1/alerts/not-an-id'),
  get('a path that is none', '[decisions 2]', '/v1/nothing'),
  { name: 'a method that is none', clause: '[decisions 1]', request: { method: 'PUT', path: '/v1/alerts' } },
  { name: 'a list without its body', clause: '[decisions 1]', request: { method: 'HEAD', path: '/v1/alerts' } },
  get('no token', '[spec 5]', '/v1/alerts', undefined, 'none'),
  get('a token of nobody', '[spec 5]', '/v1/alerts', undefined, 'wrong'),
  ...LISTS.filter((list) => list !== 'sites').map(
    (list): ReadCheck => ({
      name: `${list} with a token that may not read them`,
      clause: '[spec 5]',
      request: {
        method: 'GET',
        path: `/v1/${list}`,
        scope: list === 'workers' || list === 'devices' ? 'positions:read' : 'workers:read',
      },
    }),
  ),
  token('another grant', { grant_type: 'password' }),
  token('no grant', {}),
  token('no credentials', { grant_type: 'client_credentials' }),
  token('credentials of nobody', { grant_type: 'client_credentials', ...NOBODY }),
];
