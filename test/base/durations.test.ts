/** Durations and instants as people and machines write them. */
import { describe, expect, test } from 'vitest';
import { streams } from '../../src/base/random/streams.ts';
import {
  DURATION_PATTERN,
  explainDuration,
  formatDuration,
  parseDuration,
  parseRange,
} from '../../src/base/time/durations.ts';
import { formatClockTime, formatInstant, parseInstant } from '../../src/base/time/instants.ts';
import { growthOf, NEARLY_LINEAR } from '../helpers/growth.ts';

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['45s', 45_000],
    ['2m', 120_000],
    ['1h30m', 5_400_000],
    ['24h', 86_400_000],
    ['1d', 86_400_000],
    ['0s', 0],
    ['90m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['007s', 7000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(new RegExp(DURATION_PATTERN).test(text)).toBe(true);
  });

  test.each([
    '',
    '20',
    '10:00',
    '1.5s',
    '-5s',
    '5 s',
    ' 5s',
    '5s ',
    '30m1h',
    '1s1s',
    '5S',
    's',
    '1y',
    '5s\n',
    '٣s',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull();
    expect(new RegExp(DURATION_PATTERN).test(text)).toBe(false);
  });

  test('too long to count in milliseconds is none', () => {
    expect(parseDuration(`${'9'.repeat(20)}d`)).toBeNull();
  });

  test.each([
    [0, '0s'],
    [5_400_000, '1h30m'],
    [1500, '1s500ms'],
    [86_400_000, '1d'],
    [999.6, '1s'],
    [-60_000, '-1m'],
    [-0.2, '0s'],
  ])('%d ms is written %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test('reads back as it was written', () => {
    const chance = streams(1).stream('durations', 'ms');
    for (let i = 0; i < 2000; i++) {
      const ms = Math.floor(chance.lognormal(12, 4));
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }
  });

  test.each([
    ['29s..31s', { min: 29_000, max: 31_000 }],
    ['0s..1m', { min: 0, max: 60_000 }],
    ['5s..5s', { min: 5000, max: 5000 }],
    ['31s..29s', null],
    ['5s', null],
    ['5s..', null],
    ['1s..2s..3s', null],
    ['1..2s', null],
  ])('the range %s is %j', (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  test.each([
    ['20', '20 has no unit. Write 20s or 20m.'],
    ['1.5', '1.5 has no unit. Write 1s500ms or 1m30s.'],
    ['10:00', '10:00 is not a duration. Write 10m.'],
    ['01:30', '01:30 is not a duration. Write 1m30s.'],
    ['1:00:00', '1:00:00 is not a duration. Write 1h.'],
    ['1.5s', '1.5s is not a duration. Write 1s500ms.'],
    ['5 min', '5 min is not a duration. Write 5m.'],
    ['1 hour and 30 minutes', '1 hour and 30 minutes is not a duration. Write 1h30m.'],
    ['30m1h', '30m1h is not a duration. Write 1h30m.'],
    ['PT5M', 'PT5M is not a duration. Write 5m.'],
    ['-5s', '-5s is negative. Write 5s.'],
    ['', 'An empty text is not a duration. Write 30s, 2m or 1h30m.'],
    ['soon', 'soon is not a duration. Write 30s, 2m or 1h30m.'],
    ['5 parsecs', '5 parsecs is not a duration. Write 30s, 2m or 1h30m.'],
    ['31s..29s', '31s..29s ends before it begins. Write 29s..31s.'],
    ['20..30s', '20 has no unit. Write 20s or 20m.'],
  ])('for %j somebody is told: %s', (text, sentence) => {
    expect(explainDuration(text)).toBe(sentence);
  });
});

describe('an instant', () => {
  test.each([
    ['2026-10-05T06:00:00Z', '2026-10-05T06:00:00.000Z'],
    ['2026-10-05T06:00:00.5Z', '2026-10-05T06:00:00.500Z'],
    ['2026-10-05t06:00:00.123999z', '2026-10-05T06:00:00.123Z'],
    ['2026-10-05T01:00:00-05:00', '2026-10-05T06:00:00.000Z'],
    ['2026-10-05T11:45:00+05:45', '2026-10-05T06:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
    ['0000-03-01T00:00:00Z', '0000-03-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, written) => {
    expect(formatInstant(parseInstant(text)!)).toBe(written);
  });

  test.each([
    '2026-10-05',
    '2026-10-05T06:00:00',
    '2026-10-05 06:00:00Z',
    '2026-10-05T06:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-10-05T24:00:00Z',
    '2026-10-05T06:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-10-05T06:00:00.Z',
    '2026-10-05T06:00:00+24:00',
    '2026-10-05T06:00:00+0500',
    '0000-01-01T00:00:00+01:00',
    '2026-10-05T06:00:00Z\n',
    ' 2026-10-05T06:00:00Z',
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test('reads back as it was written, over all the years', () => {
    const chance = streams(1).stream('instants', 'ms');
    for (let i = 0; i < 5000; i++) {
      const ms = chance.int(-62_167_219_200_000, 253_402_300_799_999);
      expect(parseInstant(formatInstant(ms))).toBe(ms);
      expect(formatInstant(ms)).toBe(new Date(ms).toISOString());
    }
    expect(() => formatInstant(Number.NaN)).toThrow('no instant');
  });

  test.each([
    [0, '00:00:00.000'],
    [50_000, '00:00:50.000'],
    [5_400_001, '01:30:00.001'],
    [176_400_000, '49:00:00.000'],
    [-1500, '-00:00:01.500'],
  ])('%d ms after the start reads %s', (ms, text) => {
    expect(formatClockTime(ms)).toBe(text);
  });
});

test('a text that is nearly a duration takes ten times as long to explain where it is ten times as long', async () => {
  const parts = (count: number) => expect(explainDuration(`${'1s  '.repeat(count)}!`)).toContain('is not a duration');
  const digits = (count: number) => expect(explainDuration('9'.repeat(count))).toContain('has no unit');
  expect(await growthOf(parts, 500)).toBeLessThan(NEARLY_LINEAR);
  expect(await growthOf(digits, 6_000)).toBeLessThan(NEARLY_LINEAR);
});
