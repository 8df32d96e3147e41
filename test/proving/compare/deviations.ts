/** Builds of the service that each deviate in one clause. */
import type { Body, Patch } from './deviating-service.ts';
import { alerts, type Deviating, decided, EMPTY, each, header, ignored, list, musters, spec } from './patches.ts';

export const DEVIATIONS: readonly Deviating[] = [
  spec(
    'an alert has no vehicle_warnings',
    '[spec 2]',
    alerts((one) => delete one.vehicle_warnings),
  ),
  spec(
    'an SOS is not critical',
    '[spec 2 Severity]',
    alerts((one) => {
      if (one.type === 'sos') one.severity = 'high';
    }),
  ),
  spec(
    'the time of a worker’s last contact has a blank for the T',
    '[spec 2]',
    each(/^\/v1\/workers$/, (one) => {
      if (one.date_last_seen !== null) one.date_last_seen = one.date_last_seen.replace('T', ' ');
    }),
  ),
  spec(
    'a worker has a heart rate',
    '[spec 1]',
    each(/^\/v1\/workers$/, (one) => {
      one.heart_rate_bpm = 72;
    }),
  ),
  spec(
    'a position is masked, and its source is gps',
    '[spec 2 Location]',
    each(/^\/v1\/positions$/, ({ location }) => {
      location.masked = true;
      location.source = 'gps';
    }),
  ),
  spec(
    'a location is withheld and delivered',
    '[spec 2 Alert]',
    alerts((one) => {
      one.location_withheld = one.location !== null;
    }),
  ),
  spec(
    'a privacy zone has its geometry',
    '[spec 2 Zone]',
    each(/\/zones$/, (one) => {
      if (one.type === 'assembly_point') {
        one.type = 'privacy';
        one.assembly_point = null;
      }
    }),
  ),
  spec(
    'an alert of the whole site has a device',
    '[spec 2 AlertType]',
    alerts((one) => {
      if (one.type === 'earthquake')
        one.device = { id: '11111111-1111-4111-8111-111111111111', serial: 'X', battery: null, date_last_seen: null };
    }),
  ),
  spec(
    'an SOS has somebody nearby at 140 m',
    '[spec 2 Nearby]',
    alerts((one) => {
      if (one.type === 'sos')
        one.nearby = [
          {
            kind: 'person',
            worker: { id: '11111111-1111-4111-8111-111111111111', external_id: null, contractor: null },
            vehicle_type: null,
            distance_m: 140,
            reported_at: one.date_created,
          },
        ];
    }),
  ),
  spec(
    'a closed muster keeps its counters',
    '[spec 2 Muster]',
    musters((one) => {
      if (one.status !== 'active')
        one.totals = { ...one.totals, help: 0, wrong_point: 0, pending: 0, no_signal: 0, not_worn: 0 };
    }),
  ),
  spec(
    'the totals of an active muster do not add up',
    '[spec 2 Muster]',
    musters((one) => {
      if (one.status === 'active') one.totals.expected += 1;
    }),
  ),
  spec(
    'an excluded point does not say who excluded it',
    '[spec 2 AssemblyPoint]',
    musters((one) => {
      for (const point of one.assembly_points) point.excluded = null;
    }),
  ),
  spec(
    'an event of the log has no organization',
    '[spec 2 Event]',
    each(/^\/v1\/events$/, (one) => {
      one.organization_id = null;
    }),
  ),
  spec(
    'an event differs from the alert of the same version',
    '[spec 2 Event]',
    each(/^\/v1\/events$/, ({ data }) => {
      if (data.alert !== undefined) data.alert.assigned_to = 'Somebody';
    }),
  ),
  spec(
    'destinations are listed with their secrets',
    '[spec 4]',
    each(/^\/v1\/webhooks$/, (one) => {
      one.secret = 'whsec_x';
    }),
  ),
  spec(
    'sites come as text/json',
    '[spec 4]',
    header(({ path, status }) => path === '/v1/sites' && status === 200, 'content-type', 'text/json'),
  ),
  spec(
    'a refused token names no scheme',
    '[spec 5]',
    header(({ status, path }) => status === 401 && path !== '/v1/oauth/token', 'www-authenticate', null),
  ),
  spec('a token without the scope lists workers', '[spec 5]', ({ status, path, body }) =>
    status === 403 && path === '/v1/workers' && body.code === 'insufficient_scope'
      ? { ...EMPTY, body: { data: [], next_cursor: null } }
      : undefined,
  ),
  spec(
    'a problem comes as JSON',
    '[spec 7]',
    header(({ status, path }) => status === 404 && path.startsWith('/v1/'), 'content-type', 'application/json'),
  ),
  spec('the type of a problem is about:blank', '[spec 7]', ({ status, body }) =>
    status === 422 ? { body: { ...body, type: 'about:blank' } } : undefined,
  ),
  spec('a token lives two hours', '[spec 4]', ({ status, path, body }) =>
    path === '/v1/oauth/token' && status === 200 ? { body: { ...body, expires_in: 7_200 } } : undefined,
  ),
  spec(
    'alert.resolved carries an acknowledged alert',
    '[spec 6]',
    each(/^\/v1\/events$/, (one) => {
      if (one.type === 'alert.resolved') {
        one.data.alert.status = 'acknowledged';
        one.data.alert.resolved = null;
        one.data.alert.date_last_modified = one.data.alert.acknowledged.at;
      }
    }),
  ),
  spec(
    'an acknowledged alert says nobody acknowledged it',
    '[spec 3]',
    alerts((one) => {
      if (one.status === 'acknowledged') one.acknowledged = null;
    }),
  ),
  spec(
    'a worker was last seen before the watch was',
    '[spec 2 Worker]',
    each(/^\/v1\/workers$/, (one) => {
      if (one.device?.date_last_seen) one.date_last_seen = '2026-01-01T00:00:00.000Z';
    }),
  ),
  decided('limit is ignored', '[decisions 1, Page size]', ignoredLimit()),
  decided(
    'alerts come oldest first',
    '[decisions 1]',
    list('/v1/alerts', (data) => data.toReversed()),
  ),
  decided(
    'an unknown parameter is ignored',
    '[decisions 1, Unknown query parameters]',
    ({ query }) => (query.has('stauts') ? { ...EMPTY, body: { data: [], next_cursor: null } } : undefined),
    'unknown-parameters',
  ),
  decided('a cursor that nobody issued begins the list', '[decisions 1, Cursor]', ({ query }) =>
    query.get('cursor') === 'abc' ? { ...EMPTY, body: { data: [], next_cursor: null } } : undefined,
  ),
  decided('a page repeats an item of the page before', '[decisions 1, Keyset]', keyset()),
  decided(
    'a foreign site is not found',
    '[decisions 2]',
    ({ status, body }) =>
      body?.code === 'site_not_accessible'
        ? {
            status: 404,
            body: {
              ...body,
              status: 404,
              code: 'not_found',
              type: body.type.replace('site-not-accessible', 'not-found'),
              title: 'Not found',
            },
          }
        : status === 0
          ? {}
          : undefined,
    'foreign-objects',
  ),
  decided('the filter by type is ignored', '[decisions 1]', ignored('/v1/alerts', 'type')),
  decided('a 422 does not say where', '[decisions 2, Validation problems]', ({ status, body }) => {
    if (status !== 422) return undefined;
    const { errors: _, ...rest } = body;
    return { body: rest };
  }),
  decided(
    'a token may be cached',
    '[decisions 3, Responses]',
    header(({ path, status }) => path === '/v1/oauth/token' && status === 200, 'cache-control', null),
  ),
  decided('a token request without a grant is refused with 401', '[decisions 3]', ({ status, body }) =>
    status === 400 && body?.error === 'invalid_request'
      ? { status: 401, headers: { 'content-type': 'application/json', 'www-authenticate': 'Basic' } }
      : undefined,
  ),
  decided(
    'turned bounds are an empty page',
    '[decisions 1, Time bounds]',
    ({ status, query }) =>
      status === 422 && query.get('created_after')?.startsWith('2026-01-02')
        ? { ...EMPTY, body: { data: [], next_cursor: null } }
        : undefined,
    'turned-window',
  ),
  decided(
    'a masked position has an uncertainty',
    '[decisions 4, Privacy zone]',
    each(/^\/v1\/positions$/, ({ location }) => {
      location.masked = true;
      location.source = 'zone';
      location.uncertainty_m = 4;
    }),
  ),
  decided(
    'a 405 does not say what is allowed',
    '[decisions 1]',
    header(({ status }) => status === 405, 'allow', null),
  ),
  decided(
    'an alert links to another page of the panel',
    '[decisions 5, Panel address]',
    alerts((one) => {
      one.panel_url = one.panel_url.replace('/alerts/', '/incidents/');
    }),
  ),
];

function keyset(): Patch {
  let first: Body;
  return list('/v1/workers', (data, { query }) => {
    if (query.get('limit') !== '2') return undefined;
    if (!query.has('cursor')) {
      [, first] = data;
      return undefined;
    }
    return first === undefined ? undefined : [first, ...data.slice(1)];
  });
}

function ignoredLimit(): Patch {
  let whole: Body;
  return ({ method, status, path, query, body }) => {
    if (method !== 'GET' || status !== 200 || path !== '/v1/workers') return undefined;
    if ([...query.keys()].length === 0) whole = body;
    return query.get('limit') === '2' && !query.has('cursor') ? { body: whole } : undefined;
  };
}
