/** Whether the wearer has the watch on the wrist, and what the watch reports about it. */
import type { Instant } from '../../base/time/clock.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import type { WatchMachine } from './machine.ts';

export class Wrist {
  readonly #machine: WatchMachine;
  /** A function, since its wearer may take over another watch. */
  readonly #whereabouts: () => WatchWhereabouts;
  /** Whether it is worn when it is not on the charger; null if it has no sensor. */
  #wornAs: boolean | null;

  constructor(machine: WatchMachine, whereabouts: () => WatchWhereabouts) {
    this.#machine = machine;
    this.#whereabouts = whereabouts;
    this.#wornAs = machine.worn;
  }

  /** Whether it is worn when it is not on the charger; null if it has no sensor. */
  get wornAs(): boolean | null {
    return this.#wornAs;
  }

  resume(wornAs: boolean | null): void {
    this.#wornAs = wornAs;
  }

  /** True if the watch is with its wearer, who can press its buttons. */
  get has(): boolean {
    return this.#machine.worn !== false && !this.#whereabouts().laidDown;
  }

  /** `off`: the watch stays where it is while the person goes on. `unknown`: the watch has no sensor. */
  wear(is: 'on' | 'off' | 'unknown', now: Instant): void {
    this.#wornAs = is === 'unknown' ? null : is === 'on';
    this.#machine.worn = this.#wornAs;
    this.#lay(is === 'off', now);
  }

  /** The same, but a watch without a sensor keeps reporting no state. */
  take(is: 'on' | 'off', now: Instant): void {
    if (this.#wornAs === null) this.#lay(is === 'off', now);
    else this.wear(is, now);
  }

  /** The watch is put on its charger, or worn again. */
  onCharger(is: boolean): void {
    this.#machine.worn = is && this.#wornAs !== null ? false : this.#wornAs;
  }

  #lay(down: boolean, now: Instant): void {
    if (down) this.#whereabouts().layDown(now);
    else this.#whereabouts().pickUp();
  }
}
