/** A range `a..b` in an action is one value, drawn by the seed. [scenario-language, Time and reference] */
import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../src/base/time/durations.ts';
import { isWhole } from '../../helpers/whole.ts';
import { mistakesTextOf, playSteps, type SmallRun, scenarioOf } from '../small-stage.ts';

type Sent = Readonly<Record<string, unknown>>;

const sent = async (step: string, seed: string): Promise<Sent> => {
  const { world } = await playSteps([step], () => {}, { seed });
  return world.actions[0] as unknown as Sent;
};

const SEEDS = Array.from({ length: isWhole ? 12 : 5 }, (_, i) => String(i + 1));

const within = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((whole, key) => (whole as Record<string, unknown>)[key], value);

const ms = (value: unknown): number => parseDuration(String(value)) ?? Number.NaN;

const START = 'start_muster: {kind: general, by: Lead, origin: {at: Dock, radius_m: 40..90}, deadline: 10m..12m}';

describe('a drawn value lies in its range and has the kind of its field', () => {
  test.each([
    ['a percentage', 'battery: {who: ana, pct: 4..20}', 'pct', 4, 20, 'whole'],
    ['a drain', 'battery: {who: ana, drain: 2..8}', 'drain', 2, 8, 'number'],
    ['a radius in the origin of a muster', START, 'origin.radius_m', 40, 90, 'whole'],
    ['a deadline that is a duration', START, 'deadline', 600_000, 720_000, 'duration'],
    ['a magnitude', 'hazard: {kind: earthquake, magnitude: 5.5..7.5}', 'magnitude', 5.5, 7.5, 'number'],
    ['a heat index that may be null', 'heat: {index_c: 38..44}', 'index_c', 38, 44, 'number'],
    ['a temperature below zero', 'heat: {temperature_c: -9..-2, humidity_pct: 40}', 'temperature_c', -9, -2, 'number'],
    ['minutes of sun', 'heat: {who: ana, sun: 10m..40m, index_c: 40}', 'sun', 600_000, 2_400_000, 'duration'],
    ['a distance with its unit', 'vehicle: {near: ana, distance: 4m..8m}', 'distance', 4, 8, 'number'],
    ['a distance without a unit', 'vehicle: {near: ana, distance: 4..8}', 'distance', 4, 8, 'number'],
    [
      'the time until an answer',
      'fall: {who: ana, answers: ok, answers_after: 5s..9s}',
      'answers_after',
      5_000,
      9_000,
      'duration',
    ],
    ['a place in a list', 'position: {who: ana, at: [10..20, 60]}', 'at.0', 10, 20, 'number'],
    [
      'a degree, as fine as it is written',
      'position: {who: ana, at: {latitude: 43.3000..43.3009, longitude: -8.4}}',
      'at.latitude',
      43.3,
      43.3009,
      'number',
    ],
    ['copies of a delivery', 'deliveries: {to: erp, duplicate: 2..6}', 'duplicate', 2, 6, 'whole'],
    ['a share', 'api_fault: {status: 503, share: 0.2..0.8}', 'share', 0.2, 0.8, 'number'],
    ['a pace', 'move: {who: ana, to: Gate, pace: 1.2..1.6}', 'pace', 1.2, 1.6, 'number'],
  ] as const)('%s', async (_what, step, path, min, max, kind) => {
    const values = await Promise.all(SEEDS.map(async (seed) => within(await sent(step, seed), path)));
    for (const value of values) {
      const number = kind === 'duration' ? ms(value) : (value as number);
      expect(number).toBeGreaterThanOrEqual(min);
      expect(number).toBeLessThanOrEqual(max);
      if (kind === 'whole') expect(Number.isInteger(value)).toBe(true);
      if (kind === 'number') expect(typeof value).toBe('number');
    }
    expect(new Set(values.map(String)).size).toBeGreaterThan(2);
    expect(within(await sent(step, '1'), path)).toEqual(values[0]);
  });

  test('a whole number reaches both ends of its range', async () => {
    const values = await Promise.all(
      SEEDS.map(async (seed) => (await sent('battery: {who: ana, pct: 4..5}', seed))['pct']),
    );
    expect([...new Set(values)].toSorted()).toEqual([4, 5]);
  });

  test('a clock is wrong to either side', async () => {
    const step = 'device: {who: ana, clock_skew: -30s..30s}';
    const skews = await Promise.all(SEEDS.map(async (seed) => String((await sent(step, seed))['clock_skew'])));
    expect(skews.filter((skew) => skew.startsWith('-')).length).toBeGreaterThan(0);
    expect(skews.filter((skew) => !skew.startsWith('-')).length).toBeGreaterThan(0);
  });

  test('everybody in a list has a draw of their own', async () => {
    const { world } = await playSteps(['battery: {who: [ana, luis], pct: 1..100}']);
    expect(world.actions.map(({ who }) => who)).toEqual(['ana', 'luis']);
    expect(new Set(world.actions.map(({ pct }) => pct)).size).toBe(2);
  });
});

describe('a range that stands beside a step, or in a step of the flow', () => {
  const marks = ({ notices }: SmallRun): number[] =>
    notices.flatMap((notice) => (notice.kind === 'mark' ? [notice.atMs] : []));

  test.each([
    ['a pause', ['wait: 5s..10s', 'mark: A'], 5_000, 10_000],
    ['a pause before a step', ['mark: A\n    after: 1s..3s'], 1_000, 3_000],
    ['a time from the start', ['mark: A\n    at: 4s..8s'], 4_000, 8_000],
    ['the time between repetitions', ['repeat: {times: 2, every: 10s..20s, steps: [{mark: X}]}'], 10_000, 20_000],
    ['the number of repetitions', ['repeat: {times: 2..6, steps: [{wait: 1s}]}', 'mark: A'], 2_000, 6_000],
    ['a jump of the clock', ['clock: {advance: 5m..9m}', 'mark: A'], 300_000, 540_000],
  ] as const)('%s', async (_what, steps, min, max) => {
    const ends = await Promise.all(
      SEEDS.map(async (seed) => marks(await playSteps(steps, () => {}, { seed })).at(-1) ?? Number.NaN),
    );
    for (const end of ends) {
      expect(end).toBeGreaterThanOrEqual(min);
      expect(end).toBeLessThanOrEqual(max);
    }
    expect(new Set(ends).size).toBeGreaterThan(2);
    expect(marks(await playSteps(steps, () => {}, { seed: '1' })).at(-1)).toBe(ends[0]);
  });

  test('a repeated pause is drawn anew each time', async () => {
    const at = marks(await playSteps(['repeat: {times: 6, steps: [{mark: X}, {wait: 1s..60s}]}']));
    const pauses = at.slice(1).map((end, i) => end - (at[i] ?? 0));
    expect(new Set(pauses).size).toBeGreaterThan(2);
  });

  test('an action that lasts is undone within its range', async () => {
    const { world, result } = await playSteps(['signal: {who: ana, is: lost}\n    for: 10s..20s', 'wait: 30s']);
    expect(world.actions.map(({ is }) => is)).toEqual(['lost', 'back']);
    expect(result.verdict).toBe('passed');
  });
});

describe('a range that the field cannot be is a mistake before anything runs', () => {
  test.each([
    ['battery: {who: ana, pct: 4..120}', '4..120 goes beyond what "pct" can be, 0 to 100. Write 4..100.'],
    ['battery: {who: ana, pct: 20..4}', '20..4 ends before it begins. Write 4..20.'],
    ['battery: {who: ana, pct: 1.5..4}', '1.5..4 is not a range of whole numbers, as "pct" is. Write 2..4.'],
    ['battery: {who: ana, pct: 4..x}', '"pct" is "4..x", but must be a whole number.'],
    ['move: {who: ana, to: Gate, pace: 0..3}', '0..3 goes beyond what "pace" can be, more than 0 to 50. Write 0.1..3.'],
    [
      'hazard: {kind: earthquake, magnitude: 11..12}',
      '11..12 goes beyond what "magnitude" can be, 0 to 10. Write a range within it.',
    ],
    [
      'start_muster: {kind: general, by: A, origin: {at: Dock, radius_m: -4..20}}',
      '-4..20 goes beyond what "radius_m" can be, 0 to 100000. Write 0..20.',
    ],
    ['start_muster: {kind: general, by: A, deadline: 10m..5m}', '10m..5m ends before it begins. Write 5m..10m.'],
    [
      'start_muster: {kind: general, by: A, origin: {at: [5..900000, 3]}}',
      '5..900000 goes beyond what "at" can be, -100000 to 100000. Write 5..100000.',
    ],
    [
      'start_muster: {kind: general, by: A, origin: {at: Dock, radius_m: ten}}',
      '"radius_m" is "ten", but must be a whole number.',
    ],
    [
      'start_muster: {kind: general, by: A, origin: {at: Dock, radus_m: 5}}',
      '"radus_m" is not a key of "origin". Did you mean "radius_m"?',
    ],
    ['vehicle: {near: ana, distance: 8m..4m}', '8m..4m ends before it begins. Write 4m..8m.'],
    ['device: {who: ana, clock_skew: 20s..-20s}', '20s..-20s ends before it begins. Write -20s..20s.'],
    ['repeat: {times: 5..2, steps: [{wait: 1s}]}', '"5..2" ends before it begins. Write 2..5.'],
    [
      'api: {get: /v1/alerts, times: 0..2}',
      '"0..2" is not how often. Write a whole number, 1 to 10000, or a range such as 2..5.',
    ],
    ['sos: {who: ana}\n    after: 1..3', '1..3 has no unit. Write 1s..3s or 1m..3m.'],
    ['never: {alerts: open}\n    for: 3s..5s', '3s..5s is a range, and a check draws nothing. Write 5s.'],
  ])('%s', (step, message) => {
    expect(
      mistakesTextOf(scenarioOf([step]))
        .split('\n')[0]
        ?.replace(/^\S+ {2}/, ''),
    ).toBe(message);
  });
});
