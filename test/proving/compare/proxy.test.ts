/** `sandbox proxy`: what passes is as it was, is judged by the engine of compare, and is stored without tokens and secrets. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deviation } from '../../../src/proving/compare/exchange.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { type PassedExchange, startForwarding } from '../../../src/proving/compare/proxy/forwarding-server.ts';
import { HarFile } from '../../../src/proving/compare/proxy/har-file.ts';
import { callOf, deliveryOf, EventLogReader } from '../../../src/proving/compare/proxy/proxy-judge.ts';
import { readRecording } from '../../../src/proving/compare/recorded.ts';
import { TokenHolders } from '../../../src/proving/compare/token-holders.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { DeviatingService, type Patch } from './deviating-service.ts';
import { act, live, sideOf, startedWith } from './live-service.ts';

let service: Sandbox;
let build: DeviatingService;
beforeAll(async () => {
  service = await startedWith({}, true);
  await live(service);
  build = await DeviatingService.before(service.ready.api_url);
});
afterAll(async () => {
  await build.stop();
  await service.stop();
});

async function proxied(
  addressOf: (target: string) => string,
  use: (url: string) => Promise<void>,
): Promise<readonly PassedExchange[]> {
  const passed: PassedExchange[] = [];
  const parts = { host: '127.0.0.1', port: 0, isJudged: true, addressOf };
  const server = await startForwarding({ ...parts, onExchange: (one) => passed.push(one) });
  try {
    await use(server.url);
  } finally {
    await server.stop();
  }
  return passed;
}

const toService = (target: string) => `${service.ready.api_url}${target}`;
const credentials = () => service.ready.clients[0] as { client_id: string; client_secret: string };

async function tokenAt(url: string): Promise<string> {
  const { client_id, client_secret } = credentials();
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch(`${url}/v1/oauth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const judged = (passed: readonly PassedExchange[]): Deviation[] => {
  const judge = new ContractJudge({ secrets: [] });
  const holders = new TokenHolders();
  return passed.flatMap((one) => {
    const call = callOf(one, holders);
    return call === undefined ? [] : judge.add(call);
  });
};

test('answers pass as they were, and nothing is found in the traffic of the sandbox itself', async () => {
  let through = '';
  const passed = await proxied(toService, async (url) => {
    const token = await tokenAt(url);
    const headers = { authorization: `Bearer ${token}` };
    through = await (await fetch(`${url}/v1/sites`, { headers })).text();
    expect(through).toBe(await (await fetch(toService('/v1/sites'), { headers })).text());
    const [alert] = ((await (await fetch(`${url}/v1/alerts`, { headers })).json()) as { data: { id: string }[] }).data;
    const update = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' } };
    const body = JSON.stringify({ status: 'acknowledged', actor: { name: 'Desk' } });
    const answer = await fetch(`${url}/v1/alerts/${alert?.id}`, { ...update, body });
    expect([200, 409]).toContain(answer.status);
    expect((await fetch(`${url}/v1/alerts/nothing`, { headers })).status).toBe(404);
  });
  expect(passed.map(({ method, status }) => [method, status === 409 ? 200 : status])).toEqual([
    ['POST', 200],
    ['GET', 200],
    ['GET', 200],
    ['PATCH', 200],
    ['GET', 404],
  ]);
  expect(passed[1]?.body.toString()).toBe(through);
  expect(judged(passed)).toEqual([]);
});

test('a HAR has what passed, no token and no secret, and is whole after each entry', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'proxy-')), 'session.har');
  const har = new HarFile(file, 'test');
  expect(JSON.parse(readFileSync(file, 'utf8')).log.entries).toEqual([]);
  let token = '';
  let secret = '';
  const passed = await proxied(toService, async (url) => {
    token = await tokenAt(url);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: 'https://receiver.example/two', event_types: ['alert.*'] });
    const made = await fetch(`${url}/v1/webhooks`, { method: 'POST', headers, body });
    secret = ((await made.json()) as { secret: string }).secret;
    await fetch(`${url}/v1/events`, { headers });
  });
  for (const [place, one] of passed.entries()) {
    har.add(one);
    expect(JSON.parse(readFileSync(file, 'utf8')).log.entries).toHaveLength(place + 1);
  }
  har.close();
  const text = readFileSync(file, 'utf8');
  for (const hidden of [token, secret, credentials().client_secret]) {
    expect(hidden.length).toBeGreaterThan(20);
    expect(text).not.toContain(hidden);
  }
  expect(statSync(file).mode & 0o077).toBe(0);
  const judge = new ContractJudge({ secrets: [] });
  const recording = readRecording(file);
  expect(recording.map(({ kind }) => kind)).toEqual(['call', 'call', 'call']);
  expect(recording.flatMap((one) => judge.add(one))).toEqual([]);
});

test.each<[string, string, Patch]>([
  [
    'an update does not take effect',
    '[spec 3]',
    ({ method, status, body }) =>
      method === 'PATCH' && status === 200
        ? { body: { ...body, status: 'unacknowledged', acknowledged: null, resolved: null } }
        : undefined,
  ],
  [
    'a 429 says when to retry as a date',
    '[spec 8]',
    ({ path, status, body, headers }) =>
      path === '/v1/sites' && status === 200
        ? {
            status: 429,
            headers: { ...headers, 'content-type': 'application/problem+json', 'retry-after': 'soon' },
            body: {
              type: 'https://x/problems/rate-limited',
              title: 'x',
              status: 429,
              code: 'rate_limited',
              of: body.x,
            },
          }
        : undefined,
  ],
])('names the clause where %s', async (_what, clause, patch) => {
  build.patch = patch;
  const passed = await proxied(
    (target) => `${build.url}${target}`,
    async (url) => {
      const { alert_id: alert } = await act(service, { action: 'panel_sos', who: 'W-006', by: 'Desk' });
      const headers = { authorization: `Bearer ${await tokenAt(url)}`, 'content-type': 'application/json' };
      await fetch(`${url}/v1/sites`, { headers });
      const body = JSON.stringify({ status: 'acknowledged', actor: { name: 'Desk' } });
      await fetch(`${url}/v1/alerts/${alert}`, { method: 'PATCH', headers, body });
    },
  );
  expect([...new Set(judged(passed).map((one) => one.clause))]).toEqual([clause]);
});

test('the event log is read on behind its last event, and events are judged', async () => {
  build.patch = ({ path, body }) => {
    if (path !== '/v1/events') return undefined;
    for (const event of body.data) if (event.type === 'alert.created') event.data.alert.status = 'acknowledged';
    return { body };
  };
  const sound = new EventLogReader(sideOf('service', service), new ContractJudge({ secrets: [] }));
  expect(await sound.read()).toEqual([]);
  await act(service, { action: 'panel_sos', who: 'W-007', by: 'Desk' });
  expect(await sound.read()).toEqual([]);
  const wrong = new EventLogReader(sideOf('service', service, build.url), new ContractJudge({ secrets: [] }));
  expect(new Set((await wrong.read()).map(({ clause }) => clause))).toEqual(new Set(['[spec 6]']));
});

test('a delivery reaches the receiver byte for byte, and its signature is judged', async () => {
  const received: { body: Buffer; headers: IncomingHttpHeaders; path: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ body: Buffer.concat(chunks), headers: request.headers, path: request.url ?? '' });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const [event] = await eventsOf();
  const body = `${JSON.stringify(event, null, 1)}\n `;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const sign = (key: string) => createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  const passed = await proxied(
    (target) => `${at}${target}`,
    async (url) => {
      for (const key of ['whsec_right', 'whsec_wrong']) {
        const headers = {
          'content-type': 'application/json',
          'user-agent': 'Service-Webhooks/2026-09-24',
          'x-service-event-id': event?.id ?? '',
          'x-service-timestamp': timestamp,
          'x-service-signature': `v1=${sign(key)}`,
        };
        expect((await fetch(`${url}/hook?a=1`, { method: 'POST', headers, body })).status).toBe(204);
      }
    },
  );
  await new Promise((resolve) => receiver.close(resolve));
  expect(received.map((one) => [one.body.toString(), one.path])).toEqual([
    [body, '/hook?a=1'],
    [body, '/hook?a=1'],
  ]);
  expect(received[0]?.headers['x-service-signature']).toBe(`v1=${sign('whsec_right')}`);
  const judge = new ContractJudge({ secrets: ['whsec_right'] });
  expect(passed.map((one) => judge.add(deliveryOf(one)).map(({ clause }) => clause))).toEqual([[], ['[spec 5]']]);
});

async function eventsOf(): Promise<{ id: string }[]> {
  const answer = await sideOf('service', service).call({ method: 'GET', path: '/v1/events' });
  return (JSON.parse(answer.body) as { data: { id: string }[] }).data;
}
