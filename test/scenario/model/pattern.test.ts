/** Patterns of checks: JavaScript's syntax, in time linear in the text, with a sentence for what cannot be so. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPattern } from '../../../src/scenario/model/matchers.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { growthOf, NEARLY_LINEAR } from '../../helpers/growth.ts';
import { isWhole } from '../../helpers/whole.ts';

function patternOf(source: string, flags = '') {
  const read = readPattern(source, flags);
  if (!read.ok) throw new Error(read.why);
  return read.pattern;
}

describe('a pattern', () => {
  test.each<[source: string, flags: string, fits: string, not: string]>([
    ['^SOS', '', 'SOS: Ana Ruiz', 'Fall'],
    ['sos', 'i', 'An SOS', 'fall'],
    ['^b$', 'm', 'a\nb\nc', 'abc'],
    ['a.b', 's', 'a\nb', 'ab'],
    ['a.b', '', 'a-b', 'a\nb'],
    ['\\d{3}-\\w+', '', 'W-014-abc', '14-abc'],
    ['\\/v1\\/alerts', '', '/v1/alerts', '/v1/musters'],
    ['(?<year>\\d{4})', '', '2026', 'abcd'],
    ['^\\u00d1', '', 'Ñandú', 'Nandu'],
    ['\\u{1F600}', 'u', 'ok 😀', 'ok 😃'],
    ['^.$', 'u', '😀', '😀😀'],
    ['\\p{Lu}{2}', 'u', 'aÑÁ', 'aÑá'],
    ['[^]', '', '\n', ''],
    ['a', 'gy', 'ba', 'bb'],
    ['\\bW-01\\b', '', 'of W-01.', 'of W-014'],
  ])('/%s/%s fits %j and not %j', (source, flags, fits, not) => {
    const pattern = patternOf(source, flags);
    // Matched twice: a flag that remembers a place must not matter.
    expect([pattern.test(fits), pattern.test(fits), pattern.test(not)]).toEqual([true, true, false]);
    expect(String(pattern)).toBe(`/${source}/${flags}`);
  });

  test.each([
    ['a(?=b)', 'looks ahead or behind'],
    ['a(?!b)', 'looks ahead or behind'],
    ['(?<=a)b', 'looks ahead or behind'],
    ['(?<!a)b', 'looks ahead or behind'],
    ['(a)\\1', 'refers back to a group'],
    ['(?<n>a)\\k<n>', 'refers back to a group'],
    ['a{1001}', 'repeats more than 1000 times'],
    ['(?:a{1000}){1000}', 'repeats more than 1000 times'],
    ['(?:(?:a?){30}){40}', 'repeats more than 1000 times'],
    ['(?:(?:ab?){30}){30}', 'is too large'],
    ['.{900}.{900}', 'is too large'],
    ['a(', 'is not a regular expression: Unterminated group'],
    ['a'.repeat(1_001), 'has 1001 characters. Write at most 1000'],
  ])('/%s/ is refused with a sentence', (source, why) => {
    const read = readPattern(source, '');
    expect(read).toMatchObject({ ok: false, why: expect.stringContaining(why) });
    expect(!read.ok && /[.]$/.test(read.why)).toBe(true);
  });

  const backtracking = ['(a+)+$', '^(a+)+$', '(a|aa)+$', '(a*)*b', '(.*)*x', '(a?){25}a{25}[bc]', '([a-z]+)*[0-9]!'];
  eachOf(
    backtracking.map((source) => [source] as const),
    4,
  )('/%s/ takes ten times as long for a text ten times as long that nearly fits', async (source) => {
    const pattern = patternOf(source);
    const test = (length: number) => expect(pattern.test(`${'a'.repeat(length)}!`)).toBe(false);
    expect(await growthOf(test, 6_000)).toBeLessThan(NEARLY_LINEAR);
  });

  test('says what JavaScript says', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab)?',
      'a*',
      'b+',
      '^',
      '$',
      '\\b',
      'x{2}',
    );
    const source = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'x', '1', ' ', '\n'), maxLength: 12 });
    fc.assert(
      fc.property(source, fc.constantFrom('', 'i', 'm', 's'), text, (written, flags, reported) => {
        expect(patternOf(written, flags).test(reported)).toBe(new RegExp(written, flags).test(reported));
      }),
      { numRuns: isWhole ? 2_000 : 500, seed: 5 },
    );
  });
});
