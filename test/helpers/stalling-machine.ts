/** The clock and timers of a pace that stalls and jumps by a seed, and on which a timer comes at once, so that a paced run needs no wall time. */
import { streams } from '../../src/base/random/streams.ts';
import { MACHINE_TIME, type MachineTime } from '../../src/base/time/timers.ts';

/** Once in this many timers and readings, the machine stalls. */
const ONE_IN = 12;
const LONGEST_STALL_MS = 3_000;

export function stallingMachine(seed: string): MachineTime {
  const stream = streams(seed).stream('machine', 'stalls');
  let nowMs = 0;
  const stall = (): number => (stream.int(1, ONE_IN) === 1 ? stream.int(1, LONGEST_STALL_MS) : 0);
  return {
    monotonicMs: () => {
      nowMs += stall() / 100;
      return nowMs;
    },
    later: (delayMs, task) => {
      const dueMs = nowMs + Math.max(0, delayMs);
      return MACHINE_TIME.later(0, () => {
        nowMs = Math.max(nowMs, dueMs) + stall();
        task();
      });
    },
  };
}
