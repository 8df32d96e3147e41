/** A proxy between the device and the broker: records each packet, and delays, drops and repeats packets as a radio link does. [watch-protocol] */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import mqttPacket, { type IConnectPacket, type IPublishPacket, type ISubscribePacket, type Packet } from 'mqtt-packet';
import { type TlsKeys, type TlsPort, tlsOptions, watchTlsPort } from '../../../base/network/tls-port.ts';
import { monotonicMs, wallMs } from '../../../base/time/timers.ts';
import { parseWatchTopic, type WatchTopic } from '../../../contract/watch.ts';
import { listenAt, PassedNotices } from '../proxy.ts';
import { PacketFrames } from './frames.ts';
import { connectTo, type JudgedBroker } from './raw-client.ts';

/** One packet that passed the proxy. */
export interface TracedPacket {
  readonly atMs: number;
  /** Ms since the Unix epoch. */
  readonly wallMs: number;
  /** Number of the connection, from 1. */
  readonly connection: number;
  readonly way: 'up' | 'down';
  readonly packet: Packet;
  /** `judge`: certify made the packet or consumed it. `withheld`: the other side never got it. */
  readonly mark: 'judge' | 'withheld' | null;
}

/** A PUBLISH with its parsed topic and payload. */
export interface TracedPublish extends TracedPacket {
  readonly packet: IPublishPacket;
  readonly topic: string;
  /** Undefined if it is not a topic of the protocol. */
  readonly known: WatchTopic | undefined;
  /** Undefined if the payload is not JSON. */
  readonly payload: unknown;
  readonly bytes: number;
}

/** One TCP connection of the device. */
export interface TapConnection {
  readonly number: number;
  readonly atMs: number;
  /** Null if the device sent none. */
  connect: IConnectPacket | null;
  /** Return code of the CONNACK; null if none came. */
  granted: number | null;
  subscribed: ISubscribePacket[];
  /** True if the device sent DISCONNECT. */
  isGoodbye: boolean;
  endedAtMs: number | null;
  readonly device: Socket;
}

interface TapAddress {
  readonly host: string;
  /** With 0, the system chooses a free port. */
  readonly port: number;
  /** If set, the device connects over TLS. Default: plain mqtt. */
  readonly tls?: TlsKeys | null;
}

/** First packet identifier of downlinks that certify makes. The broker counts up from 1. */
const JUDGE_IDS = 60_000;

export class WatchTap extends PassedNotices {
  readonly connections: TapConnection[] = [];
  readonly trace: TracedPacket[] = [];
  readonly uplinks: TracedPublish[] = [];
  readonly downlinks: TracedPublish[] = [];
  /** Connections that were refused during an outage; monotonic ms. */
  readonly refusedAt: number[] = [];
  /** Errors of the parser about bytes that are not MQTT. */
  readonly breaches: string[] = [];
  readonly #broker: JudgedBroker;
  readonly #server: Server;
  readonly #tlsPort: TlsPort | null;
  readonly #acknowledged = new Map<number, boolean>();
  #isOut = false;
  #losing: ((publish: TracedPublish) => boolean) | null = null;
  #lostId: number | null = null;
  #nextId = JUDGE_IDS;

  private constructor(broker: JudgedBroker, tls: TlsKeys | null) {
    super();
    this.#broker = broker;
    const accept = (device: Socket) => this.#accept(device);
    const options = { noDelay: true };
    this.#server =
      tls === null ? createServer(options, accept) : createTlsServer({ ...options, ...tlsOptions(tls) }, accept);
    this.#tlsPort = tls === null ? null : watchTlsPort(this.#server, (device) => device.destroy());
  }

  /** Throws `Outage` if it cannot listen. */
  static async start(broker: JudgedBroker, at: TapAddress): Promise<WatchTap> {
    const tap = new WatchTap(broker, at.tls ?? null);
    await listenAt(tap.#server, at, 'broker', '--mqtt-port');
    return tap;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The open connection, or null if the device is not connected. */
  get current(): TapConnection | null {
    return this.connections.findLast(({ endedAtMs, granted }) => endedAtMs === null && granted === 0) ?? null;
  }

  /**
   * Lets the next publish that fits reach the service, then breaks the connection before its PUBACK reaches the device.
   */
  losePuback(fits: (publish: TracedPublish) => boolean): void {
    this.#losing = fits;
    this.#lostId = null;
  }

  /** True if the PUBACK was withheld. */
  get hasLostPuback(): boolean {
    return this.#lostId === -1;
  }

  /** Simulates a network failure: breaks connections, and refuses new ones. */
  goOut(): void {
    this.#isOut = true;
    this.cut();
  }

  comeBack(): void {
    this.#isOut = false;
  }

  /** Breaks the connections without DISCONNECT. */
  cut(): void {
    for (const { device, endedAtMs } of this.connections) if (endedAtMs === null) device.destroy();
  }

  /**
   * Publishes to the device with QoS 1, as the broker would. Resolves with true if its PUBACK came within `limitMs`.
   */
  async inject(topic: string, payload: unknown, limitMs: number): Promise<boolean> {
    const connection = this.current;
    if (connection === null) return false;
    const messageId = this.#nextId++;
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
    const packet = { cmd: 'publish', topic, payload: bytes, qos: 1, dup: false, retain: false, messageId } as const;
    this.#acknowledged.set(messageId, false);
    this.#record(connection, 'down', packet, 'judge');
    connection.device.write(mqttPacket.generate(packet));
    return (await this.until(() => this.#acknowledged.get(messageId) === true, limitMs)) === true;
  }

  async stop(): Promise<void> {
    this.cut();
    this.#tlsPort?.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(device: Socket): void {
    device.on('error', () => {});
    if (this.#isOut) {
      this.refusedAt.push(monotonicMs());
      device.destroy();
      return this.wake();
    }
    const connection: TapConnection = {
      number: this.connections.length + 1,
      atMs: monotonicMs(),
      connect: null,
      granted: null,
      subscribed: [],
      isGoodbye: false,
      endedAtMs: null,
      device,
    };
    this.connections.push(connection);
    const broker = connectTo(this.#broker);
    broker.on('error', () => {});
    this.#pass(device, broker, connection, 'up');
    this.#pass(broker, device, connection, 'down');
    device.once('close', () => {
      connection.endedAtMs ??= monotonicMs();
      broker.end();
      this.wake();
    });
    broker.once('close', () => device.destroySoon());
  }

  /** Records the packets from `from`, and writes to `to` what is not withheld. */
  #pass(from: Socket, to: Socket, connection: TapConnection, way: TracedPacket['way']): void {
    const frames = new PacketFrames();
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    let parsed: Packet[] = [];
    parser.on('packet', (packet) => parsed.push(packet));
    parser.on('error', ({ message }) => this.breaches.push(message));
    from.on('data', (bytes) => {
      for (const frame of frames.take(bytes)) {
        parsed = [];
        parser.parse(frame);
        const isPassed = parsed.map((packet) => this.#take(connection, way, packet)).every((one) => one);
        if (isPassed && !to.destroyed) to.write(frame);
      }
      this.wake();
    });
  }

  /** Returns false if the packet must not be passed on. */
  #take(connection: TapConnection, way: TracedPacket['way'], packet: Packet): boolean {
    const isOurs = way === 'up' && packet.cmd === 'puback' && this.#acknowledged.has(packet.messageId ?? 0);
    const isLost = way === 'down' && packet.cmd === 'puback' && packet.messageId === this.#lostId;
    this.#record(connection, way, packet, isOurs ? 'judge' : isLost ? 'withheld' : null);
    if (isOurs) this.#acknowledged.set(packet.messageId as number, true);
    if (isLost) {
      this.#lostId = -1;
      connection.device.destroy();
    }
    return !isOurs && !isLost;
  }

  #record(connection: TapConnection, way: TracedPacket['way'], packet: Packet, mark: TracedPacket['mark']): void {
    const at = { atMs: monotonicMs(), wallMs: wallMs(), connection: connection.number, way, mark };
    if (packet.cmd === 'publish') {
      const { topic } = packet;
      const payload = readJson(packet.payload);
      const bytes = Buffer.byteLength(packet.payload);
      const publish = { ...at, packet, topic, known: parseWatchTopic(topic), payload, bytes };
      this.trace.push(publish);
      (way === 'up' ? this.uplinks : this.downlinks).push(publish);
      if (way === 'up' && packet.qos === 1 && this.#losing?.(publish) === true) {
        this.#losing = null;
        this.#lostId = packet.messageId as number;
      }
      return;
    }
    this.trace.push({ ...at, packet });
    if (packet.cmd === 'connect') connection.connect = packet;
    else if (packet.cmd === 'connack') connection.granted = packet.returnCode ?? packet.reasonCode ?? null;
    else if (packet.cmd === 'subscribe') connection.subscribed.push(packet);
    else if (packet.cmd === 'disconnect' && way === 'up') connection.isGoodbye = true;
  }
}

export function readJson(payload: string | Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}
