/** Making, rotating, testing and deleting a destination, and what a delivery is signed with. [spec 4, 5, decisions 7] */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isRejection } from '../../../../src/service/domain/changes.ts';
import { deliveryHeaders, secretsInForce, signatureOf } from '../../../../src/service/domain/deliveries/signature.ts';
import type { Destination } from '../../../../src/service/domain/world/documents.ts';
import { ORG, SITE, SmallWorld, T0 } from '../small-world.ts';

const DAY = 24 * 60 * 60_000;

function create(
  small: SmallWorld,
  part: { url?: string; organizationId?: string; eventTypes?: Destination['eventTypes'] } = {},
) {
  const decision = small.do({
    type: 'create-destination',
    organizationId: ORG,
    clientId: 'harbour_co',
    url: 'https://receiver.example/',
    eventTypes: ['alert.*'],
    filters: { siteIds: [SITE] },
    secret: 'whsec_1',
    ...part,
  });
  if (isRejection(decision)) return decision;
  return { rejected: false as const, destination: decision.destination as Destination };
}
const made = (small: SmallWorld, part = {}): Destination => {
  const outcome = create(small, part);
  if (outcome.rejected) throw new Error(outcome.detail);
  return outcome.destination;
};
const now = (small: SmallWorld, id: string): Destination => small.world.need('destination', id);

describe('a destination that is made', () => {
  test('is active, healthy, and has what was asked for, each event type once', () => {
    const small = new SmallWorld();
    const { id } = made(small, { eventTypes: ['muster.*', 'alert.created', 'muster.*'] });
    expect(now(small, id)).toEqual({
      id,
      organizationId: ORG,
      clientId: 'harbour_co',
      url: 'https://receiver.example/',
      eventTypes: ['muster.*', 'alert.created'],
      filters: { siteIds: [SITE] },
      isActive: true,
      failingSince: null,
      createdAt: T0,
      secret: 'whsec_1',
      previousSecret: null,
    });
  });

  test('is told to those who watch, without its secret', () => {
    const small = new SmallWorld();
    made(small);
    const [effect] = small.effects;
    expect(effect).toMatchObject({ kind: 'notice', notice: { kind: 'destination-changed', organization_id: ORG } });
    expect(JSON.stringify(small.effects)).not.toContain('whsec_');
  });

  test('may be the twentieth of its company and not the twenty-first; another company’s do not count', () => {
    const small = new SmallWorld();
    for (let n = 0; n < 20; n++) made(small, { organizationId: 'another', url: `https://other.example/${n}` });
    const ids = new Set<string>();
    for (let n = 0; n < 20; n++) ids.add(made(small).id);
    expect(ids.size).toBe(20);
    expect(create(small)).toMatchObject({
      rejected: true,
      code: 'validation_failed',
      errors: [{ pointer: '', detail: 'would be destination 21 of the company' }],
    });
    const [first = ''] = ids;
    small.do({ type: 'delete-destination', destinationId: first });
    expect(create(small).rejected).toBe(false);
  });
});

describe('a rotation', () => {
  test('makes a new secret, and the old one signs for another 24 h, to the millisecond', () => {
    const small = new SmallWorld();
    const { id } = made(small);
    small.now += 1_000;
    small.do({ type: 'rotate-secret', destinationId: id, secret: 'whsec_2' });
    const rotated = now(small, id);
    expect(rotated).toMatchObject({
      secret: 'whsec_2',
      previousSecret: { secret: 'whsec_1', validUntil: small.now + DAY },
    });
    expect(secretsInForce(rotated, small.now + DAY - 1)).toEqual(['whsec_2', 'whsec_1']);
    expect(secretsInForce(rotated, small.now + DAY)).toEqual(['whsec_2']);
  });

  test('retires the one before it: there are never more than two', () => {
    const small = new SmallWorld();
    const { id } = made(small);
    for (const secret of ['whsec_2', 'whsec_3']) small.do({ type: 'rotate-secret', destinationId: id, secret });
    expect(secretsInForce(now(small, id), small.now)).toEqual(['whsec_3', 'whsec_2']);
  });
});

describe('a destination that does not exist', () => {
  test.each([
    { type: 'delete-destination', destinationId: 'nobody' },
    { type: 'rotate-secret', destinationId: 'nobody', secret: 'whsec_2' },
    { type: 'test-destination', destinationId: 'nobody', nonce: 'n' },
  ] as const)('$type: not found', (command) => {
    expect(new SmallWorld().do(command)).toMatchObject({ rejected: true, code: 'not_found' });
  });
});

test('a deleted destination takes its pending deliveries with it, and nobody else’s', () => {
  const small = new SmallWorld();
  const [one, two] = [made(small), made(small)];
  small.sos(1);
  expect([...small.world.all('delivery')].map(({ destinationId }) => destinationId).sort()).toEqual(
    [one.id, two.id].sort(),
  );
  small.do({ type: 'delete-destination', destinationId: one.id });
  expect([...small.world.all('delivery')].map(({ destinationId }) => destinationId)).toEqual([two.id]);
  expect(small.world.get('destination', one.id)).toBeUndefined();
});

describe('a test', () => {
  test('is an SOS that no GET knows, for that destination alone, of no company, in no log', () => {
    const small = new SmallWorld();
    const { id } = made(small, { eventTypes: ['muster.*'] });
    made(small);
    small.world.put('site', { ...small.world.need('site', SITE), id: 'a-site', name: 'A site before it by name' });
    small.world.put('site', {
      ...small.world.need('site', SITE),
      id: 'not-theirs',
      organizationId: 'another',
      name: 'A',
    });
    small.do({ type: 'test-destination', destinationId: id, nonce: 'n' });
    const [record] = small.events;
    expect(record).toMatchObject({
      type: 'alert.created',
      listed: false,
      siteId: 'a-site',
      contractor: null,
      createdAt: T0,
    });
    const event = JSON.parse(record?.body ?? '');
    expect(event).toEqual({
      id: record?.id,
      type: 'alert.created',
      api_version: '2026-09-24',
      created_at: '2026-10-05T06:00:00.000Z',
      organization_id: null,
      site_id: 'a-site',
      data: { alert: expect.anything() },
    });
    expect(event.data.alert).toEqual({
      id: record?.objectId,
      type: 'sos',
      severity: 'critical',
      status: 'unacknowledged',
      title: 'SOS',
      date_created: '2026-10-05T06:00:00.000Z',
      date_last_modified: '2026-10-05T06:00:00.000Z',
      site: { id: 'a-site', name: 'A site before it by name' },
      zone: null,
      worker: null,
      device: null,
      location: null,
      location_withheld: false,
      details: { trigger: 'control_room' },
      nearby: [],
      vehicle_warnings: [],
      worker_acknowledged_at: null,
      acknowledged: null,
      resolved: null,
      assigned_to: null,
      simulated: true,
      panel_url: `http://127.0.0.1:4600/panel/alerts/${record?.objectId}`,
    });
    expect(small.world.get('alert', event.data.alert.id)).toBeUndefined();
    expect([...small.world.all('delivery')]).toMatchObject([{ destinationId: id, eventId: event.id, priority: 0 }]);
  });

  test.each([
    'abc',
    'acb',
    'bac',
    'bca',
    'cab',
    'cba',
  ])('takes the first site by name, in whatever order they came (%s)', (order) => {
    const small = new SmallWorld();
    const { id } = made(small);
    for (const name of order) small.world.put('site', { ...small.world.need('site', SITE), id: `id-${name}`, name });
    small.world.remove('site', SITE);
    small.do({ type: 'test-destination', destinationId: id, nonce: 'n' });
    expect(small.events.map(({ siteId }) => siteId)).toEqual(['id-a']);
  });

  test.each(['abc', 'bca', 'cba'])('of equal names takes the least id, in whatever order they came (%s)', (order) => {
    const small = new SmallWorld();
    const { id } = made(small);
    for (const one of order) small.world.put('site', { ...small.world.need('site', SITE), id: `id-${one}` });
    small.world.remove('site', SITE);
    small.do({ type: 'test-destination', destinationId: id, nonce: 'n' });
    expect(small.events.map(({ siteId }) => siteId)).toEqual(['id-a']);
  });

  test('of equal names takes the site with the lesser id, and another nonce makes another event', () => {
    const small = new SmallWorld();
    const { id } = made(small);
    small.world.put('site', { ...small.world.need('site', SITE), id: '00000000-0000-4000-8000-000000000001' });
    for (const nonce of ['n', 'm']) small.do({ type: 'test-destination', destinationId: id, nonce });
    expect(small.events.map(({ siteId }) => siteId)).toEqual(Array(2).fill('00000000-0000-4000-8000-000000000001'));
    expect(new Set(small.events.flatMap(({ id: event, objectId }) => [event, objectId])).size).toBe(4);
  });

  test('of a company without a site is a mistake of ours, and throws', () => {
    const small = new SmallWorld();
    const { id } = made(small, { organizationId: 'another' });
    expect(() => small.do({ type: 'test-destination', destinationId: id, nonce: 'n' })).toThrow('no site');
  });
});

describe('the headers of a delivery', () => {
  const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

  test('are signed by every secret in force, the newest first, joined by a comma alone', () => {
    const headers = deliveryHeaders('event-1', '{"é":1}', ['whsec_2', 'whsec_1'], 1_791_180_000_999);
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/2026-09-24',
      'X-Service-Event-Id': 'event-1',
      'X-Service-Timestamp': '1791180000',
      'X-Service-Signature': `v1=${hex('whsec_2', '1791180000.{"é":1}')},v1=${hex('whsec_1', '1791180000.{"é":1}')}`,
    });
  });

  test('a signature is of the timestamp, a dot and the raw body', () => {
    expect(signatureOf('whsec_1', 12, 'body')).toBe(`v1=${hex('whsec_1', '12.body')}`);
    expect(secretsInForce({ secret: 'whsec_1', previousSecret: null } as Destination, 0)).toEqual(['whsec_1']);
  });
});
