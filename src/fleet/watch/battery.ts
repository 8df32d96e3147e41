/** The battery of an emulated watch in use: whether it is on the charger, its reports, and what happens when it is empty. [realism 3.3, 8] */
import type { Instant } from '../../base/time/clock.ts';
import type { BatteryItem } from '../connection/outbox.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import type { ChargeMode } from './charge.ts';
import type { QueuedItem, WatchMachine } from './machine.ts';
import type { Power } from './power.ts';
import type { Wrist } from './wrist.ts';

interface BatteryParts {
  readonly machine: WatchMachine;
  readonly power: Power;
  readonly wrist: Wrist;
  /** A function, since its wearer may take over another watch. */
  readonly whereabouts: () => WatchWhereabouts;
  /** Queues a report of the current position. */
  keepFix(now: Instant): void;
  /** Starts a watch that was dead. */
  revive(): void;
  /** The state of the watch changed, and must be stored. */
  changed(): void;
}

export class Battery {
  readonly #of: BatteryParts;
  #docked = false;

  constructor(parts: BatteryParts) {
    this.#of = parts;
  }

  /** On its charger, where the watch reports no positions. */
  get docked(): boolean {
    return this.#docked;
  }

  resume(docked: boolean): void {
    this.#docked = docked;
  }

  /**
   * A watch on the charger is off the wrist: a last fix reports this, and the next fix comes when the watch is worn
   * again.
   */
  seeCharger(now: Instant): void {
    const { whereabouts, wrist, power, keepFix } = this.#of;
    const docked = whereabouts().docked(now);
    if (docked === this.#docked) return;
    this.#docked = docked;
    wrist.onCharger(docked);
    if (docked && !power.dead) keepFix(now);
    this.use(now);
    this.report(now);
  }

  /** Sets the drain from what the watch currently does. */
  use(now: Instant): void {
    const mode: ChargeMode = this.#docked ? 'charging' : this.#of.machine.alarmed ? 'alarm' : 'normal';
    if (this.#of.power.use(mode, now)) this.#of.changed();
  }

  report(now: Instant): QueuedItem<BatteryItem> {
    const { machine, power, whereabouts, revive, changed } = this.#of;
    changed();
    if (power.reported(now)) revive();
    if (power.isLow(now)) whereabouts().seeLowBattery();
    return machine.reportBattery(power.pct(now), now, power.charging);
  }
}
