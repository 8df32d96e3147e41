/** Connects watches, some at a time. In lock-step, those of one instant begin together, in order of their serials. */
import type { Clock, Release } from '../../base/time/clock.ts';

/** A watch that wants to connect. */
export interface Connecting {
  readonly serial: string;
  dial(): void;
  /** The watch is connected and subscribed, and may now publish. */
  begin(): void;
}

/** The most connections that are opened at once. With more, they would only wait for one another. */
const AT_ONCE = 50;

export class Connector {
  readonly #clock: Clock;
  readonly #queue: Connecting[] = [];
  readonly #holds = new Map<Connecting, Release>();
  readonly #dialling = new Set<Connecting>();
  /** Watches that are subscribed, and wait for the others of the same instant. */
  #subscribed: Connecting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Simulated time waits until the watch has begun or failed. */
  connect(watch: Connecting): void {
    this.#holds.set(
      watch,
      this.#clock.hold('connect', () => `connection of watch ${watch.serial}`),
    );
    this.#queue.push(watch);
    this.#goOn();
  }

  succeeded(watch: Connecting): void {
    if (!this.#dialling.delete(watch)) return;
    this.#subscribed.push(watch);
    this.#goOn();
  }

  /** The attempt failed, or was cancelled. */
  failed(watch: Connecting): void {
    this.#dialling.delete(watch);
    const place = this.#queue.indexOf(watch);
    if (place >= 0) this.#queue.splice(place, 1);
    this.#subscribed = this.#subscribed.filter((one) => one !== watch);
    this.#release(watch);
    this.#goOn();
  }

  #goOn(): void {
    while (this.#dialling.size < AT_ONCE) {
      const watch = this.#queue.shift();
      if (watch === undefined) break;
      this.#dialling.add(watch);
      watch.dial();
    }
    // Which socket is ready first is random; the order of messages at the service must not be.
    if (this.#clock.mode === 'lockstep' && this.#dialling.size > 0) return;
    const ready = this.#subscribed.sort((a, b) => (a.serial < b.serial ? -1 : 1));
    this.#subscribed = [];
    for (const watch of ready) watch.begin();
    for (const watch of ready) this.#release(watch);
  }

  #release(watch: Connecting): void {
    this.#holds.get(watch)?.();
    this.#holds.delete(watch);
  }
}
