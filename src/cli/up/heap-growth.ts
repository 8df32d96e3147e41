/** Keeps the heap of a long-running sandbox small: V8 collects garbage earlier, and once more when the process is idle. */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { later } from '../../base/time/timers.ts';

/**
 * V8 may let garbage grow to several times the size of the objects in use. Measured with 12,000 alerts that were raised
 * and resolved: 36 MB of old objects in use took up to 143 MB. With this growth the process takes 160 MB instead of 200
 * to 245 MB, with the same CPU time. Collections when idle reduce this to about 110 MB.
 */
const GROWTH_PERCENT = 40;

/**
 * V8 allocates the literals of a place among the old objects when many of them outlived a collection. That happens by
 * chance, while the young generation is still small. The objects of every later message are then garbage that only a
 * full collection finds, with all that they refer to. Measured: 10 MB of 200 with sixteen busy clients, and up to
 * 140 MB of 400 with 500 busy watches.
 */
const YOUNG_FIRST = '--no-allocation-site-pretenuring';

/** These are options of V8, not of the sandbox. */
const V8_FLAGS = [`--heap-growing-percent=${GROWTH_PERCENT}`, YOUNG_FIRST, '--expose-gc'] as const;

/** Interval at which the process is examined; wall ms. */
const LOOK_MS = 5_000;

/** The process is idle if it worked for less than this share of the time since the last examination. */
const IDLE_SHARE = 0.2;

/**
 * A collection is worthwhile if the heap has grown by this factor since the last one. A collection takes about 40 ms.
 */
const WORTH = 1.15;

/**
 * Collects garbage when the process is idle. After a burst of requests V8 keeps its garbage until it needs the space,
 * which an idle sandbox never does: 30 s after 20,000 alerts the process had between 111 and 158 MB, depending on when
 * the last collection ran.
 */
export function limitHeapGrowth(): void {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const collect = runInNewContext('gc') as () => void;
  let leftBytes = 0;
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization < IDLE_SHARE && getHeapStatistics().used_heap_size > leftBytes * WORTH) {
      collect();
      leftBytes = getHeapStatistics().used_heap_size;
    }
    later(LOOK_MS, look, { unref: true });
  };
  later(LOOK_MS, look, { unref: true });
}
