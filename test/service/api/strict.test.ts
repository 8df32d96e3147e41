/** Leniencies: taken with a warning, and refused with --strict. [decisions 3, cli] */
import { afterEach, describe, expect, test } from 'vitest';
import { usedOf } from '../../../src/cli/control/strictness.ts';
import { LENIENCIES, type LeniencyName } from '../../../src/contract/leniencies.ts';
import { ApiHarness, CONTROL, SECRET } from './harness.ts';

let harness: ApiHarness;
afterEach(() => harness?.stop());

const GRANT = 'grant_type=client_credentials';
/** Form-encoded, so that its length needs padding. */
const basic = (encoding: BufferEncoding) => `Basic ${Buffer.from(`harbour%5Fco:${SECRET}`).toString(encoding)}`;

interface LenientCall {
  readonly path: string;
  readonly init: RequestInit;
  /** The answer of a strict sandbox. */
  readonly refused: readonly [status: number, code: string];
}

const tokenCall = (init: RequestInit, refused: LenientCall['refused']): LenientCall => ({
  path: '/v1/oauth/token',
  init: { method: 'POST', ...init },
  refused,
});
const changing = (contentType: string, mark: string, refused: LenientCall['refused']): LenientCall => ({
  path: '/v1/alerts/{sos}',
  init: {
    method: 'PATCH',
    headers: { 'content-type': contentType },
    body: `${mark}{"status":"acknowledged","actor":{"name":"Desk 2"}}`,
  },
  refused,
});
const since = (query: string): LenientCall => ({ path: query, init: {}, refused: [422, 'validation_failed'] });
const JSON_TOKEN = JSON.stringify({ grant_type: 'client_credentials', client_id: 'harbour_co', client_secret: SECRET });
const [JSON_TYPE, FORM_TYPE] = ['application/json', 'application/x-www-form-urlencoded'];
const MARK = '\uFEFF';

/** Requests with non-standard input; `encoders.test.ts` asks with encoded commas. */
const LENIENT: Readonly<Record<Exclude<LeniencyName, 'encoded-comma'>, Readonly<Record<string, LenientCall>>>> = {
  'token-json': {
    'a JSON body': tokenCall({ headers: { 'content-type': JSON_TYPE }, body: JSON_TOKEN }, [415, 'invalid_request']),
  },
  'basic-alphabet': {
    base64url: tokenCall({ headers: { 'content-type': FORM_TYPE, authorization: basic('base64url') }, body: GRANT }, [
      401,
      'invalid_client',
    ]),
  },
  'time-without-seconds': {
    'in UTC': since('/v1/alerts?created_after=2026-10-05T05:00Z'),
    'in lower case': since('/v1/events?created_before=2026-10-06t05:00z'),
    'with an offset': since('/v1/alerts?modified_since=2026-10-05T05:00%2B02:00'),
  },
  'body-charset': {
    'ISO 8859-1': changing('application/json; charset=ISO-8859-1', '', [415, 'unsupported_media_type']),
    'UTF-16 in quotes': changing('application/json;charset="utf-16"', '', [415, 'unsupported_media_type']),
    'an empty charset': changing('application/json; charset=', '', [415, 'unsupported_media_type']),
  },
  'body-mark': {
    'with a charset': changing('application/json; charset=utf-8', MARK, [400, 'malformed_json']),
    'without a charset': changing('application/json', MARK, [400, 'malformed_json']),
  },
};

const CALLS = Object.entries(LENIENT).flatMap(([name, calls]) =>
  Object.entries(calls).map(([form, call]) => [name as keyof typeof LENIENT, form, call] as const),
);

async function send({ path, init }: Pick<LenientCall, 'path' | 'init'>): Promise<{ status: number; body: unknown }> {
  const isToken = path === '/v1/oauth/token';
  const sos = path.includes('{sos}') ? await harness.sos(1) : '';
  const headers = isToken ? {} : { authorization: `Bearer ${await harness.token('alerts:read', 'alerts:write')}` };
  const answer = await fetch(`${harness.url}${path.replace('{sos}', sos)}`, {
    ...init,
    headers: { ...headers, ...(init.headers as Record<string, string>) },
  });
  return { status: answer.status, body: await answer.json() };
}

const rows = async () => {
  const { body } = await harness.call('GET', '/v1/sandbox/requests?own=true', { token: CONTROL });
  return body.data as Parameters<typeof usedOf>[0];
};

describe.each(CALLS)('%s, %s,', (name, _form, call) => {
  test('is taken, and the request log and the list of leniencies name it with its fix', async () => {
    harness = await ApiHarness.start();
    expect((await send(call)).status).toBe(200);
    const used = usedOf(await rows());
    const { fix: cure, ...facts } = LENIENCIES[name];
    expect(used).toEqual([
      { leniency: name, ...facts, cure, clients: ['harbour_co'], requests: 1, last_at: expect.any(String) },
    ]);
  });

  test('is refused when the sandbox is strict', async () => {
    harness = await ApiHarness.start({ strict: true });
    const { status, body } = await send(call);
    const { code, error = code } = body as { code?: string; error?: string };
    expect([status, error]).toEqual(call.refused);
    expect(usedOf(await rows())).toEqual([]);
  });
});

test.each([
  ['JSON with charset=utf-8', changing('application/json; charset="UTF-8"', '', [200, ''])],
  ['JSON with charset=utf8 and another parameter', changing('application/json; a=b; charset=utf8', '', [200, ''])],
  ['a time with seconds', since('/v1/alerts?created_after=2026-10-05T05:00:00Z')],
])('%s is as production wants it, so a strict sandbox accepts it without a warning', async (_, call) => {
  harness = await ApiHarness.start({ strict: true });
  expect((await send(call)).status).toBe(200);
  expect(usedOf(await rows())).toEqual([]);
});

test('A query continues on the pages of a list whose time had no seconds', async () => {
  harness = await ApiHarness.start();
  const token = await harness.token('alerts:read');
  await harness.sos(1);
  await harness.sos(2);
  const bounds = ['2020-01-01T00:00Z', '2020-01-01T00:00:00Z'].map((from) => `created_after=${from}&limit=1`);
  const first = await harness.call('GET', `/v1/alerts?${bounds[0]}`, { token });
  const next = await harness.call('GET', `/v1/alerts?${bounds[1]}&cursor=${first.body.next_cursor}`, { token });
  expect([first.status, next.status, next.body.data.length]).toEqual([200, 200, 1]);
});

test.each([
  [
    'a form',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${GRANT}&client_id=harbour_co&client_secret=${SECRET}`,
    },
  ],
  [
    'HTTP Basic',
    { headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic('base64') }, body: GRANT },
  ],
])('%s is as production wants it: a strict sandbox takes it, and no warning stands there', async (_, init) => {
  harness = await ApiHarness.start({ strict: true });
  expect((await send({ path: '/v1/oauth/token', init: { method: 'POST', ...init } })).status).toBe(200);
  expect(usedOf(await rows())).toEqual([]);
});
