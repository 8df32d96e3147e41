/** What requests, token requests and deliveries cover, as tables of what a client does. */
import { describe, expect, test, vi } from 'vitest';
import { PROGRAM_AGENT } from '../../../../src/base/network/program-agent.ts';
import { OPERATIONS } from '../../../../src/contract/operations/all.ts';
import { Raw, rawList } from '../../../../src/service/api/answers/raw.ts';
import { Coverage, type EndedRequest } from '../../../../src/service/api/coverage/coverage.ts';
import type { CoveredAttempt } from '../../../../src/service/api/coverage/deliveries.ts';
import type { World } from '../../../../src/service/domain/world/world.ts';

const world = { get: () => ({ name: 'Austral' }) } as unknown as World;

const operation = (id: string) => OPERATIONS.find(({ operationId }) => operationId === id);

/** A request at second `s`. */
const request = (s: number, id: string, status: number, more: Partial<EndedRequest> = {}): EndedRequest => ({
  operation: operation(id),
  organizationId: 'austral',
  target: operation(id)?.path ?? '/',
  at: s * 1_000,
  clientAt: s * 1_000,
  status,
  code: null,
  agent: 'control-room/1',
  sent: undefined,
  tokenId: 'token',
  retryAfterS: null,
  refusal: null,
  body: () => ({ data: [], next_cursor: null }),
  raw: null,
  ...more,
});

function covered(requests: readonly EndedRequest[], group: string) {
  const coverage = new Coverage();
  for (const one of requests) coverage.ended(one);
  const [company] = coverage.view(world, null).companies;
  const of = (items: readonly { id: string }[] = []) =>
    items.filter(({ id }) => id.startsWith(`${group}/`)).map(({ id }) => id.slice(group.length + 1));
  return { met: of(company?.met), open: of(company?.not_handled), company };
}

const list = (s: number, status = 200, more: Partial<EndedRequest> = {}) => request(s, 'listAlerts', status, more);
const limited = (s: number, retryAfterS: number) => list(s, 429, { code: 'rate_limited', retryAfterS });
const missing = (s: number, target: string) => request(s, 'getAlert', 404, { code: 'not_found', target });
const token = (s: number, more: Partial<EndedRequest> = {}) =>
  request(s, 'issueToken', 200, { tokenId: null, ...more });
const ended = (s: number, refusal: EndedRequest['refusal']) => list(s, 401, { code: 'invalid_token', refusal });

describe('refusals', () => {
  test.each<[what: string, requests: EndedRequest[], met: string[], open: string[]]>([
    ['a 429 alone is not handled', [limited(0, 30)], [], ['rate_limited']],
    ['a success after Retry-After handles a 429', [limited(0, 30), list(30)], ['rate_limited'], []],
    ['a success before Retry-After does not', [limited(0, 30), list(29)], [], ['rate_limited']],
    ['a success too early and one in time do', [limited(0, 30), list(29), list(31)], ['rate_limited'], []],
    ['another operation does not', [limited(0, 0), request(9, 'listMusters', 200)], [], ['rate_limited']],
    [
      'a 503 is handled by the next success',
      [list(0, 503, { code: 'storage_unavailable' }), list(1)],
      ['storage_unavailable'],
      [],
    ],
    ['a gateway is an item of its own', [list(0, 502), list(1)], ['gateway'], []],
    ['a 404 is handled where it is not repeated', [missing(0, '/v1/alerts/a')], ['not_found'], []],
    [
      'a 404 that is repeated unchanged is not',
      [missing(0, '/v1/alerts/a'), missing(1, '/v1/alerts/a'), missing(2, '/v1/alerts/a')],
      [],
      ['not_found'],
    ],
    [
      'nor is one that is repeated after another request of the operation',
      [missing(0, '/v1/alerts/a'), request(1, 'getAlert', 200, { target: '/v1/alerts/b' }), missing(2, '/v1/alerts/a')],
      [],
      ['not_found'],
    ],
    [
      'a repetition that succeeds is right',
      [missing(0, '/v1/alerts/a'), request(1, 'getAlert', 200, { target: '/v1/alerts/a' })],
      ['not_found'],
      [],
    ],
    ['a mistake is no item', [list(0, 422, { code: 'validation_failed' })], [], []],
  ])('%s', (_what, requests, met, open) => {
    const found = covered(requests, 'refusals');
    expect([found.met, found.open]).toEqual([met, open]);
  });

  test('a mistake of the client is counted by its code', () => {
    const wrong = [list(0, 422, { code: 'validation_failed' }), list(1, 422, { code: 'validation_failed' })];
    expect(covered(wrong, 'refusals').company?.mistakes).toEqual([{ code: 'validation_failed', times: 2 }]);
  });

  test('credentials that were refused count for the company that then gets a token with the same program', () => {
    const stranger = request(0, 'issueToken', 401, { code: 'invalid_client', organizationId: null });
    expect(covered([stranger, token(1)], 'refusals').met).toEqual(['token/invalid_client']);
  });
});

describe('tokens', () => {
  test.each<[what: string, requests: EndedRequest[], met: string[]]>([
    ['a token that is used twice is reused', [token(0), list(1), list(2)], ['reused']],
    ['a second token before the end of the first is early', [token(0), list(1), token(3_000)], ['early']],
    ['a second token at once is no renewal', [token(0), list(1), token(2)], []],
    ['one after its end is not', [token(0), list(1), token(3_700)], []],
    ['one after a 401 is no early one', [token(0), ended(10, 'expired'), token(11)], ['after-401']],
    [
      'one after a revocation is that too',
      [token(0), ended(10, 'revoked'), token(11)],
      ['after-401', 'after-revocation'],
    ],
  ])('%s', (_what, requests, met) => {
    expect(covered(requests, 'tokens').met).toEqual(met);
  });
});

describe('pages', () => {
  test('the second page and the end are met by a walk', () => {
    const page = (next_cursor: string | null) => ({ body: () => ({ data: [], next_cursor }) });
    const first = list(0, 200, page('c'));
    expect(covered([first], 'pages').met).toEqual([]);
    const second = list(1, 200, { ...page(null), target: '/v1/alerts?cursor=c' });
    expect(covered([first, second], 'pages').met).toEqual(['listAlerts second page', 'listAlerts end']);
  });
});

describe('answers that are serialised by their routes', () => {
  const kept = Buffer.from(JSON.stringify({ id: 'a', type: 'sos', status: 'resolved' }));
  const textsRead = vi.spyOn(kept, 'toString');

  test('show what their items show, and the end; an item that is kept for many answers is read once', () => {
    const page = list(0, 200, { raw: rawList([kept], null) });
    const { company } = covered([page, page], 'alerts');
    const ids = company?.met.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['alerts/sos', 'alerts/resolved', 'pages/listAlerts end']));
    expect(textsRead).toHaveBeenCalledTimes(1);
  });

  test('show a single object', () => {
    const one = request(0, 'getAlert', 200, { raw: new Raw(kept) });
    expect(covered([one], 'alerts').met).toEqual(expect.arrayContaining(['sos', 'resolved']));
  });

  test('show events, of which each is read once, by its id', () => {
    const event = (type: string) => JSON.stringify({ id: 'e', type, data: { alert: { type: 'sos' } } });
    const page = (type: string) =>
      request(0, 'listEvents', 200, { raw: new Raw('', { items: [event(type)], ids: ['e'], nextCursor: 'c' }) });
    expect(covered([page('alert.created'), page('alert.resolved')], 'events').met).toEqual(['alert.created']);
  });
});

test('programs of the sandbox, and operations of the sandbox alone, do not count', () => {
  const own = list(0, 200, { agent: `${PROGRAM_AGENT}-certify` });
  const sandbox = request(0, 'getCoverage', 200);
  expect(covered([own, sandbox], 'operations').company).toBeUndefined();
});

const attempt = (more: Partial<CoveredAttempt> = {}): CoveredAttempt => ({
  at: 1_000,
  eventId: 'e1',
  eventType: 'alert.created',
  eventAt: 0,
  destinationId: 'd',
  objectId: 'a',
  tryNumber: 1,
  result: 'delivered',
  signatures: 1,
  isRotated: false,
  isTest: false,
  body: JSON.stringify({ id: 'e1', type: 'alert.created', organization_id: 'o', data: {} }),
  ...more,
});

describe('deliveries', () => {
  test.each<[what: string, attempts: Partial<CoveredAttempt>[], met: string[]]>([
    ['a first attempt covers nothing of its own', [{}], []],
    ['the same event twice is a duplicate', [{}, {}], ['duplicate']],
    ['the same event at two destinations is none', [{}, { destinationId: 'd2' }], []],
    ['an attempt after a failed one is retried', [{ result: 'waiting' }, { tryNumber: 2 }], ['retried']],
    ['a failed attempt covers nothing', [{ tryNumber: 3, result: 'waiting' }], []],
    ['one a minute after its event is late', [{ at: 60_000 }], ['late']],
    ['two signatures are met in a rotation', [{ signatures: 2 }], ['two-signatures']],
    ['an older version after a newer one is out of order', [{ eventId: 'e2', eventAt: 900 }, {}], ['out-of-order']],
    ['a test event is met as such', [{ isTest: true }], ['test-event']],
  ])('%s', (_what, attempts, met) => {
    const coverage = new Coverage();
    for (const one of attempts) coverage.attempted('austral', attempt(one));
    const ids = coverage.view(world, null).companies[0]?.met.map(({ id }) => id) ?? [];
    expect(ids.filter((id) => id.startsWith('deliveries/'))).toEqual(met.map((name) => `deliveries/${name}`));
  });

  test('a test event shows no alert, and a request about its alert is a mistake of the client', () => {
    const coverage = new Coverage();
    const body = JSON.stringify({ id: 'e1', type: 'alert.created', data: { alert: { type: 'sos' } } });
    coverage.attempted('austral', attempt({ isTest: true, objectId: 'test', body }));
    const update = { code: 'not_found', sent: { status: 'acknowledged' } };
    coverage.ended(request(1, 'updateAlert', 404, { ...update, target: '/v1/alerts/test' }));
    const view = () => coverage.view(world, null).companies[0];
    expect(view()?.met.map(({ id }) => id)).toEqual(['deliveries/test-event']);
    expect(view()?.mistakes).toEqual([{ code: 'not_found', times: 1 }]);
    coverage.ended(request(2, 'updateAlert', 404, { ...update, target: '/v1/alerts/gone' }));
    expect(view()?.met.map(({ id }) => id)).toContain('refusals/not_found');
  });

  test.each([
    ['the client', undefined],
    ['a scenario, which rotates for the client', PROGRAM_AGENT],
  ])('the new signature alone is met after a rotation by %s', (_who, agent) => {
    const coverage = new Coverage();
    const of = agent === undefined ? {} : { agent };
    coverage.ended(request(0, 'createWebhook', 201, { body: () => ({ id: 'd' }), ...of }));
    const target = '/v1/webhooks/d/rotate-secret';
    coverage.ended(request(1, 'rotateWebhookSecret', 200, { target, body: () => ({}), ...of }));
    coverage.attempted('austral', attempt());
    expect(coverage.view(world, null).companies[0]?.met.map(({ id }) => id)).toContain('deliveries/new-signature');
  });

  test('an event that was given up is met when the client reads it from the log', () => {
    const coverage = new Coverage();
    coverage.attempted('austral', attempt({ result: 'lost' }));
    const met = () => coverage.view(world, null).companies[0]?.met.map(({ id }) => id);
    coverage.ended(request(1, 'listEvents', 200, { body: () => ({ data: [{ id: 'e9' }], next_cursor: null }) }));
    expect(met()).not.toContain('deliveries/given-up');
    coverage.ended(request(2, 'listEvents', 200, { body: () => ({ data: [{ id: 'e1' }], next_cursor: null }) }));
    expect(met()).toContain('deliveries/given-up');
  });
});
