/** The MQTT broker of the sandbox: aedes with the sandbox's own hooks, from the first connection to the clean stop. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes } from 'aedes';
import { makeNumbersWhenWritten } from '../../base/network/packet-numbers.ts';
import { isUntrusted, type TlsKeys, type TlsPort, tlsOptions, watchTlsPort } from '../../base/network/tls-port.ts';
import { wire } from '../../base/network/wire.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { Clock } from '../../base/time/clock.ts';
import {
  type DownAlert,
  downAlertTopic,
  HOST_STATE_TOPIC,
  MAX_WATCH_PAYLOAD_BYTES,
  type MusterNotice,
  musterTopic,
} from '../../contract/watch.ts';
import type { Device } from '../domain/world/documents.ts';
import type { Engine } from '../engine/engine.ts';
import { Downlinks } from './downlinks.ts';
import { guardPackets, unparsedBytes } from './gate.ts';
import { BrokerHooks } from './hooks.ts';
import { Intake } from './intake.ts';
import { activeMusters, followEffects, type MessageSink } from './outgoing.ts';
import { type Refusal, Refusals } from './refusals.ts';
import { encode, OFFLINE, Retained } from './retained.ts';
import { Sessions } from './sessions.ts';

export interface BrokerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** With it the port accepts mqtts only. Default: mqtt. */
  readonly tls?: TlsKeys | null;
  /**
   * Called if a client that did not use `connect()` connects with a watch's own client id. It is called before the
   * CONNACK, so that the fleet yields the watch before the broker ends the fleet's own connection. [watch-protocol]
   */
  readonly onTakeOver?: (serial: string) => void;
  /**
   * Refuses input that is otherwise accepted with a note because production may refuse it. Default: false. [cli, up]
   */
  readonly strict?: boolean;
}

/**
 * Counters: the current connections and watches, and messages and refusals since the start.
 * [watch-protocol, fine print]
 */
export interface BrokerCounts {
  readonly connections: number;
  /** Watches that have published their birth. */
  readonly watches: number;
  /** Submitted to the engine since the start. */
  readonly uplinks: number;
  readonly downlinks: number;
  readonly refused: Readonly<Record<Refusal, number>>;
}

/** The broker for watches and the service: the embedded one, or the service's connections to an external one. */
export interface Broker {
  /** The address for watches, without credentials: `mqtt://host:port` or `mqtts://host:port`. */
  readonly url: string;
  readonly port: number;
  counts(): BrokerCounts;
  /** Publishes the offline state and stops. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedBroker extends Broker {
  /**
   * A connection from within this process, as the fleet's watches use it: the same bytes as over the port, without the
   * kernel. After `shut` or `stop` it fails with `ECONNREFUSED`, as for a closed port.
   */
  connect(): Duplex;
  /** Ends the connections of one watch, or of all. Returns their number. */
  disconnect(serial?: string): number;
  /** Publishes the site's muster to all its watches and retains it for later connections; null clears it. [watch-protocol `all/muster`] */
  setMuster(siteId: string, notice: MusterNotice | null): void;
  /** Simulates an outage: closes all connections without DISCONNECT and accepts none. Idempotent. */
  shut(): Promise<void>;
  /** Listens at the same port again after `shut`. */
  reopen(): Promise<void>;
}

const UNTRUSTED = `the client does not trust the certificate; it needs the authority that ${CLI} env names as SANDBOX_CA_FILE`;

/**
 * The most buffered bytes of one unparsed packet: the largest payload with its topic, or a CONNECT with a last will.
 */
const MAX_PACKET_BYTES = 2 * MAX_WATCH_PAYLOAD_BYTES;

/**
 * The most packets that may come before the CONNACK, in one write with the CONNECT. They are limited by the chunk that
 * a socket delivers at once (64 KiB): aedes does not read more until the client is admitted.
 */
const MOST_QUEUED = 65_536;

/** Time limit from the connection to the CONNECT; milliseconds. */
const CONNECT_WITHIN_MS = 10_000;

/** A connection that accepts no bytes for this long is ended; milliseconds. [watch-protocol: 5..10 s] */
const DRAIN_WITHIN_MS = 5_000;

/**
 * Starts listening. If the port is in use or forbidden, rejects with Node's own error and its `code`. [watch-protocol]
 */
export async function startBroker(options: BrokerOptions): Promise<EmbeddedBroker> {
  makeNumbersWhenWritten();
  const broker = new WatchBroker(options);
  await broker.start();
  return broker;
}

class WatchBroker implements EmbeddedBroker, MessageSink {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #host: string;
  readonly #requestedPort: number;
  readonly #sessions = new Sessions();
  readonly #sockets = new Set<Duplex>();
  /** Sockets that were made by `connect`. */
  readonly #own = new WeakSet<Duplex>();
  readonly #refusals: Refusals;
  readonly #retained: Retained;
  readonly #downlinks: Downlinks;
  readonly #intake: Intake;
  readonly #hooks: BrokerHooks;
  readonly #server: Server;
  /** Null for plain mqtt. */
  readonly #tlsPort: TlsPort | null;
  #aedes: Aedes | null = null;
  #port = 0;
  #unlisten: () => void = () => {};
  #stopping: Promise<void> | null = null;

  constructor(options: BrokerOptions) {
    const { engine, clock, host, port, tls = null, onTakeOver = () => {}, strict = false } = options;
    const sessions = this.#sessions;
    const refusals = new Refusals(engine);
    const downlinks = new Downlinks(clock, sessions, refusals);
    const intake = new Intake(engine, sessions, refusals, strict);
    this.#engine = engine;
    this.#clock = clock;
    this.#host = host;
    this.#requestedPort = port;
    this.#refusals = refusals;
    this.#retained = new Retained(engine.world);
    this.#downlinks = downlinks;
    this.#intake = intake;
    const isOwn = (conn: Duplex) => this.#own.has(conn);
    this.#hooks = new BrokerHooks({ engine, clock, sessions, refusals, downlinks, intake, isOwn, onTakeOver, strict });
    // Packets are small and each is awaited: waiting to fill a segment would cost 40 ms per message.
    const accept = (socket: Duplex) => this.#accept(socket);
    this.#server =
      tls === null
        ? createServer({ noDelay: true }, accept)
        : createTlsServer({ noDelay: true, ...tlsOptions(tls) }, accept);
    this.#tlsPort = tls === null ? null : watchTlsPort(this.#server, (socket) => this.#refusePlain(socket));
    this.#server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
      if (isUntrusted(error)) refusals.refuseConnection('protocol', null, UNTRUSTED);
    });
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `${this.#tlsPort === null ? 'mqtt' : 'mqtts'}://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#aedes = await Aedes.createBroker({
      ...this.#hooks.options(),
      persistence: this.#retained,
      connectTimeout: CONNECT_WITHIN_MS,
      drainTimeout: DRAIN_WITHIN_MS,
      queueLimit: MOST_QUEUED,
      // No common limit: a message that waits for one connection must not delay the messages of others.
      concurrency: 0,
    });
    this.#hooks.observe(this.#aedes);
    endHere(this.#aedes);
    try {
      this.#server.listen({ host: this.#host, port: this.#requestedPort });
      await once(this.#server, 'listening');
    } catch (error) {
      await closeAedes(this.#aedes);
      throw error;
    }
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : this.#requestedPort;
    // After a restart, the active musters must be retained for the watches that reconnect.
    for (const [siteId, notice] of activeMusters(this.#engine.world)) this.#retained.setMuster(siteId, encode(notice));
    this.#unlisten = followEffects(this.#engine, this);
  }

  toWatch({ siteId, serial }: Device, payload: DownAlert): void {
    this.#downlinks.toWatch(serial, downAlertTopic(siteId, serial), encode(payload));
  }

  counts(): BrokerCounts {
    return {
      connections: this.#sessions.size,
      watches: this.#sessions.watches,
      uplinks: this.#intake.submitted,
      downlinks: this.#downlinks.sent,
      refused: this.#refusals.counts(),
    };
  }

  disconnect(serial?: string): number {
    const ended = [...(serial === undefined ? this.#sessions.all() : this.#sessions.ofWatch(serial))];
    for (const session of ended) session.client.conn.destroy();
    return ended.length;
  }

  setMuster(siteId: string, notice: MusterNotice | null): void {
    const payload = notice === null ? null : encode(notice);
    this.#retained.setMuster(siteId, payload);
    this.#downlinks.toAll(musterTopic(siteId), payload ?? Buffer.alloc(0));
  }

  connect(): Duplex {
    const [watch, service] = wire();
    if (this.#server.listening) {
      this.#own.add(service);
      this.#accept(service);
    } else {
      const [code, address, port] = ['ECONNREFUSED', this.#host, this.#port];
      const error = new Error(`connect ${code} ${address}:${port}`);
      watch.destroy(Object.assign(error, { code, syscall: 'connect', address, port }));
    }
    return watch;
  }

  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#tlsPort?.close();
    const own = Array.from(this.#sockets, (socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([closed, ...own]);
  }

  async reopen(): Promise<void> {
    if (this.#server.listening || this.#stopping !== null) return;
    this.#tlsPort?.open();
    this.#server.listen({ host: this.#host, port: this.#port });
    await once(this.#server, 'listening');
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#unlisten();
    const closed = this.#server.listening ? once(this.#server, 'close') : Promise.resolve();
    this.#server.close();
    this.#tlsPort?.close();
    this.#downlinks.toAll(HOST_STATE_TOPIC, OFFLINE);
    // aedes writes in the next turn of the event loop.
    await this.#turn();
    await this.#turn();
    this.#downlinks.stop();
    if (this.#aedes !== null) await closeAedes(this.#aedes);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#clock.soon(resolve));
  }

  #refusePlain(socket: Duplex): void {
    socket.destroy();
    this.#refusals.refuseConnection('protocol', null, `this port speaks mqtts only: connect to ${this.url}`);
  }

  #accept(socket: Duplex): void {
    if (this.#aedes === null || this.#stopping !== null) return void socket.destroy();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const client = this.#aedes.handle(socket);
    guardPackets(client, socket);
    // aedes checks a packet only when it is complete, and would buffer 256 MB of one packet.
    socket.on('readable', () => {
      if (unparsedBytes(client) <= MAX_PACKET_BYTES) return;
      const serial = this.#sessions.of(client)?.device.serial ?? null;
      this.#refusals.refuseConnection('size', serial, `a packet has at most ${MAX_PACKET_BYTES} bytes`);
      socket.destroy();
    });
  }
}

/**
 * Stops the forwarding of published messages. No client may subscribe to what a watch publishes or to aedes' own
 * topics, and downlinks are sent directly to their connections. The search for subscribers would cost as much as
 * reading the message (measured).
 */
function endHere(aedes: Aedes): void {
  const end = (_packet: unknown, client: unknown, done?: unknown): void => {
    const callback = typeof client === 'function' ? client : done;
    if (typeof callback === 'function') callback();
  };
  aedes.publish = end as Aedes['publish'];
}

function closeAedes(aedes: Aedes): Promise<void> {
  return new Promise((resolve) => aedes.close(resolve));
}
