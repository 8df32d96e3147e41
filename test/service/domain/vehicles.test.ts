/** Who is warned of a vehicle, of which, and when again; and what becomes of the notice. [spec 2 VehicleWarning, decisions 5] */
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src/service/domain/decide.ts';
import { SITE, SmallWorld, T0 } from './small-world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';

/** Luis drives a forklift; nobody drives the crane. */
function driven(): SmallWorld {
  const small = new SmallWorld();
  small.world.put('vehicle', { id: 'v1', siteId: SITE, type: 'forklift', driverId: small.workerId(2) });
  small.world.put('vehicle', { id: 'v0', siteId: SITE, type: 'crane', driverId: null });
  return small;
}

const drives = (small: SmallWorld, x: number, y = 20) => small.at(2, x, y, { inVehicle: true });
const warnings = (small: SmallWorld) => [...small.world.all('warning')];
const warned = (small: SmallWorld) =>
  warnings(small).map(({ deviceId, vehicleId, distanceM }) => [deviceId, vehicleId, distanceM]);
const patch = (small: SmallWorld, kind: 'worker' | 'device', n: number, part: object) => {
  const id = kind === 'worker' ? small.workerId(n) : small.device(n);
  small.world.put(kind, { ...small.world.need(kind, id), ...part } as never);
};

describe('a vehicle that drives past', () => {
  test('warns everybody on foot who is near, and not its driver', () => {
    const small = driven();
    small.at(3, 28, 20);
    drives(small, 33.5);
    expect(warned(small)).toEqual([
      [small.device(1), 'v1', 13],
      [small.device(3), 'v1', 5],
    ]);
    expect(warnings(small)).toMatchObject([{ at: T0, vehicleType: 'forklift', workerAcknowledgedAt: null }, {}]);
  });

  test.each<[string, (small: SmallWorld) => void, number]>([
    ['14.9 m away', (small) => drives(small, 34.9), 1],
    ['15.1 m away', (small) => drives(small, 35.1), 0],
    [
      'of whom it heard half a minute ago',
      (small) => {
        small.now += 30 * SECOND;
        drives(small, 25);
      },
      1,
    ],
    [
      'of whom it heard a moment before that',
      (small) => {
        small.now += 30 * SECOND + 1;
        drives(small, 25);
      },
      0,
    ],
    [
      'who drives too',
      (small) => {
        small.at(1, 20, 20, { inVehicle: true });
        drives(small, 25);
      },
      0,
    ],
    [
      'who is not active',
      (small) => {
        patch(small, 'worker', 1, { isActive: false });
        drives(small, 25);
      },
      0,
    ],
    [
      'whose watch is another’s now',
      (small) => {
        patch(small, 'worker', 1, { deviceId: null });
        drives(small, 25);
      },
      0,
    ],
    [
      'when its driver is somebody without a vehicle of the plant',
      (small) => {
        small.world.remove('vehicle', 'v1');
        drives(small, 25);
      },
      0,
    ],
    [
      'when its driver’s watch has no wearer',
      (small) => {
        patch(small, 'device', 2, { workerId: null });
        drives(small, 25);
      },
      0,
    ],
    [
      'in a privacy zone',
      (small) => {
        small.at(1, 271, 165);
        drives(small, 262, 165);
      },
      0,
    ],
    [
      'beside one, while its driver is in it',
      (small) => {
        small.at(1, 262, 165);
        drives(small, 271, 165);
      },
      0,
    ],
    [
      'beside one, while its driver is beside it too',
      (small) => {
        small.at(1, 260, 165);
        drives(small, 252, 165);
      },
      1,
    ],
  ])('decides whether to warn somebody %s', (_words, happens, count) => {
    const small = driven();
    happens(small);
    expect(warnings(small)).toHaveLength(count);
  });

  test('warns again of the same vehicle after two minutes, and of another at once', () => {
    const small = driven();
    drives(small, 25);
    small.now += 2 * MINUTE - 1;
    small.at(1, 20, 20);
    drives(small, 25);
    expect(warnings(small)).toHaveLength(1);
    small.world.put('vehicle', { id: 'v2', siteId: SITE, type: 'truck', driverId: small.workerId(3) });
    small.at(3, 26, 20, { inVehicle: true });
    expect(warnings(small).map(({ vehicleType }) => vehicleType)).toEqual(['forklift', 'truck']);
    small.now += 1;
    drives(small, 25);
    expect(warnings(small)).toHaveLength(3);
  });

  test('warns each person of it, whoever else was warned just before', () => {
    const small = driven();
    drives(small, 25);
    small.at(3, 25, 20);
    expect(warned(small).map(([deviceId]) => deviceId)).toEqual([small.device(1), small.device(3)]);
  });
});

test('a worker who gets out of a vehicle, or in, is not warned of it', () => {
  const small = driven();
  drives(small, 80);
  for (const inVehicle of [false, true]) {
    small.now += 10 * SECOND;
    small.at(2, 81, 20, { inVehicle });
    expect(warnings(small)).toEqual([]);
  }
});

describe('somebody who walks up', () => {
  test.each<[string, (small: SmallWorld) => void, number]>([
    [
      'to a vehicle that was heard half a minute ago',
      (small) => {
        small.now += 30 * SECOND;
      },
      1,
    ],
    [
      'to one that was heard a moment before that',
      (small) => {
        small.now += 30 * SECOND + 1;
      },
      0,
    ],
    ['to one whose driver got out', (small) => small.at(2, 80, 20), 0],
    ['to one that nobody drives any more', (small) => small.world.remove('vehicle', 'v1'), 0],
    ['to one whose driver has no watch', (small) => patch(small, 'worker', 2, { deviceId: null }), 0],
  ])('%s', (_words, happens, count) => {
    const small = driven();
    drives(small, 80);
    happens(small);
    small.at(1, 70, 20);
    expect(warned(small)).toEqual(count === 0 ? [] : [[small.device(1), 'v1', 10]]);
  });
});

describe('a notice', () => {
  const warn = (small: SmallWorld, vehicleType: string | null = 'forklift', distanceM = 6.9) =>
    small.do({ type: 'warn-of-vehicle', deviceId: small.device(1), vehicleType, distanceM }) as Decision & {
      warningId: string;
    };

  const acknowledge = (small: SmallWorld, warningId: string, n = 1) =>
    small.do({ type: 'acknowledge-vehicle', warningId, ...small.uplink(n) });

  test('is refused for a watch that nobody wears', () => {
    const small = new SmallWorld();
    patch(small, 'device', 1, { workerId: null });
    expect(warn(small)).toMatchObject({ rejected: true, code: 'action_refused' });
    expect(warnings(small)).toEqual([]);
  });

  test('answers its id; two of one instant are two', () => {
    const small = new SmallWorld();
    const ids = [warn(small).warningId, warn(small).warningId, warn(small, null).warningId];
    expect(warnings(small).map(({ id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    expect(warnings(small)).toMatchObject([{ vehicleId: null, distanceM: 6 }, {}, { vehicleType: null }]);
  });

  test('is kept for ten minutes of later notices', () => {
    const small = new SmallWorld();
    warn(small);
    small.now += 10 * MINUTE;
    warn(small);
    expect(warnings(small)).toHaveLength(2);
  });

  test('joins a fall as it joins an SOS, with a line in the timeline', () => {
    const small = new SmallWorld();
    small.fall(1);
    small.sos(1);
    small.sos(2);
    small.now += SECOND;
    const { warningId: id } = warn(small, null, 3.2);
    const short = { id, at: T0 + SECOND, vehicleType: null, distanceM: 3, workerAcknowledgedAt: null };
    for (const type of ['fall_detected', 'sos'] as const) {
      const [alert] = small.alerts(type);
      expect(alert?.vehicleWarnings).toEqual([short]);
      expect(alert?.timeline.at(-1)).toMatchObject({ at: T0 + SECOND, what: 'Vehicle near: unknown, 3 m', by: null });
    }
    expect(small.alerts('sos')[1]?.vehicleWarnings).toEqual([]);
  });

  test('acknowledged on the watch is so by its clock, in every open incident that has it, and in no other notice', () => {
    const small = new SmallWorld();
    small.fall(1);
    small.sos(1);
    const [first, second] = [warn(small).warningId, warn(small).warningId];
    small.now += SECOND;
    const uplink = { ...small.uplink(1), watchTime: T0 + 400 };
    small.do({ type: 'acknowledge-vehicle', warningId: first, ...uplink });
    expect(small.world.need('warning', first).workerAcknowledgedAt).toBe(T0 + 400);
    expect(small.world.need('warning', second).workerAcknowledgedAt).toBeNull();
    for (const { vehicleWarnings, timeline, modifiedAt } of small.alerts()) {
      expect(vehicleWarnings).toMatchObject([
        { id: first, workerAcknowledgedAt: T0 + 400 },
        { id: second, workerAcknowledgedAt: null },
      ]);
      expect(timeline.at(-1)).toMatchObject({ at: T0 + SECOND, what: 'Acknowledged the vehicle' });
      expect(modifiedAt).toBeGreaterThanOrEqual(T0 + SECOND);
    }
    const before = small.alerts();
    expect(acknowledge(small, first)).toMatchObject({ changes: [{ kind: 'uplink-heard' }] });
    expect(small.alerts()).toEqual(before);
  });

  test('can be acknowledged without an incident, by its own watch alone', () => {
    const small = new SmallWorld();
    const { warningId } = warn(small);
    for (const [id, n] of [[UNKNOWN, 1] as const, [warningId, 2] as const])
      expect(acknowledge(small, id, n)).toMatchObject({ dropped: 'there is no such warning' });
    expect(small.world.need('warning', warningId).workerAcknowledgedAt).toBeNull();
    expect(acknowledge(small, warningId)).not.toHaveProperty('dropped');
    expect(small.world.need('warning', warningId).workerAcknowledgedAt).toBe(T0);
  });

  test('an acknowledged notice that an incident does not have leaves the incident as it is', () => {
    const small = new SmallWorld();
    const { warningId } = warn(small);
    small.now += 11 * MINUTE;
    small.sos(1);
    const before = small.alert('sos');
    acknowledge(small, warningId);
    expect(small.alert('sos')).toBe(before);
    expect(small.world.need('warning', warningId).workerAcknowledgedAt).toBe(small.now);
  });

  test('can be acknowledged on a watch that nobody wears any more', () => {
    const small = new SmallWorld();
    const { warningId } = warn(small);
    patch(small, 'device', 1, { workerId: null });
    acknowledge(small, warningId);
    expect(small.world.need('warning', warningId).workerAcknowledgedAt).toBe(T0);
  });

  test('a forgotten notice can still be acknowledged in the incidents that have it', () => {
    const small = new SmallWorld();
    small.sos(1);
    const { warningId } = warn(small);
    small.now += 11 * MINUTE;
    warn(small);
    expect(small.world.get('warning', warningId)).toBeUndefined();
    acknowledge(small, warningId);
    expect(warnings(small)).toHaveLength(1);
    expect(small.alert('sos').vehicleWarnings).toMatchObject([
      { workerAcknowledgedAt: small.now },
      { workerAcknowledgedAt: null },
    ]);
    expect(small.world.get('warning', warningId)).toBeUndefined();
  });
});
