/** Radio outages of one watch: it loses the network at random times, and later reconnects with the messages that it kept. [realism 3.3] */

import { ln } from '../../base/random/portable-math.ts';
import type { Stream, Streams } from '../../base/random/streams.ts';
import { type Cancel, type Clock, LANE } from '../../base/time/clock.ts';

/**
 * The duration of an outage is lognormal around 45 s [realism 3.3, an assumption there]. The limits exclude a flicker,
 * and an outage that is long enough to be taken for a watch that is off. [decisions 5, device_offline]
 */
const OUTAGE_MU = ln(45_000);
const OUTAGE_SIGMA = 1.2;
const OUTAGE_MS = { min: 5_000, max: 8 * 60_000 } as const;

/** Default mean time between two outages; the action `radio-holes` can set another. An assumption. */
const USUAL_GAP_MS = 20 * 60_000;

interface RadioHolesParts {
  readonly clock: Clock;
  readonly serial: string;
  readonly chance: Stream;
  contain(serial: string, task: () => void): void;
  lose(): void;
  regain(): void;
}

class RadioHoles {
  readonly #of: RadioHolesParts;
  readonly #gapMeanMs: number;
  #cancel: Cancel = () => {};
  #inside = false;

  constructor(parts: RadioHolesParts, gapMeanMs = USUAL_GAP_MS) {
    this.#of = parts;
    this.#gapMeanMs = gapMeanMs;
    this.#next();
  }

  /** Ends the outages: the watch has coverage from now on. */
  stop(): void {
    this.#cancel();
    if (this.#inside) this.#of.regain();
    this.#inside = false;
  }

  #next(): void {
    const { clock, serial, chance } = this.#of;
    const drawnMs = this.#inside ? chance.lognormal(OUTAGE_MU, OUTAGE_SIGMA) : chance.exponential(this.#gapMeanMs);
    const waitMs = this.#inside ? Math.min(Math.max(drawnMs, OUTAGE_MS.min), OUTAGE_MS.max) : drawnMs;
    this.#cancel = clock.at(clock.now() + waitMs, { lane: LANE.uplink, actor: serial }, () =>
      this.#of.contain(serial, () => {
        this.#inside = !this.#inside;
        if (this.#inside) this.#of.lose();
        else this.#of.regain();
        this.#next();
      }),
    );
  }
}

/** Switches the radio outages of one watch on and off. */
export class HolesSwitch {
  readonly #of: Omit<RadioHolesParts, 'chance'> & { readonly streams: Streams };
  #holes: RadioHoles | null = null;

  constructor(parts: Omit<RadioHolesParts, 'chance'> & { readonly streams: Streams }) {
    this.#of = parts;
  }

  set(is: 'on' | 'off', gapMeanMs?: number): void {
    this.#holes?.stop();
    const { streams, ...parts } = this.#of;
    this.#holes =
      is === 'off' ? null : new RadioHoles({ ...parts, chance: streams.stream(parts.serial, 'radio') }, gapMeanMs);
  }
}
