/** The sandbox's own fleet and those of the stories that play in it, as one: each watch is asked of the fleet that has it. */
import type { AlertType } from '../../contract/enumerations.ts';
import type { Fleet } from '../../fleet/fleet.ts';

export class Fleets implements Fleet {
  /** Null with `--no-fleet`, and until it is started. */
  own: Fleet | null = null;
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

  ownsPort(port: number): boolean {
    return this.#all.some((fleet) => fleet.ownsPort(port));
  }

  async ready(): Promise<void> {
    await Promise.all(this.#all.map((fleet) => fleet.ready()));
  }

  sos: Fleet['sos'] = (serial, how) => this.#of(serial).sos(serial, how);
  fall: Fleet['fall'] = (serial, how) => this.#of(serial).fall(serial, how);
  answer: Fleet['answer'] = (serial, how) => this.#of(serial).answer(serial, how);
  pressAck: Fleet['pressAck'] = (serial, how) => this.#of(serial).pressAck(serial, how);
  cannotEvacuate: Fleet['cannotEvacuate'] = (serial, how) => this.#of(serial).cannotEvacuate(serial, how);
  free: Fleet['free'] = (serial) => this.#of(serial).free(serial);
  callRequest: Fleet['callRequest'] = (serial, how) => this.#of(serial).callRequest(serial, how);
  declare: Fleet['declare'] = (serial, how) => this.#of(serial).declare(serial, how);
  swap: Fleet['swap'] = (serial, other) => this.#of(serial).swap(serial, other);
  battery: Fleet['battery'] = (serial, how) => this.#of(serial).battery(serial, how);
  signal: Fleet['signal'] = (serial, how) => this.#of(serial).signal(serial, how);
  position: Fleet['position'] = (serial, fix) => this.#of(serial).position(serial, fix);
  moveTo: Fleet['moveTo'] = (serial, move) => this.#of(serial).moveTo(serial, move);
  put: Fleet['put'] = (serial, stand) => this.#of(serial).put(serial, stand);
  wear: Fleet['wear'] = (serial, how) => this.#of(serial).wear(serial, how);
  clockSkew: Fleet['clockSkew'] = (serial, how) => this.#of(serial).clockSkew(serial, how);

  expectVehicle: Fleet['expectVehicle'] = (serial, how) => this.#of(serial).expectVehicle(serial, how);
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
