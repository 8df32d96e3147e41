/** The battery charge of a watch: falls at a constant rate for each activity, rises on the charger, and is reported in whole percent. [realism 3.3] */
import { exp } from '../../base/random/portable-math.ts';
import type { Stream } from '../../base/random/streams.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { KeptPower } from '../kept/documents.ts';

const HOUR_MS = 3_600_000;

/**
 * What a watch does: it reports at its usual rate, it reports often (an open alert or a muster), or it is on the
 * charger.
 */
export type ChargeMode = 'normal' | 'alarm' | 'charging';

/**
 * Percentage points per hour of a watch that is worn for a shift of about 12 hours. It is less than the 7 of
 * [realism 3.3], with which one shift in two would end below 10 % instead of one in thirty [realism 7.6 e]. The action
 * `battery` can set another value.
 */
const DRAIN_PER_HOUR = 4.5;

/** Percentage points per hour while the watch reports often: GPS and LTE together. [realism 3.3] */
const ALARM_DRAIN_PER_HOUR = 20;

/**
 * Batteries age, and radios differ. So the drains of each watch are multiplied by exp(x), where x is a normal value
 * with this standard deviation, truncated at twice that. An assumption: 0.74 to 1.35 of the usual drain.
 */
const DRAIN_SPREAD = 0.15;
const DRAIN_LIMIT = 2;

/** The drains of one watch: the usual drains times a random factor. */
export function drainsOf(stream: Pick<Stream, 'truncatedNormal'>): Drains {
  const share = exp(DRAIN_SPREAD * stream.truncatedNormal(0, 1, -DRAIN_LIMIT, DRAIN_LIMIT));
  return { normal: share * DRAIN_PER_HOUR, alarm: share * ALARM_DRAIN_PER_HOUR };
}

/** Percentage points per hour on the charger, up to 80 % and above it: 80 % in 1.5 h, full in 2 h. [realism 3.3] */
const FAST_PER_HOUR = 53;
const SLOW_PER_HOUR = 40;
const SLOW_FROM_PCT = 80;

/** Tolerance: a level this little above a whole percent counts as that percent. */
const ROUNDING = 1e-9;

/** Drains by mode, percentage points per hour. */
interface Drains {
  readonly normal: number;
  readonly alarm: number;
}

export class Charge {
  #level: number;
  #since: Instant;
  #drains: Drains;
  #mode: ChargeMode = 'normal';

  constructor(pct: number, drains: Drains, now: Instant) {
    this.#level = pct;
    this.#since = now;
    this.#drains = drains;
  }

  get charging(): boolean {
    return this.#mode === 'charging';
  }

  /** The percentage that the watch shows and reports. */
  pct(now: Instant): number {
    return Math.max(0, Math.ceil(this.#levelAt(now) - ROUNDING));
  }

  /** The instant at which the shown percentage next changes; infinity if never. */
  nextChangeAt(now: Instant): Instant {
    const shown = this.pct(now);
    if (this.charging) return shown >= 100 ? Number.POSITIVE_INFINITY : this.#risesAbove(shown);
    const drain = this.#drains[this.#mode === 'alarm' ? 'alarm' : 'normal'];
    if (drain === 0 || shown < 1) return Number.POSITIVE_INFINITY;
    return Math.ceil(now + ((this.#levelAt(now) - (shown - 1)) / drain) * HOUR_MS);
  }

  /** Sets what the watch does from now on. Returns false if nothing changes. */
  be(mode: ChargeMode, now: Instant): boolean {
    if (mode === this.#mode) return false;
    this.#level = this.#levelAt(now);
    this.#since = now;
    this.#mode = mode;
    return true;
  }

  kept(): Pick<KeptPower, 'level' | 'since' | 'drains' | 'mode'> {
    return { level: this.#level, since: this.#since, drains: this.#drains, mode: this.#mode };
  }

  resume({ level, since, drains, mode }: Pick<KeptPower, 'level' | 'since' | 'drains' | 'mode'>, gapMs: number): void {
    this.#level = level;
    this.#since = since + gapMs;
    this.#drains = drains;
    this.#mode = mode;
  }

  /**
   * `pct`: the charge now. `drain`: percentage points lost per hour from now on while off the charger, whatever the
   * activity.
   */
  set({ pct, drain }: { pct?: number | undefined; drain?: number | undefined }, now: Instant): void {
    this.#level = pct ?? this.#levelAt(now);
    this.#since = now;
    if (drain !== undefined) this.#drains = { normal: drain, alarm: drain };
  }

  #levelAt(now: Instant): number {
    const hours = (now - this.#since) / HOUR_MS;
    if (this.charging) return Math.min(100, chargedTo(this.#level, hours));
    return Math.max(0, this.#level - this.#drains[this.#mode === 'alarm' ? 'alarm' : 'normal'] * hours);
  }

  #risesAbove(pct: number): Instant {
    const fast = Math.max(0, Math.min(pct, SLOW_FROM_PCT) - this.#level) / FAST_PER_HOUR;
    const slow = Math.max(0, pct - Math.max(this.#level, SLOW_FROM_PCT)) / SLOW_PER_HOUR;
    return Math.floor(this.#since + (fast + slow) * HOUR_MS) + 1;
  }
}

function chargedTo(level: number, hours: number): number {
  const fastHours = Math.max(0, SLOW_FROM_PCT - level) / FAST_PER_HOUR;
  if (hours <= fastHours) return level + hours * FAST_PER_HOUR;
  return Math.max(level, SLOW_FROM_PCT) + (hours - fastHours) * SLOW_PER_HOUR;
}
