/** What follows from a command: one message accepted once, events with their deliveries, downlinks and notices. [spec 6, watch-protocol, decisions 5, 7] */
import { describe, expect, test } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { isRejection, reject, stampAt } from '../../../src/service/domain/changes.ts';
import { consequences } from '../../../src/service/domain/consequences.ts';
import { REPEATED, REPEATED_DIFFERENTLY } from '../../../src/service/domain/decide.ts';
import type { Effect } from '../../../src/service/domain/effects.ts';
import type { Alert } from '../../../src/service/domain/world/documents.ts';
import { freshId } from '../../../src/service/domain/world/fresh-id.ts';
import { addQuarry, QUARRY } from '../api/second-company.ts';
import { ADDRESSES, ORG, SITE, SmallWorld, T0 } from './small-world.ts';

const downlinks = (small: SmallWorld, from = 0) =>
  small.effects
    .slice(from)
    .flatMap((effect) => (effect.kind === 'downlink' ? [[effect.deviceId, effect.payload]] : []));
const notices = (small: SmallWorld, from = 0) =>
  small.effects.slice(from).flatMap((effect) => (effect.kind === 'notice' ? [effect.notice] : []));
const born = (small: SmallWorld, n: number) =>
  small.do({ type: 'report-birth', deviceId: small.device(n), session: 2, firmware: null });
const alertOf = (small: SmallWorld, n: number) => small.alerts()[n] as Alert;

describe('a message of a watch', () => {
  test('is heard once, by its watch and its id; with other content it is told apart', () => {
    const small = new SmallWorld();
    const press = { type: 'report-sos', trigger: 'watch_button', ...small.uplink(1) } as const;
    expect(small.do(press)).toMatchObject({ alertId: small.alert('sos').id });
    expect(small.do(press)).toEqual({ changes: [], dropped: REPEATED });
    expect(small.do({ ...press, trigger: 'watch_hardware_button' })).toEqual({
      changes: [],
      dropped: REPEATED_DIFFERENTLY,
    });
    expect(small.do({ ...press, deviceId: small.device(2) })).not.toHaveProperty('dropped');
    expect(small.alerts('sos')).toHaveLength(2);
    expect([...small.world.all('heard')]).toMatchObject([
      { id: `${small.device(1)}/${press.uplinkId}`, at: T0 },
      { id: `${small.device(2)}/${press.uplinkId}`, at: T0 },
    ]);
  });
});

describe('a watch hears', () => {
  const shown = ({ id, type }: Alert, status: string, by: string | null) => ({
    kind: 'alert',
    alert_id: id,
    type,
    status,
    by,
  });

  test('of its alerts when they are raised, and of what the control room does with them', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.update(small.alert('sos'), 'acknowledged');
    small.update(small.alert('sos'), 'resolved');
    small.do({ type: 'reopen-alert', alertId: small.alert('sos').id, by: 'Lead' });
    const by = 'Customer operator (via integration)';
    const alert = small.alert('sos');
    expect(downlinks(small)).toEqual([
      [small.device(1), shown(alert, 'unacknowledged', null)],
      [small.device(1), shown(alert, 'acknowledged', by)],
      [small.device(1), shown(alert, 'resolved', by)],
      [small.device(1), shown(alert, 'unacknowledged', null)],
    ]);
  });

  test('nothing of a line in the timeline, nor of a change without an event', () => {
    const small = new SmallWorld();
    small.sos(1);
    const from = small.effects.length;
    small.sos(1);
    small.do({ type: 'assign-alert', alertId: small.alert('sos').id, by: 'Lead', to: 'Desk 2' });
    expect(downlinks(small, from)).toEqual([]);
    expect(notices(small, from).map(({ kind }) => kind)).toEqual(['alert-changed', 'alert-changed']);
  });

  test('to rest when heat is an alert, and only then', () => {
    const small = new SmallWorld();
    small.do({ type: 'report-person-heat', deviceId: small.device(1), indexC: 42, sunMs: null });
    const alert = small.alert('heat_stress');
    small.update(alert, 'acknowledged');
    expect(downlinks(small)).toMatchObject([
      [small.device(1), shown(alert, 'unacknowledged', null)],
      [small.device(1), { kind: 'rest', alert_id: alert.id }],
      [small.device(1), { kind: 'alert', status: 'acknowledged' }],
    ]);
  });

  test('of a fall’s prompt and until when it runs', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    expect(downlinks(small)).toContainEqual([
      small.device(1),
      { kind: 'prompt', fall_id: fallId, until: '2026-10-05T06:00:30.000Z' },
    ]);
  });

  test('at its birth of its open prompts and alerts, of nobody else’s and of nothing that is over', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    small.fall(2);
    small.sos(1);
    small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
    small.update(small.alert('sos'), 'resolved');
    small.update(small.alert('worker_call_request'), 'acknowledged');
    const from = small.effects.length;
    born(small, 1);
    const [fall, call] = [small.alerts('fall_detected')[0], small.alert('worker_call_request')] as [Alert, Alert];
    const open = [
      shown(fall, 'unacknowledged', null),
      shown(call, 'acknowledged', 'Customer operator (via integration)'),
    ];
    const rest = small.effects.slice(from) as Extract<Effect, { kind: 'downlink' }>[];
    expect(rest[0]).toMatchObject({
      deviceId: small.device(1),
      payload: { kind: 'prompt', fall_id: fallId, until: '2026-10-05T06:00:30.000Z' },
    });
    const byId = (a: { alert_id: string }, b: { alert_id: string }) => (a.alert_id < b.alert_id ? -1 : 1);
    expect(
      rest
        .slice(1)
        .map(({ payload }) => payload as { alert_id: string })
        .sort(byId),
    ).toEqual(open.sort(byId));
  });

  test('at its birth nothing where nobody wears it', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.world.put('device', { ...small.world.need('device', small.device(1)), workerId: null });
    const from = small.effects.length;
    born(small, 1);
    expect(small.effects.slice(from)).toEqual([]);
  });
});

describe('those who watch are told', () => {
  test('of an alert with names where the contract includes them, whatever contractors it is scoped to', () => {
    const small = new SmallWorld({ client: { contractors: ['Norte SL'] } });
    small.sos(1);
    const [changed, occurred] = notices(small);
    expect(changed).toMatchObject({
      kind: 'alert-changed',
      at: '2026-10-05T06:00:00.000Z',
      organization_id: ORG,
      alert: { id: alertOf(small, 0).id, worker: { name: 'Ana Ruiz' } },
    });
    expect(occurred).toMatchObject({ kind: 'event-occurred', at: '2026-10-05T06:00:00.000Z', listed: true });
  });

  test('of destinations that are made, changed and deleted', () => {
    const small = new SmallWorld();
    const destinationId = small.subscribe();
    small.do({ type: 'rotate-secret', destinationId, secret: 'whsec_2' });
    small.do({ type: 'delete-destination', destinationId });
    const at = '2026-10-05T06:00:00.000Z';
    const destination = expect.objectContaining({ id: destinationId, url: 'https://receiver.example/h' });
    const changed = { kind: 'destination-changed', at, organization_id: ORG, destination };
    expect(notices(small)).toEqual([
      changed,
      changed,
      { kind: 'destination-deleted', at, destination_id: destinationId },
    ]);
  });

  test('of nothing that only the service keeps', () => {
    const small = new SmallWorld();
    small.do({ type: 'change-worker', workerId: small.workerId(1), role: 'Rigger' });
    small.do({ type: 'issue-token', hash: 'h', clientId: 'harbour_co', scopes: ['alerts:read'], expiresAt: T0 + 5 });
    expect(small.effects).toEqual([]);
    expect(small.world.get('token', 'h')).toEqual({
      id: 'h',
      clientId: 'harbour_co',
      scopes: ['alerts:read'],
      expiresAt: T0 + 5,
      revoked: false,
    });
    const stamp = stampAt(T0, 'test');
    expect(consequences(small.world, { kind: 'stay-ended', stayId: 's' }, stamp, ADDRESSES)).toEqual({
      changes: [],
      effects: [],
    });
  });
});

describe('an event', () => {
  test('is delivered to active destinations of its company that want it', () => {
    const small = new SmallWorld();
    addQuarry(small);
    const wanted = small.subscribe();
    const paused = small.subscribe();
    small.subscribe({ eventTypes: ['muster.*'] });
    small.subscribe({ filters: { minSeverity: 'critical', siteIds: [QUARRY.site] } });
    small.world.put('destination', { ...small.world.need('destination', paused), isActive: false });
    const foreign = { ...small.world.need('destination', wanted), id: 'q', organizationId: QUARRY.organization };
    small.world.put('destination', foreign);
    small.sos(1);
    const [record] = small.events;
    expect([...small.world.all('delivery')]).toEqual([
      {
        id: idFrom('test', 'delivery', record?.id as string, wanted),
        eventId: record?.id,
        eventType: 'alert.created',
        destinationId: wanted,
        priority: 0,
        eventAt: T0,
        slot: 0,
        due: T0,
        tries: 0,
        state: 'waiting',
        lastStatus: null,
      },
    ]);
  });

  test('says whose worker it is about, so that a scoped client finds its own in the log', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.sos(2);
    const estimate = { magnitude: 5, distanceKm: 80, feltAtSite: true, eta: null, official: false } as const;
    small.do({ type: 'report-hazard', siteId: SITE, hazard: 'earthquake', ...estimate });
    expect(small.events.map(({ contractor }) => contractor)).toEqual(['', 'Norte SL', null]);
    expect(small.events[0]).toMatchObject({
      organizationId: ORG,
      siteId: SITE,
      objectId: alertOf(small, 0).id,
      type: 'alert.created',
      listed: true,
    });
    expect(JSON.parse(small.events[0]?.body ?? '')).toMatchObject({
      id: small.events[0]?.id,
      type: 'alert.created',
      api_version: '2026-09-24',
      organization_id: ORG,
      site_id: SITE,
      created_at: '2026-10-05T06:00:00.000Z',
    });
  });

  test('to test a destination goes to it alone and is in no log', () => {
    const small = new SmallWorld();
    const destinationId = small.subscribe({ eventTypes: ['muster.*'] });
    small.subscribe();
    small.do({ type: 'test-destination', destinationId, nonce: 'n' });
    const [record] = small.events;
    expect(record).toMatchObject({
      type: 'alert.created',
      organizationId: ORG,
      contractor: null,
      listed: false,
      createdAt: T0,
    });
    const event = JSON.parse(record?.body ?? '');
    expect(event).toMatchObject({ organization_id: null, site_id: SITE, data: { alert: { simulated: true } } });
    expect([event.id, event.data.alert.id]).toEqual([record?.id, record?.objectId]);
    expect([...small.world.all('delivery')]).toMatchObject([{ destinationId, eventId: record?.id, priority: 0 }]);
    expect(notices(small).at(-1)).toMatchObject({ kind: 'event-occurred', listed: false, event: { id: record?.id } });
    expect(small.world.get('organizationClock', ORG)).toBeUndefined();
  });

  test('of a deleted destination is not delivered any more, and others’ are', () => {
    const small = new SmallWorld();
    const [gone, kept] = [small.subscribe(), small.subscribe()];
    small.sos(1);
    small.sos(2);
    small.do({ type: 'delete-destination', destinationId: gone });
    expect([...small.world.all('delivery')].map(({ destinationId }) => destinationId)).toEqual([kept, kept]);
  });
});

describe('a refusal', () => {
  test('is a value that is told from everything else', () => {
    const errors = [{ pointer: '/a', detail: 'b' }];
    expect(reject('not_found', 'No.')).toEqual({ rejected: true, code: 'not_found', detail: 'No.' });
    expect(reject('not_found', 'No.', errors)).toEqual({ rejected: true, code: 'not_found', detail: 'No.', errors });
    expect([reject('not_found', ''), null, undefined, 'rejected', {}, { rejected: false }].map(isRejection)).toEqual([
      ...[true, false, false, false, false, false],
    ]);
  });
});

test('ids follow from what happened; of two equal things of one instant, the second has one of its own', () => {
  const small = new SmallWorld();
  const stamp = stampAt(T0, 'salt');
  expect(stamp.id('a', 1)).toBe(idFrom('salt', 'a', 1));
  expect([stamp.now, stamp.serviceStartedAt]).toEqual([T0, 0]);
  const permit = { siteId: SITE, workerId: 'w', zoneId: 'z', reference: 'WP-1', until: null, endedAt: null };
  const made = [1, 2, 3].map(() => {
    const id = freshId(small.world, stamp, 'permit', 'w');
    small.world.put('permit', { ...permit, id });
    return id;
  });
  expect(made).toEqual([['w'], ['w', 2], ['w', 3]].map((parts) => stamp.id('permit', ...parts)));
});
