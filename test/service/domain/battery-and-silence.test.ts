import { describe, expect, test } from 'vitest';
import { silenceDue } from '../../../src/service/domain/alerts/from-telemetry.ts';
import { SmallWorld, T0 } from './small-world.ts';

const MINUTE = 60_000;

describe('a low battery', () => {
  test.each([
    { reports: [21], alerts: 0 },
    { reports: [20], alerts: 1 },
    { reports: [20, 19, 25, 20], alerts: 1 },
    { reports: [20, 'resolve', 25, 18], alerts: 1 },
    { reports: [20, 'resolve', 26, 20], alerts: 2 },
    { reports: [0], alerts: 1 },
  ] as const)('after $reports there are $alerts alerts', ({ reports, alerts }) => {
    const small = new SmallWorld();
    for (const report of reports) {
      small.now += MINUTE;
      if (report === 'resolve') small.update(small.alert('low_battery'), 'resolved');
      else small.do({ type: 'report-battery', deviceId: small.device(1), pct: report, charging: false });
    }
    expect(small.alerts('low_battery')).toHaveLength(alerts);
  });

  test('says the charge at which it fired', () => {
    const small = new SmallWorld();
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 17, charging: false });
    expect(small.alert('low_battery')).toMatchObject({
      severity: 'low',
      details: { battery_pct: 17 },
      device: { batteryPct: 17 },
    });
  });
});

/** A battery report with its place, or a birth. */
type Report =
  | readonly [session: number, seq: number, pct: number]
  | { readonly birth: number; readonly arrival?: 'again' };

describe('nothing old overwrites a newer battery report', () => {
  test.each<[string, readonly Report[], expected: { pct: number; session: number }]>([
    [
      'the order of arrival',
      [
        [1, 9, 80],
        [1, 10, 79],
      ],
      { pct: 79, session: 1 },
    ],
    [
      'a repeated one of this session',
      [
        [1, 10, 80],
        [1, 9, 5],
      ],
      { pct: 80, session: 1 },
    ],
    [
      'the same one again, with another text',
      [
        [1, 10, 80],
        [1, 10, 5],
      ],
      { pct: 80, session: 1 },
    ],
    [
      'one of an earlier session',
      [{ birth: 1 }, [1, 9, 60], { birth: 2 }, [2, 1, 80], [1, 10, 4]],
      { pct: 80, session: 2 },
    ],
    [
      'one of an earlier session, before any of this one',
      [{ birth: 1 }, [1, 9, 60], { birth: 2 }, [1, 10, 4]],
      { pct: 60, session: 2 },
    ],
    [
      'one of a later session that had no birth',
      [{ birth: 1 }, [1, 9, 60], [3, 1, 50], [2, 1, 4]],
      { pct: 50, session: 3 },
    ],
    [
      'a watch that counts anew after a new firmware',
      [{ birth: 9 }, [9, 40, 60], { birth: 1 }, [1, 1, 50]],
      { pct: 50, session: 1 },
    ],
    [
      'a watch that is born with the same number',
      [{ birth: 9 }, [9, 40, 60], { birth: 9 }, [9, 1, 50]],
      { pct: 50, session: 9 },
    ],
    [
      'a birth of an older session that comes again',
      [{ birth: 9 }, [9, 4, 60], { birth: 8, arrival: 'again' }, [8, 9, 5]],
      { pct: 60, session: 9 },
    ],
    [
      'a birth of this session that comes again',
      [{ birth: 9 }, [9, 4, 60], { birth: 9, arrival: 'again' }, [9, 3, 5]],
      { pct: 60, session: 9 },
    ],
    [
      'a birth of the next session that comes again',
      [{ birth: 9 }, [9, 4, 60], { birth: 10, arrival: 'again' }, [9, 5, 5]],
      { pct: 60, session: 10 },
    ],
  ])('%s', (_what, reports, { pct, session }) => {
    const small = new SmallWorld();
    const deviceId = small.device(1);
    for (const report of reports) {
      small.now += MINUTE;
      if ('birth' in report) {
        const arrival = report.arrival ?? 'live';
        small.do({ type: 'report-birth', deviceId, session: report.birth, firmware: null, arrival });
      } else {
        const [of, seq, charge] = report;
        small.do({ type: 'report-battery', deviceId, pct: charge, charging: false, place: { session: of, seq } });
      }
    }
    // Also a late message is contact.
    expect(small.world.telemetry(deviceId)).toMatchObject({ batteryPct: pct, session, lastContactAt: small.now });
    expect(small.alerts('low_battery')).toEqual([]);
  });

  test('of percent and charging as one', () => {
    const small = new SmallWorld();
    const report = (seq: number, charging: boolean) =>
      small.do({ type: 'report-battery', deviceId: small.device(1), pct: 50, charging, place: { session: 1, seq } });
    report(2, true);
    report(1, false);
    expect(small.world.telemetry(small.device(1)).charging).toBe(true);
  });

  test('of a later session that an event or a position has opened', () => {
    for (const open of [
      (small: SmallWorld, deviceId: string) => small.do({ type: 'report-position', deviceId, fixes: [], session: 4 }),
      (small: SmallWorld) => small.do({ type: 'report-fall', ...small.uplink(1), session: 4 }),
    ]) {
      const small = new SmallWorld();
      const deviceId = small.device(1);
      open(small, deviceId);
      small.do({ type: 'report-battery', deviceId, pct: 5, charging: false, place: { session: 3, seq: 1 } });
      expect(small.world.telemetry(deviceId)).toMatchObject({ session: 4, batteryPct: null });
    }
  });

  test('and an event of any session counts by its id, also one from before a reconnect', () => {
    const small = new SmallWorld();
    small.do({ type: 'report-birth', deviceId: small.device(1), session: 5, firmware: null });
    small.do({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(1), session: 4 });
    expect(small.alerts('sos')).toHaveLength(1);
    const again = small.uplink(1);
    small.do({ type: 'report-fall', ...again, session: 5 });
    expect(small.do({ type: 'report-fall', ...again, session: 6 })).toMatchObject({ dropped: 'heard before' });
  });
});

describe('a birth that the broker kept from earlier', () => {
  test('restores session and firmware, and is no contact', () => {
    const small = new SmallWorld();
    const before = small.world.telemetry(small.device(1));
    small.now += MINUTE;
    const birth = { type: 'report-birth', deviceId: small.device(1), session: 7, firmware: '2.1' } as const;
    expect(small.do({ ...birth, arrival: 'retained' })).toMatchObject({
      changes: expect.arrayContaining([{ kind: 'watch-born', deviceId: birth.deviceId }]),
    });
    expect(small.world.telemetry(small.device(1))).toEqual({ ...before, session: 7, firmware: '2.1' });
  });

  test('keeps the place of the last battery report of that session, and forgets it after new firmware', () => {
    const small = new SmallWorld();
    const deviceId = small.device(1);
    const battery = (session: number, seq: number, pct: number) =>
      small.do({ type: 'report-battery', deviceId, pct, charging: false, place: { session, seq } });
    const kept = (session: number) =>
      small.do({ type: 'report-birth', deviceId, session, firmware: '2.0', arrival: 'retained' });
    battery(9, 7, 50);
    kept(9);
    battery(9, 6, 10);
    expect(small.world.telemetry(deviceId).batteryPct).toBe(50);
    kept(1);
    battery(1, 5, 90);
    expect(small.world.telemetry(deviceId)).toMatchObject({ batteryPct: 90, session: 1 });
    small.do({ type: 'report-birth', deviceId, session: 2, firmware: '2.0' });
    battery(2, 1, 89);
    expect(small.world.telemetry(deviceId).batteryPct).toBe(89);
  });
});

describe('a silent watch', () => {
  const device = (small: SmallWorld) => small.world.need('device', small.device(1));

  test('is an alert 10 min after the last contact, or after the start of the service', () => {
    const small = new SmallWorld();
    expect(silenceDue(small.world, device(small), 0)).toBe(T0 + 10 * MINUTE);
    expect(silenceDue(small.world, device(small), T0 + MINUTE)).toBe(T0 + 11 * MINUTE);
  });

  test('never before a first position, out of service, or last seen off site', () => {
    const small = new SmallWorld();
    expect(silenceDue(small.world, small.world.need('device', small.device(2)), 0)).toBeNull();
    small.at(1, 5_000, 5_000);
    expect(silenceDue(small.world, device(small), 0)).toBeNull();
    small.at(1, 20, 20);
    small.world.put('device', { ...device(small), status: 'maintenance' });
    expect(silenceDue(small.world, device(small), 0)).toBeNull();
  });

  test('tells the minutes of silence once, until contact', () => {
    const small = new SmallWorld();
    small.now = T0 + 10 * MINUTE + 30_000;
    small.do({ type: 'judge-silence', deviceId: small.device(1) });
    expect(small.alert('device_offline')).toMatchObject({ severity: 'medium', details: { minutes_silent: 10 } });
    small.update(small.alert('device_offline'), 'resolved');
    expect(silenceDue(small.world, device(small), 0)).toBeNull();
    small.do({ type: 'regain-contact', deviceId: small.device(1) });
    small.at(1, 20, 20);
    expect(silenceDue(small.world, device(small), 0)).toBe(small.now + 10 * MINUTE);
  });
});

describe('a position', () => {
  test('older than 5 min at its arrival does not move the person, and a future one counts as arrival', () => {
    const small = new SmallWorld();
    const latitude = () => small.world.telemetry(small.device(1)).fix?.latitude;
    const before = latitude();
    small.now += 20 * MINUTE;
    small.at(1, 100, 100, { at: small.now - 5 * MINUTE - 1 });
    expect(latitude()).toBe(before);
    small.at(1, 100, 100, { at: small.now - 5 * MINUTE });
    expect(latitude()).not.toBe(before);
    small.at(1, 50, 50, { at: small.now + MINUTE });
    expect(small.world.telemetry(small.device(1)).fix?.at).toBe(small.now);
  });

  test('older than the one known never moves the person back, nor puts the watch on or off', () => {
    const small = new SmallWorld();
    small.now += 10 * MINUTE;
    small.at(1, 100, 100);
    const known = small.world.telemetry(small.device(1));
    const late = { ...small.fix(20, 20, { at: small.now - 1 }), worn: false };
    small.do({ type: 'report-position', deviceId: small.device(1), fixes: [late] });
    expect(small.world.telemetry(small.device(1))).toEqual(known);
    small.at(1, 30, 30, { at: small.now });
    expect(small.world.telemetry(small.device(1)).fix).not.toEqual(known.fix);
  });

  test('a late position among newer ones of an outage moves nobody back either', () => {
    const small = new SmallWorld();
    small.now += 10 * MINUTE;
    const fixes = [
      { ...small.fix(100, 100, { at: small.now - 10_000 }), worn: true },
      { ...small.fix(20, 20, { at: small.now - 20_000 }), worn: true },
    ];
    small.do({ type: 'report-position', deviceId: small.device(1), fixes });
    expect(small.world.telemetry(small.device(1)).fix).toMatchObject({ at: small.now - 10_000 });
  });
});
