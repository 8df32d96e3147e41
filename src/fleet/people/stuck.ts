/** People who cannot leave their place, and why; they stay until freed. [decisions 6] */
import type { Instant } from '../../base/clock.ts';

/** `fallen`: they lie after a fall that they do not answer, or answer with a call for help. */
export const STUCK_BY = ['trapped', 'injured', 'fallen'] as const;
export type StuckBy = (typeof STUCK_BY)[number];

/** One bit per cause; several may hold at once. */
export class Stuck {
  readonly #causes: Uint8Array;
  readonly #since: Float64Array;

  constructor(count: number) {
    this.#causes = new Uint8Array(count);
    this.#since = new Float64Array(count);
  }

  has(i: number): boolean {
    return this.#causes[i] !== 0;
  }

  /** The gravest cause; null: they can go. */
  why(i: number): StuckBy | null {
    return this.has(i) ? STUCK_BY.find((cause) => this.is(i, cause))! : null;
  }

  is(i: number, cause: StuckBy): boolean {
    return (this.#causes[i]! & bitOf(cause)) !== 0;
  }

  /** All causes that hold. */
  causes(i: number): StuckBy[] {
    return STUCK_BY.filter((cause) => this.is(i, cause));
  }

  /** Since when, for the first of the causes that hold. */
  since(i: number): Instant {
    return this.#since[i]!;
  }

  hold(i: number, cause: StuckBy, now: Instant): void {
    if (!this.has(i)) this.#since[i] = now;
    this.#causes[i]! |= bitOf(cause);
  }

  /** Ends the causes; true: that was the last of them, and they can go. */
  free(i: number, causes: readonly StuckBy[]): boolean {
    if (!this.has(i)) return false;
    for (const cause of causes) this.#causes[i]! &= ~bitOf(cause);
    return !this.has(i);
  }
}

const bitOf = (cause: StuckBy): number => 1 << STUCK_BY.indexOf(cause);
