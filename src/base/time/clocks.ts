/** Creates the clocks of a program: real, scaled and lock-step. */
import { assert } from '../assert.ts';
import { idFrom } from '../ids.ts';
import { CLOCK_BEGIN, CLOCK_END, type Clock, type ClockHold, type Instant } from './clock.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { MACHINE_TIME, type MachineTime, wallMs } from './timers.ts';

/** The watchdog is for holds that never close. It is active while the clock steps, that is in lock-step and during `advance`. */
interface ClockOptions {
  /** Time limit without a hold opened or closed, or a reply applied; wall-clock ms. */
  watchdogMs?: number;
  /** Called with the open holds, once per stall. The caller decides what to do. */
  onStuck?: (holders: readonly ClockHold[]) => void;
  /** The monotonic clock and the timers that the clock uses; default: those of this process. */
  machine?: MachineTime;
}

/** Default of `watchdogMs`. */
const WATCHDOG_MS = 10_000;

/**
 * Simulated time passes like wall time, from `start` (default: the current wall time). It passes from the construction
 * on; tasks run after `start()`. `wall`: a wall clock that several processes share; default: that of this machine.
 */
export function realClock({
  wall = wallMs,
  start = wall(),
  ...rest
}: { start?: Instant; wall?: () => number } & ClockOptions = {}): Clock {
  const parts = { mode: 'real', start: wholeMs(start), end: CLOCK_END, speed: 1, wall } as const;
  return new SimulatedClock({ ...parts, ...withDefaults(rest) });
}

/**
 * Simulated time passes `speed` times as fast as wall time, from `start` (default: the current wall time).
 */
export function scaledClock({
  speed,
  start = wallMs(),
  ...rest
}: { speed: number; start?: Instant } & ClockOptions): Clock {
  const parts = { mode: 'scaled', start: wholeMs(start), end: CLOCK_END, speed } as const;
  return new SimulatedClock({ ...parts, ...withDefaults(rest) });
}

/**
 * Simulated time jumps to the next due entry whenever there is no hold and one quiet turn has passed. It does not move
 * until `start()`. `shuffleTies`: entries of one instant and one lane run in an order that is derived from this text
 * instead of the actors' names, with the entries of each actor in their usual order. This reveals a run that depends on
 * the order of ties. `pace`: an entry runs not before its time at this many simulated ms per wall-clock ms; null: as soon
 * as possible. The results are the same. `pacedBy`: the clock and timers of the pace alone; default: `machine`.
 */
export function lockstepClock({
  start,
  shuffleTies,
  pace = null,
  pacedBy,
  ...rest
}: {
  start: Instant;
  shuffleTies?: string | undefined;
  pace?: number | null;
  pacedBy?: MachineTime;
} & ClockOptions): Clock {
  const tied = shuffleTies === undefined ? {} : { tieOrder: shuffledActors(shuffleTies) };
  const paced = { isPaced: pace !== null, speed: pace ?? 1, ...(pacedBy === undefined ? {} : { pacedBy }) };
  const parts = { mode: 'lockstep', start: wholeMs(start), end: CLOCK_END, ...paced } as const;
  return new SimulatedClock({ ...parts, ...tied, ...withDefaults(rest) });
}

function withDefaults({
  watchdogMs = WATCHDOG_MS,
  onStuck = () => {},
  machine = MACHINE_TIME,
}: ClockOptions): Required<ClockOptions> {
  return { watchdogMs, onStuck, machine };
}

function wholeMs(start: Instant): Instant {
  assert(start >= CLOCK_BEGIN && start <= CLOCK_END, () => `A clock cannot start at ${start}.`);
  return Math.floor(start);
}

/** Gives actors another sort order, which is the same for the same text. */
function shuffledActors(seed: string): (actor: string) => string {
  const known = new Map<string, string>();
  return (actor) => {
    let other = known.get(actor);
    if (other === undefined) {
      other = idFrom('ties', seed, actor);
      known.set(actor, other);
    }
    return other;
  };
}
