/** How late due work ran: the greatest lag since an instant, without a record of every task. */
import type { Instant } from './clock.ts';

/** Less is not recorded; wall ms. Timers of an idle machine are late by a few ms. */
const LEAST_MS = 20;

export class LagRecord {
  /** By instant; each lag is smaller than the one before, since no other can be the greatest of any span up to now. */
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
