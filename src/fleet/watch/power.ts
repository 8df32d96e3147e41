/** The power of a watch: its charge, when it reports the charge, and when it switches off and on again. [realism 3.3] */
import type { Instant } from '../../base/time/clock.ts';
import { type KeptPower, keptInstant, resumedInstant } from '../kept/documents.ts';
import type { Charge, ChargeMode } from './charge.ts';

/**
 * The longest interval between charge reports on the charger, where a watch reports no positions: half of the 10 min
 * after which the watch would count as offline. [decisions 5]
 */
const CHARGING_REPORT_MS = 5 * 60_000;

/**
 * At or below this charge, the wearer notices that it will not last. It is a little above the alert at 20 %
 * [realism 3.3]; percent.
 */
const SEES_LOW_PCT = 23;

/** A dead watch on its charger starts again at this charge; percent. An assumption, above the 3 % at which it dies. */
const STARTS_AGAIN_PCT = 5;

/** From the last report of an empty watch to its end; milliseconds. An assumption. */
const LAST_WORD_MS = 1_000;

export class Power {
  /** When the next charge report is due. */
  reportAt: Instant = Number.POSITIVE_INFINITY;
  /** The instant at which the watch dies, after it has reported that it is empty. */
  diesAt: Instant = Number.POSITIVE_INFINITY;
  dead = false;
  readonly #charge: Charge;
  /** At or below this charge the watch is dead; percent. */
  readonly #deadPct: number;
  /** True once an action has set the charge. */
  #isSet = false;

  constructor(charge: Charge, deadPct: number) {
    this.#charge = charge;
    this.#deadPct = deadPct;
  }

  get charging(): boolean {
    return this.#charge.charging;
  }

  /** The instant at which the charge must be reported, or the watch dies, whichever is first. */
  get dueAt(): Instant {
    return Math.min(this.reportAt, this.diesAt);
  }

  pct(now: Instant): number {
    return this.#charge.pct(now);
  }

  /** True if the charge will probably not last for the wearer's shift. */
  isLow(now: Instant): boolean {
    return !this.charging && !this.#isSet && this.pct(now) <= SEES_LOW_PCT;
  }

  /** Sets what the watch does from now on. Returns false if nothing changes. */
  use(mode: ChargeMode, now: Instant): boolean {
    if (!this.#charge.be(mode, now)) return false;
    if (mode === 'charging') this.#isSet = false;
    this.reportAt = Math.min(this.reportAt, this.#charge.nextChangeAt(now));
    return true;
  }

  /**
   * Sets charge and drain from now on. Returns true if a dead watch starts again. If only the drain is set, the wearer
   * still reacts to a low charge.
   */
  set(charge: { pct?: number | undefined; drain?: number | undefined }, now: Instant): boolean {
    this.#charge.set(charge, now);
    if (charge.pct !== undefined) this.#isSet = true;
    return this.#startsAbove(this.#deadPct, now);
  }

  /** The charge is reported now. Returns true if a dead watch starts again. */
  reported(now: Instant): boolean {
    this.reportAt = this.#charge.nextChangeAt(now);
    if (this.charging) this.reportAt = Math.min(this.reportAt, now + CHARGING_REPORT_MS);
    const starts = this.charging && this.#startsAbove(STARTS_AGAIN_PCT - 1, now);
    const empty = !this.dead && !this.charging && this.pct(now) <= this.#deadPct;
    this.diesAt = empty ? now + LAST_WORD_MS : Number.POSITIVE_INFINITY;
    return starts;
  }

  die(): void {
    this.dead = true;
    this.diesAt = Number.POSITIVE_INFINITY;
  }

  kept(): KeptPower {
    return {
      ...this.#charge.kept(),
      told: this.#isSet,
      dead: this.dead,
      reportAt: keptInstant(this.reportAt),
      diesAt: keptInstant(this.diesAt),
    };
  }

  resume(kept: KeptPower, gapMs: number): void {
    this.#charge.resume(kept, gapMs);
    this.#isSet = kept.told;
    this.dead = kept.dead;
    this.reportAt = resumedInstant(kept.reportAt, gapMs);
    this.diesAt = resumedInstant(kept.diesAt, gapMs);
  }

  #startsAbove(pct: number, now: Instant): boolean {
    if (!this.dead || this.pct(now) <= pct) return false;
    this.dead = false;
    return true;
  }
}
