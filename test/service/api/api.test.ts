/** The API over real HTTP: tokens, reading, errors, operators and destinations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/contract/check.ts';
import { Event } from '../../../src/contract/events.ts';
import { Problem } from '../../../src/contract/problems.ts';
import {
  Alert,
  Device,
  List,
  Page,
  Position,
  Site,
  WebhookDestinationCreated,
  Worker,
  Zone,
} from '../../../src/contract/resources.ts';
import { SITE } from '../domain/small-world.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';

let harness: ApiHarness;
let token: string;
beforeAll(async () => {
  harness = await ApiHarness.start();
  token = await harness.token();
});
afterAll(() => harness.stop());

const form = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const credentials = { client_id: 'harbour_co', client_secret: SECRET };
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe('the token endpoint', () => {
  test('grants all scopes of the client in the order of the table when none is asked for', async () => {
    const { status, body, headers } = await harness.call(
      'POST',
      '/v1/oauth/token',
      form({ grant_type: 'client_credentials', ...credentials }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'alerts:read alerts:write positions:read musters:read workers:read webhooks:manage',
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    [
      'form and body',
      () => form({ grant_type: 'client_credentials', ...credentials, scope: 'webhooks:manage alerts:read' }),
    ],
    [
      'form and Basic',
      () => ({
        ...form({ grant_type: 'client_credentials', scope: 'webhooks:manage alerts:read' }),
        headers: { ...form({}).headers, ...basic(`harbour_co:${SECRET}`) },
      }),
    ],
    [
      'JSON',
      () => ({ body: { grant_type: 'client_credentials', ...credentials, scope: 'webhooks:manage alerts:read' } }),
    ],
  ])('takes credentials by %s', async (_way, init) => {
    const { status, body } = await harness.call('POST', '/v1/oauth/token', init());
    expect([status, body.scope]).toEqual([200, 'alerts:read webhooks:manage']);
  });

  test.each([
    [400, 'invalid_request', form(credentials)],
    [400, 'invalid_request', { ...form({}), body: 'grant_type=client_credentials&grant_type=client_credentials' }],
    [400, 'unsupported_grant_type', form({ grant_type: 'password', ...credentials })],
    [401, 'invalid_client', form({ grant_type: 'client_credentials', ...credentials, client_secret: 'wrong' })],
    [401, 'invalid_client', form({ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' })],
    [401, 'invalid_client', form({ grant_type: 'client_credentials' })],
    [400, 'invalid_scope', form({ grant_type: 'client_credentials', ...credentials, scope: 'alerts:read admin' })],
    [
      400,
      'invalid_request',
      {
        ...form({ grant_type: 'client_credentials', ...credentials }),
        headers: { ...form({}).headers, ...basic(`harbour_co:${SECRET}`) },
      },
    ],
  ])('answers %s %s', async (status, error, init) => {
    const answer = await harness.call('POST', '/v1/oauth/token', init);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
  });
});

describe('reading', () => {
  test.each([
    ['/v1/sites', List('L', Site)],
    [`/v1/sites/${SITE}/zones`, List('L', Zone)],
    ['/v1/alerts', Page('P', Alert)],
    ['/v1/workers', Page('P', Worker)],
    ['/v1/devices', Page('P', Device)],
    ['/v1/positions', List('L', Position)],
    ['/v1/events', Page('P', Event)],
  ])('%s answers as its schema says', async (path, schema) => {
    await harness.sos(1);
    await harness.engine.submit({
      type: 'report-position',
      deviceId: harness.small.device(1),
      fixes: [{ ...harness.small.fix(20, 20), at: harness.clock.now(), worn: true }],
    });
    const { status, body } = await harness.call('GET', path, { token });
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
    expect(check(schema, body)).toEqual({ ok: true, value: body });
  });

  test('an event in the log is the alert as the GET gives it at that instant', async () => {
    const id = await harness.sos(3);
    const { body: alert } = await harness.call('GET', `/v1/alerts/${id}`, { token });
    const { body: log } = await harness.call('GET', '/v1/events?type=alert.created', { token });
    expect(
      log.data.find((event: { data: { alert: { id: string } } }) => event.data.alert.id === id).data.alert,
    ).toEqual(alert);
  });

  test('a page walk gives each alert once, the newest first', async () => {
    const fresh = await ApiHarness.start();
    for (let n = 10; n < 17; n++) {
      fresh.small.worker(n, `Worker ${n}`);
      await fresh.sos(n);
    }
    const own = await fresh.token();
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await fresh.call('GET', `/v1/alerts?limit=3${cursor && `&cursor=${cursor}`}`, { token: own });
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(new Set(ids).size).toBe(7);
    expect(ids).toHaveLength(7);
    await fresh.stop();
  });
});

describe('what is wrong is reported as a problem', () => {
  const CASES: [string, string, number, string, Parameters<ApiHarness['call']>[2]?][] = [
    ['GET', '/v1/sites', 401, 'invalid_token', { token: null }],
    ['GET', '/v1/sites', 401, 'invalid_token', { token: 'unknown' }],
    ['GET', '/v1/sites', 401, 'invalid_token', { token: CONTROL }],
    ['GET', '/v1/nothing', 404, 'not_found'],
    ['GET', '/v1/alerts/nope', 404, 'not_found'],
    ['GET', '/v1/alerts/00000000-0000-4000-8000-000000000000', 404, 'not_found'],
    ['PUT', '/v1/webhooks', 405, 'method_not_allowed', { body: {} }],
    ['GET', '/v1/alerts?state=open', 422, 'validation_failed'],
    ['GET', '/v1/alerts?limit=0', 422, 'validation_failed'],
    ['GET', '/v1/alerts?cursor=abc', 422, 'invalid_cursor'],
    ['GET', '/v1/alerts?site_id=00000000-0000-4000-8000-000000000000', 403, 'site_not_accessible'],
    ['GET', '/v1/sites/00000000-0000-4000-8000-000000000000/zones', 403, 'site_not_accessible'],
    ['POST', '/v1/webhooks', 400, 'malformed_json', { body: '{"url":' }],
    ['POST', '/v1/webhooks', 400, 'malformed_json', { body: '{"url":"https://a.example","__proto__":{}}' }],
    ['POST', '/v1/webhooks', 415, 'unsupported_media_type', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['POST', '/v1/webhooks', 413, 'payload_too_large', { body: { url: 'x'.repeat(70_000) } }],
    ['POST', '/v1/webhooks', 422, 'validation_failed', { body: { url: 'https://a.example', event_types: [] } }],
    [
      'POST',
      '/v1/webhooks',
      422,
      'invalid_destination_url',
      { body: { url: 'http://a.example', event_types: ['alert.*'] } },
    ],
    ['GET', '/v1/%zz', 400, 'malformed_request'],
  ];

  test.each(CASES)('%s %s is %i %s', async (method, path, status, code, init = {}) => {
    const answer = await harness.call(method, path, { token, ...init });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(check(Problem, answer.body)).toEqual({ ok: true, value: answer.body });
    expect(answer.body.type).toBe(`${harness.url}/problems/${code.replaceAll('_', '-')}`);
    const page = await fetch(answer.body.type, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(code)]);
  });

  test('a problem ends in one mark, whether it asks or tells', async () => {
    const detailOf = async (query: string) => (await harness.call('GET', `/v1/alerts?${query}`, { token })).body.detail;
    expect(await detailOf('statuss=resolved')).toMatch(/did you mean "status"\?$/);
    expect(await detailOf('colour=red')).toMatch(/is not a known parameter\.$/);
  });

  test('a token without the scope is 403 with the scope in WWW-Authenticate', async () => {
    const narrow = await harness.token('alerts:read');
    const { status, body, headers } = await harness.call('GET', '/v1/workers', { token: narrow });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="workers:read"');
  });

  test('405 says which methods are possible', async () => {
    const { headers } = await harness.call('DELETE', '/v1/alerts', { token });
    expect(headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('an operator', () => {
  test('acknowledges by the API, and the answer is the alert as the next GET gives it', async () => {
    const id = await harness.sos(2);
    const body = { status: 'acknowledged', actor: { name: 'Desk 2' } };
    const answer = await harness.call('PATCH', `/v1/alerts/${id}`, { token, body });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'acknowledged', acknowledged: { by: 'Customer operator (via integration)' } },
    });
    expect((await harness.call('GET', `/v1/alerts/${id}`, { token })).body).toEqual(answer.body);
    await harness.call('PATCH', `/v1/alerts/${id}`, { token, body: { ...body, status: 'resolved' } });
    const back = await harness.call('PATCH', `/v1/alerts/${id}`, { token, body });
    expect([back.status, back.body.code]).toEqual([409, 'invalid_transition']);
  });

  test.each([
    [{ status: 'acknowledged' }, '/actor'],
    [{ status: 'acknowledged', actor: { name: '' } }, '/actor/name'],
    [{ status: 'resolved', actor: { name: 'x' }, notes: 'y' }, '/notes'],
    [{ status: 'acknowledged', actor: { name: 'x' }, resolution_reason: 'y' }, '/resolution_reason'],
  ])('an operator’s request %j is refused with the pointer %s', async (body, pointer) => {
    const id = await harness.sos(2);
    const answer = await harness.call('PATCH', `/v1/alerts/${id}`, { token, body });
    expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ]);
  });
});

describe('webhook destinations', () => {
  test('are made, listed without their secret, and deleted', async () => {
    const body = {
      url: 'https://receiver.example/h',
      event_types: ['alert.*', 'alert.*'],
      filters: { site_ids: [SITE] },
    };
    const made = await harness.call('POST', '/v1/webhooks', { token, body });
    expect([made.status, check(WebhookDestinationCreated, made.body).ok]).toEqual([201, true]);
    expect(made.body).toMatchObject({
      event_types: ['alert.*'],
      failing_since: null,
      is_active: true,
      secret: 'whsec_new',
    });
    const { secret: _, ...listed } = made.body;
    expect((await harness.call('GET', '/v1/webhooks', { token })).body.data).toEqual([listed]);
    const rotated = await harness.call('POST', `/v1/webhooks/${listed.id}/rotate-secret`, { token });
    expect(rotated).toMatchObject({
      status: 200,
      body: { secret: 'whsec_new', previous_valid_until: expect.any(String) },
    });
    expect((await harness.call('POST', `/v1/webhooks/${listed.id}/test`, { token })).status).toBe(202);
    const gone = await harness.call('DELETE', `/v1/webhooks/${listed.id}`, {
      token,
      headers: { 'content-type': 'application/json' },
    });
    expect([gone.status, gone.body]).toEqual([204, null]);
    expect((await harness.call('DELETE', `/v1/webhooks/${listed.id}`, { token })).status).toBe(404);
  });

  test('of a foreign site are refused', async () => {
    const body = {
      url: 'https://r.example/',
      event_types: ['alert.*'],
      filters: { site_ids: ['00000000-0000-4000-8000-000000000000'] },
    };
    expect((await harness.call('POST', '/v1/webhooks', { token, body })).body.code).toBe('site_not_accessible');
  });
});

test('every request is in the audit log, and no secret is', async () => {
  await harness.call('GET', '/v1/sites?access_token=should_not_be_kept', { token });
  const { body } = await harness.call('GET', '/v1/sandbox/requests?limit=1000', { token: CONTROL });
  const text = JSON.stringify(body);
  expect(body.data.some((row: { status: number }) => row.status === 401)).toBe(true);
  expect(text).not.toContain('should_not_be_kept');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(token);
});
