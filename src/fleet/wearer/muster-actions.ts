/**
 * What happens to watches in a muster without an action: the wearer presses a button, leaves the watch behind, or loses
 * coverage. An explicit action has priority.
 */
import type { Instant } from '../../base/time/clock.ts';
import type { KeptWatch } from '../kept/documents.ts';
import type { MusterAct } from '../people/muster/muster-part.ts';
import type { WatchMachine } from '../watch/machine.ts';

interface MusterActionParts {
  readonly machine: WatchMachine;
  /** True if the watch is with its wearer, as far as is known. */
  readonly worn: () => boolean;
  /** True if the watch has the network now. */
  readonly covered: () => boolean;
  /** True if the watch shows its wearer their position, and that it reports this position to the service. */
  readonly seen: () => boolean;
  /** `off`: the watch stays where it is while its wearer goes. */
  wear(is: 'on' | 'off', now: Instant): void;
  lose(): void;
  /** Resolves when the watch is connected again. */
  regain(): Promise<unknown>;
}

export class MusterActions {
  readonly #of: MusterActionParts;
  /** The changes made by the muster that must be undone, unless an action has set the state since. */
  #tookOff = false;
  #lost = false;

  constructor(parts: MusterActionParts) {
    this.#of = parts;
  }

  kept(): KeptWatch['deeds'] {
    return { tookOff: this.#tookOff, lost: this.#lost };
  }

  resume({ tookOff, lost }: KeptWatch['deeds']): void {
    this.#tookOff = tookOff;
    this.#lost = lost;
  }

  /** An action has set whether the watch is worn. */
  orderedWear(): void {
    this.#tookOff = false;
  }

  /** An action has set whether the watch has the network. */
  orderedCover(): void {
    this.#lost = false;
  }

  /**
   * Called before an action of the wearer: undoes the muster's changes to wearing and coverage. Returns null if there
   * is nothing to await.
   */
  toHand(now: Instant): Promise<unknown> | null {
    this.#befalls('puts-on', now);
    if (!this.#lost) return null;
    this.#lost = false;
    return this.#of.regain();
  }

  do(act: MusterAct, now: Instant): void {
    const { machine, worn, seen } = this.#of;
    switch (act.kind) {
      case 'help':
        // The wearer cannot press a button of a watch that they do not wear.
        if (worn()) machine.report('help', { reason: act.reason }, now);
        return;
      case 'declare':
        if (worn() && !(act.ifUnseen && seen())) machine.report('declare', { point_id: act.pointId }, now);
        return;
      default:
        this.#befalls(act.kind, now);
    }
  }

  #befalls(what: 'takes-off' | 'puts-on' | 'cover-lost' | 'cover-back', now: Instant): void {
    const { worn, covered, wear, lose, regain } = this.#of;
    if (what === 'takes-off' && worn()) {
      this.#tookOff = true;
      wear('off', now);
    } else if (what === 'puts-on' && this.#tookOff) {
      this.#tookOff = false;
      wear('on', now);
    } else if (what === 'cover-lost' && covered()) {
      this.#lost = true;
      lose();
    } else if (what === 'cover-back' && this.#lost) {
      this.#lost = false;
      void regain();
    }
  }
}
