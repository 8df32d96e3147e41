/** A scenario's plant that joins a running world and leaves it with all that happened there, and with nothing else. [decisions 9] */
import { describe, expect, test } from 'vitest';
import { isGuests, removeSite } from '../../../src/service/domain/plant/guests.ts';
import type { GuestScenario, PlantDocument } from '../../../src/service/domain/world/documents.ts';
import { addQuarry, QUARRY } from '../api/second-company.ts';
import { MusterWorld } from './musters/muster-world.ts';
import { ORG, SITE, SmallWorld, T0 } from './small-world.ts';
import { pictureOf } from './world-picture.ts';

const PIT = '00000000-0000-4000-8000-000000000077';
const WATCH = '00000000-0000-4000-8000-000000000078';

const guestOf = (part: Partial<GuestScenario> = {}): GuestScenario => ({
  id: 'run',
  organizationId: ORG,
  clientId: 'harbour_co',
  siteIds: [PIT],
  destinationIds: [],
  receivers: { domain: 'run.example', urls: ['https://hooks.example/in'] },
  before: { contract: null, limits: null, apiFault: null, broker: null },
  ...part,
});

function documentsOf({ world }: SmallWorld, part: { serial?: string; deviceId?: string } = {}) {
  const site = { ...world.need('site', SITE), id: PIT, name: 'Pit' };
  const known = [...world.all('device')][0] as NonNullable<ReturnType<typeof world.need<'device'>>>;
  const device = { ...known, id: part.deviceId ?? WATCH, serial: part.serial ?? 'RUN-1', siteId: PIT, workerId: null };
  return [
    { kind: 'site', id: site.id, document: site },
    { kind: 'device', id: device.id, document: device },
  ] as PlantDocument[];
}

const join = (small: SmallWorld, part: Partial<GuestScenario> = {}, documents = documentsOf(small)) =>
  small.do({ type: 'join-plant', guest: guestOf(part), documents });
const leave = (small: SmallWorld) => small.do({ type: 'leave-plant', guestId: 'run' });

describe('a plant', () => {
  test('joins with all of its documents', () => {
    const small = new SmallWorld();
    join(small);
    expect([small.world.get('site', PIT)?.name, small.world.indexes.deviceId('RUN-1')]).toEqual(['Pit', WATCH]);
    expect(small.world.get('guest', 'run')).toEqual(guestOf());
  });

  test.each([
    ['an id', (small: SmallWorld) => ({ deviceId: small.device(1) })],
    ['a serial', () => ({ serial: 'SIM-2' })],
  ])('a plant whose documents take %s that is in use does not join, not even in part', (_words, part) => {
    const small = new SmallWorld();
    const before = pictureOf(small.world);
    expect(join(small, {}, documentsOf(small, part(small)))).toMatchObject({ code: 'action_refused' });
    expect(pictureOf(small.world)).toEqual(before);
  });

  test('a plant that leaves takes what it brought, what happened there and its destinations, and leaves the rest', () => {
    const small = new SmallWorld();
    const kept = small.subscribe();
    small.sos(1);
    const before = pictureOf(small.world);
    join(small, { destinationIds: [kept] });
    const made = small.subscribe();
    const destination = small.world.need('destination', made);
    small.world.put('destination', { ...destination, url: 'https://a.run.example/h' });
    leave(small);
    expect(pictureOf(small.world).tables).toEqual(before.tables);
    expect(leave(small)).toEqual({ changes: [] });
  });

  test('gives the contract back that was before, where the scenario changed it', () => {
    const small = new SmallWorld();
    const contract = { includeWorkerNames: false, scopes: ['alerts:read'] as const, contractors: ['Norte SL'] };
    join(small, { before: { ...guestOf().before, contract } });
    leave(small);
    const client = small.world.need('client', 'harbour_co');
    expect(client).toMatchObject({ ...contract, organizationId: ORG });
    join(small);
    leave(small);
    expect(small.world.need('client', 'harbour_co')).toEqual(client);
  });

  test('leaves also where its client and its site are gone already', () => {
    const small = new SmallWorld();
    const contract = { includeWorkerNames: false, scopes: [], contractors: null };
    join(small, { before: { ...guestOf().before, contract } });
    small.world.remove('client', 'harbour_co');
    small.world.remove('site', PIT);
    expect(leave(small)).toMatchObject({ changes: [{ kind: 'guest-left' }] });
    expect([small.world.count('guest'), small.world.get('client', 'harbour_co')]).toEqual([0, undefined]);
  });

  test.each([
    ['under its domain', {}, 'https://a.run.example/h', true],
    ['at one of its receivers', {}, 'https://hooks.example/in', true],
    ['at another path of such a host', {}, 'https://hooks.example/out', false],
    ['at the domain itself', {}, 'https://run.example/h', false],
    ['at a name that only ends like it', {}, 'https://overrun.example/h', false],
    ['that was there before', { destinationIds: ['d'] }, 'https://a.run.example/h', false],
    ['of another company', { organizationId: QUARRY.organization }, 'https://a.run.example/h', false],
  ])('decides whether it has made a destination %s', (_words, part, url, own) => {
    const small = new SmallWorld();
    const destination = { ...small.world.need('destination', small.subscribe()), id: 'd', url };
    expect(isGuests(guestOf(part), destination)).toBe(own);
  });
});

test('a site goes with everything that stands on it or happened there, and nothing of another goes', () => {
  const small = new MusterWorld();
  addQuarry(small);
  const { world } = small;
  const quarry = () => {
    const uplink = () => ({ ...small.uplink(1), deviceId: QUARRY.device });
    small.do({ type: 'report-sos', trigger: 'watch_button', ...uplink() });
    small.do({ type: 'report-fall', ...uplink() });
    small.do({ type: 'warn-of-vehicle', deviceId: QUARRY.device, vehicleType: 'truck', distanceM: 3 });
    small.do({ type: 'open-permit', workerId: QUARRY.worker, zoneId: QUARRY.zone, until: null });
    world.put('stay', { id: 'quarry', deviceId: QUARRY.device, zoneId: QUARRY.zone, since: T0 });
    world.put('unveiling', { id: QUARRY.worker, by: 'Lead', until: T0 + 1 });
    world.put('vehicle', { id: 'q', siteId: QUARRY.site, type: 'truck', driverId: null });
    const fixes = [{ ...small.fix(20, 20), worn: true }];
    small.do({ type: 'report-position', deviceId: QUARRY.device, fixes });
    for (const started of [1, 2]) {
      const request = { siteId: QUARRY.site, by: 'Lead', reason: null, origin: null, deadline: null };
      small.do({ type: 'start-muster', ...request, kind: 'general' });
      const { id } = small.muster();
      if (started === 1) small.do({ type: 'end-muster', musterId: id, outcome: 'completed', by: 'Lead' });
    }
    world.commit();
  };
  const harbour = () => {
    small.sos(1);
    small.fall(1);
    small.do({ type: 'warn-of-vehicle', deviceId: small.device(1), vehicleType: 'truck', distanceM: 3 });
    small.do({ type: 'open-permit', workerId: small.workerId(1), zoneId: small.pointId('Dock'), until: null });
    world.put('stay', { id: 'dock', deviceId: small.device(1), zoneId: small.pointId('Dock'), since: T0 });
    world.put('unveiling', { id: small.workerId(1), by: 'Lead', until: T0 + 1 });
    world.put('vehicle', { id: 'v', siteId: SITE, type: 'truck', driverId: null });
    small.start();
    small.end();
    small.now += 1;
    small.start();
    world.commit();
  };
  quarry();
  const alone = pictureOf(world).tables;
  harbour();
  removeSite(world, SITE);
  world.commit();
  const after = pictureOf(world);
  // Documents that name their muster alone; all others name something of their site.
  const ofQuarry = <T>(kind: string, documents: readonly T[]) =>
    kind === 'course' ? documents : documents.filter((document) => JSON.stringify(document).includes('0000000f'));
  const ON_A_SITE = [
    ...(['site', 'zone', 'worker', 'device', 'vehicle', 'permit', 'stay', 'warning', 'unveiling'] as const),
    ...(['telemetry', 'alert', 'prompt', 'muster', 'expected', 'course', 'roll'] as const),
  ];
  for (const kind of ON_A_SITE) {
    expect([kind, after.tables[kind]]).toEqual([kind, ofQuarry(kind, alone[kind] ?? [])]);
    expect([kind, after.tables[kind]?.length]).not.toEqual([kind, 0]);
  }
  expect(after.activeMusters).toHaveLength(1);
});
