import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FIRST_INSTANT,
  formatInstant,
  isWritable,
  LAST_INSTANT,
  parseInstant,
  parseInstantUp,
  writable,
} from '../../src/base/time/instants.ts';
import { isDateTime } from '../../src/contract/formats.ts';
import { isWhole } from '../helpers/whole.ts';

/** Times as clients write them, most of them near the ends of what can be written. */
const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
const day = fc.oneof(
  fc.constantFrom('0000-01-01', '0000-01-02', '9999-12-31', '9999-12-30', '2026-02-29', '2024-02-29', '2026-13-01'),
  fc
    .tuple(fc.integer({ min: 0, max: 9_999 }), two(13), two(32))
    .map(([y, m, d]) => `${String(y).padStart(4, '0')}-${m}-${d}`),
);
const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,9}$/));
const zone = fc.oneof(
  fc.constant('Z'),
  fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([s, h, m]) => `${s}${h}:${m}`),
);
const written = fc
  .tuple(day, two(24), two(60), two(60), fraction, zone)
  .map(([date, h, m, s, ms, z]) => `${date}T${h}:${m}:${s}${ms}${z}`);

describe('a time', () => {
  test('is admitted at the door exactly where it can be read behind it', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect([text, isDateTime(text)]).toEqual([text, parseInstant(text) !== null]);
      }),
      { numRuns: isWhole ? 20_000 : 2_000, seed: 1 },
    );
  });

  test.each([
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T23:59:59.9999999Z', true],
    ['9999-12-31T23:59:59.9999999-03:00', false],
    ['9999-12-31T23:59:59.999-00:01', false],
    ['9999-12-31T23:59:59.999+00:01', true],
    ['9999-12-31T00:00:00-23:59', true],
    ['9999-12-31T00:01:00-23:59', false],
    ['0000-01-01T00:00:00Z', true],
    ['0000-01-01T00:00:00-00:01', true],
    ['0000-01-01T00:00:00+00:01', false],
    ['0000-01-01T14:00:00+14:00', true],
  ])('%s lies in the years 0 to 9999 of UTC: %s', (text, is) => {
    expect([isDateTime(text), parseInstant(text) !== null]).toEqual([is, is]);
  });

  test('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_INSTANT, max: LAST_INSTANT }), (ms) => {
        const text = formatInstant(ms);
        expect([parseInstant(text), parseInstantUp(text), isDateTime(text)]).toEqual([ms, ms, true]);
      }),
      { numRuns: 2_000, seed: 2 },
    );
  });

  test('beyond the ends cannot be written, and the nearest that can is the end', () => {
    for (const [ms, nearest] of [
      [FIRST_INSTANT - 1, FIRST_INSTANT],
      [LAST_INSTANT + 1, LAST_INSTANT],
      [Number.MAX_VALUE, LAST_INSTANT],
    ] as const) {
      expect(() => formatInstant(ms)).toThrow('no instant of the years 0 to 9999');
      expect([isWritable(ms), writable(ms)]).toEqual([false, nearest]);
    }
    expect([isWritable(FIRST_INSTANT), isWritable(LAST_INSTANT), isWritable(Number.NaN)]).toEqual([true, true, false]);
  });

  test('finer than a millisecond lies between two of them', () => {
    const at = parseInstant('2026-10-05T06:00:00.123Z') as number;
    for (const finer of ['.1230000001', '.123999999']) {
      expect(parseInstant(`2026-10-05T06:00:00${finer}Z`)).toBe(at);
      expect(parseInstantUp(`2026-10-05T06:00:00${finer}Z`)).toBe(at + 1);
    }
    expect(parseInstantUp('2026-10-05T06:00:00.123000000Z')).toBe(at);
  });
});
