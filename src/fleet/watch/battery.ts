/** The battery of an emulated watch in use: on the charger or not, what it reports, and what happens when it is empty. [realism 3.3, 8] */
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
  /** Its wearer may take over another watch. */
  readonly whereabouts: () => WatchWhereabouts;
  /** The watch reports where it is now. */
  keepFix(now: Instant): void;
  /** The watch was dead, and starts again. */
  revive(): void;
  /** Something of it is to be kept. */
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

  /** On the charger the watch is off the wrist: one last fix says so, and the next one comes when it is worn again. */
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

  /** What the watch does, and so what it draws. */
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
