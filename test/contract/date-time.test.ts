/** Times of watches are read without the calendar when they are of the day of the last one; nothing is read otherwise for it. */
import { constantFrom, date, assert as holds, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { instantOf } from '../../src/base/instants.ts';
import { isDateTime } from '../../src/contract/formats.ts';

const anInstant = date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

it('an instant is the same in any order of days', () => {
  holds(
    property(anInstant, (at) => {
      expect(instantOf(at.toISOString())).toBe(at.getTime());
    }),
  );
});

it('one letter out of place is refused after its day was known as before', () => {
  const letters = constantFrom('0', '1', '2', '3', '5', '6', '9', ':', '.', '-', 'T', 'Z', 'z', ' ', '/', 'a');
  holds(
    property(anInstant, integer({ min: 0, max: 23 }), letters, (at, place, letter) => {
      const written = at.toISOString();
      const changed = written.slice(0, place) + letter + written.slice(place + 1);
      isDateTime('2000-01-01T00:00:00.000Z');
      const before = isDateTime(changed);
      isDateTime(written);
      expect(isDateTime(changed)).toBe(before);
    }),
    { numRuns: 2_000 },
  );
});
