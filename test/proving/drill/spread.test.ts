/** Percentiles over runs, by nearest rank; never ranks behind every time. */
import { describe, expect, test } from 'vitest';
import { mean, percentile, type RunValue, spreadOf } from '../../../src/proving/drill/spread.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('a percentile is the smallest value that so large a share does not exceed', () => {
  test.each<[values: RunValue[], percent: number, expected: RunValue]>([
    [[7], 5, 7],
    [[7], 95, 7],
    [[3, 1, 2], 50, 2],
    [[4, 1, 3, 2], 50, 2],
    [[1, 2, 3, 4], 51, 3],
    // The rule of the IMO: of 50 runs the 48th.
    [upTo(50), 95, 48],
    [upTo(50), 50, 25],
    [upTo(50), 5, 3],
    [upTo(50), 100, 50],
    [[1, null, 2], 50, 2],
    [[1, null, 2], 95, null],
    [[null, null, 9], 50, null],
    [[0, null], 50, 0],
  ])('%j at %d is %s', (values, percent, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });
});

test('a spread counts the runs in which it never happened, and leaves its list as it was', () => {
  const values = [30, null, 10, 20, null];
  expect(spreadOf(values)).toEqual({ p5: 10, median: 30, p95: null, never: 2 });
  expect(values).toEqual([30, null, 10, 20, null]);
});

test('over no run at all there is no figure', () => {
  expect(spreadOf([])).toEqual({ p5: null, median: null, p95: null, never: 0 });
  expect(mean([])).toBe(0);
});
