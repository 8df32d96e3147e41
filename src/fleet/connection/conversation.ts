/** The MQTT exchange of a watch with the service: it connects, publishes one item at a time until each is acknowledged, and reconnects after a failure. */
import { Backoff } from '../../base/time/backoff.ts';
import { type Cancel, type Instant, LANE, type Release } from '../../base/time/clock.ts';
import { WATCH_ROOT } from '../../contract/watch.ts';
import type { Acted, WatchSurroundings } from '../surroundings.ts';
import type { Intent, QueuedItem, WatchMachine } from '../watch/machine.ts';
import { Awaited } from './awaited.ts';
import type { Connecting } from './connecting.ts';
import type { Link, LinkEnd, LinkListener } from './link.ts';
import { type Item, itemsOf, type Parcel } from './outbox.ts';
import { readDownlink } from './read-downlink.ts';

/** The watch whose messages a conversation publishes. */
export interface Speaker {
  readonly machine: WatchMachine;
  readonly key: string;
  readonly siteId: string;
  /** Called when the watch is connected and subscribed: it queues its first reports behind its birth message. */
  subscribed(now: Instant): void;
  /** The intents that the machine derived from a message of the service. */
  intend(intents: readonly Intent[]): void;
}

interface InFlight {
  /** Null for a ping. */
  readonly parcel: Parcel | null;
  readonly release: Release;
}

/** `off`: not wanted; `away`: out of coverage; `waiting`: will try again; `up`: connected and subscribed. */
type State = 'off' | 'away' | 'waiting' | 'connecting' | 'up';

/** In fast runs, an idle watch pings at this interval of simulated time, as keep-alive does in real time. */
const PING_EVERY_MS = 60_000;

/** Time limit of the death message and the disconnect; milliseconds of wall time. */
const GOODBYE_WITHIN_MS = 1_000;

export class Conversation implements Connecting, LinkListener {
  readonly #around: WatchSurroundings;
  readonly #speaker: Speaker;
  readonly #machine: WatchMachine;
  readonly #awaited = new Awaited();
  readonly #backoff: Backoff;
  #state: State = 'off';
  #link: Link | null = null;
  // One message in flight per watch: it preserves order, and avoids a deadlock in lock-step, where a held message would
  // block those queued behind it.
  #inFlight: InFlight | null = null;
  #saying = '';
  /** One closure for all holds: it is read only when a hold blocks time for too long. */
  readonly #underWay = () => `${this.#saying} of watch ${this.serial}, session ${this.#machine.session}`;
  /** Memoised: consecutive messages usually have the same topic. */
  #topicNow = { leaf: '', topic: '' };
  /** True once everything that was queued behind the birth was acknowledged. */
  #caughtUp = false;
  #retry: Cancel | null = null;
  #nextPingAt: Instant = Number.POSITIVE_INFINITY;
  #onCaughtUp: ((refusal: string | null) => void)[] = [];
  #onDown: (() => void)[] = [];

  constructor(around: WatchSurroundings, speaker: Speaker) {
    this.#around = around;
    this.#speaker = speaker;
    this.#machine = speaker.machine;
    this.#backoff = new Backoff(around.streams, speaker.machine.serial);
  }

  get serial(): string {
    return this.#machine.serial;
  }

  get connected(): boolean {
    return this.#state === 'up';
  }

  /** False before `open()`, and for good after `leave()` or `abandon()`. */
  get wanted(): boolean {
    return this.#state !== 'off';
  }

  /** When an idle watch must ping; infinity in real time, where keep-alive does this. */
  get nextPingAt(): Instant {
    return this.#state === 'up' ? this.#nextPingAt : Number.POSITIVE_INFINITY;
  }

  /** Starts to connect. */
  open(): void {
    if (this.#state === 'connecting' || this.#state === 'up') return;
    this.#dropRetry();
    // The old connection is still closing: two connections of one watch would evict each other.
    if (this.#link !== null) {
      this.#state = 'waiting';
      return;
    }
    this.#state = 'connecting';
    this.#around.connector.connect(this);
  }

  /**
   * Resolves with null when the birth and all that was queued behind it are acknowledged, or with the reason why this
   * attempt failed.
   */
  caughtUp(): Promise<string | null> {
    if (this.#caughtUp) return Promise.resolve(null);
    return new Promise((resolve) => this.#onCaughtUp.push(resolve));
  }

  /** The watch has no network until `open()`. Resolves when the connection has ended. */
  lose(): Promise<void> {
    return this.#end('away', (link) => link.break());
  }

  /** Disconnects for good, without a death message. Resolves when the connection has ended. */
  abandon(): Promise<void> {
    return this.#end('off', (link) => link.break());
  }

  /** Publishes the death message and disconnects. Resolves when the connection has ended, after 1 s at most. */
  async leave(): Promise<void> {
    if (this.#state !== 'up' || this.#link === null) return this.abandon();
    const link = this.#link;
    const ended = this.#end('off', () => {});
    const cancel = this.#around.clock.afterWall(GOODBYE_WITHIN_MS, () => link.break(), { unref: true });
    link.send(this.#topic('status'), JSON.stringify(this.#machine.death()), 1, true, () => link.leave());
    await ended;
    cancel();
  }

  /**
   * Publishes the item as soon as possible. Resolves when it was acknowledged, or at once with `buffered` if there is
   * no connection.
   */
  say(queued: QueuedItem<Item>): Promise<Acted> {
    this.#around.keeping.changed(this.serial);
    const acted = this.#awaited.wait(queued);
    if (this.#state === 'up') this.#speak();
    else this.#awaited.buffered(this.#around.clock.now());
    return acted;
  }

  /** Sends the queued messages. */
  speak(): void {
    if (this.#state === 'up') this.#speak();
  }

  /** Sends a PINGREQ, so that the broker knows that the watch is connected. */
  ping(): void {
    if (this.#state !== 'up' || this.#link === null || this.#inFlight !== null) return;
    const flight = this.#takeOff(null, 'ping');
    this.#link.ping(() => this.#around.contain(this.serial, () => this.#landed(flight)));
  }

  // --- called by the connector and the link from a socket event, where an exception would end the process

  dial(): void {
    this.#around.contain(this.serial, () => this.#dial());
  }

  linkUp(): void {
    this.#around.contain(this.serial, () => this.#linkUp());
  }

  begin(): void {
    this.#around.contain(this.serial, () => this.#begin());
  }

  linkReceived(topic: string, payload: Buffer): void {
    this.#around.contain(this.serial, () => this.#linkReceived(topic, payload));
  }

  linkDown(why: string, how: LinkEnd = {}): void {
    this.#around.contain(this.serial, () => this.#linkDown(why, how));
  }

  #dial(): void {
    const { machine } = this.#speaker;
    const will = Buffer.from(JSON.stringify(machine.beginSession()));
    const kept = this.#around.keeping.session(this.serial, machine.session);
    if (kept === null) return this.#dialWith(will);
    const { session } = machine;
    // The connection may no longer be wanted by now, or another attempt may have replaced it.
    void kept.then(() =>
      this.#around.contain(this.serial, () => {
        if (this.#state === 'connecting' && machine.session === session) this.#dialWith(will);
      }),
    );
  }

  #dialWith(will: Buffer): void {
    const { key, siteId } = this.#speaker;
    this.#link = this.#around.dialLink({ serial: this.serial, key, siteId, will }, this);
  }

  #linkUp(): void {
    if (this.#state === 'connecting') this.#around.connector.succeeded(this);
  }

  #begin(): void {
    const now = this.#around.clock.now();
    this.#state = 'up';
    this.#machine.connected(now);
    this.#speaker.subscribed(now);
    this.#speak();
    this.#around.replan(this.nextPingAt);
  }

  #linkReceived(topic: string, payload: Buffer): void {
    this.#around.keeping.changed(this.serial);
    const reading = readDownlink(this.#machine, this.#speaker.siteId, topic, payload, this.#around.clock.now());
    if (reading.readable) this.#speaker.intend(reading.intents);
    else this.#around.onNotice({ kind: 'downlink-unreadable', serial: this.serial, why: reading.why });
  }

  #linkDown(why: string, how: LinkEnd): void {
    const before = this.#state;
    this.#link = null;
    this.#caughtUp = false;
    this.#inFlight?.release();
    this.#inFlight = null;
    if (before === 'connecting') this.#around.onNotice({ kind: 'link-failed', serial: this.serial, why, ...how });
    this.#around.connector.failed(this);
    this.#around.keeping.expectSession(this.serial, this.#machine.session + 1);
    this.#awaited.buffered(this.#around.clock.now());
    // A caller who requested a connection meanwhile waits for the next attempt, not for this one.
    if (before !== 'waiting') this.#failCaughtUp(why);
    for (const down of this.#onDown.splice(0)) down();
    if (before === 'waiting') this.open();
    else if (before === 'connecting' || before === 'up') this.#tryAgain();
  }

  #tryAgain(): void {
    const { clock } = this.#around;
    const due = clock.now() + this.#backoff.next();
    this.#state = 'waiting';
    const open = () => this.#around.contain(this.serial, () => this.open());
    this.#retry = clock.at(due, { lane: LANE.uplink, actor: this.serial }, open);
  }

  #end(state: 'away' | 'off', how: (link: Link) => void): Promise<void> {
    this.#state = state;
    this.#caughtUp = false;
    this.#dropRetry();
    const link = this.#link;
    if (link === null) {
      this.#around.connector.failed(this);
      this.#failCaughtUp('not wanted any more');
      return Promise.resolve();
    }
    const release = this.#around.clock.hold('connect', () => `end of the connection of watch ${this.serial}`);
    const ended = new Promise<void>((resolve) => {
      this.#onDown.push(() => {
        resolve();
        release();
      });
    });
    how(link);
    return ended;
  }

  #speak(): void {
    while (this.#state === 'up' && this.#link !== null && this.#inFlight === null) {
      // QoS 1 if a caller waits for the PUBACK, or if the watch is not yet ready: it is ready when everything was
      // acknowledged.
      const assured = this.#around.assured() || this.#awaited.anybody || !this.#caughtUp;
      const next = this.#machine.next(this.#around.clock.now(), assured);
      if (next === null) return this.#nothingToSay();
      const { leaf, payload, qos, retain } = next.message;
      const flight = this.#takeOff(next.parcel, leaf);
      const landed = () => this.#around.contain(this.serial, () => this.#landed(flight));
      this.#link.send(this.#topic(leaf), JSON.stringify(payload), qos, retain, landed);
    }
  }

  // Time waits for the message in flight. The next message takes its hold before the last one releases its own.
  #takeOff(parcel: Parcel | null, what: string): InFlight {
    const { clock } = this.#around;
    this.#saying = what;
    const release = clock.hold('uplink', this.#underWay);
    this.#inFlight = { parcel, release };
    if (clock.mode !== 'real') this.#nextPingAt = clock.now() + PING_EVERY_MS;
    return this.#inFlight;
  }

  #landed(flight: InFlight): void {
    // A link that ended has already released its hold.
    if (this.#inFlight !== flight) return;
    this.#inFlight = null;
    try {
      if (flight.parcel !== null) {
        this.#machine.delivered(flight.parcel);
        if (this.#machine.outbox.hasKept) this.#around.keeping.boxChanged(this.serial);
        if (this.#awaited.anybody)
          for (const item of itemsOf(flight.parcel)) this.#awaited.acknowledged(item, this.#around.clock.now());
      }
      this.#speak();
    } finally {
      flight.release();
    }
  }

  #nothingToSay(): void {
    if (this.#caughtUp) return;
    this.#caughtUp = true;
    this.#backoff.reset();
    for (const tell of this.#onCaughtUp.splice(0)) tell(null);
  }

  #failCaughtUp(why: string): void {
    for (const tell of this.#onCaughtUp.splice(0)) tell(why);
  }

  #topic(leaf: string): string {
    if (this.#topicNow.leaf !== leaf)
      this.#topicNow = { leaf, topic: `${WATCH_ROOT}/${this.#speaker.siteId}/${this.serial}/up/${leaf}` };
    return this.#topicNow.topic;
  }

  #dropRetry(): void {
    this.#retry?.();
    this.#retry = null;
  }
}
