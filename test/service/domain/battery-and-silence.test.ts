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
