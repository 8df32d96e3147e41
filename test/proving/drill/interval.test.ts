/** Bootstrap intervals over runs, and the lists of the report that must agree with the documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Draws } from '../../../src/base/random/draws.ts';
import { intervalOf } from '../../../src/proving/drill/interval.ts';
import { GUIDELINE_TESTS, inputsOf } from '../../../src/proving/drill/model.ts';

describe('an interval', () => {
  test('of equal runs is that value, of one run too, and of no run there is none', () => {
    expect(intervalOf([7, 7, 7], 50, '1')).toEqual({ from: 7, to: 7 });
    expect(intervalOf([7], 95, '1')).toEqual({ from: 7, to: 7 });
    expect(intervalOf([], 50, '1')).toBeNull();
  });

  test('reaches to never where runs never got there', () => {
    expect(intervalOf([10, 20, null, null], 50, '1')).toEqual({ from: 10, to: null });
  });

  test('is the same for the same seed, and leaves its list as it was', () => {
    const values = Array.from({ length: 50 }, (_, n) => (n * 37) % 101);
    const before = [...values];
    expect(intervalOf(values, 50, '1')).toEqual(intervalOf(values, 50, '1'));
    expect(values).toEqual(before);
  });

  test('of the median holds the true median in about 95 of 100 drills', () => {
    const drills = Array.from({ length: 200 }, (_, n) => `drill ${n}`);
    const draws = new Draws('interval', 'test', drills);
    const held = drills.filter((seed, i) => {
      const values = Array.from({ length: 50 }, () => draws.normal(i, 0, 1));
      const { from, to } = intervalOf(values, 50, seed)!;
      return from! <= 0 && to! >= 0;
    });
    expect(held.length).toBeGreaterThan(180);
    expect(held.length).toBeLessThan(200);
  });
});

test('the guideline tests of the report are those of the table in the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/internal/walking-model.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:RiMEA|IMO|NIST)[^|]*) \|.*\| (?:behaviour|by construction) \|$/gm)];
  const numbers = (suite: string) => {
    const named = rows.flatMap(([, names = '']) => names.split(', ').filter((name) => name.startsWith(suite)));
    return [...new Set(named.map((name) => name.slice(suite.length + 1)))];
  };
  expect(
    numbers('RiMEA')
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15]);
  expect(numbers('IMO').sort()).toEqual(['1', '4']);
  expect(numbers('NIST').sort()).toEqual(['1.1', '2.1', '2.10', '2.2', '2.3', '2.4', '3.1', '4.1', '5.1', '5.2']);
  expect(GUIDELINE_TESTS).toEqual([
    'RiMEA 1 to 13 and 15',
    'IMO 1 and 4',
    'NIST 1.1, 2.1 to 2.4, 2.10, 3.1, 4.1, 5.1 and 5.2',
  ]);
});

test('the inputs name the start delays of the kind of muster', () => {
  expect(Object.fromEntries(inputsOf('general'))['start delay']).toContain('truncated at 300 s');
  expect(Object.fromEntries(inputsOf('tsunami'))['start delay']).toContain('Rayleigh');
  expect(Object.fromEntries(inputsOf('earthquake'))['start delay']).toContain('30 s of shaking');
});
