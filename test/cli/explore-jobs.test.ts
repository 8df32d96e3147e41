/** The jobs of `sandbox explore`, spread over processes. */
import { expect, test } from 'vitest';
import { defaultJobs, jobsOf } from '../../src/cli/explore/jobs.ts';

test('each job of a search belongs to one process, whatever the number of cores is', () => {
  for (const processes of [1, 2, 3, 8]) {
    const shares = Array.from({ length: processes }, (_, index) => ({ part: index + 1, of: processes }));
    const played = shares.flatMap((share) => jobsOf(share, 8));
    expect(played.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  }
  expect(jobsOf({ part: 2, of: 2 }, 5)).toEqual([1, 3]);
});

test('a search has more jobs than cores, because each one waits for the system, and never more than eight', () => {
  expect(defaultJobs(1)).toBe(2);
  expect(defaultJobs(2)).toBe(4);
  expect(defaultJobs(64)).toBe(8);
});
