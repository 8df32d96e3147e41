/** Detects that the holds of a stepping clock have not changed for too long. */
import type { MachineTime } from './timers.ts';

/** The limit is checked in quarters, so a stall is reported after 1 to 1.25 times the limit. */
const LOOKS = 4;

/** The watchdog's inputs and its listener. */
interface WatchdogParts {
  /** Wall milliseconds without progress that count as stuck. */
  limitMs: number;
  /** True while a hold is open. */
  busy: () => boolean;
  /** A number that increases with every progress. */
  progress: () => number;
  onStuck: () => void;
  machine: MachineTime;
}

/** One timer for all holds, since a timer for each would cost more than the hold. */
export class Watchdog {
  readonly #parts: WatchdogParts;
  #cancel: (() => void) | null = null;
  #seen = 0;
  #idleLooks = 0;

  constructor(parts: WatchdogParts) {
    this.#parts = parts;
  }

  /** Starts watching; does nothing if it already watches. */
  watch(): void {
    if (this.#cancel) return;
    this.#seen = this.#parts.progress();
    this.#idleLooks = 0;
    this.#arm();
  }

  /** Stops watching, and its timer. */
  rest(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #arm(): void {
    this.#cancel = this.#parts.machine.later(this.#parts.limitMs / LOOKS, () => this.#look());
  }

  #look(): void {
    this.#cancel = null;
    if (!this.#parts.busy()) return;
    const progress = this.#parts.progress();
    this.#idleLooks = progress === this.#seen ? this.#idleLooks + 1 : 0;
    this.#seen = progress;
    // After the call the watchdog rests until something changes, so each stall is reported once.
    if (this.#idleLooks >= LOOKS) this.#parts.onStuck();
    else this.#arm();
  }
}
