/** The battery charge of a watch: falls at a constant rate for each activity, rises on the charger, and is reported in whole percent. [realism 3.3] */
import { exp } from '../../base/random/portable-math.ts';
import type { Stream } from '../../base/random/streams.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { KeptPower } from '../kept/documents.ts';

const HOUR_MS = 3_600_000;

/** What a watch does: reports at its usual pace, reports often (an open alert or a muster), or is on the charger. */
export type ChargeMode = 'normal' | 'alarm' | 'charging';

/**
 * Percentage points an hour of a watch that is worn through a shift of about 12 hours. Less than the 7 of [realism 3.3], with
 * which one shift in two would end below 10 % instead of one in thirty [realism 7.6 e]; the action `battery` takes another.
 */
const DRAIN_PER_HOUR = 4.5;

/** Percentage points an hour while it reports often: GPS and LTE together. [realism 3.3] */
const ALARM_DRAIN_PER_HOUR = 20;

/**
 * Batteries age, and radios differ: the drains of a watch are those times e to the power of a normal value with this
 * deviation, cut at twice that. An assumption: 0.74 to 1.35 of the usual.
 */
const DRAIN_SPREAD = 0.15;
const DRAIN_LIMIT = 2;

/** What a watch loses when it is worn: its own share of the usual. */
export function drainsOf(stream: Pick<Stream, 'truncatedNormal'>): Drains {
  const share = exp(DRAIN_SPREAD * stream.truncatedNormal(0, 1, -DRAIN_LIMIT, DRAIN_LIMIT));
  return { normal: share * DRAIN_PER_HOUR, alarm: share * ALARM_DRAIN_PER_HOUR };
}

/** Percentage points an hour on the charger, up to 80 % and from there on: 80 % in 1.5 h, full in 2 h. [realism 3.3] */
const FAST_PER_HOUR = 53;
const SLOW_PER_HOUR = 40;
const SLOW_FROM_PCT = 80;

/** A level this little above a whole percent is that percent. */
const ROUNDING = 1e-9;

/** Drains by mode, percentage points an hour. */
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

  /** What the watch shows and reports. */
  pct(now: Instant): number {
    return Math.max(0, Math.ceil(this.#levelAt(now) - ROUNDING));
  }

  /** When the shown percent will next be another; infinity when never. */
  nextChangeAt(now: Instant): Instant {
    const shown = this.pct(now);
    if (this.charging) return shown >= 100 ? Number.POSITIVE_INFINITY : this.#risesAbove(shown);
    const drain = this.#drains[this.#mode === 'alarm' ? 'alarm' : 'normal'];
    if (drain === 0 || shown < 1) return Number.POSITIVE_INFINITY;
    return Math.ceil(now + ((this.#levelAt(now) - (shown - 1)) / drain) * HOUR_MS);
  }

  /** What the watch does from now on; false: what it did before. */
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

  /** `pct`: the charge now. `drain`: percentage points lost per hour from now on while off the charger, whatever the activity. */
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
