/** Times of watches are read without the calendar when they are of the day of the last one; nothing is read otherwise for it. */
import { constantFrom, date, assert as holds, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { instantOf, parseInstant } from '../../src/base/time/instants.ts';
import { checkAction } from '../../src/contract/action-check.ts';
import { isDateTime } from '../../src/contract/formats.ts';

const anInstant = date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

it('an instant is the same in any order of days', () => {
  void holds(
    property(anInstant, (at) => {
      expect(instantOf(at.toISOString())).toBe(at.getTime());
    }),
  );
});

it('one letter out of place is refused after its day was known as before', () => {
  const letters = constantFrom('0', '1', '2', '3', '5', '6', '9', ':', '.', '-', 'T', 'Z', 'z', ' ', '/', 'a');
  void holds(
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

it('T and Z may be lower case in every time that a user writes', () => {
  for (const text of [
    '2026-10-05t06:00:00z',
    '2026-10-05t06:00:00.250Z',
    '2026-10-05T06:00:00z',
    '2026-10-05t08:00:00+02:00',
  ]) {
    expect([text, isDateTime(text)]).toEqual([text, true]);
    expect(parseInstant(text)).toBe(parseInstant(text.toUpperCase()));
    // A deadline in the body of an action, or in a step of a scenario, is a duration or a time.
    expect(checkAction({ action: 'start_muster', kind: 'general', deadline: text, by: 'Lead' })).toMatchObject({
      ok: true,
    });
  }
  expect(isDateTime('2026-10-05 06:00:00z')).toBe(false);
});
