/** One site at an external broker: passes uplinks to the engine, acknowledges them after the commit, publishes to watches. */
import type { IPublishPacket } from 'mqtt-packet';
import { asError } from '../../../base/assert.ts';
import {
  type DownAlert,
  downAlertTopic,
  downConfigTopic,
  type MusterNotice,
  musterTopic,
  ownUpLeaf,
  type UpLeaf,
  WATCH_ROOT,
} from '../../../contract/watch.ts';
import type { Device } from '../../domain/world/documents.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Intake } from '../intake.ts';
import { activeMusters } from '../outgoing.ts';
import { type Answered, type Callback, type InboundPublish, PubackQueue, type PubackReply } from '../pubacks.ts';
import type { Refusals } from '../refusals.ts';
import { encode, watchConfig } from '../retained.ts';
import type { UplinkSource } from '../uplink-source.ts';
import type { ConnectionEnd } from './connection.ts';
import { BrokerLink, type BrokerLinkParts, type BrokerLinkShared } from './link.ts';

/** All watches of the site. */
const uplinkFilter = (siteId: string): string => `${WATCH_ROOT}/${siteId}/+/up/#`;

/**
 * The same in every process: a process that takes the site over evicts the one that had it, and gets its unacknowledged
 * messages.
 */
const siteClientId = (siteId: string): string => `muster-${siteId}`;

interface ExternalSiteParts {
  readonly shared: BrokerLinkShared;
  readonly link: Pick<BrokerLinkParts, 'keepSessionS' | 'patient' | 'startsClean' | 'mayReconnect'>;
  readonly engine: Engine;
  readonly intake: Intake;
  readonly refusals: Refusals;
  /**
   * False if another sandbox may have taken the site over. Then nothing is accepted, and the broker keeps the messages.
   */
  readonly mayReceive: () => boolean;
  readonly onUp: () => void;
  readonly onDown: (end: ConnectionEnd, gone: boolean) => void;
}

const CLEARED = Buffer.alloc(0);

/** Replaces a serial, which never has this value. */
const ECHO = '~';

/** Time limit for the echo, after which the caller continues without it; milliseconds of wall time. */
const ECHO_WITHIN_MS = 5_000;

export class ExternalSite implements Answered {
  readonly siteId: string;
  readonly #parts: ExternalSiteParts;
  readonly #link: BrokerLink;
  readonly #watches = new Map<string, RemoteWatch>();
  /** One queue for all watches of the site, since they share a connection. */
  readonly #pubacks = new PubackQueue();
  readonly #echoes = new Map<string, () => void>();
  #echoed = 0;

  constructor(siteId: string, parts: ExternalSiteParts) {
    this.siteId = siteId;
    this.#parts = parts;
    this.#link = new BrokerLink(
      parts.shared,
      { ...parts.link, clientId: siteClientId(siteId), filters: [uplinkFilter(siteId)] },
      {
        published: (packet) => this.#onPublish(packet),
        up: (first) => {
          if (first) this.#publishRetained();
          parts.onUp();
        },
        down: (end, gone) => {
          // The broker sends unacknowledged messages again on the next connection.
          this.#pubacks.clear();
          parts.onDown(end, gone);
        },
        refused: (topic) =>
          parts.refusals.refuse('topic', null, topic, 'the broker does not let the service publish this'),
      },
    );
  }

  get isUp(): boolean {
    return this.#link.isUp;
  }

  get conn(): Answered['conn'] {
    return this.#link.connection?.socket ?? GONE;
  }

  queueAnswer(packet: InboundPublish, callback: Callback): PubackReply {
    return this.#pubacks.add(packet, callback);
  }

  takeReady(to: PubackReply[]): void {
    this.#pubacks.takeReady(to);
  }

  start(): Promise<void> {
    return this.#link.start();
  }

  leave(): Promise<void> {
    return this.#link.leave();
  }

  /** The site was removed: the messages that the broker kept for it are removed too. */
  async forget(): Promise<void> {
    this.setMuster(null);
    await this.#link.forget();
  }

  restart(why: string): void {
    this.#link.restart(why);
  }

  toWatch(serial: string, payload: DownAlert): void {
    this.#publish(downAlertTopic(this.siteId, serial), encode(payload), false);
  }

  setMuster(notice: MusterNotice | null): void {
    this.#publish(musterTopic(this.siteId), notice === null ? CLEARED : encode(notice), true);
  }

  /** Retained, since an external broker cannot request it when the watch subscribes. */
  setConfig(serials: Iterable<string> = this.#serials()): void {
    const config = encode(watchConfig(this.#parts.engine.world.need('site', this.siteId)));
    for (const serial of serials) this.#publish(downConfigTopic(this.siteId, serial), config, true);
  }

  clearConfig(serial: string): void {
    this.#publish(downConfigTopic(this.siteId, serial), CLEARED, true);
  }

  /** Publishes a message to itself: when it is acknowledged, everything before it is acknowledged too. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      const name = `${this.#parts.shared.process}/${++this.#echoed}`;
      const done = () => {
        cancel();
        this.#echoes.delete(name);
        resolve();
      };
      const cancel = this.#parts.shared.clock.afterWall(ECHO_WITHIN_MS, done, { unref: true });
      this.#echoes.set(name, done);
      this.#publish(`${WATCH_ROOT}/${this.siteId}/${ECHO}/up/echo`, Buffer.from(name), false);
    });
  }

  #publish(topic: string, payload: Buffer, retain: boolean): void {
    if (!this.#link.publish(topic, payload, retain))
      this.#parts.refusals.refuse('slow', null, topic, 'too many messages wait for the broker, so this one is lost');
  }

  #serials(): string[] {
    const devices = this.#parts.engine.world.indexes.devicesOfSite.of(this.siteId).values();
    return Array.from(devices, ({ serial }) => serial);
  }

  #publishRetained(): void {
    const { world } = this.#parts.engine;
    this.setConfig();
    this.setMuster(new Map(activeMusters(world)).get(this.siteId) ?? null);
  }

  #onPublish(packet: IPublishPacket): void {
    const { intake, refusals, engine, mayReceive } = this.#parts;
    if (!mayReceive()) return this.restart('the claim on the site is not sure at the moment');
    const occasion = packet.retain ? 'retained' : packet.dup ? 'again' : 'live';
    const serial = this.#serialOf(packet.topic);
    const done = () => {
      if (serial === ECHO) this.#echoes.get(packet.payload.toString())?.();
      // Without effect if the transaction's batch has already written the PUBACK, which sets `qos` to 0.
      if (packet.qos === 1) this.#link.connection?.puback(packet.messageId ?? 0);
    };
    // Permanently refused, yet acknowledged: otherwise the broker would send it again and again.
    const drop = () => intake.acknowledge(this, this.#pubacks.add(packet, done));
    if (serial === ECHO) return drop();
    try {
      const watch = this.#watchOf(serial);
      if (watch !== null) return intake.take(watch, packet, occasion, (error) => (error == null ? done() : drop()));
      refusals.refuse('topic', serial, packet.topic, 'the site has no watch of this serial');
    } catch (error) {
      engine.failures.report({ part: 'uplink', what: packet.topic, error: asError(error) });
    }
    drop();
  }

  #serialOf(topic: string): string {
    const from = WATCH_ROOT.length + this.siteId.length + 2;
    return topic.slice(from, topic.indexOf('/', from));
  }

  #watchOf(serial: string): RemoteWatch | null {
    const { world } = this.#parts.engine;
    const device = world.get('device', world.indexes.deviceId(serial) ?? '');
    if (device === undefined || device.siteId !== this.siteId) {
      this.#watches.delete(serial);
      return null;
    }
    const known = this.#watches.get(serial);
    if (known?.device.id === device.id) return known;
    const watch = new RemoteWatch(this, device);
    this.#watches.set(serial, watch);
    return watch;
  }
}

/** A watch that uses the connection of its site. */
class RemoteWatch implements UplinkSource {
  readonly #site: ExternalSite;
  readonly device: Device;
  #lastUp: { readonly topic: string; readonly leaf: UpLeaf | undefined } | null = null;

  constructor(site: ExternalSite, device: Device) {
    this.#site = site;
    this.device = device;
  }

  get open(): boolean {
    return this.#site.isUp;
  }

  get conn(): Answered['conn'] {
    return this.#site.conn;
  }

  upLeaf({ siteId, serial }: Device, topic: string): UpLeaf | undefined {
    if (this.#lastUp?.topic !== topic) this.#lastUp = { topic, leaf: ownUpLeaf(siteId, serial, topic) };
    return this.#lastUp.leaf;
  }

  queueAnswer(packet: InboundPublish, callback: Callback): PubackReply {
    return this.#site.queueAnswer(packet, callback);
  }

  takeReady(to: PubackReply[]): void {
    this.#site.takeReady(to);
  }

  drop(): void {
    this.#site.restart('the storage took nothing, so the broker is to send it again');
  }
}

const GONE = { destroyed: true, writableNeedDrain: false, write: () => false } as const;
