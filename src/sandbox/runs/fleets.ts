/** The sandbox's own fleet and those of the scenarios that play in it, as one: each watch is asked of the fleet that has it. */
import type { AlertType } from '../../contract/enumerations.ts';
import type { Acted, Fleet } from '../../fleet/fleet.ts';

export class Fleets implements Fleet {
  /** Null with `--no-fleet`, and until it is started. */
  own: Fleet | null = null;
  /**
   * Resolves when the service has heard what the watch said so far. Null where a PUBACK says just that; an external broker
   * gives one before the service has the message.
   */
  caughtUp: ((serial: string) => Promise<void>) | null = null;
  readonly #guests = new Set<Fleet>();

  /** The answer takes it out again; it is not stopped by that. */
  add(guest: Fleet): () => void {
    this.#guests.add(guest);
    return () => this.#guests.delete(guest);
  }

  get #all(): Fleet[] {
    return this.own === null ? [...this.#guests] : [this.own, ...this.#guests];
  }

  /** The fleet that emulates this watch; else the first fleet, whose methods reject unknown serials. */
  #of(serial: string): Fleet {
    const all = this.#all;
    const [any] = all;
    const found = all.find((fleet) => fleet.emulates(serial)) ?? any;
    if (found === undefined) throw new Error(`nobody emulates ${serial}`);
    return found;
  }

  #act(serial: string, act: (fleet: Fleet) => Promise<Acted>): Promise<Acted> {
    const acting = act(this.#of(serial));
    const { caughtUp } = this;
    if (caughtUp === null) return acting;
    return acting.then(async (acted) => {
      if ('done' in acted && acted.done === 'sent') await caughtUp(serial);
      return acted;
    });
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

  sos: Fleet['sos'] = (serial, how) => this.#act(serial, (fleet) => fleet.sos(serial, how));
  fall: Fleet['fall'] = (serial, how) => this.#act(serial, (fleet) => fleet.fall(serial, how));
  answer: Fleet['answer'] = (serial, how) => this.#act(serial, (fleet) => fleet.answer(serial, how));
  pressAck: Fleet['pressAck'] = (serial, how) => this.#act(serial, (fleet) => fleet.pressAck(serial, how));
  cannotEvacuate: Fleet['cannotEvacuate'] = (serial, how) =>
    this.#act(serial, (fleet) => fleet.cannotEvacuate(serial, how));
  free: Fleet['free'] = (serial) => this.#act(serial, (fleet) => fleet.free(serial));
  callRequest: Fleet['callRequest'] = (serial, how) => this.#act(serial, (fleet) => fleet.callRequest(serial, how));
  declare: Fleet['declare'] = (serial, how) => this.#act(serial, (fleet) => fleet.declare(serial, how));
  swap: Fleet['swap'] = (serial, other) => this.#act(serial, (fleet) => fleet.swap(serial, other));
  battery: Fleet['battery'] = (serial, how) => this.#act(serial, (fleet) => fleet.battery(serial, how));
  signal: Fleet['signal'] = (serial, how) => this.#act(serial, (fleet) => fleet.signal(serial, how));
  position: Fleet['position'] = (serial, fix) => this.#act(serial, (fleet) => fleet.position(serial, fix));
  moveTo: Fleet['moveTo'] = (serial, move) => this.#act(serial, (fleet) => fleet.moveTo(serial, move));
  put: Fleet['put'] = (serial, stand) => this.#act(serial, (fleet) => fleet.put(serial, stand));
  wear: Fleet['wear'] = (serial, how) => this.#act(serial, (fleet) => fleet.wear(serial, how));
  clockSkew: Fleet['clockSkew'] = (serial, how) => this.#act(serial, (fleet) => fleet.clockSkew(serial, how));

  expectVehicle: Fleet['expectVehicle'] = (serial, how) =>
    this.#act(serial, (fleet) => fleet.expectVehicle(serial, how));
  radioHoles: Fleet['radioHoles'] = (serial, how) => this.#of(serial).radioHoles(serial, how);

  whereIs(serial: string): ReturnType<Fleet['whereIs']> {
    return this.#all.map((fleet) => fleet.whereIs(serial)).find((point) => point !== null) ?? null;
  }

  rescued(serial: string, alertType: AlertType): void {
    for (const fleet of this.#all) fleet.rescued(serial, alertType);
  }

  unable: Fleet['unable'] = (serial) => this.#of(serial).unable(serial);
  unanswerable: Fleet['unanswerable'] = (serial) => this.#of(serial).unanswerable(serial);

  heldBack(serial: string): string | null {
    return this.#all.map((fleet) => fleet.heldBack(serial)).find((why) => why !== null) ?? null;
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
