/** The state at any instant of a recorded stream, rebuilt from the nearest kept one. */
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
    const wanted = countUpTo(this.#changes, t);
    const kept = Math.min(Math.floor(wanted / KEPT_EVERY), this.#kept.length - 1);
    if (wanted < this.#count || this.#count < kept * KEPT_EVERY) {
      this.#count = kept * KEPT_EVERY;
      this.#state = this.#kept[kept] ?? EMPTY_STATE;
    }
    while (this.#count < wanted) {
      const { change } = this.#changes[this.#count++] as TimedChange;
      this.#state = afterChange(this.#state, change, 0);
      if (this.#count === this.#kept.length * KEPT_EVERY) this.#kept.push(this.#state);
    }
    return this.#state;
  }
}

/** How many of the entries, in the order of time, are not after `t`. */
export function countUpTo(entries: readonly { readonly t: number }[], t: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as { readonly t: number }).t <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}
