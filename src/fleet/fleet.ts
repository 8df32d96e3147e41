/** The fleet of emulated watches: outsiders that meet the service over MQTT only, as anybody's watch would. */
import { asError } from '../base/assert.ts';
import { type Cancel, type Clock, type Instant, LANE } from '../base/clock.ts';
import type { Point } from '../base/geometry.ts';
import { streams } from '../base/streams.ts';
import { Connector } from './connecting.ts';
import { bySite, emulate, openField } from './emulate.ts';
import type { EmulatedWatch } from './emulated-watch.ts';
import type { FleetOptions, FleetWatch } from './fleet-parts.ts';
import { mqttLinks } from './mqtt-link.ts';
import { SitePeople } from './people/site-people.ts';
import { Senses } from './sensing.ts';
import type { Acted, Surroundings } from './surroundings.ts';
import type { ToldFix, ToldMove, ToldStand, WatchTruth, WatchView } from './watch-view.ts';
import { Whereabouts } from './whereabouts.ts';

export type { FleetOptions, FleetWatch } from './fleet-parts.ts';
export type { FleetPermit, FleetSite, FleetVehicle, FleetZone } from './people/site.ts';
export type { Acted, FleetNotice } from './surroundings.ts';
export type { OnFloor, Place, ToldFix, ToldMove, ToldStand, WatchTruth, WatchView } from './watch-view.ts';

/** The fleet's port: people act by it, and nothing else of the service reaches the fleet but MQTT. [decisions 9] */
export interface Fleet {
  /** Resolves when every watch is connected and its birth, first position and charge are heard. */
  ready(): Promise<void>;
  /** Whether the watch is one of the fleet's, and not taken over by somebody else's client. */
  emulates(serial: string): boolean;
  /** Why the watch was taken out of the fleet after an exception; null: it was not. */
  failure(serial: string): string | null;
  /** Whether a local port belongs to a connection of the fleet. */
  ownsPort(port: number): boolean;
  sos(serial: string, how: { with: 'watch_button' | 'watch_hardware_button' }): Promise<Acted>;
  /** `answersAfterMs` counts from the prompt; without it the person thinks for 3 to 12 seconds. */
  fall(serial: string, how: { answers: 'ok' | 'help' | 'never'; answersAfterMs?: number }): Promise<Acted>;
  /** Refused when no prompt is shown. */
  answer(serial: string, how: { with: 'ok' | 'help' }): Promise<Acted>;
  /** Without an alert the newest open one that the wearer has not acknowledged; refused when there is none. */
  pressAck(serial: string, how: { alertId?: string }): Promise<Acted>;
  /** The wearer cannot evacuate, and says why if they can. */
  cannotEvacuate(serial: string, how: { reason: 'trapped' | 'injured' | 'helping' | null }): Promise<Acted>;
  /** Out of coverage the watch records a voice note, unless it is told otherwise. */
  callRequest(serial: string, how: { voiceNote?: boolean }): Promise<Acted>;
  /** The wearer says at which assembly point they are. */
  declare(serial: string, how: { pointId: string }): Promise<Acted>;
  /** The wearer will acknowledge the next vehicle notice so long after it is shown. */
  expectVehicle(serial: string, how: { acknowledgeAfterMs: number }): void;
  /** The wearer puts on another watch: one of the fleet's, whose wearer gets this one, or one that is new to it. */
  swap(serial: string, other: { serial: string; key: string }): Promise<Acted>;
  /** `drain`: percentage points an hour from now on. */
  battery(serial: string, how: { pct?: number; drain?: number }): Promise<Acted>;
  signal(serial: string, how: { is: 'lost' | 'back'; kind: 'network' | 'gps' | 'both' }): Promise<Acted>;
  position(serial: string, told: ToldFix): Promise<Acted>;
  /** The person sets out, round buildings; it does not wait for the arrival. */
  moveTo(serial: string, move: ToldMove): Promise<Acted>;
  /** The person stands there now. Resolves when the first fix is heard; a second follows within a second. [decisions 5] */
  put(serial: string, stand: ToldStand): Promise<Acted>;
  /** `off`: the watch stays where it is while the person walks on; `on`: it is with them again. Resolves when it is heard. */
  wear(serial: string, how: { is: 'on' | 'off' | 'unknown' }): Promise<Acted>;
  /** The watch's own clock is ahead by so many milliseconds from now on; it stamps every `t`. [watch-protocol] */
  clockSkew(serial: string, how: { ms: number }): Promise<Acted>;
  /** Holes in the radio cover from now on, as often as `everyMs` on average (default: 20 min), or none any more. */
  radioHoles(serial: string, how: { is: 'on' | 'off'; everyMs?: number }): void;
  /** Where the person truly is, metres of the site's frame; null: the watch is not the fleet's. */
  whereIs(serial: string): Point | null;
  /** Another client took the watch over: the emulated one is silent from now on. [watch-protocol] */
  yieldWatch(serial: string): void;
  views(): WatchView[];
  /** What is true now of every watch and its wearer, for judging; nothing that the service emits may hold it. [decisions 4] */
  truth(): WatchTruth[];
  /** Every watch says goodbye and disconnects, as far as there is time; the rest just goes. Idempotent. */
  stop(): Promise<void>;
}

/** Reports are looked after once a second: not a timer for each watch. */
const LOOK_EVERY_MS = 1_000;

/** Time that runs this much faster than the wall's makes every message wait for its PUBACK. */
const HURRIED_FACTOR = 2;

/** More at once would all be half said when their time is over. */
const GOODBYES_AT_ONCE = 100;

/** Of the two seconds that a stop may take; who has not begun then goes without a goodbye. [cli, up] */
const GOODBYES_WITHIN_MS = 800;

/** Connects the watches, some at a time; `ready()` tells when all are there. */
export function startFleet(options: FleetOptions): Fleet {
  const fleet = new EmulatedFleet(options);
  fleet.start();
  return fleet;
}

class EmulatedFleet implements Fleet {
  readonly #clock: Clock;
  readonly #watches = new Map<string, EmulatedWatch>();
  readonly #specs = new Map<string, FleetWatch>();
  readonly #people: SitePeople[] = [];
  readonly #around: Surroundings;
  readonly #seed: string;
  readonly #ports = new Set<number>();
  /** Watches that were taken out after an exception, and why. */
  readonly #failed = new Map<string, string>();
  #lookAt: Instant = Number.POSITIVE_INFINITY;
  #cancelLook: Cancel = () => {};
  #lastLook: { now: Instant; monotonic: number } | null = null;
  #hurried: boolean;
  #stopping: Promise<void> | null = null;

  constructor({ clock, brokerUrl, seed, watches, sites = [], onNotice = () => {}, dialLink }: FleetOptions) {
    const { hostname, port } = new URL(brokerUrl);
    this.#clock = clock;
    this.#hurried = clock.mode !== 'real';
    const around: Surroundings = {
      clock,
      streams: streams(seed),
      connector: new Connector(clock),
      dialLink:
        dialLink ??
        mqttLinks({ clock, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 1883), ports: this.#ports }),
      assured: () => this.#hurried,
      replan: (due) => this.#replan(due),
      onNotice,
      contain: (serial, task) => void this.#contain(serial, task),
      attend: (serial, deed) => {
        deed.catch((error) => this.#takeOut(serial, asError(error)));
        return deed;
      },
    };
    this.#around = around;
    this.#seed = seed;
    for (const [siteId, own] of bySite(watches)) {
      const site = sites.find(({ id }) => id === siteId) ?? openField(siteId, own[0]!.origin);
      const people = new SitePeople(site, own, seed, clock.now(), (serial, error) =>
        onNotice({ kind: 'person-failed', serial: serial ?? siteId, why: whyOf(error), error }),
      );
      this.#people.push(people);
      const senses = new Senses(
        seed,
        own.map(({ serial }) => serial),
      );
      for (const [person, watch] of own.entries()) {
        const exact = watch.behave === 'puppet';
        this.#emulate(watch, new Whereabouts({ people, person, senses: exact ? null : senses }));
      }
    }
  }

  start(): void {
    for (const watch of this.#watches.values()) watch.open();
  }

  async ready(): Promise<void> {
    await Promise.all(Array.from(this.#watches.values(), (watch) => watch.ready()));
  }

  emulates(serial: string): boolean {
    return this.#watches.get(serial)?.yielded === false;
  }

  failure(serial: string): string | null {
    return this.#failed.get(serial) ?? null;
  }

  ownsPort(port: number): boolean {
    return this.#ports.has(port);
  }

  sos: Fleet['sos'] = (serial, how) => this.#act(serial, (watch) => watch.sos(how.with));
  fall: Fleet['fall'] = (serial, { answers, answersAfterMs }) =>
    this.#act(serial, (watch) => watch.fall(answers, answersAfterMs));
  answer: Fleet['answer'] = (serial, how) => this.#act(serial, (watch) => watch.answer(how.with));
  pressAck: Fleet['pressAck'] = (serial, { alertId }) => this.#act(serial, (watch) => watch.pressAck(alertId));
  cannotEvacuate: Fleet['cannotEvacuate'] = (serial, { reason }) =>
    this.#act(serial, (watch) => watch.say('help', { reason }));
  callRequest: Fleet['callRequest'] = (serial, { voiceNote }) =>
    this.#act(serial, (watch) => watch.say('call', { voice_note: voiceNote ?? !watch.connected }));
  declare: Fleet['declare'] = (serial, { pointId }) =>
    this.#act(serial, (watch) => watch.say('declare', { point_id: pointId }));
  battery: Fleet['battery'] = (serial, how) => this.#act(serial, (watch) => watch.battery(how));
  signal: Fleet['signal'] = (serial, { is, kind }) =>
    this.#act(serial, (watch) => (is === 'lost' ? watch.loseSignal(kind) : watch.regainSignal(kind)));
  position: Fleet['position'] = (serial, told) => this.#act(serial, (watch) => watch.position(told));
  moveTo: Fleet['moveTo'] = (serial, move) => this.#act(serial, (watch) => watch.moveTo(move));
  put: Fleet['put'] = (serial, stand) => this.#act(serial, (watch) => watch.put(stand));
  wear: Fleet['wear'] = (serial, { is }) => this.#act(serial, (watch) => watch.wear(is));
  clockSkew: Fleet['clockSkew'] = (serial, { ms }) => this.#act(serial, (watch) => watch.clockSkew(ms));

  expectVehicle(serial: string, { acknowledgeAfterMs }: { acknowledgeAfterMs: number }): void {
    this.#watches.get(serial)?.expectVehicle(acknowledgeAfterMs);
  }

  swap: Fleet['swap'] = (serial, other) =>
    this.#act(serial, (watch) => {
      const known = this.#watches.get(other.serial);
      return known === undefined ? this.#replace(watch, other) : watch.exchangeWearers(known);
    });

  /** The old watch is put away; the new one is where it was. */
  async #replace(watch: EmulatedWatch, { serial, key }: { serial: string; key: string }): Promise<Acted> {
    const spec = this.#specs.get(watch.serial) as FleetWatch;
    const fresh = this.#emulate({ ...spec, serial, key, lastSession: 0, worn: 'on' }, watch.whereabouts);
    await watch.leave();
    this.#watches.delete(watch.serial);
    this.#specs.delete(watch.serial);
    fresh.open();
    await fresh.ready();
    if (this.#watches.get(serial) !== fresh) return { refused: `The watch ${serial} was put away again meanwhile.` };
    return { done: 'sent', at: this.#clock.now() };
  }

  radioHoles(serial: string, { is, everyMs }: { is: 'on' | 'off'; everyMs?: number }): void {
    if (this.emulates(serial) && this.#stopping === null) this.#watches.get(serial)?.radioHoles(is, everyMs);
  }

  whereIs(serial: string): Point | null {
    const watch = this.#watches.get(serial);
    return watch === undefined ? null : (this.#contain(serial, () => watch.whereIs()) ?? null);
  }

  yieldWatch(serial: string): void {
    this.#watches.get(serial)?.yield();
  }

  views(): WatchView[] {
    return this.#ofEach((watch) => watch.view());
  }

  truth(): WatchTruth[] {
    const now = this.#clock.now();
    return this.#ofEach((watch) => watch.truth(now));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#leave();
    return this.#stopping;
  }

  #emulate(watch: FleetWatch, whereabouts: Whereabouts): EmulatedWatch {
    const emulated = emulate(this.#around, watch, whereabouts, this.#seed);
    this.#specs.set(watch.serial, watch);
    this.#watches.set(watch.serial, emulated);
    return emulated;
  }

  async #leave(): Promise<void> {
    this.#cancelLook();
    const left = this.#watches.values();
    let late = false;
    const cancel = this.#clock.afterWall(GOODBYES_WITHIN_MS, () => (late = true), { unref: true });
    const leave = async () => {
      for (const watch of left)
        if (late) void watch.abandon();
        else await watch.leave();
    };
    await Promise.all(Array.from({ length: GOODBYES_AT_ONCE }, leave));
    cancel();
  }

  async #act(serial: string, act: (watch: EmulatedWatch) => Promise<Acted>): Promise<Acted> {
    try {
      return await this.#tryToAct(serial, act);
    } catch (error) {
      this.#takeOut(serial, asError(error));
      throw error;
    }
  }

  #tryToAct(serial: string, act: (watch: EmulatedWatch) => Promise<Acted>): Promise<Acted> {
    const watch = this.#watches.get(serial);
    if (watch === undefined) return Promise.resolve({ refused: `The watch ${serial} is not emulated.` });
    if (!this.emulates(serial)) {
      return Promise.resolve({ refused: `The watch ${serial} was taken over by another client.` });
    }
    if (this.#stopping !== null) return Promise.resolve({ refused: 'The fleet has stopped.' });
    const ready = watch.deeds.toHand(this.#clock.now());
    return ready === null ? act(watch) : ready.then(() => act(watch));
  }

  // One entry on the clock for all, at the next whole second at which anybody has something due.
  #replan(due: Instant): void {
    // What was pressed is due at once, and a message from the service may come before the next look.
    const soonest = due === Number.NEGATIVE_INFINITY ? this.#clock.now() : due;
    const at = wholeSecond(soonest);
    if (at >= this.#lookAt || this.#stopping !== null) return;
    this.#cancelLook();
    this.#lookAt = at;
    this.#cancelLook = this.#clock.at(at, { lane: LANE.uplink, actor: 'fleet' }, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    this.#measureHurry(now);
    this.#lookAt = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    // In a muster each second is looked at, since people press what they have to say at any.
    for (const people of this.#people) {
      if (!people.evacuating) continue;
      people.advanceTo(now);
      next = now + LOOK_EVERY_MS;
    }
    const soonest = wholeSecond(now + 1);
    for (const watch of this.#watches.values()) {
      try {
        if (watch.dueAt <= now) watch.look(now);
        // Nobody is looked at sooner than that, so the rest need not say.
        if (next > soonest) next = Math.min(next, watch.dueAt);
      } catch (error) {
        this.#takeOut(watch.serial, asError(error));
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.#replan(Math.max(next, now + 1));
  }

  /** What the task answers; undefined where it threw, and the watch was taken out. */
  #contain<T>(serial: string, task: () => T): T | undefined {
    try {
      return task();
    } catch (error) {
      this.#takeOut(serial, asError(error));
      return undefined;
    }
  }

  #ofEach<T>(see: (watch: EmulatedWatch) => T): T[] {
    return [...this.#watches.values()].flatMap((watch) => this.#contain(watch.serial, () => see(watch)) ?? []);
  }

  /** A watch that threw is not in a state in which it could go on: it is silent from now on, as one that broke. */
  #takeOut(serial: string, error: Error): void {
    const watch = this.#watches.get(serial);
    if (watch === undefined) return;
    this.#watches.delete(serial);
    this.#failed.set(serial, whyOf(error));
    try {
      watch.yield();
    } catch {
      // It cannot even end its connection; the broker's keep-alive will.
    }
    this.#around.onNotice({ kind: 'watch-failed', serial, why: whyOf(error), error });
  }

  // While a real clock is advanced, reports come faster than the broker takes them, unless each waits for its PUBACK.
  #measureHurry(now: Instant): void {
    const monotonic = this.#clock.monotonic();
    const before = this.#lastLook;
    this.#lastLook = { now, monotonic };
    if (this.#clock.mode !== 'real' || before === null) return;
    this.#hurried = now - before.now > HURRIED_FACTOR * (monotonic - before.monotonic) + LOOK_EVERY_MS;
  }
}

const whyOf = ({ name, message }: Error): string => `${name}: ${message}`;

/** The first at which a look may be, from then on. */
const wholeSecond = (from: Instant): Instant => Math.ceil(from / LOOK_EVERY_MS) * LOOK_EVERY_MS;
