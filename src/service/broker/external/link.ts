/** A session at an external broker across its connections: reconnects, and keeps published messages until the PUBACK. */
import type { IPublishPacket } from 'mqtt-packet';
import type { Streams } from '../../../base/random/streams.ts';
import { Backoff } from '../../../base/time/backoff.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import type { BrokerEndpoint } from './address.ts';
import { BrokerConnection, type ConnectionEnd, type ConnectionParts, type ServiceMqttVersion } from './connection.ts';

/** The state that all links of a process share. */
export interface BrokerLinkShared {
  readonly clock: Pick<Clock, 'afterWall' | 'monotonic'>;
  readonly endpoint: BrokerEndpoint;
  readonly streams: Streams;
  /** Identifies this process among those of the same world. */
  readonly process: string;
  /** Becomes 4 if the broker does not support MQTT 5. */
  version: ServiceMqttVersion;
}

export interface BrokerLinkParts extends Pick<ConnectionParts, 'clientId' | 'keepSessionS' | 'keepaliveS' | 'will'> {
  /** The topic filters, subscribed with QoS 1 in one packet. */
  readonly filters: readonly string[];
  /** True if an unreachable broker is tried again before the first connection. A refusal is final. */
  readonly patient: boolean;
  /** True to discard, before the first connection, what the broker has kept for the client id. */
  readonly startsClean?: boolean;
  /**
   * Called before each reconnection. False ends the link; `later` postpones the reconnection, and the function is
   * called again soon.
   */
  readonly mayReconnect: () => boolean | 'later';
}

interface BrokerLinkListener {
  published(packet: IPublishPacket): void;
  /** Connected and subscribed. `first` is true the first time, and if the broker had lost the session. */
  up(first: boolean): void;
  /** Disconnected. The link reconnects unless `gone` is true. */
  down(end: ConnectionEnd, gone: boolean): void;
  /** The broker refused a message. [MQTT 5: 3.4.2.1] */
  refused(topic: string, reasonCode: number): void;
}

interface OutgoingMessage {
  readonly topic: string;
  readonly payload: Buffer;
  readonly retain: boolean;
  messageId: number;
}

/** Thrown if the first connection fails. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused';
  readonly end: ConnectionEnd;

  constructor(end: ConnectionEnd) {
    super(end.why);
    this.end = end;
  }
}

/**
 * The most messages that wait for the broker, per site: more than all its watches' configurations and a few hours of
 * alerts.
 */
const MOST_WAITING = 50_000;

/** A connection that ended sooner was probably evicted by a client with the same client id; milliseconds. */
const SHORT_MS = 5_000;

/**
 * After this number of consecutive short connections, another process is assumed to use the client id. MQTT 3.1.1 does
 * not report a take-over.
 */
const SHORT_IN_A_ROW = 3;

/** Interval between two calls of `mayReconnect` after `later`; milliseconds of wall time. */
const ASK_AGAIN_MS = 250;

/** Time limit for the broker to acknowledge the messages in flight at the end; milliseconds of wall time. */
const DRAIN_WITHIN_MS = 1_000;

export class BrokerLink {
  readonly #shared: BrokerLinkShared;
  readonly #parts: BrokerLinkParts;
  readonly #listener: BrokerLinkListener;
  readonly #backoff: Backoff;
  #connection: BrokerConnection | null = null;
  #isUp = false;
  #wasUp = false;
  #ended = false;
  #upSince = 0;
  #shortOnes = 0;
  #cancelRetry: Cancel = () => {};
  /** Messages in the order in which they were published: first those in flight, then those that wait. */
  #inFlight = new Map<number, OutgoingMessage>();
  #waiting: OutgoingMessage[] = [];
  #window = 0;
  #lastId = 1;
  #settle: { resolve: () => void; reject: (error: Error) => void } | null = null;
  #drained: (() => void) | null = null;

  constructor(shared: BrokerLinkShared, parts: BrokerLinkParts, listener: BrokerLinkListener) {
    this.#shared = shared;
    this.#parts = parts;
    this.#listener = listener;
    this.#backoff = new Backoff(shared.streams, parts.clientId);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get connection(): BrokerConnection | null {
    return this.#connection;
  }

  /** Resolves when the link is connected and subscribed. Rejects with `LinkRefused`. */
  async start(): Promise<void> {
    if (this.#parts.startsClean === true) await this.#endSession();
    return await new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#dial();
    });
  }

  /**
   * Publishes with QoS 1, in order, and keeps the message until the PUBACK, across reconnections. Returns false if too
   * many messages wait.
   */
  publish(topic: string, payload: Buffer, retain: boolean): boolean {
    if (this.#ended || this.#waiting.length >= MOST_WAITING) return false;
    this.#waiting.push({ topic, payload, retain, messageId: 0 });
    this.#pump();
    return true;
  }

  /**
   * Publishes once with QoS 1. The message is not sent again on a later connection, where it might no longer be true.
   * Returns false if there is no connection.
   */
  publishOnce(topic: string, payload: Buffer, retain: boolean): boolean {
    if (!this.#isUp || this.#connection === null) return false;
    this.#connection.publish({ cmd: 'publish', topic, payload, retain, qos: 1, dup: false, messageId: this.#nextId() });
    return true;
  }

  /** Reconnects, so that the broker sends unacknowledged messages again. */
  restart(why: string): void {
    this.#connection?.fail(why);
  }

  /**
   * Waits for the messages in flight, as long as a stop may take, and disconnects. The broker keeps a session that was
   * to be kept.
   */
  async leave(): Promise<void> {
    if (this.#isUp && this.#inFlight.size > 0) {
      const cancel = this.#shared.clock.afterWall(DRAIN_WITHIN_MS, () => this.#drained?.(), { unref: true });
      await new Promise<void>((resolve) => (this.#drained = resolve));
      cancel();
    }
    this.#end();
    const connection = this.#connection;
    if (connection === null) return;
    const closed = new Promise<void>((resolve) => connection.socket.once('close', () => resolve()));
    connection.leave();
    await closed;
  }

  /** Like `leave`, but the broker also removes the session. */
  async forget(): Promise<void> {
    await this.leave();
    await this.#endSession();
  }

  /** Resolves also if the broker cannot be reached. */
  async #endSession(): Promise<void> {
    const { endpoint, clock, version } = this.#shared;
    const { clientId } = this.#parts;
    // A clean session with the same client id ends the kept one. [MQTT-3.1.2-6]
    await new Promise<void>((resolve) => {
      const ignore = () => {};
      const clean = new BrokerConnection(
        { clock, endpoint, version, clientId, keepSessionS: 0 },
        {
          subscribed: ignore,
          published: ignore,
          acknowledged: ignore,
          greeted: () => clean.leave(),
          ended: () => resolve(),
        },
      );
    });
  }

  #end(): void {
    this.#ended = true;
    this.#cancelRetry();
  }

  #dial(): void {
    const { endpoint, clock, version } = this.#shared;
    const parts = { ...this.#parts, clock, endpoint, version };
    const connection = new BrokerConnection(parts, {
      greeted: (sessionPresent, window) => {
        this.#window = window;
        const first = !this.#wasUp || !sessionPresent;
        // Another subscription would deliver all retained messages again.
        if (first) connection.subscribe(this.#parts.filters);
        else this.#up(false);
      },
      subscribed: (granted) => {
        const refused = this.#parts.filters.find((_, n) => granted[n] !== 0 && granted[n] !== 1);
        if (refused === undefined) return this.#up(true);
        connection.fail(`the broker refused the subscription to ${refused}`, undefined, 'subscription');
      },
      published: (packet) => this.#listener.published(packet),
      acknowledged: (messageId, reasonCode) => this.#acknowledged(messageId, reasonCode),
      ended: (end) => this.#down(end, version),
    });
    this.#connection = connection;
  }

  #up(first: boolean): void {
    this.#isUp = true;
    this.#wasUp = true;
    this.#upSince = this.#shared.clock.monotonic();
    this.#backoff.reset();
    // The messages that were in flight go first, in their order. [MQTT-4.6.0-1]
    this.#waiting = [...this.#inFlight.values(), ...this.#waiting];
    this.#inFlight = new Map();
    this.#listener.up(first);
    this.#pump();
    this.#settle?.resolve();
    this.#settle = null;
  }

  #pump(): void {
    const connection = this.#connection;
    if (!this.#isUp || connection === null || this.#waiting.length === 0) return;
    const free = this.#window - this.#inFlight.size;
    if (free <= 0) return;
    connection.socket.cork();
    for (const message of this.#waiting.splice(0, free)) {
      message.messageId = this.#nextId();
      this.#inFlight.set(message.messageId, message);
      connection.publish({ cmd: 'publish', ...message, qos: 1, dup: false });
    }
    connection.socket.uncork();
  }

  #nextId(): number {
    // 1 is the message id of the SUBSCRIBE.
    do this.#lastId = this.#lastId >= 65_535 ? 2 : this.#lastId + 1;
    while (this.#inFlight.has(this.#lastId));
    return this.#lastId;
  }

  #acknowledged(messageId: number, reasonCode: number): void {
    const message = this.#inFlight.get(messageId);
    if (message === undefined) return;
    this.#inFlight.delete(messageId);
    if (reasonCode >= 0x80) this.#listener.refused(message.topic, reasonCode);
    if (this.#inFlight.size === 0) this.#drained?.();
    this.#pump();
  }

  #down(end: ConnectionEnd, version: ServiceMqttVersion): void {
    this.#connection = null;
    const wasUp = this.#isUp;
    this.#isUp = false;
    this.#drained?.();
    if (this.#ended) return;
    const { clock } = this.#shared;
    // A broker for MQTT 3.1.1 refuses version 5, or closes the connection without a reason.
    if (!this.#wasUp && version === 5 && (end.refusal === 'version' || (!end.greeted && end.silent === true))) {
      this.#shared.version = 4;
      return this.#dial();
    }
    const short = wasUp && end.silent === true && clock.monotonic() - this.#upSince < SHORT_MS;
    this.#shortOnes = short ? this.#shortOnes + 1 : 0;
    const rival = this.#shared.version === 4 && this.#shortOnes >= SHORT_IN_A_ROW;
    const reported: ConnectionEnd = rival ? { ...end, refusal: 'taken-over', why: RIVAL } : end;
    const final =
      reported.refusal === 'taken-over' || (!this.#wasUp && (reported.refusal !== undefined || !this.#parts.patient));
    if (final) return this.#giveUp(reported);
    this.#listener.down(reported, false);
    this.#cancelRetry = clock.afterWall(this.#backoff.next(), () => this.#retry(), { unref: true });
  }

  #retry(): void {
    const may = this.#parts.mayReconnect();
    if (may === 'later')
      this.#cancelRetry = this.#shared.clock.afterWall(ASK_AGAIN_MS, () => this.#retry(), { unref: true });
    else if (may) this.#dial();
    else this.#giveUp({ why: 'it belongs to another process now', refusal: 'taken-over', greeted: true });
  }

  #giveUp(end: ConnectionEnd): void {
    this.#end();
    this.#listener.down(end, true);
    this.#settle?.reject(new LinkRefused(end));
    this.#settle = null;
  }
}

const RIVAL = 'it was closed at once several times: another client connects with the same client id';
