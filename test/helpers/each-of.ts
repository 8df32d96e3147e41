/** Slow tables of tests. */
import { unless } from './unless.ts';
import { sampled } from './whole.ts';

/** `test.each` of a slow table: a sample of its rows is tested, and the others are counted as rows that only .ci/run runs. */
export const eachOf = <T extends readonly unknown[] | [unknown]>(rows: readonly T[], step: number) => {
  const table = sampled(rows, step);
  return (title: string, check: (...row: T) => void | Promise<void>): void => {
    const reasons = [null, ...new Set(table.flatMap(({ skip }) => skip ?? []))];
    for (const reason of reasons) {
      const some = table.filter(({ skip }) => skip === reason).map(({ row }) => row);
      (unless(reason).test.each(some as never) as (title: string, check: unknown) => void)(title, check);
    }
  };
};
