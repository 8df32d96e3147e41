/** More builds in which a single answer deviates: fields, words, forms, statuses, headers, problems, tokens. */
import type { Body, Patch, TrueAnswer } from './deviating-service.ts';
import { alerts, type Deviating, decided, EMPTY, each, header, list, musters, spec } from './patches.ts';

const TOKEN = '/v1/oauth/token';
const granted =
  (change: (body: Body, answer: TrueAnswer) => void): Patch =>
  (answer) => {
    if (answer.path !== TOKEN || answer.status !== 200) return undefined;
    const body = structuredClone(answer.body);
    change(body, answer);
    return { body };
  };
const problem =
  (status: number, change: (body: Body) => void): Patch =>
  (answer) => {
    if (answer.status !== status || !String(answer.headers['content-type']).includes('problem')) return undefined;
    const body = structuredClone(answer.body);
    change(body);
    return { body };
  };
const refused = (status: number, code: string, to: Body): Patch => {
  return ({ status: was, body }) =>
    was === status && body?.code === code ? { status: to.status, body: { ...body, ...to } } : undefined;
};
const EMPTY_PAGE = { ...EMPTY, body: { data: [], next_cursor: null } };

export const DEVIATIONS_ALONE: readonly Deviating[] = [
  spec(
    'a watch is in a status of its own',
    '[spec 2]',
    each(/^\/v1\/devices$/, (device) => {
      device.status = 'broken';
    }),
  ),
  spec(
    'a watch has a battery of 130',
    '[spec 2]',
    each(/^\/v1\/devices$/, (device) => {
      device.battery = 130;
    }),
  ),
  spec(
    'a watch does not say whether it is worn',
    '[spec 2]',
    each(/^\/v1\/devices$/, (device) => {
      delete device.worn;
    }),
  ),
  spec(
    'a worker is active by a word',
    '[spec 2]',
    each(/^\/v1\/workers$/, (worker) => {
      worker.is_active = 'yes';
    }),
  ),
  spec(
    'a worker has no role',
    '[spec 2]',
    each(/^\/v1\/workers$/, (worker) => {
      delete worker.role;
    }),
  ),
  spec(
    'a reference to a worker has no contractor',
    '[spec 2]',
    each(/^\/v1\/(devices|positions)$/, ({ worker }) => {
      if (worker !== null) delete worker.contractor;
    }),
  ),
  spec(
    'a site has a privacy mode of its own',
    '[spec 2]',
    each(/^\/v1\/sites$/, (site) => {
      site.privacy_mode = 'off';
    }),
  ),
  spec(
    'a position is beyond the pole',
    '[spec 2]',
    each(/^\/v1\/positions$/, ({ location }) => {
      location.latitude = 130;
    }),
  ),
  spec(
    'a position does not say whether it is in a vehicle',
    '[spec 2]',
    each(/^\/v1\/positions$/, (position) => {
      delete position.in_vehicle;
    }),
  ),
  spec(
    'a hazard does not say whether it is official',
    '[spec 2]',
    alerts((alert) => {
      if (alert.type === 'earthquake') delete alert.details.official;
    }),
  ),
  spec(
    'an SOS was triggered by a word of its own',
    '[spec 2]',
    alerts((alert) => {
      if (alert.type === 'sos') alert.details.trigger = 'button';
    }),
  ),
  spec(
    'a muster is in a phase of its own',
    '[spec 2]',
    musters((muster) => {
      muster.phase = 'counting';
    }),
  ),
  spec(
    'a muster has no deadline, not even null',
    '[spec 2]',
    musters((muster) => {
      delete muster.deadline;
    }),
  ),
  spec(
    'a missing worker has no help_reason',
    '[spec 2]',
    each(/\/missing$/, (entry) => {
      delete entry.help_reason;
    }),
  ),
  spec('the page of alerts has no next_cursor', '[spec 2]', ({ method, path, status, body }) => {
    if (method !== 'GET' || path !== '/v1/alerts' || status !== 200) return undefined;
    const { next_cursor: _, ...rest } = body;
    return { body: rest };
  }),
  spec(
    'times of alerts have an offset',
    '[spec 2]',
    alerts((alert) => {
      alert.date_created = alert.date_created.replace('Z', '+02:00');
    }),
  ),
  decided(
    'times of sites and watches have no milliseconds',
    '[decisions 1, Times]',
    each(/^\/v1\/devices$/, (device) => {
      if (device.date_last_seen !== null) device.date_last_seen = device.date_last_seen.replace(/\.\d{3}Z$/, 'Z');
    }),
  ),
  spec(
    'events are of another version of the API',
    '[spec 2]',
    each(/^\/v1\/events$/, (event) => {
      event.api_version = '2025-01-01';
    }),
  ),
  spec(
    'the alert of an event has no nearby',
    '[spec 2]',
    each(/^\/v1\/events$/, ({ data }) => {
      if (data.alert !== undefined) delete data.alert.nearby;
    }),
  ),
  spec(
    'muster.started carries the phase of inspection',
    '[spec 6]',
    each(/^\/v1\/events$/, (event) => {
      if (event.type === 'muster.started') event.data.muster.phase = 'inspecting';
    }),
  ),
  spec(
    'a point that is available was excluded by somebody',
    '[spec 2 AssemblyPoint]',
    musters((muster) => {
      for (const point of muster.assembly_points) if (point.excluded !== null) point.status = 'available';
    }),
  ),
  spec(
    'an exclusion does not raise the revision',
    '[spec 2 Muster]',
    musters((muster) => {
      muster.targets_revision = 1;
    }),
  ),
  spec(
    'points count more people than are safe',
    '[spec 2 AssemblyPoint]',
    musters((muster) => {
      if (muster.status === 'active') muster.assembly_points[0].count = 3;
    }),
  ),
  spec(
    'a closed muster keeps the count of its points',
    '[spec 2 AssemblyPoint]',
    musters((muster) => {
      if (muster.status !== 'active') muster.assembly_points[0].count = 0;
    }),
  ),
  spec(
    'a muster that was completed has no end',
    '[spec 2 Muster]',
    musters((muster) => {
      muster.ended_at = null;
    }),
  ),
  spec(
    'an assembly point does not say what it serves',
    '[spec 2 Zone]',
    each(/\/zones$/, (zone) => {
      if (zone.type === 'assembly_point') zone.assembly_point = null;
    }),
  ),
  spec(
    'a polygon is not closed',
    '[spec 2 Zone]',
    each(/\/zones$/, (zone) => {
      if (zone.geometry !== null)
        zone.geometry.coordinates = zone.geometry.coordinates.map((ring: Body[]) => ring.slice(0, -1));
    }),
  ),
  spec(
    'destinations are at http addresses',
    '[spec 4]',
    each(/^\/v1\/webhooks$/, (destination) => {
      destination.url = destination.url.replace('https:', 'http:');
    }),
  ),
  spec('the list of positions is a part', '[spec 4]', ({ path, status }) =>
    path === '/v1/positions' && status === 200 ? { status: 206 } : undefined,
  ),
  spec('sites are listed without a token', '[spec 5]', ({ path, status, body }) =>
    path === '/v1/sites' && status === 401 && body?.code === 'invalid_token'
      ? { ...EMPTY, body: { data: [] } }
      : undefined,
  ),
  spec('a token of nobody is forbidden, not unknown', '[spec 5]', ({ status, body, path }) =>
    path === '/v1/alerts' && status === 401 && /token (is|was|has)|not known|unknown|expired/.test(body?.detail ?? '')
      ? { status: 403, body: { ...body, status: 403 } }
      : undefined,
  ),
  spec(
    'a token without the scope is refused with a code of its own',
    '[spec 5]',
    problem(403, (body) => {
      if (body.code === 'insufficient_scope') body.code = 'forbidden';
    }),
  ),
  decided(
    'a token that is missing has a code of its own',
    '[spec 7]',
    problem(401, (body) => {
      body.code = 'unauthorized';
    }),
    'codes',
  ),
  spec(
    'a problem has its status as a text',
    '[spec 7]',
    problem(404, (body) => {
      body.status = '404';
    }),
  ),
  spec(
    'a problem has no title',
    '[spec 7]',
    problem(422, (body) => {
      delete body.title;
    }),
  ),
  spec(
    'the instance of a problem is not its path',
    '[spec 7]',
    problem(404, (body) => {
      body.instance = '/errors/1';
    }),
  ),
  decided(
    'the pointer of a query parameter has no question mark',
    '[decisions 2, Validation problems]',
    problem(422, (body) => {
      for (const error of body.errors ?? []) error.pointer = error.pointer.replace('?', '/');
    }),
  ),
  decided('an unknown alert is forbidden', '[decisions 2]', ({ path, status, body }) =>
    /^\/v1\/alerts\/0/.test(path) && status === 404
      ? {
          status: 403,
          body: {
            ...body,
            status: 403,
            code: 'site_not_accessible',
            type: body.type.replace('not-found', 'site-not-accessible'),
          },
        }
      : undefined,
  ),
  decided('an unknown alert lacks the scope', '[decisions 2]', ({ path, status, body, headers }) =>
    /^\/v1\/alerts\/0/.test(path) && status === 404
      ? {
          status: 403,
          headers: { ...headers, 'www-authenticate': 'Bearer error="insufficient_scope"' },
          body: {
            ...body,
            status: 403,
            code: 'insufficient_scope',
            type: body.type.replace('not-found', 'insufficient-scope'),
          },
        }
      : undefined,
  ),
  decided('the zones of a site of nobody are an empty list', '[decisions 2]', ({ path, status }) =>
    path.endsWith('/zones') && status === 403 ? { ...EMPTY, body: { data: [] } } : undefined,
  ),
  decided('alerts of a worker of nobody are not found', '[decisions 4, Filters]', ({ query, headers }) =>
    query.get('worker_id')?.startsWith('0000')
      ? {
          status: 404,
          headers: { ...headers, 'content-type': 'application/problem+json' },
          body: {
            type: 'https://api.example.com/problems/not-found',
            title: 'No',
            status: 404,
            code: 'not_found',
            instance: '/v1/alerts',
          },
        }
      : undefined,
  ),
  decided('a value of no filter is a bad request', '[decisions 2]', refused(422, 'validation_failed', { status: 400 })),
  decided('a page of 201 is one of 200', '[decisions 1, Page size]', ({ query }) =>
    query.get('limit') === '201' ? EMPTY_PAGE : undefined,
  ),
  decided('only workers ignore an unknown parameter', '[decisions 1, Unknown query parameters]', ({ query, path }) =>
    query.has('stauts') && path === '/v1/workers' ? EMPTY_PAGE : undefined,
  ),
  decided('HEAD is no method', '[decisions 1]', ({ method, headers }) =>
    method === 'HEAD'
      ? { status: 405, headers: { ...headers, 'content-type': 'application/problem+json', allow: 'GET' } }
      : undefined,
  ),
  decided(
    'Allow lacks a method',
    '[decisions 1]',
    header(({ status }) => status === 405, 'allow', 'POST'),
  ),
  decided('created_before includes the moment', '[decisions 1, Time bounds]', includedMoment()),
  decided('events of evacuations are an empty page for who may read alerts', '[spec 5]', ({ path, query, status }) =>
    path === '/v1/events' && query.get('type') === 'muster.*' && status === 403 ? EMPTY_PAGE : undefined,
  ),
  decided('events come newest first', '[decisions 1]', newestFirst(), 'events-order'),
  decided(
    'sites come in the order of their names backwards',
    '[decisions 1]',
    list('/v1/sites', (data) => data.toReversed()),
  ),
  decided('missing workers come backwards', '[decisions 1]', (answer) =>
    answer.path.endsWith('/missing') && answer.status === 200
      ? { body: { data: answer.body.data.toReversed() } }
      : undefined,
  ),
  spec(
    'the type of a token is bearer',
    '[spec 4]',
    granted((body) => {
      body.token_type = 'bearer';
    }),
  ),
  spec(
    'a token does not say its scope',
    '[spec 4]',
    granted((body) => {
      delete body.scope;
    }),
  ),
  spec(
    'a token has more scopes than were requested',
    '[spec 4]',
    granted((body) => {
      body.scope = 'alerts:read alerts:write';
    }),
  ),
  decided(
    'the scopes of a token come backwards',
    '[decisions 3, Scope]',
    granted((body) => {
      body.scope = body.scope.split(' ').toReversed().join(' ');
    }),
  ),
  spec('an error of the token endpoint is a word of its own', '[spec 7]', ({ path, body }) =>
    path === TOKEN && body?.error === 'unsupported_grant_type'
      ? { body: { ...body, error: 'invalid_grant' } }
      : undefined,
  ),
  spec('an unknown scope is granted', '[decisions 3]', ({ path, body, headers }) =>
    path === TOKEN && body?.error === 'invalid_scope'
      ? {
          status: 200,
          headers: { ...headers, 'cache-control': 'no-store' },
          body: { access_token: 'x', token_type: 'Bearer', expires_in: 3600, scope: '' },
        }
      : undefined,
  ),
  spec(
    'a refused client is named the scheme of tokens',
    '[decisions 3, Failures]',
    header(({ path, status }) => path === TOKEN && status === 401, 'www-authenticate', 'Bearer'),
  ),
  spec(
    'destinations are switched off',
    '[spec 3]',
    each(/^\/v1\/webhooks$/, (destination) => {
      destination.is_active = false;
    }),
    'is-active',
  ),
];

/** The events of the whole log, newest first, in pages of their own. */
function newestFirst(): Patch {
  let whole: Body[] = [];
  const cursors: string[] = [];
  return ({ path, status, query, body, method }) => {
    if (path !== '/v1/events' || status !== 200 || method !== 'GET') return undefined;
    if (query.get('limit') !== '2') {
      if (body.data.length > whole.length) whole = body.data.toReversed();
      return { body: { ...body, data: body.data.toReversed() } };
    }
    const cursor = query.get('cursor') ?? '';
    if (!cursors.includes(cursor)) cursors.push(cursor);
    const at = 2 * cursors.indexOf(cursor);
    return { body: { ...body, data: whole.slice(at, at + 2) } };
  };
}

function includedMoment(): Patch {
  let whole: Body[] = [];
  return list('/v1/alerts', (data, { query }) => {
    if ([...query.keys()].every((name) => name === 'limit')) whole = data.length > whole.length ? data : whole;
    const bound = query.get('created_before');
    if (bound === null || query.has('created_after')) return undefined;
    return whole.filter((alert) => alert.date_created <= bound);
  });
}
