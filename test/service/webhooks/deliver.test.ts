/** An event becomes a signed POST: what it carries, and to whom it goes. [spec 4 Receiver contract, 5, 6.8] */
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hang, type Received, Receiver } from './receiver.ts';
import { HOUR, lockstep, SmallWorld } from './small-world.ts';

const BEGUN_S = Math.floor(Date.now() / 1_000);

let receiver: Receiver;
let small: SmallWorld;

beforeEach(async () => {
  receiver = await Receiver.start();
  small = await SmallWorld.start();
});

afterEach(async () => {
  await small.stop();
  await receiver.close();
});

/** A judge from outside: Stripe's scheme is the same as ours. [decisions 7] */
function stripeAccepts({ body, headers }: Received, secret: string): boolean {
  const header = `t=${headers['x-service-timestamp']},${headers['x-service-signature']}`;
  try {
    return new Stripe('sk_test_x').webhooks.constructEvent(body, header, secret) !== null;
  } catch {
    return false;
  }
}

const only = <T>(list: readonly T[]): T => {
  expect(list).toHaveLength(1);
  return list[0] as T;
};

describe('a delivery', () => {
  test('is one POST per event, its body the bytes of the event log', async () => {
    await small.destination(receiver.url);
    const alertId = await small.sos();
    await small.acknowledge(alertId);
    await small.webhooks.idle();
    const log = await small.log();
    expect(log.map(({ type }) => type)).toEqual(['alert.created', 'alert.acknowledged']);
    const byId = new Map(receiver.received.map((received) => [received.eventId, received]));
    expect(receiver.received).toHaveLength(2);
    for (const { id, body } of log) expect(byId.get(id)).toMatchObject({ method: 'POST', path: '/hook', body });
    // Names with accents are the bytes that a signature over characters would get wrong.
    expect(receiver.received[0]?.body).toContain('Émilie Ñandú');
  });

  test('carries exactly the headers of the receiver contract, and no token', async () => {
    await small.destination(receiver.url);
    await small.sos();
    await small.webhooks.idle();
    const { headers, body, eventId, wallAt } = only(receiver.received);
    const event = only(await small.log());
    expect(eventId).toBe(event.id);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/2026-09-24',
      'x-service-event-id': event.id,
      'x-service-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-service-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      'content-length': String(Buffer.byteLength(body)),
      host: receiver.url.host,
      connection: 'keep-alive',
    });
    const seconds = Number(headers['x-service-timestamp']);
    expect(seconds).toBeGreaterThanOrEqual(BEGUN_S);
    expect(seconds).toBeLessThanOrEqual(wallAt / 1_000);
    const digest = createHmac('sha256', 'whsec_0').update(`${seconds}.`).update(Buffer.from(body)).digest('hex');
    expect(headers['x-service-signature']).toBe(`v1=${digest}`);
  });

  test('is accepted by the verifier of Stripe with the right secret and no other', async () => {
    await small.destination(receiver.url, { secret: 'whsec_right' });
    await small.sos();
    await small.webhooks.idle();
    const received = only(receiver.received);
    expect(stripeAccepts(received, 'whsec_right')).toBe(true);
    expect(stripeAccepts(received, 'whsec_wrong')).toBe(false);
    expect(stripeAccepts({ ...received, body: `${received.body} ` }, 'whsec_right')).toBe(false);
  });

  test('is reported with its event, its place and its outcome, and recorded without a secret', async () => {
    const destination = await small.destination(receiver.url, { secret: 'whsec_never_told' });
    const alertId = await small.sos();
    await small.webhooks.idle();
    const event = only(await small.log());
    expect(only(small.attempts)).toMatchObject({
      event_id: event.id,
      event_type: 'alert.created',
      object_id: alertId,
      destination_id: destination.id,
      url: 'https://receiver-0.example/hook',
      try: 1,
      result: 'delivered',
      status: 200,
      error: null,
      signatures: 1,
    });
    const record = only(await small.store.attempts({ limit: 10 }));
    expect(record).toMatchObject({
      eventId: event.id,
      outcome: 'delivered',
      requestUrl: new URL('/hook', receiver.url).href,
      responseBody: 'answer 200',
    });
    expect(record.responseHeaders).toMatchObject({ connection: expect.any(String), date: expect.any(String) });
    expect(record.requestHeaders).toMatchObject({ 'X-Service-Event-Id': event.id });
    expect(JSON.stringify([record, small.notices])).not.toContain('whsec_never_told');
  });
});

describe('in a rotation', () => {
  test('both secrets sign, the newest first, until the day is over', async () => {
    await small.stop();
    small = await SmallWorld.start({ clock: lockstep() });
    const { id } = await small.destination(receiver.url, { secret: 'whsec_old' });
    await small.engine.submit({ type: 'rotate-secret', destinationId: id, secret: 'whsec_new' });
    await small.sos(0);
    await small.clock.advance(24 * HOUR - 1);
    await small.sos(1);
    await small.clock.advance(1);
    await small.sos(2);
    await small.webhooks.idle();
    const signatures = receiver.received.map(({ headers }) => headers['x-service-signature']?.split(',').length);
    expect(signatures).toEqual([2, 2, 1]);
    expect(small.attempts.map((attempt) => attempt.signatures)).toEqual([2, 2, 1]);
    const [first, , last] = receiver.received as [Received, Received, Received];
    expect([stripeAccepts(first, 'whsec_new'), stripeAccepts(first, 'whsec_old')]).toEqual([true, true]);
    expect([stripeAccepts(last, 'whsec_new'), stripeAccepts(last, 'whsec_old')]).toEqual([true, false]);
    const newest = { ...first.headers, 'x-service-signature': first.headers['x-service-signature']?.split(',')[0] };
    expect(stripeAccepts({ ...first, headers: newest as Received['headers'] }, 'whsec_new')).toBe(true);
  });

  test('a second rotation retires the first secret', async () => {
    const { id } = await small.destination(receiver.url, { secret: 'whsec_1' });
    for (const secret of ['whsec_2', 'whsec_3'])
      await small.engine.submit({ type: 'rotate-secret', destinationId: id, secret });
    await small.sos();
    await small.webhooks.idle();
    const received = only(receiver.received);
    expect(['whsec_1', 'whsec_2', 'whsec_3'].map((secret) => stripeAccepts(received, secret))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('a destination gets', () => {
  test('what it subscribed to and its filters let through, each destination by its own', async () => {
    const receivers = { all: receiver, ...(await startMore('acknowledged', 'critical', 'alfa', 'musters')) };
    await small.destination(receivers.all.url);
    await small.destination(receivers.acknowledged.url, { eventTypes: ['alert.acknowledged'] });
    await small.destination(receivers.critical.url, { filters: { minSeverity: 'critical' } });
    await small.destination(receivers.alfa.url, { filters: { contractors: ['Alfa'] } });
    await small.destination(receivers.musters.url, { eventTypes: ['muster.*'] });
    await small.acknowledge(await small.call(0));
    await small.sos(1);
    await small.webhooks.idle();
    const types = (of: Receiver) => of.received.map(({ body }) => JSON.parse(body).type).sort();
    expect(types(receivers.all)).toEqual(['alert.acknowledged', 'alert.created', 'alert.created']);
    expect(types(receivers.acknowledged)).toEqual(['alert.acknowledged']);
    expect(types(receivers.critical)).toEqual(['alert.created']);
    expect(types(receivers.alfa)).toEqual(['alert.acknowledged', 'alert.created']);
    expect(types(receivers.musters)).toEqual([]);
    for (const each of Object.values(receivers)) if (each !== receiver) await each.close();
  });

  test('its test event alone, whatever it subscribed to, signed like any other', async () => {
    const other = await Receiver.start();
    const tested = await small.destination(receiver.url, { eventTypes: ['muster.*'], secret: 'whsec_tested' });
    await small.destination(other.url);
    await small.engine.submit({ type: 'test-destination', destinationId: tested.id, nonce: 'n' });
    await small.webhooks.idle();
    const received = only(receiver.received);
    expect(JSON.parse(received.body)).toMatchObject({ organization_id: null, data: { alert: { simulated: true } } });
    expect(stripeAccepts(received, 'whsec_tested')).toBe(true);
    expect(other.received).toEqual([]);
    await other.close();
  });

  async function startMore<N extends string>(...names: N[]): Promise<Record<N, Receiver>> {
    const pairs = await Promise.all(names.map(async (name) => [name, await Receiver.start()] as const));
    return Object.fromEntries(pairs) as Record<N, Receiver>;
  }
});

describe('a forward', () => {
  test('keeps the path and the query of the destination behind its own path', async () => {
    small.forwards.set('erp.example', new URL('/base/', receiver.url));
    await small.destination('https://erp.example:8443/hooks/a%20b?x=1&y=%C3%B1');
    await small.sos();
    await small.webhooks.idle();
    const { path, headers } = only(receiver.received);
    expect(path).toBe('/base/hooks/a%20b?x=1&y=%C3%B1');
    expect(headers['host']).toBe(receiver.url.host);
  });

  test('an ended forward leaves no address behind: the name is judged like any other', async () => {
    small.forwards.set('session.invalid', receiver.url);
    await small.destination('https://session.invalid/');
    small.forwards.delete('session.invalid');
    await small.sos();
    await small.webhooks.idle();
    expect(receiver.connections).toBe(0);
    expect(only(small.attempts)).toMatchObject({ result: 'waiting', error: expect.stringMatching(/^Blocked: /) });
  });
});

test('a destination that is deleted in the transaction of an event does not get it, and the others do', async () => {
  const other = await Receiver.start();
  const { id } = await small.destination(receiver.url);
  await small.destination(other.url);
  await Promise.all([small.sos(), small.engine.submit({ type: 'delete-destination', destinationId: id })]);
  await small.webhooks.idle();
  expect([receiver.received.length, other.received.length]).toEqual([0, 1]);
  await other.close();
});

test('a deleted destination gets nothing more, and what was in flight settles as nothing', async () => {
  receiver.behave = () => hang;
  const { id } = await small.destination(receiver.url);
  const other = await Receiver.start();
  await small.destination(other.url);
  await small.sos(0);
  for (let n = 1; n <= 5; n++) await small.call(n);
  await receiver.has(4);
  await small.engine.submit({ type: 'delete-destination', destinationId: id });
  await small.call(6);
  await other.has(7);
  await receiver.close();
  await small.webhooks.idle();
  expect(receiver.received).toHaveLength(4);
  expect(small.attempts.filter((attempt) => attempt.destination_id === id)).toEqual([]);
  expect(small.attempts).toHaveLength(7);
  expect(small.waiting(id)).toEqual([]);
  await other.close();
});
