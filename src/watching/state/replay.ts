/** The state at any instant of a recorded stream, rebuilt from the nearest kept one. */
import { countUpTo } from '../../base/sorted-numbers.ts';
import type { StreamChange } from '../../contract/stream.ts';
import { afterChange, EMPTY_STATE, type StreamState } from './state.ts';

/** `t`: in any unit that does not decrease. */
export interface TimedChange {
  readonly t: number;
  readonly change: StreamChange;
}

/** Changes from one kept state to the next. */
const KEPT_EVERY = 250;

export class Replay {
  readonly #changes: readonly TimedChange[];
  /** The states after each 250 changes, as far as they were needed; the first is the empty one. */
  readonly #kept: StreamState[] = [EMPTY_STATE];
  /** The last state, and the number of changes in it. */
  #state = EMPTY_STATE;
  #count = 0;

  constructor(changes: readonly TimedChange[]) {
    this.#changes = changes;
  }

  /** The state after all changes up to `t`. The same object as before if there was no change between. */
  at(t: number): StreamState {
    const changes = this.#changes;
    const wanted = countUpTo(changes.length, (place) => (changes[place] as TimedChange).t, t);
    const kept = Math.min(Math.floor(wanted / KEPT_EVERY), this.#kept.length - 1);
    if (wanted < this.#count || this.#count < kept * KEPT_EVERY) {
      this.#count = kept * KEPT_EVERY;
      this.#state = this.#kept[kept] ?? EMPTY_STATE;
    }
    while (this.#count < wanted) {
      const { change } = changes[this.#count++] as TimedChange;
      this.#state = afterChange(this.#state, change, 0);
      if (this.#count === this.#kept.length * KEPT_EVERY) this.#kept.push(this.#state);
    }
    return this.#state;
  }
}
