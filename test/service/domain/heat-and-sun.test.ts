/** Heat stress at its bounds, and minutes of sun: stretches between fixes, as long as a rule may ask for them. [decisions 5 `heat_stress`] */
import { describe, expect, test } from 'vitest';
import { sineOfSun, sunIsHigh } from '../../../src/service/domain/weather/daylight.ts';
import { inSunAt, type SunSpans, sunBetween } from '../../../src/service/domain/weather/sun-spans.ts';
import type { Telemetry } from '../../../src/service/domain/world/documents.ts';
import { SITE, SmallWorld } from './small-world.ts';

const MINUTE = 60_000;
const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';
const NOON = Date.UTC(2026, 6, 5, 12, 30);

describe('a stretch in the sun', () => {
  const spans: SunSpans = [
    [0, 10],
    [20, 30],
  ];

  test.each<[string, SunSpans, number, boolean, SunSpans]>([
    ['begins with the first fix', [], 50, true, [[50, 50]]],
    [
      'goes on with the next',
      spans,
      35,
      true,
      [
        [0, 10],
        [20, 35],
      ],
    ],
    ['does not go on after a fix in the shade', spans, 35, false, [...spans, [35, 35]]],
    [
      'goes on over five minutes',
      spans,
      30 + 5 * MINUTE,
      true,
      [
        [0, 10],
        [20, 30 + 5 * MINUTE],
      ],
    ],
    ['does not go on over more', spans, 31 + 5 * MINUTE, true, [...spans, [31 + 5 * MINUTE, 31 + 5 * MINUTE]]],
    ['is not made shorter by an earlier fix', spans, 25, true, spans],
    ['is not made longer by the same one', spans, 30, true, spans],
  ])('%s', (_words, before, at, continues, after) => {
    expect(inSunAt(before, at, continues, -1)).toEqual(after);
  });

  test('a stretch in the sun that ended before the period in question is forgotten', () => {
    expect(inSunAt(spans, 35, true, 10)).toEqual([
      [0, 10],
      [20, 35],
    ]);
    expect(inSunAt(spans, 35, true, 11)).toEqual([[20, 35]]);
    expect(inSunAt(spans, 35, false, 31)).toEqual([[35, 35]]);
    expect(inSunAt(spans, 35, true, 31)).toEqual([[20, 35]]);
  });

  test.each([
    [-5, 100, 20],
    [5, 100, 15],
    [0, 25, 15],
    [5, 25, 10],
    [12, 18, 0],
    [31, 90, 0],
    [-9, -1, 0],
  ])('counts between %d and %d: %d', (since, now, sum) => {
    expect(sunBetween(spans, since, now)).toBe(sum);
  });
});

describe('the sun', () => {
  const harbour = { latitude: 43.361, longitude: -8.412 };

  test('is high from ten degrees above the horizon, to the minute', () => {
    const day = Date.UTC(2026, 9, 5);
    const minutes = Array.from({ length: 1_440 }, (_none, minute) => day + minute * MINUTE);
    const high = minutes.filter((at) => sunIsHigh({ ...harbour }, at));
    // By hand, of a declination of -4.9 degrees and the equation of time: from 7:37 to 17:07 UTC.
    expect([high[0], high.at(-1)].map((at) => Math.round(((at ?? 0) - day) / MINUTE / 10))).toEqual([46, 103]);
    expect(high).toEqual(minutes.filter((at) => sineOfSun(harbour, at) >= Math.sin((10 * Math.PI) / 180)));
  });

  test('is looked up once a minute, for each place', () => {
    const origin = { ...harbour };
    expect([sunIsHigh(origin, NOON), sunIsHigh(origin, NOON + 12 * 60 * MINUTE), sunIsHigh(origin, NOON)]).toEqual([
      ...[true, false, true],
    ]);
    expect(sunIsHigh({ latitude: harbour.latitude, longitude: harbour.longitude + 180 }, NOON)).toBe(false);
  });
});

describe('heat stress', () => {
  /** Ana is in the open, Luis in a workshop, and Eva's position is unknown. */
  function noon(site = {}): SmallWorld {
    const small = new SmallWorld({ site });
    small.now = NOON;
    for (const { id } of [...small.world.all('device')])
      small.world.putTelemetry({ ...small.world.telemetry(id), fix: null });
    small.zone('Workshop', 'building', [20, 20, 60, 60]);
    small.at(1, 100, 20);
    small.at(2, 40, 40);
    return small;
  }

  const plant = (small: SmallWorld, indexC: number | null, sunMs: number | null = null, siteId = SITE) =>
    small.do({ type: 'report-plant-heat', siteId, indexC, sunMs });
  const person = (small: SmallWorld, n: number, indexC: number | null, sunMs: number | null = null) =>
    small.do({ type: 'report-person-heat', deviceId: small.device(n), indexC, sunMs });
  const reported = (small: SmallWorld, n = 1): Telemetry => small.world.telemetry(small.device(n));
  const patch = (small: SmallWorld, kind: 'worker' | 'device', part: object) => {
    const id = kind === 'worker' ? small.workerId(1) : small.device(1);
    small.world.put(kind, { ...small.world.need(kind, id), ...part } as never);
  };

  test('of a site or a watch that is not there, or that nobody wears, is refused', () => {
    const small = noon();
    expect(plant(small, 45, null, UNKNOWN)).toMatchObject({ code: 'not_found' });
    patch(small, 'device', { workerId: null });
    expect(person(small, 1, 45)).toMatchObject({ code: 'action_refused' });
  });

  test.each<[string, (small: SmallWorld) => void, number]>([
    ['in the open', () => {}, 1],
    [
      'who was seen 15 min ago',
      (small) => {
        small.now += 15 * MINUTE;
      },
      1,
    ],
    [
      'who was not seen for longer',
      (small) => {
        small.now += 15 * MINUTE + 1;
      },
      0,
    ],
    ['who is not active', (small) => patch(small, 'worker', { isActive: false }), 0],
    ['without a watch', (small) => patch(small, 'worker', { deviceId: null }), 0],
    ['whose watch is out of service', (small) => patch(small, 'device', { status: 'maintenance' }), 0],
    ['who was seen in a building', (small) => small.at(1, 45, 45), 0],
  ])('of the plant concerns, or does not, somebody %s', (_words, happens, alerts) => {
    const small = noon();
    happens(small);
    plant(small, 45);
    expect(small.alerts('heat_stress')).toHaveLength(alerts);
  });

  test('of the plant is no heat for who is indoors, later either; what was told for one of them is', () => {
    const small = noon();
    plant(small, 45);
    small.at(2, 41, 41);
    expect(small.alerts('heat_stress').map(({ worker }) => worker?.externalId)).toEqual(['E-1']);
    person(small, 2, 45);
    small.now += MINUTE;
    small.at(2, 41, 41);
    expect(small.alerts('heat_stress').map(({ worker }) => worker?.externalId)).toEqual(['E-1', 'E-2']);
  });

  test('told for one counts before that of the plant, until it is told no more', () => {
    const small = noon();
    person(small, 1, 30);
    plant(small, 45);
    expect(small.alerts()).toEqual([]);
    expect(small.world.need('device', small.device(1))).toMatchObject({ heatIndexC: 30, heatAlertedAt: null });
    person(small, 1, null);
    expect(small.alert('heat_stress').details).toMatchObject({ heat_index_c: 45 });
    expect(small.world.need('device', small.device(1))).toMatchObject({ heatIndexC: null, heatAlertedAt: NOON });
  });

  test('told for somebody whose place nobody knows is an alert by itself, and the plant’s is none', () => {
    const small = noon();
    plant(small, 45);
    person(small, 3, null);
    expect(small.alerts('heat_stress')).toHaveLength(1);
    person(small, 3, 41);
    expect(small.alerts('heat_stress')).toHaveLength(2);
  });

  test.each([
    [32, 60 * MINUTE, 1],
    [32, 60 * MINUTE - 1, 0],
    [31.9, 90 * MINUTE, 0],
    [40.9, 0, 0],
    [41, 0, 1],
  ])('at %d °C with %i ms of sun: %i', (indexC, sunMs, alerts) => {
    const small = noon();
    person(small, 1, indexC, sunMs);
    expect(reported(small).sun).toEqual([[NOON - sunMs, NOON]]);
    expect(small.alerts('heat_stress')).toHaveLength(alerts);
  });

  test('says the index to a tenth and the whole minutes of sun', () => {
    const small = noon();
    person(small, 1, 43.26, 12.9 * MINUTE);
    expect(small.alert('heat_stress')).toMatchObject({
      details: { action: 'stop_and_rest', heat_index_c: 43.3, sun_exposure_minutes: 12 },
      timeline: [{ what: 'Heat index 43.3 °C, 12 min of sun' }],
    });
  });

  test('counts sun within its window only', () => {
    const small = noon();
    person(small, 1, 33, 100 * MINUTE);
    expect(small.alert('heat_stress').details).toMatchObject({ sun_exposure_minutes: 90 });
  });

  test.each([
    [60 * MINUTE - 1, 1],
    [60 * MINUTE, 2],
  ])('comes again after %i ms: %i lines', (later, lines) => {
    const small = noon();
    person(small, 1, 45);
    small.now += later;
    small.at(1, 100, 20);
    expect(small.alert('heat_stress').timeline).toHaveLength(lines);
  });

  test('follows the thresholds of the site, the lower index too where it is the one without sun', () => {
    const heat = { indexC: 28, sunIndexC: 32, sunMs: 60 * MINUTE, windowMs: 90 * MINUTE, againAfterMs: 60 * MINUTE };
    const { thresholds } = new SmallWorld().world.need('site', SITE);
    const small = noon({ thresholds: { ...thresholds, heat } });
    person(small, 1, 27.9);
    expect(small.alerts()).toEqual([]);
    person(small, 1, 28);
    expect(small.alerts()).toHaveLength(1);
  });

  test('of the plant tells how much sun people in the open had; without minutes, what they had stays', () => {
    const small = noon();
    small.now += MINUTE;
    small.at(1, 101, 20);
    const { sun } = reported(small);
    expect(sun).toEqual([[NOON, NOON + MINUTE]]);
    plant(small, 20);
    expect(reported(small).sun).toBe(sun);
    plant(small, 20, 5 * MINUTE);
    expect(reported(small).sun).toEqual([[NOON - 4 * MINUTE, NOON + MINUTE]]);
    expect(reported(small, 2).sun).toEqual([]);
  });

  test('has no sun in the shade, and a stretch of its own after it', () => {
    const small = noon();
    const at = (minute: number, x: number, y: number) => {
      small.now = NOON + minute * MINUTE;
      small.at(1, x, y);
    };
    at(1, 100, 20);
    at(2, 40, 40);
    expect(reported(small)).toMatchObject({ inSun: false, sun: [[NOON, NOON + MINUTE]] });
    at(3, 100, 20);
    at(4, 100, 20);
    expect(reported(small)).toMatchObject({
      inSun: true,
      sun: [
        [NOON, NOON + MINUTE],
        [NOON + 3 * MINUTE, NOON + 4 * MINUTE],
      ],
    });
    at(95, 100, 20);
    expect(reported(small).sun).toEqual([[NOON + 95 * MINUTE, NOON + 95 * MINUTE]]);
  });
});
