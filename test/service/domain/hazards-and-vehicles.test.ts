import { describe, expect, test } from 'vitest';
import { isFelt } from '../../../src/service/domain/alerts/hazards.ts';
import { SITE, SmallWorld, T0 } from './small-world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const hazard = (small: SmallWorld, part: object = {}) =>
  small.do({
    type: 'report-hazard',
    siteId: SITE,
    hazard: 'earthquake',
    official: false,
    magnitude: 7.1,
    distanceKm: 80,
    feltAtSite: true,
    eta: null,
    ...part,
  });

describe('a hazard', () => {
  test.each(['earthquake', 'tsunami_risk'] as const)('%s is an alert of the whole plant', (type) => {
    const small = new SmallWorld();
    hazard(small, { hazard: type });
    expect(small.alert(type)).toMatchObject({
      severity: 'high',
      worker: null,
      device: null,
      zone: null,
      location: null,
      locationWithheld: false,
      nearby: [],
      vehicleWarnings: [],
      details: { magnitude: 7.1, distance_km: 80, official: false, felt_at_site: true, eta: null },
    });
    expect(small.eventTypes()).toEqual(['alert.created']);
    expect(JSON.parse(small.events[0]?.body as string).data.alert.title).toMatch(/ at Harbour plant$/);
  });

  test('a hazard that the service estimated is updated by the official notice, without an event', () => {
    const small = new SmallWorld();
    hazard(small, { hazard: 'tsunami_risk', eta: T0 + 40 * MINUTE });
    const before = small.alert('tsunami_risk');
    small.now += MINUTE;
    hazard(small, { hazard: 'tsunami_risk', official: true, magnitude: 7.4, distanceKm: null, feltAtSite: false });
    const after = small.alert('tsunami_risk');
    expect(after.details).toEqual({
      magnitude: 7.4,
      distance_km: 80,
      official: true,
      felt_at_site: true,
      eta: '2026-10-05T06:40:00.000Z',
    });
    expect(after.modifiedAt).toBeGreaterThan(before.modifiedAt);
    expect(small.eventTypes()).toEqual(['alert.created']);
  });

  test.each([
    [false, false, false],
    [false, true, true],
    [true, false, true],
  ])('is felt at the site where the estimate (%s) or the bulletin (%s) says so: %s', (estimated, reported, felt) => {
    const small = new SmallWorld();
    hazard(small, { feltAtSite: estimated });
    hazard(small, { official: true, feltAtSite: reported });
    expect(small.alert('earthquake').details).toMatchObject({ official: true, felt_at_site: felt });
  });

  test('a repeated estimate adds a line to the timeline and changes nothing', () => {
    const small = new SmallWorld();
    hazard(small);
    const { modifiedAt } = small.alert('earthquake');
    hazard(small, { magnitude: 5 });
    expect(small.alert('earthquake')).toMatchObject({ modifiedAt, details: { magnitude: 7.1 }, timeline: [{}, {}] });
  });

  test('of the other kind has an alert of its own', () => {
    const small = new SmallWorld();
    hazard(small);
    hazard(small, { hazard: 'tsunami_risk' });
    expect(small.alerts()).toHaveLength(2);
  });

  test.each([
    [7, 50, true],
    [8, 300, true],
    [5, 300, false],
    [4, 100, false],
    // On both sides of where people cease to feel it, near and far: bends of the curve at 1 and 50 km.
    [2, 0, true],
    [2, 2.7, true],
    [2, 2.9, false],
    [3, 7.7, true],
    [3, 7.8, false],
    [4, 21.4, true],
    [4, 21.5, false],
    [4.5, 35.6, true],
    [4.5, 35.7, false],
    [5, 59.9, true],
    [5, 60, false],
    [6, 176, true],
    [6, 176.4, false],
    [7, 518, true],
    [7, 518.3, false],
    [8, 1_523, true],
    [8, 1_524, false],
  ])('of magnitude %d at %d km is felt: %s', (magnitude, distanceKm, felt) => {
    expect(isFelt(magnitude, distanceKm)).toBe(felt);
  });
});

const warn = (small: SmallWorld, distanceM = 6.9) =>
  small.do({ type: 'warn-of-vehicle', deviceId: small.device(1), vehicleType: 'forklift', distanceM });

const warnings = (small: SmallWorld) => [...small.world.all('warning')];

describe('a vehicle notice', () => {
  test('goes to the watch, and is no alert', () => {
    const small = new SmallWorld();
    warn(small);
    expect(small.alerts()).toEqual([]);
    expect(small.effects).toContainEqual({
      kind: 'downlink',
      deviceId: small.device(1),
      payload: { kind: 'vehicle', warning_id: warnings(small)[0]?.id, vehicle_type: 'forklift', distance_m: 6 },
    });
  });

  test.each([
    [10 * MINUTE, 1],
    [10 * MINUTE + 1, 0],
  ])('of %i ms before an SOS or a fall: %i in it', (before, count) => {
    for (const raise of ['sos', 'fall'] as const) {
      const small = new SmallWorld();
      warn(small);
      small.now += before;
      small[raise](1);
      const [alert] = small.alerts();
      expect(alert?.vehicleWarnings).toHaveLength(count);
    }
  });

  test('after the incident joins it until it is resolved, as a change without an event', () => {
    const small = new SmallWorld();
    small.sos(1);
    const { modifiedAt } = small.alert('sos');
    small.now += MINUTE;
    warn(small);
    expect(small.alert('sos').vehicleWarnings).toMatchObject([
      { at: T0 + MINUTE, vehicleType: 'forklift', distanceM: 6, workerAcknowledgedAt: null },
    ]);
    expect(small.alert('sos').modifiedAt).toBeGreaterThan(modifiedAt);
    expect(small.eventTypes()).toEqual(['alert.created']);
    small.update(small.alert('sos'), 'resolved');
    warn(small);
    expect(small.alert('sos').vehicleWarnings).toHaveLength(1);
  });

  test('acknowledged on the watch says so in the incident too, by the clock of the watch; once', () => {
    const small = new SmallWorld();
    small.sos(1);
    warn(small);
    const warningId = warnings(small)[0]?.id as string;
    small.now += 4 * SECOND;
    small.do({ type: 'acknowledge-vehicle', warningId, ...small.uplink(1), watchTime: T0 + 3 * SECOND });
    small.do({ type: 'acknowledge-vehicle', warningId, ...small.uplink(1), watchTime: T0 + 9 * SECOND });
    expect(small.alert('sos').vehicleWarnings).toMatchObject([{ workerAcknowledgedAt: T0 + 3 * SECOND }]);
    expect(small.eventTypes()).toEqual(['alert.created']);
  });

  test('of another watch, or of none, cannot be acknowledged', () => {
    const small = new SmallWorld();
    warn(small);
    const warningId = warnings(small)[0]?.id as string;
    expect(small.do({ type: 'acknowledge-vehicle', warningId, ...small.uplink(2) })).toMatchObject({
      dropped: 'there is no such warning',
    });
  });

  test('does not belong to alerts that are no incident', () => {
    const small = new SmallWorld();
    warn(small);
    small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
    warn(small);
    expect(small.alert('worker_call_request').vehicleWarnings).toEqual([]);
  });

  test('older than the window is forgotten when the next one comes', () => {
    const small = new SmallWorld();
    warn(small);
    small.now += 10 * MINUTE + 1;
    warn(small);
    expect(warnings(small)).toHaveLength(1);
  });
});

describe('a vehicle that drives', () => {
  /** Luis drives a forklift. */
  const driven = (): SmallWorld => {
    const small = new SmallWorld();
    small.world.put('vehicle', { id: 'v1', siteId: SITE, type: 'forklift', driverId: small.workerId(2) });
    return small;
  };

  test('past somebody warns them, once in two minutes', () => {
    const small = driven();
    small.at(2, 32, 20, { inVehicle: true });
    expect(warnings(small)).toMatchObject([{ deviceId: small.device(1), vehicleType: 'forklift', distanceM: 12 }]);
    small.now += 10 * SECOND;
    small.at(1, 20, 20);
    small.at(2, 28, 20, { inVehicle: true });
    expect(warnings(small)).toHaveLength(1);
    small.now += 2 * MINUTE;
    small.at(1, 20, 20);
    small.at(2, 28, 20, { inVehicle: true });
    expect(warnings(small)).toHaveLength(2);
  });

  test('warns somebody who walks up to it', () => {
    const small = driven();
    small.at(2, 80, 20, { inVehicle: true });
    expect(warnings(small)).toEqual([]);
    small.at(1, 70.5, 20);
    expect(warnings(small)).toMatchObject([{ distanceM: 9 }]);
  });

  test.each([
    ['15 m away', (small: SmallWorld) => small.at(2, 35, 20, { inVehicle: true })],
    ['when its driver is on foot', (small: SmallWorld) => small.at(2, 25, 20)],
    [
      'half a minute after the last report of the person',
      (small: SmallWorld) => {
        small.now += 31 * SECOND;
        small.at(2, 25, 20, { inVehicle: true });
      },
    ],
  ])('warns nobody %s', (_, drive) => {
    const small = driven();
    drive(small);
    expect(warnings(small)).toEqual([]);
  });

  test('warns nobody in a privacy zone: a distance would give the place away', () => {
    const small = driven();
    small.at(1, 285, 165);
    small.at(2, 285, 168, { inVehicle: true });
    expect(warnings(small)).toEqual([]);
  });
});
