/** The fleet of emulated watches. They communicate with the service only over MQTT, as real watches do. */
import { asError } from '../base/assert.ts';
import type { Point } from '../base/geometry/shapes.ts';
import { streams } from '../base/random/streams.ts';
import { type Cancel, type Clock, type Instant, LANE } from '../base/time/clock.ts';
import type { AlertType } from '../contract/enumerations.ts';
import { Connector } from './connection/connecting.ts';
import type { DialLink } from './connection/link.ts';
import { mqttLinks } from './connection/mqtt-link.ts';
import type { Fleet, FleetOptions, Resumed } from './fleet-port.ts';
import { groupsOf } from './groups.ts';
import { Keeper } from './kept/keeper.ts';
import { recall } from './kept/recall.ts';
import type { WalkingPeople } from './people/site-people.ts';
import { type Acted, KEEPS_NOTHING, type WatchSurroundings } from './surroundings.ts';
import { emulate } from './watch/emulate.ts';
import type { EmulatedWatch } from './watch/emulated-watch.ts';
import type { FleetWatch } from './watch/fleet-watch.ts';
import type { WatchTruth, WatchView } from './watch/watch-view.ts';
import type { OtherWatch, WatchAction } from './watch-action.ts';
import type { WatchWhereabouts } from './wearer/whereabouts.ts';

export { BROKER_PROTOCOLS, type BrokerTls, secureContextOf } from './connection/broker-address.ts';
export type { MqttVersion } from './connection/mqtt-link.ts';
export type { Fleet, FleetOptions, Resumed } from './fleet-port.ts';
export type { FleetMemory } from './kept/memory.ts';
export { keptUntil } from './kept/recall.ts';
export type { FleetPermit, FleetSite, FleetVehicle, FleetZone } from './people/ground/site.ts';
export type { OnFloor } from './people/people.ts';
export type { Acted, FleetNotice } from './surroundings.ts';
export type { FleetWatch } from './watch/fleet-watch.ts';
export type { PinnedPlace, WatchTruth, WatchView } from './watch/watch-view.ts';
export type { WatchAction } from './watch-action.ts';

/** Due reports are checked once a second by one timer, instead of a timer for each watch. */
const LOOK_EVERY_MS = 1_000;

/** If time runs faster than the wall clock by more than this factor, every message waits for its PUBACK. */
const HURRIED_FACTOR = 2;

/** The most watches that publish their death message at once. With more, all would be half sent at the time limit. */
const GOODBYES_AT_ONCE = 100;

/**
 * A part of the two seconds that a stop may take. Watches that have not begun by then disconnect without a death
 * message. [cli, up]
 */
const GOODBYES_WITHIN_MS = 800;

/** Connects the watches, a limited number at a time. `ready()` resolves when all are connected. */
export function startFleet(options: FleetOptions): Fleet {
  const fleet = new EmulatedFleet(options);
  fleet.start();
  return fleet;
}

class EmulatedFleet implements Fleet {
  readonly #clock: Clock;
  readonly #watches = new Map<string, EmulatedWatch>();
  readonly #specs = new Map<string, FleetWatch>();
  readonly #people = new Map<string, WalkingPeople>();
  readonly #around: WatchSurroundings;
  readonly #seed: string;
  readonly #keeper: Keeper | null;
  readonly resumed: Resumed | null;
  /** Watches that were taken out of the fleet after an exception, and the reason. */
  readonly #failed = new Map<string, string>();
  #lookAt: Instant = Number.POSITIVE_INFINITY;
  #cancelLook: Cancel = () => {};
  #lastLook: { now: Instant; monotonic: number } | null = null;
  #hurried: boolean;
  #opened: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | null = null;

  constructor(options: FleetOptions) {
    const { clock, seed, memory, onNotice = () => {} } = options;
    this.#clock = clock;
    this.#hurried = clock.mode !== 'real';
    this.#seed = seed;
    const recalled = memory === undefined ? null : recall(memory.recalled);
    const groups = groupsOf(options, recalled, clock.now(), (serial, error) =>
      onNotice({ kind: 'person-failed', serial, why: whyOf(error), error }),
    );
    for (const { siteId, people } of groups) this.#people.set(siteId, people);
    const onTrouble = options.onUnkept ?? (() => {});
    this.#keeper =
      memory === undefined ? null : new Keeper({ clock, memory, groups, watches: this.#watches, onTrouble });
    this.#around = {
      clock,
      streams: streams(seed),
      connector: new Connector(clock),
      dialLink: options.dialLink ?? this.#overMqtt(options),
      assured: () => this.#hurried,
      replan: (due) => this.#replan(due),
      onNotice,
      contain: (serial, task) => void this.#contain(serial, task),
      attend: (serial, work) => {
        work.catch((error) => this.#takeOut(serial, asError(error)));
        return work;
      },
      keeping: this.#keeper ?? KEEPS_NOTHING,
    };
    let people = 0;
    for (const { siteId, notices, wearers, resumed } of groups) {
      people += resumed;
      for (const notice of notices) this.#around.keeping.noticeShown(siteId, notice);
      for (const { watch, whereabouts, resumption } of wearers) {
        const emulated = this.#emulate(watch, whereabouts);
        if (resumption !== null) emulated.resume(resumption);
      }
    }
    this.resumed = recalled === null ? null : { people, unreadable: recalled.unreadable };
    this.#endMustersBut(options.activeMusters ?? new Set());
  }

  start(): void {
    // A session number is stored before its session begins. So the numbers of the start are stored in one transaction.
    for (const { serial, machine } of this.#watches.values())
      this.#around.keeping.expectSession(serial, machine.session + 1);
    const open = () => {
      if (this.#stopping === null) for (const watch of this.#watches.values()) watch.open();
    };
    if (this.#keeper === null) open();
    else this.#opened = this.#keeper.start().then(open, open);
  }

  async ready(): Promise<void> {
    await this.#opened;
    await Promise.all(Array.from(this.#watches.values(), (watch) => watch.ready()));
  }

  held: Fleet['held'] = () =>
    [...this.#watches.values()].flatMap(({ serial, whereabouts: { heldSince: since } }) =>
      since === null ? [] : [{ serial, since }],
    );

  emulates(serial: string): boolean {
    return this.#watches.get(serial)?.yielded === false;
  }

  failure(serial: string): string | null {
    return this.#failed.get(serial) ?? null;
  }

  perform(serial: string, action: WatchAction): Promise<Acted> {
    return this.#act(serial, (watch) => watch.perform(action, (other) => this.#swap(watch, other)));
  }

  objection(serial: string, action: WatchAction): string | null {
    return this.#unable(serial) ?? this.#watches.get(serial)?.objection(action) ?? null;
  }

  #swap(watch: EmulatedWatch, other: OtherWatch): Promise<Acted> {
    const known = this.#watches.get(other.serial);
    return known === undefined ? this.#replace(watch, other) : watch.exchangeWearers(known);
  }

  /** Replaces the old watch by the new one, which takes its place on the wearer. */
  async #replace(watch: EmulatedWatch, { serial, key }: OtherWatch): Promise<Acted> {
    const spec = this.#specs.get(watch.serial) as FleetWatch;
    const fresh = this.#emulate({ ...spec, serial, key, lastSession: 0, worn: 'on' }, watch.whereabouts);
    await watch.leave();
    this.#watches.delete(watch.serial);
    this.#keeper?.forget(watch);
    this.#specs.delete(watch.serial);
    fresh.open();
    await fresh.ready();
    if (this.#watches.get(serial) !== fresh) return { refused: `The watch ${serial} was removed again.` };
    return { done: 'sent', at: this.#clock.now() };
  }

  rescued(serial: string, alertType: AlertType): void {
    if (this.#stopping === null) this.#watches.get(serial)?.plight.rescued(alertType);
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

  async keep(): Promise<void> {
    await this.#keeper?.commit().catch(() => {});
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#leave();
    return this.#stopping;
  }

  #emulate(watch: FleetWatch, whereabouts: WatchWhereabouts): EmulatedWatch {
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
    await this.#keeper?.stop();
  }

  async #act(serial: string, act: (watch: EmulatedWatch) => Promise<Acted>): Promise<Acted> {
    try {
      const done = await this.#do(serial, act);
      return this.#keeper === null ? done : await this.#keep(serial, done);
    } catch (error) {
      this.#takeOut(serial, asError(error));
      throw error;
    }
  }

  /** An acknowledged action is stored first, so that a kill right after the reply loses nothing of it. */
  async #keep(serial: string, done: Acted): Promise<Acted> {
    this.#around.keeping.changed(serial);
    if ('refused' in done) return done;
    try {
      await this.#keeper?.acted();
      return done;
    } catch (error) {
      return { refused: (error as Error).message, unkept: true };
    }
  }

  /** The reason why every action of the wearer would be refused now; null if there is none. */
  #unable(serial: string): string | null {
    if (!this.#watches.has(serial)) return `The watch ${serial} is not emulated.`;
    if (!this.emulates(serial)) return `The watch ${serial} was taken over by another client.`;
    return this.#stopping === null ? null : 'The fleet has stopped.';
  }

  #do(serial: string, act: (watch: EmulatedWatch) => Promise<Acted>): Promise<Acted> {
    const why = this.#unable(serial);
    const watch = this.#watches.get(serial);
    if (why !== null || watch === undefined) return Promise.resolve({ refused: why ?? '' });
    const ready = watch.musterActions.toHand(this.#clock.now());
    return ready === null ? act(watch) : ready.then(() => act(watch));
  }

  #endMustersBut(active: ReadonlySet<string>): void {
    const now = this.#clock.now();
    for (const people of this.#people.values()) {
      const { told: muster } = people.keptSite();
      if (muster?.status === 'active' && !active.has(muster.muster_id))
        people.onMuster({ ...muster, status: 'completed' }, now);
    }
  }

  #overMqtt({ brokerUrl: url, connect, brokerTls: tls, mqttVersion: version }: FleetOptions): DialLink {
    return mqttLinks({
      clock: this.#clock,
      broker: connect === undefined ? { url, ...(tls === undefined ? {} : { tls }) } : { connect },
      ...(version === undefined ? {} : { version }),
    });
  }

  // One clock entry for all watches, at the next whole second at which a watch has something due.
  #replan(due: Instant): void {
    // A button press is due at once, and a message from the service may come before the next look.
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
    // During a muster the fleet looks at every second, since people can press a button at any second.
    for (const people of this.#people.values()) {
      if (!people.evacuating) continue;
      people.advanceTo(now);
      next = now + LOOK_EVERY_MS;
    }
    const soonest = wholeSecond(now + 1);
    for (const watch of this.#watches.values()) {
      try {
        if (watch.dueAt <= now) watch.look(now);
        // No watch can be due before `soonest`, so the remaining ones need not compute `dueAt`.
        if (next > soonest) next = Math.min(next, watch.dueAt);
      } catch (error) {
        this.#takeOut(watch.serial, asError(error));
      }
    }
    if (next !== Number.POSITIVE_INFINITY) this.#replan(Math.max(next, now + 1));
  }

  /** Returns the result of the task; undefined if it threw, and the watch was taken out. */
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

  /** A watch that threw has no valid state to continue from: it is silent from now on, like a broken watch. */
  #takeOut(serial: string, error: Error): void {
    const watch = this.#watches.get(serial);
    if (watch === undefined) return;
    this.#watches.delete(serial);
    this.#failed.set(serial, whyOf(error));
    try {
      watch.yield();
    } catch {
      // The watch cannot even end its connection; the broker's keep-alive will.
    }
    this.#around.onNotice({ kind: 'watch-failed', serial, why: whyOf(error), error });
  }

  // While a real clock is advanced, reports come faster than the broker can take them, unless each waits for its
  // PUBACK.
  #measureHurry(now: Instant): void {
    const monotonic = this.#clock.monotonic();
    const before = this.#lastLook;
    this.#lastLook = { now, monotonic };
    if (this.#clock.mode !== 'real' || before === null) return;
    this.#hurried = now - before.now > HURRIED_FACTOR * (monotonic - before.monotonic) + LOOK_EVERY_MS;
  }
}

const whyOf = ({ name, message }: Error): string => `${name}: ${message}`;

/** The first whole second at or after `from`: looks happen at whole seconds only. */
const wholeSecond = (from: Instant): Instant => Math.ceil(from / LOOK_EVERY_MS) * LOOK_EVERY_MS;
