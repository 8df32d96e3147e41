/** Values in the order of their keys, however they came. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SortedIndex, timeKey } from '../../src/base/sorted-index.ts';

describe('sorted values', () => {
  test('are those of a plain map in the order of its keys, after any steps, and say when they changed', () => {
    const step = fc.tuple(fc.constantFrom('set', 'delete', 'last'), fc.integer({ min: 10, max: 40 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const [sorted, plain] = [new SortedIndex<number>(), new Map<string, number>()];
        steps.forEach(([what, n], value) => {
          // Most keys are the highest so far.
          const key = what === 'last' ? `z${String(value).padStart(3, '0')}` : String(n);
          const [version, known] = [sorted.version, plain.has(key)];
          if (what === 'delete') {
            sorted.delete(key);
            plain.delete(key);
          } else {
            sorted.set(key, value);
            plain.set(key, value);
          }
          expect(sorted.version !== version).toBe(what !== 'delete' || known);
          const keys = [...plain.keys()].sort();
          expect(sorted.values()).toEqual(keys.map((one) => plain.get(one)));
          expect([sorted.length, sorted.at(0), sorted.at(-1)]).toEqual([
            plain.size,
            plain.get(keys[0] ?? ''),
            undefined,
          ]);
          for (const probe of [key, '', String(n + 1), 'zz'])
            expect(sorted.lowerBound(probe)).toBe(keys.filter((one) => one < probe).length);
        });
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test('by time stand in the order of time, then of id', () => {
    const keys = [timeKey(999, 'b'), timeKey(1_000, 'b'), timeKey(1_000, 'c'), timeKey(1_791_180_000_000, 'a')];
    expect([...keys].reverse().sort()).toEqual(keys);
  });
});
