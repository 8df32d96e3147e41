/** The battery of a watch: a level that falls evenly, shown in whole percent. */
import type { Instant } from '../base/clock.ts';

const HOUR_MS = 3_600_000;

/** Percentage points an hour of a watch that is worn through a shift of about 12 hours. */
export const DRAIN_PER_HOUR = { min: 4, max: 6 } as const;

/** A level this little above a whole percent is that percent. */
const ROUNDING = 1e-9;

export class Charge {
  #level: number;
  #since: Instant;
  #drainPerHour: number;

  constructor(pct: number, drainPerHour: number, now: Instant) {
    this.#level = pct;
    this.#since = now;
    this.#drainPerHour = drainPerHour;
  }

  /** What the watch shows and reports. */
  pct(now: Instant): number {
    return Math.max(0, Math.ceil(this.#levelAt(now) - ROUNDING));
  }

  /** When the shown percent will next be one less; infinity when never. */
  nextChangeAt(now: Instant): Instant {
    const next = this.pct(now) - 1;
    if (this.#drainPerHour === 0 || next < 0) return Number.POSITIVE_INFINITY;
    return Math.ceil(now + ((this.#levelAt(now) - next) / this.#drainPerHour) * HOUR_MS);
  }

  /** `pct`: it has this charge now; `drain`: it loses so many points an hour from now on. */
  set({ pct, drain }: { pct?: number | undefined; drain?: number | undefined }, now: Instant): void {
    this.#level = pct ?? this.#levelAt(now);
    this.#since = now;
    this.#drainPerHour = drain ?? this.#drainPerHour;
  }

  #levelAt(now: Instant): number {
    return Math.max(0, this.#level - (this.#drainPerHour * (now - this.#since)) / HOUR_MS);
  }
}
