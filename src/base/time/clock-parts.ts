/** What a clock is made of. */
import type { ClockHold, ClockMode, Instant } from './clock.ts';
import type { MachineTime } from './timers.ts';

export interface ClockParts {
  readonly mode: ClockMode;
  readonly start: Instant;
  /** The instant at which time stops. */
  readonly end: Instant;
  readonly speed: number;
  /** True if a lock-step clock has a pace. */
  readonly isPaced?: boolean;
  /** Default: this machine's wall clock. */
  readonly wall?: () => number;
  /** The name by which an actor is sorted among those of one instant and lane. */
  readonly tieOrder?: (actor: string) => string;
  readonly watchdogMs: number;
  readonly onStuck: (holders: readonly ClockHold[]) => void;
  /** Default: that of this process. */
  readonly machine?: MachineTime;
  /** The clock and timers of the pace; default: `machine`. */
  readonly pacedBy?: MachineTime;
}
