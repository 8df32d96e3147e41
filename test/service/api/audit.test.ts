/** The audit log: one row per request, also those refused before authentication; never a secret. [spec 5, decisions 10] */
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { randomId, sha256Hex } from '../../../src/base/ids.ts';
import { PROGRAM_AGENT, SCENARIO_AGENT } from '../../../src/base/network/program-agent.ts';
import { errorAnswer } from '../../../src/service/api/answers/error-answer.ts';
import { isOwnRequest } from '../../../src/service/engine/log-rows.ts';
import { type RequestRecord, StorageBroken, StorageFull } from '../../../src/service/engine/store-port.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';
import { type Ask, rawHttp, requestBytes } from './raw-http.ts';
import { addQuarry, QUARRY } from './second-company.ts';

interface Row {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly code: string | null;
  readonly client_id: string | null;
  readonly note: string | null;
}

let harness: ApiHarness;
let token: string;
beforeAll(async () => {
  harness = await ApiHarness.start({ requestTimeoutMs: 2_000 });
  addQuarry(harness.small);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 100_000 });
  token = await harness.token();
});

const send = (bytes: Buffer | string) => rawHttp(harness.api.port, bytes);
const ask = (part: Ask) => send(requestBytes({ token, ...part }));

/** Newest first. */
async function rows(viewer: string = CONTROL): Promise<Row[]> {
  const answer = await ask({ token: viewer, path: '/v1/sandbox/requests?limit=1000' });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** The new rows. */
async function rowsOf(act: () => Promise<unknown>): Promise<Row[]> {
  const before = await rows();
  await act();
  const after = await rows();
  // Minus the row of the first look.
  return after.slice(0, after.length - before.length - 1);
}

const CASES: [string, () => Promise<unknown>, Partial<Row>][] = [
  ['an answer', () => ask({}), { method: 'GET', path: '/v1/sites', status: 200, code: null, client_id: 'harbour_co' }],
  ['a stranger', () => ask({ token: null }), { status: 401, code: 'invalid_token', client_id: null }],
  [
    'a route that does not exist',
    () => ask({ path: '/v1/nothing' }),
    { path: '/v1/nothing', status: 404, code: 'not_found', client_id: 'harbour_co' },
  ],
  [
    'a stranger at a route that does not exist',
    () => ask({ path: '/nothing', token: null }),
    { status: 404, client_id: null },
  ],
  ['a wrong method', () => ask({ method: 'TRACE' }), { method: 'TRACE', status: 405, code: 'method_not_allowed' }],
  [
    'a body too large',
    () => ask({ method: 'POST', path: '/v1/webhooks', body: 'x'.repeat(70_000) }),
    { status: 413, code: 'payload_too_large' },
  ],
  [
    'an address that cannot be decoded',
    () => ask({ path: '/v1/%zz' }),
    { path: '/v1/%zz', status: 400, code: 'malformed_request', client_id: 'harbour_co' },
  ],
  [
    'an address too long',
    () => ask({ path: `/v1/${'a'.repeat(9_000)}` }),
    { path: `/v1/${'a'.repeat(496)}`, status: 414, code: 'uri_too_long' },
  ],
  [
    'a token request',
    () => harness.token(),
    { method: 'POST', path: '/v1/oauth/token', status: 200, client_id: 'harbour_co' },
  ],
  [
    'bytes that are no HTTP',
    () => send('hello\r\n\r\n'),
    { method: '-', path: '-', status: 400, code: 'malformed_request', note: 'HPE_INVALID_METHOD' },
  ],
  [
    'headers too large',
    () => ask({ headers: [`X: ${'a'.repeat(20_000)}`] }),
    { method: '-', status: 431, code: 'headers_too_large' },
  ],
  [
    'CONNECT',
    () => send('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n'),
    { status: 400, note: 'CONNECT a.example:443' },
  ],
  [
    'headers that never end',
    () => send('GET / HTTP/1.1\r\nHost: x\r\n'),
    { method: '-', status: 408, code: 'request_timeout' },
  ],
  [
    'a body that never ends',
    () => send(requestBytes({ token, method: 'POST', path: '/v1/webhooks', body: '{}' }).subarray(0, -1)),
    { method: 'POST', path: '/v1/webhooks', status: 408, code: 'request_timeout', client_id: 'harbour_co' },
  ],
  [
    'a body whose frame breaks',
    () =>
      ask({
        method: 'POST',
        path: '/v1/webhooks',
        headers: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
        tail: 'zz\r\n',
      }),
    { method: 'POST', status: 400, code: 'malformed_request', client_id: 'harbour_co' },
  ],
];

test('a probe of /healthz needs no token and leaves no row', async () => {
  const probed = async () => {
    for (const path of ['/healthz', '/health'])
      expect(await ask({ token: null, path })).toMatchObject({ status: 200, body: { status: 'ok' } });
  };
  expect(await rowsOf(probed)).toEqual([]);
});

describe('one row is left by', () => {
  test.each(CASES)('%s', async (_what, act, row) => {
    const left = await rowsOf(act);
    expect(left).toEqual([expect.objectContaining(row)]);
  });

  test('a request over the limit', async () => {
    harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: 0 });
    expect(await rowsOf(() => ask({}))).toEqual([
      expect.objectContaining({ status: 429, code: 'rate_limited', client_id: 'harbour_co' }),
    ]);
  });

  test('a client that went away before its answer', async () => {
    const left = await rowsOf(async () => {
      const half = requestBytes({ token, method: 'POST', path: '/v1/webhooks', body: '{}' }).subarray(0, -1);
      const socket = connect({ port: harness.api.port, host: '127.0.0.1' });
      await new Promise<void>((resolve) => socket.write(half, () => resolve()));
      // Once another request is answered the server has read the half of this one.
      await ask({ path: '/v1/nothing' });
      socket.resetAndDestroy();
      await ask({ path: '/v1/nothing' });
    });
    const gone = left.find(({ method }) => method === 'POST');
    expect(gone).toMatchObject({ status: 499, code: null, note: 'The client disconnected before the reply.' });
    expect(harness.clock.holders()).toEqual([]);
  });

  test('a mistake of ours, with what went wrong, which the answer does not tell', async () => {
    const body = { action: 'sos', who: 'E-1' };
    const left = await rowsOf(async () => {
      const answer = await ask({ token: CONTROL, method: 'POST', path: '/v1/sandbox/actions', body });
      expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
      expect(answer.text).not.toMatch(/no fleet here|\.ts|node_modules| at /);
    });
    expect(left).toEqual([expect.objectContaining({ status: 500, note: 'Error: no fleet here' })]);
  });
});

describe('the readers of audit rows', () => {
  test('a client sees those of its own company, also of its tokens that are no good any more', async () => {
    const old = await harness.token('alerts:read');
    const { world } = harness.small;
    world.put('token', { ...world.need('token', sha256Hex(old)), revoked: true });
    world.commit();
    await ask({ token: old, path: '/v1/alerts' });
    await ask({ token: null, path: '/v1/alerts' });
    const own = await rows(token);
    expect(own[0]).toMatchObject({ path: '/v1/alerts', status: 401, client_id: 'harbour_co' });
    expect(new Set(own.map(({ client_id }) => client_id))).toEqual(new Set(['harbour_co']));
    const form = { grant_type: 'client_credentials', client_id: QUARRY.client, client_secret: QUARRY.secret };
    const theirs = await harness.call('POST', '/v1/oauth/token', { body: form });
    expect((await rows(theirs.body.access_token)).map(({ path }) => path)).toEqual(['/v1/oauth/token']);
  });
});

describe('own requests', () => {
  const from = (agent: string, part: Ask = {}) => ask({ headers: [`User-Agent: ${agent}`], ...part });
  const own = async (limit: number) => {
    const { body } = await ask({ token: CONTROL, path: `/v1/sandbox/requests?own=true&limit=${limit}` });
    return body.data as { path: string; status: number; agent: string | null }[];
  };

  test.each<[string, boolean, () => Promise<unknown>]>([
    ['a request with a client\u2019s token', true, () => from('curl/8.5.0')],
    ['a request without a User-Agent', true, () => ask({})],
    ['a request whose token is wrong', true, () => from('okhttp/5', { token: 'wrong' })],
    ['a request with the control token where it is not valid', true, () => from('okhttp/5', { token: CONTROL })],
    ['a request of a path that does not exist', true, () => from('okhttp/5', { token: null, path: '/alerts' })],
    ['bytes that are no HTTP', true, () => send('hello\r\n\r\n')],
    ['a client\u2019s request of the sandbox itself', false, () => from('curl/8.5.0', { path: '/v1/sandbox/gaps' })],
    ['a request of a step of a scenario', false, () => from(SCENARIO_AGENT)],
    ['a request of the library or a tool', false, () => from(PROGRAM_AGENT)],
    ['a request of a page without a token', false, () => from('Mozilla/5.0', { token: null, path: '/openapi.json' })],
  ])('%s is one: %s', async (_what, isOwn, act) => {
    const left = await rowsOf(act);
    expect(left.map((row) => isOwnRequest(row as never))).toEqual([isOwn]);
  });

  test('The limit counts own requests, however many others are newer, and a row names its program', async () => {
    await from('control-room/2.1');
    const [poll] = await harness.store.requests({ limit: 1 });
    for (let n = 0; n < 1_100; n++)
      harness.engine.logRequest({ ...(poll as RequestRecord), id: randomId(), path: '/v1/sandbox/gaps' });
    expect(await own(1)).toEqual([expect.objectContaining({ path: '/v1/sites', agent: 'control-room/2.1' })]);
  });
});

describe('no row holds a secret', () => {
  const whsec = `whsec_${'Aa1'.repeat(14)}B`;

  test('a secret is in no row, whether it was sent where it belongs or elsewhere', async () => {
    const basic = Buffer.from(`harbour_co:${SECRET}`).toString('base64');
    const encoded = [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const paths = [
      `/v1/sites?access_token=${token}`,
      `/v1/sites?access%5Ftoken=${token}`,
      `/v1/sites?Client_Secret=${SECRET}&client_%73ecret=${SECRET}`,
      `/v1/sites?x=${token}`,
      `/v1/sites?${token}`,
      `/v1/sites?x=${encoded}`,
      `/v1/alerts/${token}`,
      `/v1/alerts/${encoded}`,
      `/v1/webhooks/${whsec}`,
      `http://x/v1/alerts/${token}`,
    ];
    for (const path of paths) for (const who of [token, null]) await ask({ path, token: who });
    await ask({ token: null, headers: [`Authorization: Basic ${basic}`] });
    await ask({ token: null, headers: [`Authorization: Token ${token}`] });
    for (const agent of [token, `curl/8.5 (${SECRET})`, `x-${whsec}`]) await ask({ headers: [`User-Agent: ${agent}`] });
    await ask({
      method: 'POST',
      path: `/v1/oauth/token?client_secret=${SECRET}`,
      body: { client_secret: SECRET },
      token: null,
    });
    await ask({ method: 'POST', path: '/v1/webhooks', body: { secret: whsec, [token]: 1 } });
    const text = JSON.stringify(await rows());
    for (const secret of [token, SECRET, whsec, encoded, basic, CONTROL]) expect(text.includes(secret)).toBe(false);
    expect(text).toContain('[hidden]');
  });

  test('and what is none stays readable', async () => {
    const path = '/v1/alerts?status=resolved&created_after=2026-10-05T06:00:00Z&cursor=abc';
    const [row] = await rowsOf(() => ask({ path }));
    expect(`${row?.path}?${row?.query}`).toBe(path);
  });
});

describe('trouble with the disk', () => {
  test.each([
    new StorageFull('full'),
    new StorageBroken('broken'),
  ])('is 503 and not the fault of the request: %s', (error) => {
    const answer = errorAnswer(error, { baseUrl: 'http://x', path: '/v1/events', route: undefined });
    expect([answer.status, answer.code, JSON.parse(answer.body).detail]).toEqual([
      503,
      'storage_unavailable',
      expect.not.stringContaining(error.message),
    ]);
  });
});
