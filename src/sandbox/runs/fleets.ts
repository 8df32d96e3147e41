/** Combines the sandbox's own fleet and those of the running scenarios: each watch is looked up in the fleet that has it. */
import type { AlertType } from '../../contract/enumerations.ts';
import type { Acted, Fleet, WatchAction } from '../../fleet/fleet.ts';

export class Fleets implements Fleet {
  /** Null with `--no-fleet`, and until the fleet is started. */
  own: Fleet | null = null;
  /**
   * Resolves when the service has accepted what the watch has published until now. Null if a PUBACK already guarantees
   * this; an external broker sends a PUBACK before the service has the message.
   */
  caughtUp: ((serial: string) => Promise<void>) | null = null;
  readonly #guests = new Set<Fleet>();

  /** Adds the fleet of a scenario. The returned function removes the fleet again, but does not stop it. */
  add(guest: Fleet): () => void {
    this.#guests.add(guest);
    return () => this.#guests.delete(guest);
  }

  get #all(): Fleet[] {
    return this.own === null ? [...this.#guests] : [this.own, ...this.#guests];
  }

  /** Returns the fleet that emulates this watch; otherwise the first fleet, whose methods reject unknown serials. */
  #of(serial: string): Fleet {
    const all = this.#all;
    const [any] = all;
    const found = all.find((fleet) => fleet.emulates(serial)) ?? any;
    if (found === undefined) throw new Error(`nobody emulates ${serial}`);
    return found;
  }

  get resumed(): Fleet['resumed'] {
    return this.own?.resumed ?? null;
  }

  held(): ReturnType<Fleet['held']> {
    return this.#all.flatMap((fleet) => fleet.held());
  }

  emulates(serial: string): boolean {
    return this.#all.some((fleet) => fleet.emulates(serial));
  }

  failure(serial: string): string | null {
    return this.#all.map((fleet) => fleet.failure(serial)).find((why) => why !== null) ?? null;
  }

  async ready(): Promise<void> {
    await Promise.all(this.#all.map((fleet) => fleet.ready()));
  }

  perform(serial: string, action: WatchAction): Promise<Acted> {
    const performing = this.#of(serial).perform(serial, action);
    const { caughtUp } = this;
    if (caughtUp === null) return performing;
    return performing.then(async (acted) => {
      if ('done' in acted && acted.done === 'sent') await caughtUp(serial);
      return acted;
    });
  }

  objection: Fleet['objection'] = (serial, action) => this.#of(serial).objection(serial, action);

  whereIs(serial: string): ReturnType<Fleet['whereIs']> {
    return this.#all.map((fleet) => fleet.whereIs(serial)).find((point) => point !== null) ?? null;
  }

  rescued(serial: string, alertType: AlertType): void {
    for (const fleet of this.#all) fleet.rescued(serial, alertType);
  }

  yieldWatch(serial: string): void {
    for (const fleet of this.#all) if (fleet.emulates(serial)) fleet.yieldWatch(serial);
  }

  views(): ReturnType<Fleet['views']> {
    return this.#all.flatMap((fleet) => fleet.views());
  }

  truth(): ReturnType<Fleet['truth']> {
    return this.#all.flatMap((fleet) => fleet.truth());
  }

  async keep(): Promise<void> {
    await Promise.all(this.#all.map((fleet) => fleet.keep()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((fleet) => fleet.stop()));
  }
}
