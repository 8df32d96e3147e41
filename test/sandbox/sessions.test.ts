/** Session destinations: real deliveries to a local address, apart from the client's own list; and events that go again. [decisions 7, 9] */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockstepClock } from '../../src/base/time/clocks.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { SessionLeases } from '../../src/service/api/session-leases.ts';
import { Receiver, status } from '../service/webhooks/receiver.ts';
import { startTlsServer } from '../service/webhooks/tls.ts';

const clock = lockstepClock({ start: Date.UTC(2026, 9, 5, 15) });
let sandbox: Sandbox;
let receiver: Receiver;

beforeAll(async () => {
  const where = { memory: true, port: 0, mqttPort: 0, dataDir: `sessions-${process.pid}` };
  [receiver, sandbox] = await Promise.all([
    Receiver.start(),
    startSandbox({ ...where, seed: 'sessions', watches: 12, clock }),
  ]);
});

afterAll(async () => {
  await sandbox.stop();
  await receiver.close();
  clock.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
type Answered = { readonly status: number; readonly body: any };

async function call(method: string, path: string, body?: object, token = sandbox.ready.control_token) {
  const response = await fetch(`${sandbox.ready.api_url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) } as Answered;
}

const join = (fields: object) => call('POST', '/v1/sandbox/destinations', fields);
const leave = (id: string) => call('DELETE', `/v1/sandbox/destinations/${id}`);

async function clientToken(place = 0): Promise<string> {
  const { client_id, client_secret } = sandbox.ready.clients[place]!;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch(`${sandbox.ready.api_url}/v1/oauth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** The worker presses, and the control room resolves, so that the next press is a new alert. */
async function sos(): Promise<string> {
  const { body } = await call('POST', '/v1/sandbox/actions', { action: 'sos', who: 'W-001' });
  const alert = body.result?.alert_id as string;
  expect([alert === undefined, body.detail]).toEqual([false, undefined]);
  const resolved = { action: 'resolve', alert, by: 'Desk', reason: 'test' };
  expect((await call('POST', '/v1/sandbox/actions', resolved)).status).toBe(200);
  return alert;
}

const address = (path: string) => new URL(path, receiver.url).href;
/** What came to this path. */
const gotAt = (path: string) => receiver.received.filter((one) => one.path === path);

describe('a session destination', () => {
  test('gets signed events at a local address until it is deleted', async () => {
    const { status: made, body: session } = await join({ forward_to: address('/hook?own=1') });
    expect(made).toBe(201);
    expect(session).toMatchObject({
      forward_to: address('/hook?own=1'),
      url: address('/hook?own=1'),
      event_types: ['alert.*', 'muster.*'],
      filters: {},
      is_active: true,
      failing_since: null,
      skip_verify: false,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{43}$/),
    });
    await sos();
    await clock.advance(1_000);
    const types = gotAt('/hook?own=1').map(({ body }) => JSON.parse(body).type);
    expect(types).toEqual(['alert.created', 'alert.resolved']);
    for (const { headers, body } of gotAt('/hook?own=1')) {
      const hmac = createHmac('sha256', session.secret).update(`${headers['x-service-timestamp']}.${body}`);
      expect(headers['x-service-signature']).toBe(`v1=${hmac.digest('hex')}`);
    }
    expect((await leave(session.id)).status).toBe(204);
    await sos();
    await clock.advance(60_000);
    expect(gotAt('/hook?own=1')).toHaveLength(2);
    expect((await leave(session.id)).status).toBe(404);
  });

  test('is not in the list of the client, not counted there, and not changed by the client', async () => {
    const token = await clientToken();
    const { body: session } = await join({ forward_to: address('/apart') });
    const made: string[] = [];
    for (let n = 0; n < 20; n++) {
      const url = `https://receiver-${n}.example/hook`;
      const { status: code, body } = await call('POST', '/v1/webhooks', { url, event_types: ['muster.*'] }, token);
      expect(code).toBe(201);
      made.push(body.id);
    }
    // And the other way round: 20 of the client leave room for sessions.
    expect((await join({ forward_to: address('/apart-too') })).status).toBe(201);
    const { body: list } = await call('GET', '/v1/webhooks', undefined, token);
    expect(list.data.map(({ id }: { id: string }) => id).sort()).toEqual([...made].sort());
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
    ])
      expect((await call(method!, `/v1/webhooks/${session.id}${path}`, undefined, token)).status).toBe(404);
    for (const id of made) expect((await call('DELETE', `/v1/webhooks/${id}`, undefined, token)).status).toBe(204);
    const { body: sessions } = await call('GET', '/v1/sandbox/destinations');
    expect(sessions.data.map(({ forward_to }: { forward_to: string }) => forward_to).sort()).toEqual([
      address('/apart'),
      address('/apart-too'),
    ]);
    for (const { id } of sessions.data) await leave(id);
  });

  test('ends with all the others by one call', async () => {
    for (const path of ['/one', '/two']) await join({ forward_to: address(path) });
    expect((await call('DELETE', '/v1/sandbox/destinations')).status).toBe(204);
    expect((await call('GET', '/v1/sandbox/destinations')).body.data).toEqual([]);
    expect((await call('DELETE', '/v1/sandbox/destinations')).status).toBe(204);
  });

  test('needs the control token', async () => {
    const token = await clientToken();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { forward_to: address('/no') }],
      ['DELETE', '/0a51e7c0-0000-4000-8000-000000000011', undefined],
    ] as const) {
      const answer = await call(method, `/v1/sandbox/destinations${path}`, body, token);
      expect([method, answer.status, answer.body.code]).toEqual([method, 403, 'insufficient_scope']);
    }
  });

  test('is the same one, with its secret, when the address listens again; another company has another', async () => {
    const first = (await join({ forward_to: address('/again'), event_types: ['alert.*'] })).body;
    const again = (await join({ forward_to: address('/again'), event_types: ['muster.*'], skip_verify: true })).body;
    expect(again).toMatchObject({ id: first.id, secret: first.secret, event_types: ['muster.*'], skip_verify: true });
    const { organization } = sandbox.ready.clients[1]!;
    const other = (await join({ forward_to: address('/again'), company: organization })).body;
    expect(other.organization).toBe(organization);
    expect(other.id).not.toBe(first.id);
    expect(other.secret).not.toBe(first.secret);
    const { client_id } = sandbox.ready.clients[1]!;
    expect((await join({ forward_to: address('/again'), company: client_id })).body.id).toBe(other.id);
    await leave(first.id);
    await leave(other.id);
    const anew = (await join({ forward_to: address('/again') })).body;
    expect([anew.id, anew.secret]).toEqual([first.id, first.secret]);
    await leave(anew.id);
  });

  test('gets what it is subscribed to, filtered', async () => {
    const { body: session } = await join({
      forward_to: address('/some'),
      event_types: ['alert.created', 'alert.created'],
      filters: { min_severity: 'critical' },
    });
    expect(session).toMatchObject({ event_types: ['alert.created'], filters: { min_severity: 'critical' } });
    await sos();
    await clock.advance(1_000);
    await clock.advance(60_000);
    expect(gotAt('/some').map(({ body }) => JSON.parse(body).type)).toEqual(['alert.created']);
    await leave(session.id);
  });

  test('is retried as any other', async () => {
    const { body: session } = await join({ forward_to: address('/failing') });
    const whole = receiver.behave;
    receiver.behave = (_n, { path }) => (path === '/failing' ? status(500) : status(200));
    await sos();
    await clock.advance(31_000);
    receiver.behave = whole;
    const ids = gotAt('/failing').map(({ eventId }) => eventId);
    // At once, after 10 s and after 30 s.
    expect([...new Set(ids)].map((id) => ids.filter((one) => one === id).length)).toEqual([3, 3]);
    await leave(session.id);
  });

  test.each([
    [{}, '/forward_to'],
    [{ forward_to: 'ftp://127.0.0.1/hook' }, '/forward_to'],
    [{ forward_to: '127.0.0.1:3000' }, '/forward_to'],
    [{ forward_to: 'http:///hook' }, '/forward_to'],
    [{ forward_to: 'http://user:pass@127.0.0.1/' }, '/forward_to'],
    [{ forward_to: 'http://127.0.0.1/#top' }, '/forward_to'],
    [{ forward_to: `http://127.0.0.1/${'x'.repeat(2_048)}` }, '/forward_to'],
    [{ forward_to: 'http://127.0.0.1/', event_types: [] }, '/event_types'],
    [{ forward_to: 'http://127.0.0.1/', event_types: ['alert.made'] }, '/event_types/0'],
    [{ forward_to: 'http://127.0.0.1/', filters: { site_ids: [] } }, '/filters/site_ids'],
    [{ forward_to: 'http://127.0.0.1/', skip_verify: 'yes' }, '/skip_verify'],
    [{ forward_to: 'http://127.0.0.1/', secret: 'whsec_mine' }, '/secret'],
  ])('of %j is refused at %s', async (fields, pointer) => {
    const { status: code, body } = await join(fields);
    expect([code, body.code, body.errors[0].pointer]).toEqual([422, 'validation_failed', pointer]);
  });

  test('of a company or site that is not there is refused', async () => {
    const nobody = await join({ forward_to: address('/x'), company: 'Nobody & Sons' });
    expect([nobody.status, nobody.body.errors]).toEqual([
      404,
      [{ pointer: '/company', detail: '"Nobody & Sons" is not known' }],
    ]);
    const site_ids = ['0a51e7c0-0000-4000-8000-000000000011'];
    expect((await join({ forward_to: address('/x'), filters: { site_ids } })).status).toBe(403);
  });

  test('accepts a certificate that nothing vouches for only when it is asked to', async () => {
    const tls = await startTlsServer();
    const forward_to = `https://127.0.0.1:${tls.port}/hook`;
    const results = async () => {
      const { body: session } = await join({ forward_to, event_types: ['alert.created'] });
      await sos();
      await clock.advance(1_000);
      const strict = await call('GET', `/v1/sandbox/deliveries?destination_id=${session.id}`);
      await join({ forward_to, event_types: ['alert.created'], skip_verify: true });
      await clock.advance(60_000);
      const lenient = await call('GET', `/v1/sandbox/deliveries?destination_id=${session.id}`);
      await leave(session.id);
      return [strict.body.data, lenient.body.data] as { result: string; error: string | null }[][];
    };
    const [strict, lenient] = await results();
    expect(strict).toMatchObject([{ result: 'failed', error: expect.stringContaining('SELF_SIGNED') }]);
    expect(lenient?.[0]).toMatchObject({ result: 'delivered' });
    await tls.close();
  });
});

/** The next destinations that are deleted, in their order. */
const deleted = (count: number): Promise<string[]> =>
  new Promise((resolve) => {
    const ids: string[] = [];
    const stop = sandbox.engine.listen({
      notice: (notice) => {
        if (notice.kind !== 'destination-deleted') return;
        ids.push(notice.destination_id);
        if (ids.length < count) return;
        stop();
        resolve(ids);
      },
    });
  });

describe('listeners at one address', () => {
  test('have a destination each, and the end of one leaves the other', async () => {
    const forward_to = address('/shared');
    const first = (await join({ forward_to, listener: 'one' })).body;
    const second = (await join({ forward_to, listener: 'two' })).body;
    expect(second.id).not.toBe(first.id);
    expect(second.secret).toBe(first.secret);
    expect((await join({ forward_to, listener: 'one' })).body.id).toBe(first.id);
    await leave(first.id);
    await sos();
    await clock.advance(1_000);
    expect(gotAt('/shared').map(({ body }) => JSON.parse(body).type)).toEqual(['alert.created', 'alert.resolved']);
    await leave(second.id);
  });

  test('end with their lease, which the same request renews without a trace', async () => {
    const { id } = (await join({ forward_to: address('/leased'), listener: 'killed', lease_s: 5 })).body;
    const other = (await join({ forward_to: address('/renewed'), lease_s: 5 })).body.id;
    // Without a lease from now on.
    expect((await join({ forward_to: address('/renewed') })).body.id).toBe(other);
    expect(await deleted(1)).toEqual([id]);
    const left = (await call('GET', '/v1/sandbox/destinations')).body.data;
    expect(left.map((one: { id: string }) => one.id)).toEqual([other]);
    const body = { forward_to: address('/renewed'), listener: 'one', lease_s: 3_600 };
    const before = (await join(body)).body;
    const changes: string[] = [];
    const stop = sandbox.engine.listen({ notice: ({ kind }) => void changes.push(kind) });
    const log = async () => (await call('GET', '/v1/sandbox/requests?limit=200')).body.data;
    const logged = (await log()).filter(({ method }: { method: string }) => method === 'POST').length;
    expect(logged).toBeGreaterThan(0);
    expect((await join(body)).body).toEqual(before);
    expect((await log()).filter(({ method }: { method: string }) => method === 'POST')).toHaveLength(logged);
    expect(changes).toEqual([]);
    stop();
    await leave(other);
    await leave(before.id);
  });
});

describe('sessions of commands that ended with the last run', () => {
  test('end soon after the start, unless the command is back', async () => {
    const gone = (await join({ forward_to: address('/gone') })).body.id;
    const back = (await join({ forward_to: address('/back') })).body.id;
    await clock.advance(1_000);
    new SessionLeases(sandbox.engine).begin(20);
    await join({ forward_to: address('/back') });
    await new Promise<void>((resolve) => {
      const stop = sandbox.engine.listen({
        notice: (notice) => {
          if (notice.kind !== 'destination-deleted') return;
          expect(notice.destination_id).toBe(gone);
          stop();
          resolve();
        },
      });
    });
    const { body } = await call('GET', '/v1/sandbox/destinations');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([back]);
    await leave(back);
  });
});

describe('to resend', () => {
  const resend = (fields: object) => call('POST', '/v1/sandbox/actions', { action: 'resend', ...fields });

  test('an event by its id brings the same bytes to one destination, newly attempted', async () => {
    const { body: session } = await join({ forward_to: address('/resend'), event_types: ['alert.created'] });
    const other = (await join({ forward_to: address('/resend-not'), event_types: ['alert.created'] })).body;
    await sos();
    await clock.advance(1_000);
    const [first] = gotAt('/resend');
    await clock.advance(60_000);
    const answer = await resend({ to: session.id, event: first!.eventId });
    expect([answer.status, answer.body.result]).toEqual([200, { resent: 1 }]);
    await clock.advance(1_000);
    await clock.advance(60_000);
    const [, second, ...more] = gotAt('/resend');
    expect(more).toEqual([]);
    expect([second?.eventId, second?.body]).toEqual([first?.eventId, first?.body]);
    expect(gotAt('/resend-not')).toHaveLength(1);
    // A retry schedule of its own: the one of the event has its next attempt much later.
    receiver.behave = (_n, { path }) => (path === '/resend' && gotAt('/resend').length < 4 ? status(503) : status(200));
    await resend({ to: address('/resend'), event: first!.eventId });
    await clock.advance(11_000);
    expect(gotAt('/resend')).toHaveLength(4);
    receiver.behave = () => status(200);
    await leave(session.id);
    await leave(other.id);
  });

  test('the log of a while brings its events in their order, of some types or all', async () => {
    const { body: session } = await join({ forward_to: address('/log'), event_types: ['muster.*'] });
    await clock.advance(11 * 60_000);
    await sos();
    await sos();
    const all = await resend({ to: session.id, since: '10m' });
    expect(all.body.result).toEqual({ resent: 4 });
    await clock.advance(1_000);
    const types = () => gotAt('/log').map(({ body }) => JSON.parse(body).type);
    expect(types().sort()).toEqual(['alert.created', 'alert.created', 'alert.resolved', 'alert.resolved']);
    expect((await resend({ to: session.id, since: '10m', only: ['alert.resolved'] })).body.result).toEqual({
      resent: 2,
    });
    expect((await resend({ to: session.id, since: '10m', only: ['muster.*'] })).body.result).toEqual({ resent: 0 });
    await leave(session.id);
  });

  test.each([
    [{}, 422, '/event'],
    [{ event: '0a51e7c0-0000-4000-8000-000000000011', since: '1h' }, 422, '/event'],
    [{ event: '0a51e7c0-0000-4000-8000-000000000011' }, 404, '/event'],
    [{ since: '1h', only: ['alert.made'] }, 422, '/only/0'],
    [{ since: 'yesterday' }, 422, '/since'],
    [{ to: 'https://nowhere.example/', since: '1h' }, 404, '/to'],
  ])('%j is refused', async (fields, code, pointer) => {
    const { body: session } = await join({ forward_to: address('/refused') });
    const answer = await resend({ to: session.id, ...fields });
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([code, pointer]);
    await leave(session.id);
  });

  test('an event of another company is not known', async () => {
    const { body: session } = await join({ forward_to: address('/foreign') });
    const other = (await join({ forward_to: address('/foreign'), company: sandbox.ready.clients[1]!.client_id })).body;
    await sos();
    await clock.advance(1_000);
    const [{ eventId } = { eventId: '' }] = gotAt('/foreign');
    expect((await resend({ to: other.id, event: eventId })).status).toBe(404);
    await leave(session.id);
    await leave(other.id);
  });
});
