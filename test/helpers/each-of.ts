/** Slow tables of tests. */
import { test } from 'vitest';
import { isSampled } from './whole.ts';

/** `test.each` of a slow table: a sample of its rows is tested, and the others count as skipped. */
export const eachOf =
  <T extends readonly unknown[] | [unknown]>(rows: readonly T[], step: number) =>
  (title: string, check: (...row: T) => void | Promise<void>): void => {
    for (const isTested of [true, false]) {
      const some = rows.filter((_, place) => isSampled(place, step) === isTested);
      if (some.length > 0) test.skipIf(!isTested).each(some)(title, (...row) => check(...(row as unknown as T)));
    }
  };
