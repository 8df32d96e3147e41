/** What becomes of a watch in a muster without an action: its wearer presses, leaves it behind, or loses the cover. Who acts on purpose has the last word. */
import type { Instant } from '../base/clock.ts';
import type { KeptWatch } from './kept/watch.ts';
import type { WatchMachine } from './machine.ts';
import type { MusterAct } from './people/muster-part.ts';

export interface DeedParts {
  readonly machine: WatchMachine;
  /** Whether the watch is with its wearer, as far as anybody knows. */
  readonly worn: () => boolean;
  /** Whether it has the network now. */
  readonly covered: () => boolean;
  /** Whether it shows its wearer where they are, and that the service hears of it. */
  readonly seen: () => boolean;
  /** `off`: it stays where it is while its wearer goes. */
  wear(is: 'on' | 'off', now: Instant): void;
  lose(): void;
  /** Resolves when it is connected again. */
  regain(): Promise<unknown>;
}

export class MusterDeeds {
  readonly #of: DeedParts;
  /** What is to be undone: nobody has said since how it is. */
  #tookOff = false;
  #lost = false;

  constructor(parts: DeedParts) {
    this.#of = parts;
  }

  kept(): KeptWatch['deeds'] {
    return { tookOff: this.#tookOff, lost: this.#lost };
  }

  resume({ tookOff, lost }: KeptWatch['deeds']): void {
    this.#tookOff = tookOff;
    this.#lost = lost;
  }

  /** Whether the watch is worn was set by an action. */
  toldWear(): void {
    this.#tookOff = false;
  }

  /** Whether the watch has the network was set by an action. */
  coverWasSet(): void {
    this.#lost = false;
  }

  /** A wearer who is to act puts the watch on and regains the network, unless an action set it otherwise; null: at once. */
  toHand(now: Instant): Promise<unknown> | null {
    this.#befalls('puts-on', now);
    if (!this.#lost) return null;
    this.#lost = false;
    return this.#of.regain();
  }

  do(deed: MusterAct, now: Instant): void {
    const { machine, worn, seen } = this.#of;
    switch (deed.kind) {
      case 'help':
        // Nobody presses what they do not wear.
        if (worn()) machine.report('help', { reason: deed.reason }, now);
        return;
      case 'declare':
        if (worn() && !(deed.ifUnseen && seen())) machine.report('declare', { point_id: deed.pointId }, now);
        return;
      default:
        this.#befalls(deed.kind, now);
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
