/** The delay of due work: the greatest lag since an instant, without a record for every task. */
import type { Instant } from './clock.ts';

/** The smallest recorded lag; wall-clock ms. Timers of an idle machine are late by a few ms. */
const LEAST_MS = 20;

export class LagRecord {
  /** By instant. Each lag is smaller than the one before: only such a lag can be the greatest of a span up to now. */
  readonly #peaks: { readonly due: Instant; readonly ms: number }[] = [];

  add(due: Instant, ms: number): void {
    if (ms < LEAST_MS) return;
    while ((this.#peaks.at(-1)?.ms ?? Number.POSITIVE_INFINITY) <= ms) this.#peaks.pop();
    this.#peaks.push({ due, ms });
  }

  /** The greatest lag of work that was due at or after the instant; wall ms. */
  since(instant: Instant): number {
    return this.#peaks.find(({ due }) => due >= instant)?.ms ?? 0;
  }
}
