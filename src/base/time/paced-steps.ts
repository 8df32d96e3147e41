/** When the entries of a lock-step clock with a pace may run: not before their time, and after a delay without a burst. */
import type { Instant } from './clock.ts';
import type { Pace } from './pace.ts';

/**
 * A clock that is later than this continues from there, instead of a burst of what is due. Timers alone make it late by
 * some milliseconds at each entry. Wall-clock milliseconds.
 */
const SLACK_MS = 50;

export class PacedSteps {
  /** How far the clock fell behind its pace in all; wall-clock ms. */
  behindMs = 0;
  readonly #pace: Pace;
  /** The instant until which there is no pace. */
  #hurriedTo: Instant = 0;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  hurry(until: Instant): void {
    this.#hurriedTo = Math.max(this.#hurriedTo, until);
  }

  /** Wall-clock ms until the entry may run; 0 or less if its time has come. It is then the place from which the pace continues. */
  waitMsFor(due: Instant): number {
    if (due <= this.#hurriedTo) {
      this.#pace.jump(due);
      return 0;
    }
    if (this.#hurriedTo > this.#pace.read()) this.#pace.jump(this.#hurriedTo);
    const waitMs = this.#pace.wallMsUntil(due);
    if (waitMs < -SLACK_MS) {
      this.behindMs -= waitMs;
      this.#pace.jump(due);
    }
    return waitMs;
  }
}
