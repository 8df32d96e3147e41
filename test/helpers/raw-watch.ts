/** A watch of bare packets over a bare socket: it says exactly what a test wants it to say, also what no client library would. */
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IConnackPacket, IConnectPacket, IPublishPacket, ISubackPacket, Packet } from 'mqtt-packet';
import mqttPacket from 'mqtt-packet';
import { upEventTopic, upStatusTopic } from '../../src/contract/watch.ts';
import { keyOf, SITE } from './watch-world.ts';

type Cmd = Packet['cmd'];

export class RawWatch {
  readonly serial: string;
  readonly socket: Duplex;
  /** Every packet that came, in its order. */
  readonly received: Packet[] = [];
  /** Resolves when the broker has ended the connection. */
  readonly ended: Promise<void>;
  /** PUBACKs of downlinks are sent of themselves. */
  acknowledges = true;
  #taken = new Set<Packet>();
  #waiting: (() => void)[] = [];
  #open = true;
  #messageId = 0;
  #seq = 0;

  /** `through`: a port of this machine, or a connection that stands. */
  constructor(through: number | Duplex, serial: string) {
    this.serial = serial;
    this.socket = typeof through === 'number' ? connect({ host: '127.0.0.1', port: through, noDelay: true }) : through;
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    parser.on('packet', (packet) => this.#onPacket(packet));
    this.socket.on('data', (chunk) => parser.parse(chunk));
    this.socket.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.#open = false;
        resolve();
        this.#tell();
      });
    });
  }

  /** Connects with the right key; `rest` says what is different. */
  connect(rest: Partial<IConnectPacket> = {}): Promise<IConnackPacket> {
    this.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: this.serial,
      keepalive: 0,
      username: this.serial,
      password: Buffer.from(keyOf(this.serial)),
      ...rest,
    });
    return this.next('connack') as Promise<IConnackPacket>;
  }

  send(...packets: Packet[]): void {
    this.socket.write(Buffer.concat(packets.map((packet) => mqttPacket.generate(packet))));
  }

  /** The granted QoS of each filter; 128: refused. */
  async subscribe(...filters: (string | { topic: string; qos: 0 | 1 | 2 })[]): Promise<unknown[]> {
    const subscriptions = filters.map((filter) =>
      typeof filter === 'string' ? { topic: filter, qos: 1 as const } : filter,
    );
    this.send({ cmd: 'subscribe', messageId: this.messageId(), subscriptions });
    return ((await this.next('suback')) as ISubackPacket).granted;
  }

  /** A PUBLISH, not yet sent. */
  message(topic: string, payload: unknown, rest: Partial<IPublishPacket> = {}): IPublishPacket {
    const qos = rest.qos ?? 1;
    const bytes = Buffer.isBuffer(payload) || typeof payload === 'string' ? payload : JSON.stringify(payload);
    const base = { cmd: 'publish', topic, payload: bytes, qos, retain: false, dup: false } as const;
    return { ...base, ...(qos > 0 ? { messageId: this.messageId() } : {}), ...rest };
  }

  /** Publishes with QoS 1 and resolves at the PUBACK; rejects when the connection ends before. */
  async publish(topic: string, payload: unknown, rest: Partial<IPublishPacket> = {}): Promise<void> {
    const message = this.message(topic, payload, rest);
    this.send(message);
    await this.next('puback', ({ messageId }) => messageId === message.messageId);
  }

  birth(session = 1): Promise<void> {
    const payload = { online: true, session, firmware: 'test 1', t: T };
    return this.publish(upStatusTopic(SITE, this.serial), payload, { retain: true });
  }

  sos(id: string, rest: object = {}): Promise<void> {
    return this.publish(upEventTopic(SITE, this.serial, 'sos'), { id, ...this.stamp(), with: 'watch_button', ...rest });
  }

  stamp(session = 1) {
    return { session, seq: ++this.#seq, t: T };
  }

  async ping(): Promise<void> {
    this.send({ cmd: 'pingreq' });
    await this.next('pingresp');
  }

  /** The first packet of the kind that was not returned before; rejects when the connection ends without it. */
  next(cmd: Cmd, fits: (packet: Packet) => boolean = () => true): Promise<Packet> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.received.find((packet) => packet.cmd === cmd && !this.#taken.has(packet) && fits(packet));
        if (found !== undefined) {
          this.#taken.add(found);
          resolve(found);
        } else if (this.#open) this.#waiting.push(look);
        else reject(new Error(`The connection ended before a ${cmd} came.`));
      };
      look();
    });
  }

  /** The next message of the service on the topic, parsed. */
  async messageOn(topic: string): Promise<unknown> {
    const packet = (await this.next('publish', (one) => (one as IPublishPacket).topic === topic)) as IPublishPacket;
    return packet.payload.length === 0 ? null : JSON.parse(packet.payload.toString());
  }

  count(cmd: Cmd): number {
    return this.received.filter((packet) => packet.cmd === cmd).length;
  }

  messageId(): number {
    return ++this.#messageId;
  }

  async leave(): Promise<void> {
    this.send({ cmd: 'disconnect' });
    await this.ended;
  }

  /** The network is gone: no packet is sent. */
  async vanish(): Promise<void> {
    this.socket.destroy();
    await this.ended;
  }

  #onPacket(packet: Packet): void {
    this.received.push(packet);
    if (packet.cmd === 'publish' && packet.qos === 1 && this.acknowledges)
      this.send({ cmd: 'puback', messageId: packet.messageId as number });
    this.#tell();
  }

  #tell(): void {
    for (const look of this.#waiting.splice(0)) look();
  }
}

/** The watch's own clock. */
export const T = '2026-10-05T06:00:00.000Z';
