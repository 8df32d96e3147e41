/** The conversation of a watch with the service: connect, publish one item after another until it is acknowledged, and come back when it breaks. */
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

/** The watch that speaks. */
export interface Speaker {
  readonly machine: WatchMachine;
  readonly key: string;
  readonly siteId: string;
  /** Connected and subscribed: it puts its first reports behind its birth. */
  subscribed(now: Instant): void;
  /** What the machine made of a message from the service. */
  intend(intents: readonly Intent[]): void;
}

interface InFlight {
  /** Null: a ping. */
  readonly parcel: Parcel | null;
  readonly release: Release;
}

/** `off`: not wanted; `away`: out of coverage; `waiting`: will try again; `up`: connected and subscribed. */
type State = 'off' | 'away' | 'waiting' | 'connecting' | 'up';

/** In fast runs a watch that has nothing to say lets itself be known this often, as keep-alive does in real ones. */
const PING_EVERY_MS = 60_000;

/** How long a goodbye may take; milliseconds of wall time. */
const GOODBYE_WITHIN_MS = 1_000;

export class Conversation implements Connecting, LinkListener {
  readonly #around: WatchSurroundings;
  readonly #speaker: Speaker;
  readonly #machine: WatchMachine;
  readonly #awaited = new Awaited();
  readonly #backoff: Backoff;
  #state: State = 'off';
  #link: Link | null = null;
  // One message at a time: order keeps itself, and in lock-step no message waits behind one that waits for all others.
  #inFlight: InFlight | null = null;
  #saying = '';
  /** One for all that is ever under way, since it is read only when time stands still for too long. */
  readonly #underWay = () => `${this.#saying} of watch ${this.serial}, session ${this.#machine.session}`;
  /** The topic of the last message, which nearly always is that of the next. */
  #topicNow = { leaf: '', topic: '' };
  /** Everything that was queued behind the birth was acknowledged. */
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

  /** When silence would be too long; infinity where keep-alive sees to it. */
  get nextPingAt(): Instant {
    return this.#state === 'up' ? this.#nextPingAt : Number.POSITIVE_INFINITY;
  }

  /** Begins to connect. */
  open(): void {
    if (this.#state === 'connecting' || this.#state === 'up') return;
    this.#dropRetry();
    // The old connection is still ending: two of one watch would evict each other.
    if (this.#link !== null) {
      this.#state = 'waiting';
      return;
    }
    this.#state = 'connecting';
    this.#around.connector.connect(this);
  }

  /** Resolves when the birth and all that was queued behind it are acknowledged, or with why this attempt failed. */
  caughtUp(): Promise<string | null> {
    if (this.#caughtUp) return Promise.resolve(null);
    return new Promise((resolve) => this.#onCaughtUp.push(resolve));
  }

  /** The network is gone until `open()`. Resolves when the connection has ended. */
  lose(): Promise<void> {
    return this.#end('away', (link) => link.break());
  }

  /** For good, without a goodbye. Resolves when the connection has ended. */
  abandon(): Promise<void> {
    return this.#end('off', (link) => link.break());
  }

  /** Says goodbye and disconnects. Resolves when it is over, after a second at most. */
  async leave(): Promise<void> {
    if (this.#state !== 'up' || this.#link === null) return this.abandon();
    const link = this.#link;
    const ended = this.#end('off', () => {});
    const cancel = this.#around.clock.afterWall(GOODBYE_WITHIN_MS, () => link.break(), { unref: true });
    link.send(this.#topic('status'), JSON.stringify(this.#machine.death()), 1, true, () => link.leave());
    await ended;
    cancel();
  }

  /** Publishes the item as soon as it can. Resolves when it was acknowledged, or at once with `buffered` out of coverage. */
  say(queued: QueuedItem<Item>): Promise<Acted> {
    this.#around.keeping.changed(this.serial);
    const acted = this.#awaited.wait(queued);
    if (this.#state === 'up') this.#speak();
    else this.#awaited.buffered(this.#around.clock.now());
    return acted;
  }

  /** Sends what there is to send. */
  speak(): void {
    if (this.#state === 'up') this.#speak();
  }

  /** Lets the service know that the watch is there. */
  ping(): void {
    if (this.#state !== 'up' || this.#link === null || this.#inFlight !== null) return;
    const flight = this.#takeOff(null, 'ping');
    this.#link.ping(() => this.#around.contain(this.serial, () => this.#landed(flight)));
  }

  // --- what the connector and the link call: from a socket, where an exception would end the process

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
    // The connection may be unwanted by now, or replaced by another.
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
    // A new connection requested meanwhile is another one.
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
      // Who waits for an answer waits for the PUBACK, and a watch that is ready has its PUBACK.
      const assured = this.#around.assured() || this.#awaited.anybody || !this.#caughtUp;
      const next = this.#machine.next(this.#around.clock.now(), assured);
      if (next === null) return this.#nothingToSay();
      const { leaf, payload, qos, retain } = next.message;
      const flight = this.#takeOff(next.parcel, leaf);
      const landed = () => this.#around.contain(this.serial, () => this.#landed(flight));
      this.#link.send(this.#topic(leaf), JSON.stringify(payload), qos, retain, landed);
    }
  }

  // Time waits for what is under way; the next message takes off before the last one's hold is given back.
  #takeOff(parcel: Parcel | null, what: string): InFlight {
    const { clock } = this.#around;
    this.#saying = what;
    const release = clock.hold('uplink', this.#underWay);
    this.#inFlight = { parcel, release };
    if (clock.mode !== 'real') this.#nextPingAt = clock.now() + PING_EVERY_MS;
    return this.#inFlight;
  }

  #landed(flight: InFlight): void {
    // A link that ended has given everything back already.
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
