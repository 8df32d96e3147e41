/** Requests in the forms in which clients send them: lists, times, tokens, names and addresses. [decisions 1, 2, 3, 7] */
import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTION_NAMES, actionBody } from '../../../src/contract/actions.ts';
import { check } from '../../../src/contract/check.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import type { Route } from '../../../src/service/api/route.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';
import { SITE, type SmallWorld } from '../domain/small-world.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';
import { rawHttp, requestBytes } from './raw-http.ts';

const ROUTES = allRoutes(new RateLimiter());
const FIRM = 'Acme, Inc.';

let harness: ApiHarness;
let token: string;
let alert: string;
beforeAll(async () => {
  harness = await ApiHarness.start();
  rename(harness.small);
  alert = await harness.sos(1);
  token = await harness.token();
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
});
afterAll(() => harness.stop());

/** As names are in life. */
function rename(small: SmallWorld): void {
  const { world } = small;
  const worker = world.need('worker', world.need('device', small.device(1)).workerId as string);
  world.put('worker', { ...worker, contractor: FIRM, externalId: 'E,1+1' });
  world.commit();
}

type Property = readonly [route: Route, key: string, schema: Record<string, unknown>];
const PROPERTIES: readonly Property[] = ROUTES.flatMap((route) =>
  Object.entries((route.query as TObject | undefined)?.properties ?? {}).map(
    ([key, schema]) => [route, key, schema as unknown as Record<string, unknown>] as const,
  ),
);
const named = (fits: (schema: Record<string, unknown>) => boolean) =>
  PROPERTIES.filter(([, , schema]) => fits(schema)).map(
    ([route, key, schema]) => [`${route.path}?${key}`, route, key, schema] as const,
  );
const pathOf = ({ path }: Route) => path.replace(':site_id', SITE).replace(':alert_id', alert).replace(/:\w+/, SITE);

describe('a list', () => {
  const items = ({ items: one }: Record<string, unknown>) => one as Record<string, unknown>;
  const lists = named((schema) => schema['x-list'] !== undefined);

  test('is each filter that decisions 1 lists, and no other', () => {
    const keys = [...new Set(lists.map(([, , key]) => key))].sort();
    expect(keys).toEqual(['contractor', 'external_id', 'kind', 'site_id', 'status', 'type', 'worker_id']);
  });

  test.each(
    lists,
  )('%s is the same repeated, with commas and with encoded commas', async (_name, route, key, schema) => {
    const { enum: words, format } = items(schema);
    const [a = 'x', b = 'y'] =
      (words as string[] | undefined) ?? (format === 'any-uuid' ? [SITE, SITE.toUpperCase()] : []);
    const ask = (query: string) => harness.call(route.method, `${pathOf(route)}?${query}`, { token });
    const [repeated, comma, encoded] = await Promise.all(
      [`${key}=${a}&${key}=${b}`, `${key}=${a},${b}`, `${key}=${a}%2C${b}`].map(ask),
    );
    expect(repeated?.status).toBe(200);
    for (const other of [comma, encoded]) expect(other).toMatchObject({ status: 200, body: repeated?.body });
  });
});

describe('a time', () => {
  test.each(
    named(({ format }) => format === 'any-date-time'),
  )('%s whose plus arrives as a space is refused with what to write', async (_name, route, key) => {
    const ask = (value: string) => harness.call(route.method, `${pathOf(route)}?${key}=${value}`, { token });
    for (const value of [
      '2026-10-05T06:00:00+02:00',
      '2026-10-05T06:00:00.5%2002:00',
      '2026-10-05t06:00:00%2002:00',
      '2026-10-05T06:00+0200',
    ]) {
      const { status, body } = await ask(value);
      expect([value, status, body.code]).toEqual([value, 422, 'validation_failed']);
      expect(body.errors).toEqual([{ pointer: `?${key}`, detail: expect.stringMatching(/\+ was.*%2B.*Z/) }]);
      expect(body.detail).toContain(`?${key} `);
    }
    for (const value of [
      '2026-10-05T06:00:00%2B02:00',
      '2026-10-05T06:00:00Z',
      '2026-10-05T06:00%2B02:00',
      '2026-10-05T06:00:00-03:00',
      '2026-10-05t06:00:00z',
    ])
      expect([value, (await ask(value)).status]).toEqual([value, 200]);
  });
});

/** Objects of a request body, with the path of each. */
function objectsOf(
  schema: TObject,
  path: readonly string[] = [],
): (readonly [path: readonly string[], schema: TObject])[] {
  const nested = Object.entries(schema.properties ?? {}).flatMap(([key, one]) =>
    (one as TObject).type === 'object' ? objectsOf(one as TObject, [...path, key]) : [],
  );
  return [[path, schema], ...nested];
}

describe('null in place of an optional field', () => {
  const bodies = [
    ...ROUTES.flatMap(({ method, path, body }) => (body === undefined ? [] : [[`${method} ${path}`, body] as const])),
    ...ACTION_NAMES.map((name) => [name, actionBody(name)] as const),
  ] as readonly (readonly [string, TObject])[];
  const fields = bodies.flatMap(([name, body]) =>
    objectsOf(body).flatMap(([path, { properties, required = [] }]) =>
      Object.keys(properties ?? {})
        .filter((key) => !(required as readonly string[]).includes(key))
        .map((key) => [name, [...path, key], body] as const),
    ),
  );

  test.each(fields)('of %s at %j is taken, or refused with what to do', (_name, path, body) => {
    const value = [...path].reverse().reduce<unknown>((inner, key) => ({ [key]: inner }), null);
    const checked = check(body, value);
    const found = checked.ok ? [] : checked.errors.filter(({ pointer }) => pointer === `/${path.join('/')}`);
    for (const { detail } of found) expect(detail).toMatch(/; leave the key out instead of null$/);
  });

  test('of an alert update is 422 with that sentence', async () => {
    const { status, body } = await harness.call('PATCH', `/v1/alerts/${alert}`, {
      token,
      body: { status: 'acknowledged', note: null, actor: { name: 'Ana', external_id: null } },
    });
    expect([status, body.errors]).toEqual([
      422,
      ['/note', '/actor/external_id'].map((pointer) => ({
        pointer,
        detail: 'must be a string; leave the key out instead of null',
      })),
    ]);
  });
});

describe('an unknown parameter', () => {
  const routes = ROUTES.filter(({ operationId }) => operationId !== 'issueToken');
  test.each(
    routes.map((route) => [`${route.method} ${route.path}`, route] as const),
  )('of %s is 422', async (_name, route) => {
    const { method } = route;
    const { status, body } = await harness.call(method, `${pathOf(route)}?statsu=a`, {
      token: route.path.startsWith('/v1/sandbox/') ? CONTROL : token,
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
    });
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '?statsu', detail: expect.stringContaining('not a known parameter') }],
    ]);
  });
});

describe('HEAD', () => {
  const reading = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path);
  const pages = [
    '/openapi.json',
    '/v1/sandbox/openapi.json',
    '/asyncapi.json',
    '/docs',
    '/docs/listAlerts',
    '/docs/',
    '/problems/not-found',
  ];
  test.each([...reading, ...pages])('%s answers as GET does, without a body', async (path) => {
    const real = path.replace(':site_id', SITE).replace(':alert_id', alert).replace(/:\w+/, SITE);
    const sandbox = real.startsWith('/v1/sandbox/');
    const ask = (method: string, query = '') =>
      rawHttp(
        harness.api.port,
        requestBytes({
          method,
          path: `${real}${query}`,
          token: sandbox ? CONTROL : token,
        }),
      );
    // A stream ends only with `?once=true`.
    const [head, whole] = [await ask('HEAD'), await ask('GET', real.endsWith('/stream') ? '?once=true' : '')];
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      whole.status,
      whole.headers.get('content-type'),
      '',
    ]);
  });
});

describe('a token request', () => {
  const good = { grant_type: 'client_credentials', client_id: 'harbour_co', client_secret: SECRET };
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const own = basic(`harbour_co:${SECRET}`);
  type Row = [
    what: string,
    body: Record<string, string> | string,
    headers: Record<string, string>,
    status: number,
    error: string | null,
  ];
  const ROWS: Row[] = [
    ['nothing missing', good, {}, 200, null],
    ['an empty scope', { ...good, scope: '' }, {}, 200, null],
    ['an empty unknown parameter', { ...good, audience: '' }, {}, 200, null],
    ['no grant', { ...good, grant_type: '' }, {}, 400, 'invalid_request'],
    ['an unknown grant', { ...good, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
    ['no client', { ...good, client_id: '' }, {}, 401, 'invalid_client'],
    ['no secret', { ...good, client_secret: '' }, {}, 401, 'invalid_client'],
    ['no credentials', { grant_type: 'client_credentials' }, {}, 401, 'invalid_client'],
    [
      'empty credentials',
      { grant_type: 'client_credentials', client_id: '', client_secret: '' },
      {},
      401,
      'invalid_client',
    ],
    ['Basic alone', { grant_type: 'client_credentials' }, own, 200, null],
    [
      'Basic, empty ones in the body',
      { grant_type: 'client_credentials', client_id: '', client_secret: '' },
      own,
      200,
      null,
    ],
    ['Basic, the same id in the body', { grant_type: 'client_credentials', client_id: 'harbour_co' }, own, 200, null],
    ['Basic and the body', good, own, 400, 'invalid_request'],
    ['Basic with a bad escape in the id', { grant_type: 'client_credentials' }, basic('a%zz:b'), 401, 'invalid_client'],
    ['Basic with half an escape', { grant_type: 'client_credentials' }, basic('a:b%4'), 401, 'invalid_client'],
    ['Basic with nothing in it', { grant_type: 'client_credentials' }, basic(':'), 401, 'invalid_client'],
    ['an empty one twice', `${new URLSearchParams(good)}&scope=&scope=`, {}, 200, null],
    ['a parameter twice', `${new URLSearchParams(good)}&grant_type=client_credentials`, {}, 400, 'invalid_request'],
  ];

  test('a bad escape in Basic credentials is named, and not called another scheme', async () => {
    for (const text of ['a%zz:b', 'a:b%4', '%:x']) {
      const form = { body: 'grant_type=client_credentials', type: 'application/x-www-form-urlencoded' };
      const headers = { 'content-type': form.type, ...basic(text) };
      const { body } = await harness.call('POST', '/v1/oauth/token', { body: form.body, headers });
      expect(body.error_description).toContain('has a % without two hexadecimal digits');
    }
  });

  test.each(ROWS)('with %s', async (_what, body, headers, status, error) => {
    const form = new URLSearchParams(body).toString();
    const sent = typeof body === 'string' ? body : form;
    const answer = await harness.call('POST', '/v1/oauth/token', {
      body: sent,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
    expect([answer.status, answer.body.error ?? null]).toEqual([status, error]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic') ?? false).toBe(status === 401);
    if (typeof body === 'string') return;
    const json = await harness.call('POST', '/v1/oauth/token', { body, headers });
    expect([json.status, json.body.error ?? null]).toEqual([status, error]);
  });

  test.each([
    ['Bearer TOKEN', 200],
    ['bearer TOKEN', 200],
    ['BEARER TOKEN', 200],
    ['BeArEr   TOKEN', 200],
    ['Bearer          TOKEN', 200],
    ['Bearer', 401],
    ['BearerTOKEN', 401],
    ['Bearer\tTOKEN', 401],
    ['Bearer TOKEN TOKEN', 401],
    ['Bearer TOKEN,', 401],
    ['Basic TOKEN', 401],
    ['TOKEN', 401],
  ])('%j in the Authorization header: %i', async (form, status) => {
    const headers = [`Authorization: ${form.replaceAll('TOKEN', token)}`];
    const answer = await rawHttp(harness.api.port, requestBytes({ path: '/v1/sites', token: null, headers }));
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });
});

describe('the name of an operator', () => {
  test.each([
    [' ', 200],
    ['\u00a0', 200],
    ['x', 200],
    ['é'.repeat(120), 200],
    ['😀'.repeat(120), 200],
    ['', 422],
    ['x'.repeat(121), 422],
    ['😀'.repeat(121), 422],
    ['a\u0000b', 422],
  ])('%j is answered %i', async (name, status) => {
    const body = { status: 'acknowledged', actor: { name } };
    expect((await harness.call('PATCH', `/v1/alerts/${alert}`, { token, body })).status).toBe(status);
  });
});

describe('a destination', () => {
  const create = (body: object) =>
    harness.call('POST', '/v1/webhooks', { token, body: { event_types: ['alert.*'], ...body } });

  test.each([
    'https://receiver.example',
    'https://RECEIVER.example/Hook',
    'HTTPS://receiver.example:443/hook',
    'https://receiver.example:8443/a/../b/./c?x=1&y=%2f',
    'https://receiver.example/caf%C3%A9?q=a+b',
    'https://réceiver.example/hook',
    'https://receiver.example/hook?',
  ])('%s comes back as it was sent', async (url) => {
    const made = await create({ url });
    expect([made.status, made.body.url]).toEqual([201, url]);
    const listed = await harness.call('GET', '/v1/webhooks', { token });
    expect(listed.body.data.map((one: { url: string }) => one.url)).toContain(url);
    await harness.call('DELETE', `/v1/webhooks/${made.body.id}`, { token });
  });

  test.each([
    [{ site_ids: [] }, '/filters/site_ids'],
    [{ contractors: [] }, '/filters/contractors'],
    [{ contractors: [''] }, '/filters/contractors/0'],
  ])('with the filters %j is refused', async (filters, pointer) => {
    const { status, body } = await create({ url: 'https://receiver.example/', filters });
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]]);
  });

  test('beyond the twentieth is refused with where', async () => {
    for (let n = 1; n <= 20; n++) expect((await create({ url: `https://receiver.example/${n}` })).status).toBe(201);
    const { status, body } = await create({ url: 'https://receiver.example/21' });
    expect([status, body.code, body.errors]).toEqual([
      422,
      'validation_failed',
      [{ pointer: '', detail: expect.stringContaining('21') }],
    ]);
  });
});
