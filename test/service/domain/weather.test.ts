import { describe, expect, test } from 'vitest';
import { sineOfSun } from '../../../src/service/domain/weather/daylight.ts';
import { heatIndexC } from '../../../src/service/domain/weather/heat-index.ts';
import { SITE, SmallWorld } from './small-world.ts';

const MINUTE = 60_000;
const fahrenheit = (celsius: number) => celsius * 1.8 + 32;
const celsius = (degrees: number) => (degrees - 32) / 1.8;

describe('the heat index', () => {
  test.each([
    [100, 40, 109.3],
    [96, 65, 121.0],
    [86, 90, 105.4],
    [90, 70, 105.9],
    [110, 40, 135.7],
    [84, 100, 103.6],
  ])('of %d °F and %d %% is %d °F, as the weather service computes it', (t, rh, index) => {
    expect(fahrenheit(heatIndexC(celsius(t), rh))).toBeCloseTo(index, 1);
  });

  test.each([
    // By its published formulas, with the two adjustments: in dry heat, and in humid warmth.
    [95, 5, 88.18],
    [100, 12, 94.92],
    [90, 20, 86.34],
    [113, 10, 107.82],
    [82, 100, 96.04],
    [88, 100, 121.21],
    [79.8, 100, 86.5],
    [80, 84, 84.78],
    [79, 60, 79.21],
    [85, 70, 92.7],
  ])('of %d °F and %d %% is %d °F, at the borders of the adjustments', (t, rh, index) => {
    expect(fahrenheit(heatIndexC(celsius(t), rh))).toBeCloseTo(index, 2);
  });

  test.each([
    [30, 40, 29.7],
    [32, 50, 34.4],
    [34, 40, 35.4],
    [34, 60, 42.2],
    [38, 20, 36.7],
    [40, 10, 36.7],
    [20, 50, 19.7],
  ])('of %d °C and %d %% is %d °C', (t, rh, index) => {
    expect(heatIndexC(t, rh)).toBeCloseTo(index, 1);
  });
});

describe('the sun', () => {
  const height = (latitude: number, longitude: number, at: string): number =>
    (Math.asin(sineOfSun({ latitude, longitude }, Date.parse(at))) * 180) / Math.PI;

  test.each([
    // Of an almanac: noon at the equinox on the equator, midsummer and midwinter in Galicia, the polar night.
    [0, 0, '2026-03-20T12:07:00Z', 90],
    [43.361, -8.412, '2026-06-21T12:36:00Z', 70.1],
    [43.361, -8.412, '2026-12-21T12:32:00Z', 23.2],
    [-23.65, -70.4, '2026-12-21T16:40:00Z', 89.8],
    [69.65, 18.96, '2026-12-21T10:42:00Z', -3.1],
  ])('over %d, %d at %s stands at %d°', (latitude, longitude, at, degrees) => {
    expect(Math.abs(height(latitude, longitude, at) - degrees)).toBeLessThan(0.6);
  });
});

/** Noon at the harbour. */
const NOON = Date.UTC(2026, 6, 5, 12, 30);

function noon(): SmallWorld {
  const small = new SmallWorld();
  small.now = NOON;
  // NOON is a day of another season than the one in which the people of the small world were last seen.
  for (const { id } of [...small.world.all('device')])
    small.world.putTelemetry({ ...small.world.telemetry(id), fix: null });
  small.zone('Workshop', 'building', [20, 20, 60, 60]);
  small.at(1, 100, 20);
  small.at(2, 40, 40);
  return small;
}

const plant = (small: SmallWorld, indexC: number | null, sunMs: number | null = null) =>
  small.do({ type: 'report-plant-heat', siteId: SITE, indexC, sunMs });

const outdoors = (small: SmallWorld, minutes: number, part: { x?: number } = {}) => {
  for (let minute = 0; minute < minutes; minute++) {
    small.now += MINUTE;
    small.at(1, part.x ?? 100, 20);
  }
};

describe('heat stress', () => {
  test.each([
    [40.9, 0],
    [41, 1],
    [45, 1],
  ])('at an index of %d °C raises %i alerts, for people outdoors alone', (index, count) => {
    const small = noon();
    plant(small, index);
    expect(small.alerts('heat_stress')).toHaveLength(count);
    for (const alert of small.alerts())
      expect(alert).toMatchObject({
        severity: 'high',
        worker: { externalId: 'E-1' },
        details: { action: 'stop_and_rest', heat_index_c: index, sun_exposure_minutes: 0 },
      });
  });

  test('tells the watch to stop and rest', () => {
    const small = noon();
    plant(small, 42);
    const { id } = small.alert('heat_stress');
    expect(small.effects).toContainEqual({
      kind: 'downlink',
      deviceId: small.device(1),
      payload: { kind: 'rest', alert_id: id },
    });
  });

  test('at 32 °C comes after 60 min of sun, not before', () => {
    const small = noon();
    plant(small, 32);
    outdoors(small, 59);
    expect(small.alerts()).toEqual([]);
    outdoors(small, 1);
    expect(small.alert('heat_stress').details).toMatchObject({ heat_index_c: 32, sun_exposure_minutes: 60 });
  });

  test.each([
    ['below 32 °C', (small: SmallWorld) => plant(small, 31.9)],
    ['while nobody measures the heat', () => {}],
  ])('does not come from sun alone %s', (_, prepare) => {
    const small = noon();
    prepare(small);
    outdoors(small, 120);
    expect(small.alerts()).toEqual([]);
  });

  test('counts the sun of the last 90 min only: an hour in the shade between takes it away', () => {
    const small = noon();
    plant(small, 33);
    outdoors(small, 40);
    for (let minute = 0; minute < 60; minute++) {
      small.now += MINUTE;
      small.at(1, 40, 40);
    }
    outdoors(small, 55);
    expect(small.alerts()).toEqual([]);
  });

  test('counts no sun at night', () => {
    const small = noon();
    small.now = Date.UTC(2026, 6, 5, 23);
    plant(small, 33);
    outdoors(small, 120);
    expect(small.alerts()).toEqual([]);
  });

  test('counts no sun over a gap in which nobody knows where the person was', () => {
    const small = noon();
    plant(small, 33);
    for (let i = 0; i < 12; i++) {
      small.now += 6 * MINUTE;
      small.at(1, 100, 20);
    }
    expect(small.alerts()).toEqual([]);
  });

  test('comes again after 60 min: as a line while it is open, as a new alert once it is resolved', () => {
    const small = noon();
    plant(small, 42);
    outdoors(small, 59);
    expect(small.alert('heat_stress').timeline).toHaveLength(1);
    outdoors(small, 2);
    expect(small.alert('heat_stress').timeline).toHaveLength(2);
    small.update(small.alert('heat_stress'), 'resolved');
    outdoors(small, 58);
    expect(small.alerts()).toHaveLength(1);
    outdoors(small, 2);
    expect(small.alerts()).toHaveLength(2);
  });

  test('told for one person holds for that one, indoors too', () => {
    const small = noon();
    const reported = { type: 'report-person-heat', deviceId: small.device(2) } as const;
    small.do({ ...reported, indexC: 35, sunMs: 59 * MINUTE });
    expect(small.alerts()).toEqual([]);
    small.do({ ...reported, indexC: 35, sunMs: 60 * MINUTE });
    expect(small.alert('heat_stress')).toMatchObject({
      worker: { externalId: 'E-2' },
      details: { heat_index_c: 35, sun_exposure_minutes: 60 },
    });
  });

  test('of the plant with minutes of sun gives them to all outdoors', () => {
    const small = noon();
    plant(small, 33, 75 * MINUTE);
    expect(small.alerts('heat_stress').map(({ worker }) => worker?.externalId)).toEqual(['E-1']);
  });
});

test('the wind is a fact of the site', () => {
  const small = new SmallWorld();
  small.do({ type: 'report-wind', siteId: SITE, wind: { fromDeg: 225, speedMs: 6 } });
  expect(small.world.need('site', SITE).wind).toEqual({ fromDeg: 225, speedMs: 6 });
});
