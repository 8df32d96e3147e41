/** Test code waits for what it has caused, in its own view of a running sandbox. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActionBody } from '../../src/contract/actions.ts';
import { siteIn } from '../../src/sandbox/options/files.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { isRejection } from '../../src/service/domain/changes.ts';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

let sandbox: Sandbox;
let receiver: Server;
let own = '';
let other = '';

beforeAll(async () => {
  receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  sandbox = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    seed: 'wait',
    dataDir: `wait-${process.pid}`,
    forwards: new Map([['receiver.example', address]]),
  });
  [own, other] = await Promise.all([tokenOf(0), tokenOf(1)]);
});

afterAll(async () => {
  await sandbox.stop();
  receiver.close();
});

let people: string[] = [];
/** A worker of the first company whom no test has used yet. */
let who = '';
beforeEach(() => {
  if (people.length === 0) people = sandbox.watches().flatMap(({ worker, emulated }) => (emulated ? [worker!] : []));
  who = people.shift() as string;
});

async function call(token: string, path: string, body: unknown, init: RequestInit = {}) {
  const answer = await fetch(`${sandbox.ready.api_url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
  });
  const text = await answer.text();
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
  return { status: answer.status, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as any };
}

async function tokenOf(company: number): Promise<string> {
  const { client_id, client_secret } = sandbox.ready.clients[company]!;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  return (await call('', '/v1/oauth/token', form)).body.access_token;
}

const wait = (body: object, token = own, init: RequestInit = {}) => call(token, '/v1/sandbox/wait', body, init);
const act = async (body: object, token = own) => (await call(token, '/v1/sandbox/actions', body)).body.result;

/** The answer of a wait that has nothing to find: simulated time passes until it gives up. */
async function untilOver(body: object, token = own) {
  const waiting = wait({ ...body, within: '3s' }, token);
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  while (!over) await sandbox.clock.advance(1_000);
  return waiting;
}

describe('a wait', () => {
  test('finds at once what the last action has made already', async () => {
    const { alert_id } = await act({ action: 'sos', who });
    const { status, body } = await wait({ alert: 'sos', match: { of: who, status: 'unacknowledged' } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'alert', id: alert_id, ids: [alert_id], found: { id: alert_id, type: 'sos' } });
  });

  test('a wait that began before its event is answered when the event comes', async () => {
    const waiting = wait({ event: 'alert.created', match: { of: who, object: { type: 'sos' } }, within: '30s' });
    const { alert_id } = await act({ action: 'sos', who });
    const { status, body } = await waiting;
    expect([status, body.kind, body.found.data.alert.id]).toEqual([200, 'event', alert_id]);
  });

  test('is about one thing where an id names it, also one from before the last action', async () => {
    const { alert_id } = await act({ action: 'sos', who });
    await act({ action: 'battery', who, pct: 90 });
    const waiting = wait({ alert: alert_id, match: { status: 'acknowledged' }, within: '30s' });
    const actor = { name: 'Desk 2' };
    await call(own, `/v1/alerts/${alert_id}`, { status: 'acknowledged', actor }, { method: 'PATCH' });
    expect((await waiting).body.found.acknowledged.by).toContain('via integration');
    const reported = await wait({ event: 'alert.acknowledged', match: { about: alert_id } });
    expect([reported.status, reported.body.found.data.alert.id]).toEqual([200, alert_id]);
    const called = await wait({ request: 'PATCH /v1/alerts/*', match: { status: 200 } });
    expect([called.status, called.body.found]).toEqual([200, expect.objectContaining({ method: 'PATCH' })]);
  });

  test('tells the nearest candidate when its time is over, and where it did not fit', async () => {
    const { alert_id } = await act({ action: 'sos', who });
    const { status, body } = await untilOver({ alert: alert_id, match: { status: 'resolved', severity: 'critical' } });
    expect([status, body.code]).toEqual([408, 'request_timeout']);
    expect(body.detail).toBe(
      `alert ${alert_id} did not come within 3s. The nearest: status: expected resolved, got unacknowledged.`,
    );
    expect(body.errors).toEqual([{ pointer: '/match/status', detail: 'expected resolved, got unacknowledged' }]);
  });

  test('says so where it came before the last action, and finds it since an earlier time', async () => {
    await act({ action: 'sos', who });
    await act({ action: 'battery', who, pct: 80 });
    const request = { event: 'alert.created', match: { of: who } };
    const { status, body } = await untilOver(request);
    expect([status, body.detail]).toEqual([408, expect.stringContaining('came before the search began')]);
    const [, since] = /"since": "([^"]+)"/.exec(body.detail) ?? [];
    expect((await wait({ ...request, since })).status).toBe(200);
  });

  test('since the very time of an event or alert finds it, also the last of a burst, whose times lie ahead', async () => {
    const [next] = people.splice(0, 1) as [string];
    sandbox.clock.pause();
    const { body: done } = await call(own, '/v1/sandbox/actions', { action: 'sos', who: [who, next] });
    sandbox.clock.resume();
    const [first, last] = await Promise.all(
      done.results.map(({ alert_id }: { alert_id: string }) =>
        wait({ event: 'alert.created', match: { about: alert_id } }),
      ),
    );
    expect(Date.parse(last.body.found.created_at) - Date.parse(first.body.found.created_at)).toBe(1);
    expect(last.body.at).toBe(first.body.at);
    const event = last.body;
    const { alert_id } = done.results[1];
    const since = event.found.created_at;
    const reported = await wait({ event: 'alert.created', match: { of: next }, since });
    expect([reported.status, reported.body.id]).toEqual([200, event.id]);
    const { body: alert } = await wait({ alert: alert_id });
    const seen = await wait({ alert: 'sos', match: { of: next }, since: alert.found.date_last_modified });
    expect([seen.status, seen.body.id]).toEqual([200, alert_id]);
  });

  test('of somebody who looks for the first time finds what was there, in the order of its last change', async () => {
    const [next] = people.splice(0, 1) as [string];
    const { alert_id } = await act({ action: 'sos', who });
    await act({ action: 'sos', who: next });
    const actor = { name: 'Desk 2' };
    const path = `/v1/alerts/${alert_id}`;
    const { body } = await call(own, path, { status: 'acknowledged', actor }, { method: 'PATCH' });
    const { client_id, client_secret } = sandbox.ready.clients[0]!;
    const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'alerts:read' };
    const reader = (await call('', '/v1/oauth/token', form)).body.access_token;
    const seen = await wait({ alert: 'sos', match: { of: who }, since: body.date_last_modified }, reader);
    expect([seen.status, seen.body.id]).toEqual([200, alert_id]);
  });

  test('sees nothing of another company: neither what is there nor who', async () => {
    const { alert_id } = await act({ action: 'sos', who });
    const { status, body } = await untilOver({ alert: alert_id }, other);
    expect([status, body.errors]).toEqual([408, [{ pointer: '/alert', detail: 'expected an alert, got (absent)' }]]);
    const { worker_id } = await act({ action: 'battery', who, pct: 70 });
    const named = await wait({ alert: 'sos', match: { of: worker_id } }, other);
    expect([named.status, named.body.errors[0].pointer]).toEqual([422, '/match/of']);
  });

  test('of a client that is scoped to a contractor sees no alert of others', async () => {
    const { contractors } = sandbox.ready.clients[1]!;
    const { world } = sandbox.engine;
    const organizationId = world.need('client', sandbox.ready.clients[1]!.client_id).organizationId;
    const workers = [...world.all('worker')].filter((one) => one.organizationId === organizationId);
    const emulated = ({ deviceId }: { deviceId: string | null }) => world.get('device', deviceId ?? '')?.emulated;
    const theirs = workers.find((one) => emulated(one) && !contractors?.includes(one.contractor ?? ''));
    const ours = workers.find((one) => emulated(one) && contractors?.includes(one.contractor ?? ''));
    await sandbox.act({ action: 'sos', who: theirs!.id });
    await sandbox.act({ action: 'sos', who: ours!.id });
    const seen = await wait({ event: 'alert.created', since: '2020-01-01T00:00:00Z', match: { count: 1 } }, other);
    expect([seen.status, seen.body.found.data.alert.worker.id]).toEqual([200, ours!.id]);
    const all = await wait(
      { alert: 'sos', match: { worker: theirs!.id }, since: '2020-01-01T00:00:00Z' },
      sandbox.ready.control_token,
    );
    expect(all.status).toBe(200);
  });

  test('sees deliveries by the host of the destination', async () => {
    await call(own, '/v1/webhooks', { url: 'https://receiver.example/hook', event_types: ['alert.*'] });
    const { alert_id } = await act({ action: 'sos', who });
    const request = { delivery: 'receiver.example', match: { about: alert_id, result: 'delivered' } };
    const { status, body } = await wait({ ...request, within: '30s' });
    expect([status, body.found]).toMatchObject([200, { result: 'delivered', tries: 1, status: 200 }]);
  });

  test('tells what is wrong with it, by place', async () => {
    const wrong = async (body: object) => {
      const answer = await wait(body);
      return [answer.status, answer.body.errors.map((one: { pointer: string }) => one.pointer)];
    };
    expect(await wrong({})).toEqual([422, ['']]);
    expect(await wrong({ alert: 'sos', event: 'alert.created' })).toEqual([422, ['']]);
    expect(await wrong({ alert: 'soss' })).toEqual([422, ['/alert']]);
    expect(await wrong({ alert: 'sos', match: { off: who } })).toEqual([422, ['/match/off']]);
    expect(await wrong({ alert: 'sos', match: { of: 'Nobody' } })).toEqual([422, ['/match/of']]);
    expect(await wrong({ alert: 'sos', match: { alert: 'sos' } })).toEqual([422, ['/match/alert']]);
    expect(await wrong({ delivery: 'nowhere.example' })).toEqual([422, ['/delivery']]);
    expect(await wrong({ alert: 'sos', within: '5' })).toEqual([422, ['/within']]);
  });

  test('ends when its client hangs up, and keeps neither the clock nor the limits', async () => {
    const hangUp = new AbortController();
    const left = new Promise<number>((resolve) => {
      const unlisten = sandbox.onNotice((notice) => {
        if (notice.kind !== 'request-answered' || notice.path !== '/v1/sandbox/wait') return;
        unlisten();
        resolve(notice.status);
      });
    });
    const waiting = wait({ alert: 'sos', match: { of: who }, within: '24h' }, own, { signal: hangUp.signal });
    await sandbox.clock.advance(60_000);
    hangUp.abort();
    await expect(waiting).rejects.toThrow();
    expect(await left).toBe(499);
  });
});

describe('what a wait says when it was in vain', () => {
  const SUBJECTS = [
    { alert: 'any' },
    { alert: 'tsunami_risk' },
    { event: 'alert.*' },
    { muster: 'active' },
    { request: 'GET /v1/alerts' },
    { delivery: 'any' },
    { alert: '0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d' },
    { event: '0d1c9e0a-5a3e-4c0e-8f43-0b1d6a1f2c3d' },
    {},
    { alert: '' },
    { request: ' ' },
  ];
  const KEYS = ['title', 'worker', 'site', 'of', 'object', 'count', 'code', 'result', 'details', 'totals', ''];
  const VALUES = ['', ' ', 'a  b', null, [], {}, { name: '' }, 'not ""', '/x/', [''], 'any'];
  /** A word that is missing leaves two spaces, an empty pair of quotes, or nothing between two signs. */
  const HOLE = /undefined| {2}|""|expected ,|got [;.]|: [;.]| [,.](?!\d)/;

  eachOf(
    SUBJECTS.map((subject) => [subject] as const),
    4,
  )('has no holes: %j', async (subject) => {
    sandbox.limiter.setLimits(sandbox.ready.clients[0]!.client_id, { requestsPerMinute: 1e9 });
    await act({ action: 'sos', who });
    const bodies = KEYS.flatMap((key) => VALUES.map((value) => ({ ...subject, match: { [key]: value } })));
    const since = '2020-01-01T00:00:00Z';
    const answers = await Promise.all(
      [{ ...subject }, ...bodies].map(async (request) => ({
        request,
        answer: await wait({ ...request, within: '0s', since }),
      })),
    );
    const vain = answers.filter(({ answer }) => answer.status !== 200);
    expect(vain.length).toBeGreaterThan(20);
    for (const { request, answer } of vain) {
      const { detail, errors = [] } = answer.body;
      // Of what is not valid, what was sent is quoted as it was.
      const echoed = answer.status === 422 && errors.length > 0 && /is not|is never/.test(detail);
      expect([request, answer.status, echoed ? '' : (HOLE.exec(detail)?.[0] ?? ''), detail]).toEqual([
        request,
        expect.toSatisfy((status: number) => status === 408 || status === 422),
        '',
        expect.any(String),
      ]);
      if (answer.status === 422) expect([request, errors.length > 0]).toEqual([request, true]);
    }
  });
});

test('a name in another Unicode form is found by actions and waits', async () => {
  const file = join(folder.path, 'site.yaml');
  writeFileSync(
    file,
    `part: P
site:
  name: Café
  origin: [43.3, -8.4]
  zones:
    Dépôt: {type: restricted, box: [0, 0, 200, 120]}
    Géant: {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
workers: {renée: {in: Géant}}
`,
  );
  const read = siteIn(file);
  if (!('value' in read)) throw new Error('The site file has a mistake.');
  const small = await startSandbox({
    memory: true,
    port: 0,
    mqttPort: 0,
    site: read.value,
    dataDir: `forms-${process.pid}`,
  });
  const other = (body: Record<string, unknown>) => JSON.parse(JSON.stringify(body).normalize('NFD')) as ActionBody;
  for (const body of [
    { action: 'permit', who: 'renée', zone: 'Dépôt', is: 'open', reference: 'Wé' },
    { action: 'enter', who: 'renée', zone: 'Dépôt' },
    { action: 'privacy', site: 'Café', mode: 'on_demand' },
  ])
    expect(isRejection(await small.act(other(body))), body.action).toBe(false);
  const closing = { action: 'permit', who: 'renée', zone: 'Dépôt', is: 'closed', reference: 'Wé' } as const;
  expect(isRejection(await small.act(closing)), 'of a reference').toBe(false);
  expect(isRejection(await small.act(other({ action: 'sos', who: 'renée' })))).toBe(false);
  const answer = await fetch(`${small.ready.api_url}/v1/sandbox/wait`, {
    method: 'POST',
    headers: { authorization: `Bearer ${small.ready.control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ alert: 'sos', match: { of: 'renée', worker: 'renée' } }).normalize('NFD'),
  });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ kind: 'alert' })]);
  await small.stop();
});
