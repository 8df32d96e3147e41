/** The judge of `sandbox compare`: it finds nothing in the sandbox's own traffic, and names the clause of each deviation in it, and no other. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CheckRequest, READ_CHECKS } from '../../../src/proving/compare/checks.ts';
import { compareService } from '../../../src/proving/compare/compare-service.ts';
import { comparedCheck } from '../../../src/proving/compare/compared-check.ts';
import type { ApiExchange, DeliveryTraffic, Traffic } from '../../../src/proving/compare/exchange.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { readRecording } from '../../../src/proving/compare/recorded.ts';
import { groupedDeviations } from '../../../src/proving/compare/report.ts';
import { serviceAt } from '../../../src/proving/compare/service.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { ownFolders } from '../../helpers/own-folder.ts';

const SECRET = 'whsec_compare';
let sandbox: Sandbox;
const recorded: Traffic[] = [];
const free = async () => {};

const client = () => {
  const [own] = sandbox.ready.clients;
  if (own === undefined) throw new Error('The default world has a client.');
  return own;
};

async function act(body: object): Promise<Record<string, string>> {
  const answer = await fetch(`${sandbox.ready.api_url}/v1/sandbox/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { result: Record<string, string> }).result;
}

const get = (path: string, query?: string): CheckRequest => ({
  method: 'GET',
  path,
  ...(query === undefined ? {} : { query }),
});

beforeAll(async () => {
  sandbox = await startSandbox({ memory: true, fleet: false, port: 0, mqttPort: 0, seed: '3' });
  const service = serviceAt('service', sandbox.ready.api_url, client(), free);
  const { alert_id: alert = '' } = await act({ action: 'panel_sos', who: 'W-003', by: 'Desk' });
  const { muster_id: muster = '' } = await act({
    action: 'start_muster',
    kind: 'general',
    by: 'Desk',
    site: sandbox.engine.world.all('site').next().value?.name,
  });
  recorded.push(await service.call(get(`/v1/alerts/${alert}`)));
  await act({ action: 'acknowledge', alert, by: 'Desk', via: 'panel' });
  for (const request of [
    get(`/v1/alerts/${alert}`),
    get('/v1/alerts'),
    get(`/v1/musters/${muster}`),
    get('/v1/musters'),
    get('/v1/events'),
    ...READ_CHECKS.map((one) => one.request),
  ])
    recorded.push(await service.call(request));
  await act({ action: 'end_muster', muster, outcome: 'completed', by: 'Desk' });
  recorded.push(await service.call(get(`/v1/musters/${muster}`)));
  const events = recorded.find((one): one is ApiExchange => one.kind === 'call' && one.path === '/v1/events');
  for (const event of (JSON.parse(events?.body ?? '{}') as { data: { id: string }[] }).data)
    recorded.push(delivered(event));
});
const own = ownFolders();
afterAll(async () => {
  own.remove();
  await sandbox.stop();
});

function delivered(event: { readonly id: string }): DeliveryTraffic {
  const body = JSON.stringify(event);
  const timestamp = '1790000000';
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'x-service-event-id': event.id,
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${digest}`,
  };
  return { kind: 'delivery', headers, body, source: 'test' };
}

const judged = (traffic: readonly Traffic[]) => {
  const judge = new ContractJudge({ secrets: [SECRET] });
  return traffic.flatMap((one) => judge.add(one));
};

/** The same traffic, with the first exchange that `fits` changed. */
function changed(fits: (traffic: Traffic) => boolean, change: (traffic: Traffic) => Traffic): Traffic[] {
  const place = recorded.findIndex(fits);
  expect(place).toBeGreaterThanOrEqual(0);
  return recorded.map((one, i) => (i === place ? change(one) : one));
}

type Body = Record<string, unknown> & { data: Record<string, unknown>[] };

const call = (path: RegExp, status: number) => (one: Traffic) =>
  one.kind === 'call' && path.test(one.path) && one.status === status;
const lastCall = (path: RegExp) => (one: Traffic) => one === recorded.findLast((other) => call(path, 200)(other));
const delivery = (one: Traffic) => one.kind === 'delivery';
const body =
  (change: (value: Body) => unknown) =>
  (one: Traffic): Traffic => {
    const value = JSON.parse(one.body) as Body;
    return { ...one, body: JSON.stringify(change(value) ?? value) };
  };
const header =
  (name: string, value: string | null) =>
  (one: Traffic): Traffic => {
    const { [name]: _left, ...headers } = one.headers;
    return { ...one, headers: value === null ? headers : { ...headers, [name]: value } };
  };
const status =
  (to: number) =>
  (one: Traffic): Traffic =>
    one.kind === 'call' ? { ...one, status: to } : one;

const ALERT = /^\/v1\/alerts\/[0-9a-f-]{36}$/;
const MUSTER = /^\/v1\/musters\/[0-9a-f-]{36}$/;

test('nothing is found in the traffic of the sandbox itself', () => {
  expect(judged(recorded).map(({ operation, rule, detail }) => `${operation} ${rule} ${detail}`)).toEqual([]);
});

test.each<[string, string, Traffic[] | (() => Traffic[])]>([
  [
    'a field is missing',
    'body',
    () =>
      changed(
        call(ALERT, 200),
        body(({ severity: _severity, ...rest }) => rest),
      ),
  ],
  [
    'a field has another type',
    'body',
    () =>
      changed(
        call(/^\/v1\/workers$/, 200),
        body((value) => {
          (value.data[0] as Body)['is_active'] = 'yes';
        }),
      ),
  ],
  [
    'a list is no page',
    'body',
    () =>
      changed(
        call(/^\/v1\/devices$/, 200),
        body((value) => value.data),
      ),
  ],
  [
    'a success has a media type of its own',
    'media-type',
    () => changed(call(/^\/v1\/sites$/, 200), header('content-type', 'text/json')),
  ],
  [
    'a problem has the media type of JSON',
    'media-type',
    () => changed(call(/^\/v1\/alerts$/, 422), header('content-type', 'application/json')),
  ],
  [
    'a problem has another status than the answer',
    'problem',
    () =>
      changed(
        call(/^\/v1\/alerts$/, 422),
        body((value) => {
          value['status'] = 400;
        }),
      ),
  ],
  [
    'a problem has no code',
    'problem',
    () =>
      changed(
        call(ALERT, 404),
        body(({ code: _code, ...rest }) => rest),
      ),
  ],
  [
    'a code comes with another status',
    'problem',
    () =>
      changed(call(ALERT, 404), (one) =>
        body((value) => {
          value['status'] = 422;
        })(status(422)(one)),
      ),
  ],
  [
    'a 401 names no scheme',
    'www-authenticate',
    () => changed(call(/^\/v1\/alerts$/, 401), header('www-authenticate', null)),
  ],
  ['a success has another status', 'status', () => changed(call(/^\/v1\/positions$/, 200), status(206))],
  [
    'an alert is acknowledged by nobody',
    'status-fields',
    () =>
      changed(
        lastCall(ALERT),
        body((value) => {
          value['acknowledged'] = null;
        }),
      ),
  ],
  ['an alert is of an older version than before', 'went-back', () => [...recorded, ...recorded.slice(0, 1)]],
  [
    'a type of an alert changes',
    'changed',
    () =>
      changed(
        lastCall(ALERT),
        body((value) => {
          value['type'] = 'call_request';
        }),
      ),
  ],
  [
    'the totals of a muster do not add up',
    'totals',
    () =>
      changed(
        call(MUSTER, 200),
        body((value) => {
          const totals = value['totals'] as Record<string, number>;
          totals['expected'] = (totals['expected'] ?? 0) + 1;
        }),
      ),
  ],
  [
    'an ended muster has no end',
    'status-fields',
    () =>
      changed(
        lastCall(MUSTER),
        body((value) => {
          value['ended_at'] = null;
        }),
      ),
  ],
  [
    'events are in no order',
    'event-order',
    () =>
      changed(
        call(/^\/v1\/events$/, 200),
        body((value) => {
          value.data.push(value.data.shift() as Body);
        }),
      ),
  ],
  [
    'an event is on a page twice',
    'repeated',
    () =>
      changed(
        call(/^\/v1\/events$/, 200),
        body((value) => {
          value.data.splice(0, 0, value.data[0] as Body);
        }),
      ),
  ],
  [
    'a delivery has the id of another event',
    'event-id',
    () => changed(delivery, header('x-service-event-id', '00000000-0000-4000-8000-000000000000')),
  ],
  [
    'a delivery is signed with another secret',
    'signature',
    () => changed(delivery, header('x-service-signature', `v1=${'0'.repeat(64)}`)),
  ],
  [
    'a signature has another form',
    'signature-form',
    () => changed(delivery, header('x-service-signature', 'sha256=abc')),
  ],
  [
    'a delivery has three signatures',
    'signature-form',
    () =>
      changed(
        delivery,
        header(
          'x-service-signature',
          Array(3)
            .fill(`v1=${'0'.repeat(64)}`)
            .join(','),
        ),
      ),
  ],
  ['a delivery names another sender', 'user-agent', () => changed(delivery, header('user-agent', 'curl/8.5.0'))],
  [
    'a delivery names another version of the API',
    'user-agent',
    () => changed(delivery, header('user-agent', 'Service-Webhooks/2025-01-01')),
  ],
  ['a delivery is a form', 'media-type', () => changed(delivery, header('content-type', 'text/plain'))],
  ['a delivery names no media type', 'media-type', () => changed(delivery, header('host', 'erp.example'))],
  ['a delivery has a token', 'token', () => changed(delivery, header('authorization', 'Bearer x'))],
  [
    'a delivery was signed long before it was sent',
    'timestamp',
    () => changed(delivery, (one) => ({ ...one, atMs: 1_790_000_301_000 })),
  ],
  [
    'a delivery shows a heart rate',
    'vital-sign',
    () =>
      changed(
        delivery,
        body((value) => {
          value['heart_rate'] = 71;
        }),
      ),
  ],
])('names the rule where %s', (_what, rule, traffic) => {
  const found = judged(typeof traffic === 'function' ? traffic() : traffic);
  expect(found.map((one) => one.rule)).toContain(rule);
  // A change may break consequences too, but no more than two other rules.
  expect(new Set(found.map((one) => one.rule)).size).toBeLessThanOrEqual(3);
  expect(found.every(({ clause }) => /^\[(spec|decisions) /.test(clause))).toBe(true);
});

test('each check shows a request of its own, by which a baseline knows it', () => {
  const ours = recorded.find((one): one is ApiExchange => one.kind === 'call') as ApiExchange;
  const shown = READ_CHECKS.map(
    (check) => comparedCheck(check, { theirs: ours, ours, found: [], mayRead: true }).request,
  );
  expect(shown.filter((one, place) => shown.indexOf(one) !== place)).toEqual([]);
});

test('the preflight of a browser is no operation', () => {
  const [first] = recorded.filter(call(/^\/v1\/sites$/, 200));
  expect(first).toBeDefined();
  const headers = { 'access-control-allow-origin': '*' };
  expect(judged([{ ...(first as ApiExchange), method: 'OPTIONS', status: 204, body: '', headers }])).toEqual([]);
});

test('two clients may see the same alert with and without the name of its worker', () => {
  const [alert] = recorded.filter(call(ALERT, 200)) as ApiExchange[];
  expect(alert).toBeDefined();
  const { worker, ...rest } = JSON.parse(alert?.body ?? '{}') as Body & {
    worker: { name: string; external_id: string };
  };
  const { name, ...nameless } = worker;
  const title = String(rest['title']).replace(name, worker.external_id);
  const body = JSON.stringify({ ...rest, title, worker: nameless });
  const of = (client: string, text: string): ApiExchange => ({ ...(alert as ApiExchange), client, body: text });
  expect(judged([of('a', alert?.body ?? ''), of('b', body), of('a', alert?.body ?? '')])).toEqual([]);
  expect(judged([of('a', alert?.body ?? ''), of('a', body)]).map(({ rule }) => rule)).toEqual(['same-version']);
});

test('fields and words that the contract does not know yet are no deviation', () => {
  const grown = changed(
    call(ALERT, 200),
    body((value) => {
      value['floor_plan'] = { id: 1 };
    }),
  );
  const word = changed(
    call(ALERT, 404),
    body((value) => {
      value['code'] = 'gone_away';
    }),
  );
  expect([...judged(grown), ...judged(word)].map(({ rule }) => rule)).toEqual([]);
});

describe('a report', () => {
  const wrong = () =>
    changed(
      call(/^\/v1\/workers$/, 200),
      body((value) => {
        for (const one of value.data) one['is_active'] = 'yes';
      }),
    );
  const report = (options: { isRedacted: boolean; known: ReadonlySet<string> }) =>
    groupedDeviations(judged(wrong()), options);
  const name = () =>
    (JSON.parse(recorded.find(call(/^\/v1\/workers$/, 200))?.body ?? '{}') as { data: { name: string }[] }).data[0]
      ?.name ?? '?';

  test('has one group for each kind of deviation, with its smallest example', () => {
    const [group, ...others] = report({ isRedacted: true, known: new Set() });
    expect(others).toEqual([]);
    expect(group).toMatchObject({ operation: 'GET /v1/workers', pointer: '/data/*/is_active', isKnown: false });
    expect(group?.times).toBeGreaterThan(1);
  });

  test('has no name, unless redaction is off', () => {
    expect(JSON.stringify(report({ isRedacted: true, known: new Set() }))).not.toContain(name());
    expect(JSON.stringify(report({ isRedacted: false, known: new Set() }))).toContain(name());
  });

  test('has no token and no secret, also where redaction is off', () => {
    const body = '{"access_token":"tok-of-nobody","expires_in":7200,"scope":"alerts:read","token_type":"Bearer"}';
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    const common = { kind: 'call', method: 'POST', path: '/v1/oauth/token', query: '', status: 200 } as const;
    const found = judged([{ ...common, headers, body, source: 'test' }]);
    expect(found).toHaveLength(1);
    const [group] = groupedDeviations(found, { isRedacted: false, known: new Set() });
    expect(group?.example.body).toContain('7200');
    expect(JSON.stringify(group)).not.toContain('tok-of-nobody');
  });

  test('marks what a baseline has', () => {
    const [group] = report({ isRedacted: true, known: new Set() });
    expect(report({ isRedacted: true, known: new Set([group?.key ?? '']) })[0]?.isKnown).toBe(true);
  });
});

describe('traffic that a browser recorded without content', () => {
  const pairs = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => ({ name, value }));
  const entryOf = (one: Traffic) => ({
    request: {
      method: one.kind === 'call' ? one.method : 'POST',
      url: one.kind === 'call' ? `https://api.example${one.path}?${one.query}` : 'https://erp.example/hook',
      headers: one.kind === 'call' ? [] : pairs(one.headers),
    },
    response:
      one.kind === 'call'
        ? { status: one.status, headers: pairs(one.headers) }
        : { status: 200, headers: [], content: {} },
  });
  const clausesOf = (traffic: readonly Traffic[]) => {
    const folder = own.next();
    const file = join(folder, 'x.har');
    writeFileSync(file, `\ufeff${JSON.stringify({ log: { entries: traffic.map(entryOf) } })}`);
    const read = readRecording(file);
    expect(read).toHaveLength(traffic.length);
    expect(read.every(({ isWithoutContent }) => isWithoutContent === true)).toBe(true);
    return judged(read).map(({ rule }) => rule);
  };

  test('is judged by status and headers, and no body is missing', () => {
    expect(new Set(recorded.map(({ kind }) => kind))).toEqual(new Set(['call', 'delivery']));
    expect(clausesOf(recorded)).toEqual([]);
  });

  test.each([
    ['a status', call(/alerts$/, 200), (one: Traffic) => ({ ...one, status: 206 }), 'status'],
    ['a type', call(/alerts$/, 200), header('content-type', 'text/html'), 'media-type'],
    ['the type of a refusal', call(/./, 404), header('content-type', 'text/html'), 'media-type'],
    ['a signature', delivery, header('x-service-signature', 'v1=0'), 'signature-form'],
  ])('deviates in %s', (_what, fits, change, rule) => {
    expect(clausesOf(changed(fits, change as (traffic: Traffic) => Traffic))).toEqual([rule]);
  });
});

test('a sandbox compared with another one answers each check alike, and reads each open point alike', async () => {
  const service = serviceAt('service', sandbox.ready.api_url, client(), free);
  const { checks, deviations, points } = await compared(service);
  expect(checks.filter(({ result, differences }) => result !== 'same' && !isLeftOut(differences))).toEqual([]);
  expect(deviations).toEqual([]);
  expect(points.filter(({ result }) => result === 'otherwise')).toEqual([]);
  expect(points.filter(({ result }) => result === 'as here').length).toBeGreaterThanOrEqual(20);
});

test('a service that does not answer, or knows no such client, is reported as that', async () => {
  const gone = serviceAt('service', 'http://127.0.0.1:9', client(), free);
  const stranger = serviceAt('service', sandbox.ready.api_url, { client_id: 'nobody', client_secret: 'x' }, free);
  for (const [service, message] of [
    [gone, /does not answer/],
    [stranger, /issues no token to the client: it answers 401/],
  ] as const)
    await expect(compared(service)).rejects.toThrow(message);
});

const isLeftOut = ([first = '']: readonly string[]) => first.startsWith('not compared: needs --allow-writes');

const compared = (service: ReturnType<typeof serviceAt>) =>
  compareService({
    service,
    sandbox: serviceAt('sandbox', sandbox.ready.api_url, client(), free),
    judge: new ContractJudge({ secrets: [] }),
    allowed: { destinations: false, alertId: null },
    newAlert: () => Promise.reject(new Error('nothing is written')),
    assumed: {},
  });

test.each([
  [503, 'text/html', []],
  [502, 'text/plain', []],
  [
    500,
    'text/html',
    ['the body is not JSON (text/html)', 'Content-Type of a 500 is text/html, not application/problem+json'],
  ],
  [
    500,
    'application/json',
    [
      'the body is not JSON (application/json)',
      'Content-Type of a 500 is application/json, not application/problem+json',
    ],
  ],
  [503, 'application/problem+json', ['the body is not JSON (application/problem+json)']],
])('A page of a gateway is no deviation, and one of the service itself is: %d as %s', (status, type, details) => {
  const page = { kind: 'call', method: 'GET', path: '/v1/alerts', query: '', source: 'test', status } as const;
  const found = judged([{ ...page, headers: { 'content-type': type }, body: '<h1>Unavailable</h1>' } as ApiExchange]);
  expect(found.map(({ detail }) => detail)).toEqual(details);
});
