/** The outage that certify makes for a watch. [cli, certify --watch] */
import { expect, test } from 'vitest';
import { WatchBench, type WatchService } from '../../../../src/proving/certify/watch/bench.ts';
import type { WatchTap } from '../../../../src/proving/certify/watch/tap.ts';

/** A watch that tries to connect three times in each outage, and comes back. */
function benchOfThreeTries(): WatchBench {
  const refusedAt: number[] = [];
  const tap = {
    connections: [],
    refusedAt,
    current: null,
    uplinks: [],
    goOut: () => refusedAt.push(1, 2, 3),
    comeBack: () => {},
    until: async () => null,
  };
  const service = { positionEveryMs: 1_000 };
  const bench = new WatchBench(tap as unknown as WatchTap, service as WatchService, null);
  return Object.assign(bench, { pause: async () => {} });
}

test('an outage that is made again, because certify was late, counts its own attempts to connect alone', async () => {
  const bench = benchOfThreeTries();
  expect((await bench.outage()).attempts).toBe(3);
  bench.forgetOutage();
  expect((await bench.outage()).attempts).toBe(3);
});
