/** What an alert refers to: frozen at its last change, and who was near when it fired. [spec 2 Nearby, decisions 4, 5] */
import { describe, expect, test } from 'vitest';
import { clientOf, viewerOf } from '../../../../src/service/domain/access/viewer.ts';
import { alertView } from '../../../../src/service/domain/views/alert.ts';
import { ADDRESSES, ORG, SITE, SmallWorld, T0 } from '../small-world.ts';

const MINUTE = 60_000;

describe('what an alert refers to', () => {
  const changed = (small: SmallWorld) => {
    const { world } = small;
    world.put('site', { ...world.need('site', SITE), name: 'Harbour plant II' });
    world.put('worker', { ...world.need('worker', small.workerId(1)), name: 'Ana Ruiz Gil', contractor: 'Sur SA' });
    small.now += MINUTE;
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 55, charging: false });
  };

  test('is as it was at the alert’s last change, until the next', () => {
    const small = new SmallWorld();
    small.sos(1);
    const before = small.alert('sos');
    changed(small);
    expect(small.alert('sos')).toBe(before);
    small.update(before, 'acknowledged');
    expect(small.alert('sos')).toMatchObject({
      site: { id: SITE, name: 'Harbour plant II' },
      worker: { id: small.workerId(1), externalId: 'E-1', name: 'Ana Ruiz Gil', contractor: 'Sur SA' },
      device: { id: small.device(1), serial: 'SIM-1', batteryPct: 55, lastSeenAt: T0 + MINUTE },
      zone: before.zone,
      location: before.location,
    });
  });

  test('stays where it has left the company, or never was', () => {
    const small = new SmallWorld();
    small.sos(1);
    const { site, worker, device } = small.alert('sos');
    for (const [kind, id] of [
      ['site', SITE],
      ['worker', small.workerId(1)],
      ['device', small.device(1)],
    ] as const)
      small.world.remove(kind, id);
    small.now += MINUTE;
    small.update(small.alert('sos'), 'resolved');
    expect(small.alert('sos')).toMatchObject({ status: 'resolved', site, worker, device });
    expect(device).not.toBeNull();
  });

  test('of the whole plant has no worker and no device, also after a change', () => {
    const small = new SmallWorld();
    const hazard = { hazard: 'earthquake', magnitude: 7, distanceKm: 80, feltAtSite: true, eta: null } as const;
    small.do({ type: 'report-hazard', siteId: SITE, official: true, ...hazard });
    small.update(small.alert('earthquake'), 'acknowledged');
    expect(small.alert('earthquake')).toMatchObject({ status: 'acknowledged', worker: null, device: null });
  });
});

describe('a nearby worker', () => {
  const near = (small: SmallWorld) =>
    small
      .alert('sos')
      .nearby.map(({ worker, distanceM, kind, vehicleType }) => [worker.name, distanceM, kind, vehicleType].join(' '));

  test('is reported in the order of the exact distance, then of ids, however they came', () => {
    const small = new SmallWorld();
    for (const [n, name] of [
      [4, 'Dora'],
      [5, 'Emil'],
      [6, 'Fred'],
    ] as const)
      small.worker(n, name);
    small.at(6, 20, 30.4);
    small.at(2, 20, 50.5);
    small.at(5, 20, 30.8);
    small.at(4, 20, 50.5);
    small.at(3, 20, 50.5);
    small.sos(1);
    expect(near(small)).toEqual([
      'Fred 10 person ',
      'Emil 10 person ',
      'Luis Paz 30 person ',
      'Eva Mar 30 person ',
      'Dora 30 person ',
    ]);
  });

  test('was heard of 2 min ago at most, and does not count when inactive or without a watch', () => {
    const small = new SmallWorld();
    small.worker(4, 'Dora');
    small.worker(5, 'Emil');
    for (const n of [2, 3, 4, 5]) small.at(n, 20, 30.5);
    const worker = (n: number, part: object) =>
      small.world.put('worker', { ...small.world.need('worker', small.workerId(n)), ...part });
    worker(4, { isActive: false });
    worker(5, { deviceId: null });
    small.now = T0 + 1;
    small.at(3, 20, 30.5);
    small.now = T0 + 2 * MINUTE;
    small.at(1, 20, 20);
    small.sos(1);
    expect(near(small)).toEqual(['Luis Paz 10 person ', 'Eva Mar 10 person ']);
    small.update(small.alert('sos'), 'resolved');
    small.now += 1;
    small.sos(1);
    expect(small.alerts('sos')[1]?.nearby.map((entry) => entry.worker.name)).toEqual(['Eva Mar']);
  });

  test('in a vehicle is told as that vehicle, by its driver', () => {
    const small = new SmallWorld();
    small.world.put('vehicle', { id: 'a', siteId: SITE, type: 'truck', driverId: small.workerId(3) });
    small.world.put('vehicle', { id: 'b', siteId: SITE, type: 'forklift', driverId: small.workerId(2) });
    small.at(2, 20, 30.5, { inVehicle: true });
    small.at(3, 20, 40.5);
    small.sos(1);
    expect(near(small)).toEqual(['Luis Paz 10 vehicle forklift', 'Eva Mar 20 person ']);
  });
});

test.each([
  ['2026-09-23T23:59:59.999Z', false],
  ['2026-09-24T00:00:00.000Z', true],
])('in an alert of %s the ids of the workers nearby are given: %s [spec 2 Nearby]', (at, given) => {
  const small = new SmallWorld();
  small.now = Date.parse(at);
  small.at(1, 20, 20.5);
  small.at(2, 20, 30.5);
  small.sos(1);
  const { nearby } = alertView(small.alert('sos'), viewerOf(clientOf(small.world, ORG)), ADDRESSES);
  expect(nearby.map(({ worker }) => worker.id)).toEqual([given ? small.workerId(2) : null]);
});
