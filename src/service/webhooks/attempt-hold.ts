/** The hold on the clock of one attempt: simulated time waits for its reply. */
import type { Release } from '../../base/time/clock.ts';

/** The attempt's hold on the clock, which is released while a receiver lets simulated time pass. */
export class AttemptHold {
  readonly #open: () => Release;
  #release: Release;

  constructor(open: () => Release) {
    this.#open = open;
    this.#release = open();
  }

  close(): void {
    this.#release();
  }

  reopen(): void {
    this.#release();
    this.#release = this.#open();
  }
}
