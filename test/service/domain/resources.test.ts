/** Resources as their viewers see them, field by field. [spec 2, decisions 1, 4, 5] */
import { describe, expect, test } from 'vitest';
import { frame } from '../../../src/base/geometry/shapes.ts';
import { formatInstant } from '../../../src/base/time/instants.ts';
import { tokenViewerOf, viewerOf } from '../../../src/service/domain/access/viewer.ts';
import { alertView, titleOf } from '../../../src/service/domain/views/alert.ts';
import { destinationView } from '../../../src/service/domain/views/destination.ts';
import { positioned } from '../../../src/service/domain/views/person.ts';
import {
  boundaryView,
  deviceView,
  positionView,
  seesDevice,
  siteView,
  workerView,
  zoneView,
} from '../../../src/service/domain/views/plant.ts';
import type { Alert, Zone } from '../../../src/service/domain/world/documents.ts';
import { addQuarry, QUARRY } from '../api/second-company.ts';
import { ADDRESSES, ORG, ORIGIN, SITE, SmallWorld, T0 } from './small-world.ts';

const MINUTE = 60_000;
const named = { organizationId: ORG, names: true, contractors: null };
const nameless = { ...named, names: false };
const at = (ms: number) => formatInstant(T0 + ms);
const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';

describe('an alert', () => {
  /** Ana fell; Luis, of a contractor, and Eva in a forklift were near; a vehicle had been near her. */
  function fallen(): SmallWorld {
    const small = new SmallWorld();
    small.world.put('vehicle', { id: 'v1', siteId: SITE, type: 'forklift', driverId: small.workerId(3) });
    small.at(2, 50, 20);
    small.at(3, 80, 20, { inVehicle: true });
    small.do({ type: 'warn-of-vehicle', deviceId: small.device(1), vehicleType: 'truck', distanceM: 4 });
    small.now += 1_000;
    small.fall(1);
    return small;
  }

  test('shows all that it refers to, with names where the contract includes them', () => {
    const small = fallen();
    const alert = small.alert('fall_detected');
    const luis = { id: small.workerId(2), external_id: 'E-2', name: 'Luis Paz', contractor: 'Norte SL' };
    const eva = { id: small.workerId(3), external_id: 'E-3', name: 'Eva Mar', contractor: null };
    const { latitude, longitude } = small.fix(20, 20);
    expect(alertView(alert, named, ADDRESSES)).toEqual({
      id: alert.id,
      type: 'fall_detected',
      severity: 'critical',
      status: 'unacknowledged',
      title: 'Fall detected: Ana Ruiz in Dock',
      date_created: at(1_000),
      date_last_modified: at(1_000),
      site: { id: SITE, name: 'Harbour plant' },
      zone: { id: alert.zone?.id, name: 'Dock' },
      worker: { id: small.workerId(1), external_id: 'E-1', name: 'Ana Ruiz', contractor: null },
      device: { id: small.device(1), serial: 'SIM-1', battery: null, date_last_seen: at(0) },
      location: {
        latitude,
        longitude,
        uncertainty_m: 3,
        source: 'gps',
        masked: false,
        height: null,
        position_date_utc: at(0),
      },
      location_withheld: false,
      details: { escalated_to_sos: false },
      nearby: [
        { kind: 'person', worker: luis, vehicle_type: null, distance_m: 30, reported_at: at(0) },
        { kind: 'vehicle', worker: eva, vehicle_type: 'forklift', distance_m: 60, reported_at: at(0) },
      ],
      vehicle_warnings: [{ at: at(0), vehicle_type: 'truck', distance_m: 4, worker_acknowledged_at: null }],
      worker_acknowledged_at: null,
      acknowledged: null,
      resolved: null,
      assigned_to: null,
      simulated: true,
      panel_url: `${ADDRESSES.panelUrl}/alerts/${alert.id}`,
    });
  });

  test('names nobody where the contract does not, and leaves other contractors out of who was near', () => {
    const small = fallen();
    const shown = alertView(small.alert('fall_detected'), nameless, ADDRESSES);
    expect(shown.title).toBe('Fall detected: E-1 in Dock');
    expect(Object.keys(shown.worker ?? {})).toEqual(['id', 'external_id', 'contractor']);
    expect(JSON.stringify(shown)).not.toMatch(/Ruiz|Paz|Mar/);
    const scoped = { ...named, contractors: ['Norte SL'] };
    const near = alertView(small.alert('fall_detected'), scoped, ADDRESSES).nearby;
    expect(near.map(({ worker }) => worker.external_id)).toEqual(['E-2']);
  });

  test('tells who acknowledged and resolved it and when, on the watch and in the control room', () => {
    const small = fallen();
    const warningId = [...small.world.all('warning')][0]?.id as string;
    small.do({ type: 'acknowledge-vehicle', warningId, ...small.uplink(1), watchTime: T0 + 1_500 });
    small.do({ type: 'acknowledge-on-watch', alertId: null, ...small.uplink(1), watchTime: T0 + 1_700 });
    small.now += 1_000;
    small.update(small.alert('fall_detected'), 'acknowledged');
    small.now += 1_000;
    small.update(small.alert('fall_detected'), 'resolved', { note: 'Sprained ankle' });
    const by = 'Customer operator (via integration)';
    const shown = alertView(small.alert('fall_detected'), named, ADDRESSES);
    expect(shown).toMatchObject({
      status: 'resolved',
      date_created: at(1_000),
      date_last_modified: at(3_000),
      assigned_to: by,
      worker_acknowledged_at: at(1_700),
      vehicle_warnings: [{ worker_acknowledged_at: at(1_500) }],
    });
    expect(shown.acknowledged).toEqual({ at: at(2_000), by });
    expect(shown.resolved).toEqual({ at: at(3_000), by, note: 'Sprained ankle' });
  });

  test('of somebody who was never seen has no place, and its height where there is one', () => {
    const small = new SmallWorld();
    small.sos(2);
    expect(alertView(small.alert('sos'), named, ADDRESSES)).toMatchObject({
      zone: null,
      location: null,
      location_withheld: false,
      nearby: [],
      vehicle_warnings: [],
      device: { date_last_seen: null },
    });
    small.at(3, 20, 20, { height: { heightM: 8, uncertaintyM: 2, building: 'Hall', floor: '2' } });
    small.sos(3);
    expect(alertView(small.alerts('sos')[1] as Alert, named, ADDRESSES).location?.height).toEqual({
      height_m: 8,
      uncertainty_m: 2,
      building: 'Hall',
      floor: '2',
    });
  });

  test('of the whole plant has no worker and no device', () => {
    const small = new SmallWorld();
    const estimate = { magnitude: 5, distanceKm: 80, feltAtSite: true, eta: null, official: false } as const;
    small.do({ type: 'report-hazard', siteId: SITE, hazard: 'earthquake', ...estimate });
    const shown = alertView(small.alert('earthquake'), nameless, ADDRESSES);
    expect(shown).toMatchObject({ title: 'Earthquake at Harbour plant', worker: null, device: null, zone: null });
  });

  test.each<[string, { externalId?: null; zone?: null; worker?: null }, typeof named]>([
    ['SOS: Ana Ruiz in Dock', {}, named],
    ['SOS: E-1 in Dock', {}, nameless],
    ['SOS: Ana Ruiz', { zone: null }, named],
    ['SOS: E-1', { zone: null }, nameless],
    ['SOS in Dock', { externalId: null }, nameless],
    ['SOS', { externalId: null, zone: null }, nameless],
    ['SOS in Dock', { worker: null }, named],
  ])('reads "%s" with %j', (title, { externalId, ...part }, viewer) => {
    const small = new SmallWorld();
    if (externalId === null)
      small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), externalId });
    small.sos(1);
    expect(titleOf({ ...small.alert('sos'), ...part }, viewer)).toBe(title);
  });
});

describe('a webhook destination', () => {
  test('shows the filters that it was given and no others, and never its secret', () => {
    const small = new SmallWorld();
    const shown = (filters: object) => {
      const id = small.subscribe({ eventTypes: ['alert.*', 'muster.ended'], filters });
      return destinationView(small.world.need('destination', id));
    };
    const plain = shown({});
    expect(plain).toEqual({
      id: plain.id,
      url: 'https://receiver.example/h',
      event_types: ['alert.*', 'muster.ended'],
      filters: {},
      is_active: true,
      failing_since: null,
      created_at: at(0),
    });
    expect(shown({ siteIds: [SITE] }).filters).toEqual({ site_ids: [SITE] });
    expect(shown({ minSeverity: 'high' }).filters).toEqual({ min_severity: 'high' });
    expect(shown({ contractors: ['Norte SL'] }).filters).toEqual({ contractors: ['Norte SL'] });
    const [first] = small.world.all('destination');
    expect(destinationView({ ...(first as NonNullable<typeof first>), failingSince: T0 + 1 }).failing_since).toBe(
      at(1),
    );
  });
});

describe('the plant', () => {
  const corners = (points: readonly (readonly [number, number])[]) =>
    points.map((point) => {
      const { latitude, longitude } = frame(ORIGIN).toDegrees(point);
      return [longitude, latitude];
    });

  test('has sites with their privacy, and their limits', () => {
    const small = new SmallWorld({ site: { location: 'A Coruña', privacyMode: 'on_demand' } });
    const site = small.world.need('site', SITE);
    expect(siteView(site)).toEqual({
      id: SITE,
      name: 'Harbour plant',
      location: 'A Coruña',
      privacy_mode: 'on_demand',
      unveil_min_severity: 'high',
    });
    const [a, b, c, d] = site.boundary as [[number, number], [number, number], [number, number], [number, number]];
    expect(boundaryView(site)).toEqual({ type: 'Polygon', coordinates: [corners([a, b, c, d, a])] });
  });

  const ring = [
    [10, 10],
    [40, 10],
    [40, 30],
    [25, 45],
    [10, 30],
  ] as [number, number][];
  const [first] = ring as [[number, number]];
  const zone: Zone = { id: 'z', siteId: SITE, name: 'Quay', type: 'work_area', ring, assemblyPoint: null, floors: [] };

  test('has zones whose ring is closed and runs counter-clockwise, whichever way it was drawn', () => {
    const site = new SmallWorld().world.need('site', SITE);
    expect(zoneView(site, zone)).toEqual({
      id: 'z',
      name: 'Quay',
      type: 'work_area',
      assembly_point: null,
      geometry: { type: 'Polygon', coordinates: [corners([...ring, first])] },
    });
    const turned = [...ring].reverse();
    expect(zoneView(site, { ...zone, ring: turned }).geometry?.coordinates).toEqual([corners([...ring, first])]);
    expect(turned).toEqual([...ring].reverse());
  });

  test('has privacy zones without a shape, and assembly points with what they are good for', () => {
    const site = new SmallWorld().world.need('site', SITE);
    expect(zoneView(site, { ...zone, type: 'privacy' }).geometry).toBeNull();
    const point = {
      serves: ['tsunami'],
      elevationM: 31,
      elevationSource: 'dem',
      vertical: true,
      capacity: 80,
    } as const;
    expect(zoneView(site, { ...zone, assemblyPoint: { ...point, minHeightM: 6 } }).assembly_point).toEqual({
      serves: ['tsunami'],
      elevation_m: 31,
      elevation_source: 'dem',
      vertical: true,
      capacity: 80,
    });
  });

  test('has workers with their watch, or without one', () => {
    const small = new SmallWorld();
    const worker = small.world.need('worker', small.workerId(1));
    small.world.put('worker', { ...worker, role: 'Rigger' });
    small.world.contact(small.device(1), T0 + MINUTE);
    const shown = () => workerView(small.world, small.world.need('worker', worker.id), named);
    expect(shown()).toEqual({
      id: worker.id,
      external_id: 'E-1',
      name: 'Ana Ruiz',
      contractor: null,
      role: 'Rigger',
      is_active: true,
      device: { id: small.device(1), serial: 'SIM-1', battery: null, date_last_seen: at(MINUTE) },
      date_last_seen: at(MINUTE),
    });
    small.world.put('worker', { ...worker, deviceId: null, isActive: false });
    expect(shown()).toMatchObject({ device: null, date_last_seen: null, is_active: false, role: null });
    expect(workerView(small.world, worker, nameless)).not.toHaveProperty('name');
    expect(workerView(small.world, small.world.need('worker', small.workerId(2)), named).date_last_seen).toBeNull();
  });

  test('has watches with their wearer, or without one', () => {
    const small = new SmallWorld();
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 61, charging: false });
    const device = { ...small.world.need('device', small.device(1)), model: 'W2' };
    expect(deviceView(small.world, device, named)).toEqual({
      id: device.id,
      serial: 'SIM-1',
      battery: 61,
      date_last_seen: at(0),
      model: 'W2',
      status: 'active',
      worn: true,
      worker: { id: small.workerId(1), external_id: 'E-1', name: 'Ana Ruiz', contractor: null },
    });
    expect(deviceView(small.world, device, nameless).worker).not.toHaveProperty('name');
    expect(deviceView(small.world, { ...device, workerId: null }, named).worker).toBeNull();
    expect(deviceView(small.world, small.world.need('device', small.device(2)), named).worn).toBeNull();
  });

  test.each<[string, object, readonly string[] | null, boolean]>([
    ['of its own worker', {}, null, true],
    ['of a contractor’s worker that it is scoped to', {}, ['Norte SL'], true],
    ['of another contractor’s worker', {}, ['Sur SL'], false],
    ['that nobody wears', { workerId: null }, null, true],
    ['that nobody wears, where it is scoped', { workerId: null }, ['Norte SL'], false],
    ['of somebody who has left', { workerId: UNKNOWN }, ['Norte SL'], false],
    ['of another company', { organizationId: QUARRY.organization }, null, false],
  ])('shows a client the watch %s', (_words, part, contractors, seen) => {
    const small = new SmallWorld();
    addQuarry(small);
    const device = { ...small.world.need('device', small.device(2)), ...part };
    expect(seesDevice(small.world, device, { ...named, contractors })).toBe(seen);
  });
});

describe('a position', () => {
  const device = (small: SmallWorld, n = 1) => small.world.need('device', small.device(n));

  test('is listed with its worker and place', () => {
    const small = new SmallWorld();
    small.at(1, 40, 40, { inVehicle: true });
    const client = [...small.world.all('client')][0];
    const viewer = tokenViewerOf(client as NonNullable<typeof client>, ['positions:read']);
    const found = positioned(small.world, device(small), viewer, small.now);
    const { latitude, longitude } = small.fix(40, 40);
    expect(found === null ? null : positionView(small.world, found, viewer)).toEqual({
      device_id: small.device(1),
      worker: { id: small.workerId(1), external_id: 'E-1', name: 'Ana Ruiz', contractor: null },
      location: {
        latitude,
        longitude,
        uncertainty_m: 3,
        source: 'gps',
        masked: false,
        position_date_utc: at(0),
        height: null,
      },
      in_vehicle: true,
    });
  });

  test.each<[string, (small: SmallWorld) => void, boolean]>([
    [
      'that is 15 min old',
      (small) => {
        small.now += 15 * MINUTE;
      },
      true,
    ],
    [
      'that is older',
      (small) => {
        small.now += 15 * MINUTE + 1;
      },
      false,
    ],
    ['of a watch out of service', (small) => small.world.put('device', { ...device(small), status: 'lost' }), false],
    ['of a watch that nobody wears', (small) => small.world.put('device', { ...device(small), workerId: null }), false],
    ['of somebody who has left', (small) => small.world.remove('worker', small.workerId(1)), false],
    [
      'of somebody who is not active',
      (small) => {
        small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), isActive: false });
      },
      false,
    ],
    [
      'that was never told',
      (small) => small.world.putTelemetry({ ...small.world.telemetry(small.device(1)), fix: null }),
      false,
    ],
    [
      'behind the veil',
      (small) => small.world.put('site', { ...small.world.need('site', SITE), privacyMode: 'on_demand' }),
      false,
    ],
    [
      'of another contractor',
      (small) => {
        const [client] = small.world.all('client');
        small.world.put('client', { ...(client as NonNullable<typeof client>), contractors: ['Norte SL'] });
      },
      false,
    ],
  ])('a position %s is listed or left out', (_words, happens, listed) => {
    const small = new SmallWorld();
    happens(small);
    const [client] = small.world.all('client');
    const viewer = viewerOf(client as NonNullable<typeof client>);
    expect(positioned(small.world, device(small), viewer, small.now) !== null).toBe(listed);
  });
});
