/** The clocks that a program makes: real, scaled and lock-step. */
import { assert } from '../assert.ts';
import { idFrom } from '../ids.ts';
import { CLOCK_BEGIN, CLOCK_END, type Clock, type ClockHold, type Instant } from './clock.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { wallMs } from './timers.ts';

/** The watch over holds that never close. It looks while the clock steps, that is in lock-step and during `advance`. */
interface StuckOptions {
  /** Wall ms without a hold opened or closed, or an answer applied. */
  watchdogMs?: number;
  /** Called with the holds, once per stall; the caller decides what to do. */
  onStuck?: (holders: readonly ClockHold[]) => void;
}

/** Default of `watchdogMs`. */
const WATCHDOG_MS = 10_000;

/**
 * Simulated time passes as wall time does, from `start` (default: the wall's now). It passes from the construction on; tasks run
 * from `start()` on. `wall`: a wall clock that several processes share; default: this machine's.
 */
export function realClock({
  wall = wallMs,
  start = wall(),
  ...stuck
}: { start?: Instant; wall?: () => number } & StuckOptions = {}): Clock {
  const parts = { mode: 'real', start: wholeMs(start), end: CLOCK_END, speed: 1, wall } as const;
  return new SimulatedClock({ ...parts, ...withWatchdog(stuck) });
}

/**
 * Simulated time passes `speed` times as fast as wall time, from `start` (default: the wall's now). `simulatesClients`: the tokens
 * and limits of clients follow it, as in the run of a scenario.
 */
export function scaledClock({
  speed,
  start = wallMs(),
  simulatesClients,
  ...stuck
}: { speed: number; start?: Instant; simulatesClients?: boolean } & StuckOptions): Clock {
  const parts = { mode: 'scaled', start: wholeMs(start), end: CLOCK_END, speed, simulatesClients } as const;
  return new SimulatedClock({ ...parts, ...withWatchdog(stuck) });
}

/**
 * Simulated time jumps to the next due entry whenever nobody holds and one quiet turn has passed. It stands still until `start()`.
 * `shuffleTies`: what is due at one instant in one lane is played in an order that follows from this text instead of from
 * the actors' names, each actor's own entries in their usual order: a run that depends on ties shows.
 */
export function lockstepClock({
  start,
  shuffleTies,
  ...stuck
}: { start: Instant; shuffleTies?: string | undefined } & StuckOptions): Clock {
  const tied = shuffleTies === undefined ? {} : { tieOrder: shuffledActors(shuffleTies) };
  const parts = { mode: 'lockstep', start: wholeMs(start), end: CLOCK_END, speed: 1 } as const;
  return new SimulatedClock({ ...parts, ...tied, ...withWatchdog(stuck) });
}

function withWatchdog({ watchdogMs = WATCHDOG_MS, onStuck = () => {} }: StuckOptions): Required<StuckOptions> {
  return { watchdogMs, onStuck };
}

function wholeMs(start: Instant): Instant {
  assert(start >= CLOCK_BEGIN && start <= CLOCK_END, () => `A clock cannot start at ${start}.`);
  return Math.floor(start);
}

/** Actors in another order, the same for the same text. */
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
