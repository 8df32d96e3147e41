/** The order of checks: of two faults the first is reported. [decisions 2] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SITE } from '../domain/small-world.ts';
import { ApiHarness } from './harness.ts';
import { type Ask, rawHttp, requestBytes } from './raw-http.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let harness: ApiHarness;
let token: string;
let narrow: string;
let resolved: string;
beforeAll(async () => {
  harness = await ApiHarness.start();
  token = await harness.token();
  narrow = await harness.token('positions:read');
  resolved = await harness.sos(1);
  const body = { status: 'resolved', actor: { name: 'Desk 1' } };
  await harness.call('PATCH', `/v1/alerts/${resolved}`, { token, body });
});
afterAll(() => harness.stop());

/** A request in parts, so that two faults can stand in it together; `{alert}` is the resolved one. */
interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly cursor: readonly string[];
  readonly site: readonly string[];
  readonly token: 'whole' | 'narrow' | null;
  readonly type: string;
  readonly body: unknown;
  readonly headers: readonly string[];
  readonly limited: boolean;
}

const DRAFT: Draft = {
  method: 'GET',
  path: '/',
  query: [],
  cursor: [],
  site: [],
  token: 'whole',
  type: 'application/json',
  body: undefined,
  headers: [],
  limited: false,
};

/** One part of the draft spoilt; two faults of one part cannot stand together. */
interface Fault {
  readonly check: string;
  readonly code: string;
  readonly part: keyof Draft;
  readonly value: unknown;
}

const fault = <P extends keyof Draft>(check: string, code: string, part: P, value: Draft[P]): Fault => ({
  check,
  code,
  part,
  value,
});

const BEFORE_THE_BODY = [
  fault('the length of the address', 'uri_too_long', 'query', [`x=${'a'.repeat(9_000)}`]),
  fault('the request', 'malformed_request', 'headers', ['Host: twice']),
  fault('the route', 'not_found', 'path', '/v1/nothing'),
  fault('the method', 'method_not_allowed', 'method', 'PUT'),
  fault('the token', 'invalid_token', 'token', null),
  fault('the limits', 'rate_limited', 'limited', true),
  fault('the scope', 'insufficient_scope', 'token', 'narrow'),
];
const OF_THE_BODY = [
  fault('the media type', 'unsupported_media_type', 'type', 'text/plain'),
  fault('the size', 'payload_too_large', 'body', 'x'.repeat(70_000)),
  fault('the JSON', 'malformed_json', 'body', '{'),
];
const OF_THE_QUERY = fault('the query', 'validation_failed', 'query', ['nothing=1']);

const UPDATE = { status: 'acknowledged', actor: { name: 'Desk 1' } };
const HOOK = { url: 'https://receiver.example.com/', event_types: ['alert.*'] };
const FOREIGN = { ...HOOK, filters: { site_ids: [NOBODY] } };

/** An operation, a request of it that is right, and its faults in the order of the checks. */
const OPERATIONS: [string, Partial<Draft>, readonly Fault[]][] = [
  [
    'updating an alert',
    { method: 'PATCH', path: '/v1/alerts/{alert}', body: { ...UPDATE, status: 'resolved' } },
    [
      ...BEFORE_THE_BODY,
      ...OF_THE_BODY,
      OF_THE_QUERY,
      fault('the body', 'validation_failed', 'body', { status: 'acknowledged' }),
      fault('the resource', 'not_found', 'path', `/v1/alerts/${NOBODY}`),
      fault('the state', 'invalid_transition', 'body', UPDATE),
    ],
  ],
  [
    'making a destination',
    { method: 'POST', path: '/v1/webhooks', body: HOOK },
    [
      ...BEFORE_THE_BODY,
      ...OF_THE_BODY,
      OF_THE_QUERY,
      fault('the body', 'validation_failed', 'body', { ...FOREIGN, url: 'http://a.example.com/', event_types: [] }),
      fault('the url', 'invalid_destination_url', 'body', { ...FOREIGN, url: 'http://a.example.com/' }),
      fault('the site', 'site_not_accessible', 'body', FOREIGN),
    ],
  ],
  ...['alerts', 'musters', 'workers', 'devices', 'events'].map((list): (typeof OPERATIONS)[number] => [
    `listing ${list}`,
    { method: 'GET', path: `/v1/${list}` },
    [
      ...BEFORE_THE_BODY,
      OF_THE_QUERY,
      fault('the cursor', 'invalid_cursor', 'cursor', ['cursor=abc']),
      fault('the site', 'site_not_accessible', 'site', [`site_id=${NOBODY}`]),
    ],
  ]),
  [
    'listing the zones of a site',
    { method: 'GET', path: `/v1/sites/${SITE}/zones` },
    [...BEFORE_THE_BODY, OF_THE_QUERY, fault('the site', 'site_not_accessible', 'path', `/v1/sites/${NOBODY}/zones`)],
  ],
  [
    'deleting a destination',
    { method: 'DELETE', path: `/v1/webhooks/${NOBODY}`, body: '' },
    [
      ...BEFORE_THE_BODY,
      ...OF_THE_BODY.slice(1),
      OF_THE_QUERY,
      fault('the resource', 'not_found', 'path', `/v1/webhooks/${NOBODY.replace('0', '1')}`),
    ],
  ],
];

function spoilt(right: Partial<Draft>, faults: readonly Fault[]): Draft {
  const parts = Object.fromEntries(faults.map(({ part, value }) => [part, value]));
  return { ...DRAFT, ...right, ...parts };
}

async function codeOf(draft: Draft): Promise<string> {
  harness.api.limiter.setLimits('harbour_co', { requestsPerMinute: draft.limited ? 0 : 1_000_000 });
  const query = [...draft.query, ...draft.cursor, ...draft.site].join('&');
  const sent: Ask = {
    method: draft.method,
    path: `${draft.path.replace('{alert}', resolved)}${query === '' ? '' : `?${query}`}`,
    token: draft.token === null ? null : draft.token === 'narrow' ? narrow : token,
    type: draft.type,
    body: draft.body as Ask['body'],
    headers: draft.headers,
  };
  return (await rawHttp(harness.api.port, requestBytes(sent))).body?.code;
}

describe.each(OPERATIONS)('in %s', (_says, right, faults) => {
  test.each(faults)('$check alone is reported as $code', async (one) => {
    expect(await codeOf(spoilt(right, [one]))).toBe(one.code);
  });

  const pairs = faults.flatMap((first, place) => faults.slice(place + 1).map((second) => [first, second] as const));
  const possible = pairs.filter(([first, second]) => first.part !== second.part);

  test.each(
    possible.map(([first, second]) => [first.check, second.check, first, second] as const),
  )('%s comes before %s', async (_first, _second, first, second) => {
    expect(await codeOf(spoilt(right, [first, second]))).toBe(first.code);
  });
});
