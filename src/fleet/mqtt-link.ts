/**
 * Links over real MQTT 3.1.1 and TCP. The packets are mqtt-packet's and the rest is as little as a watch needs, since
 * thousands stand in one process: one buffer to read into, one parser and one timer for all of them.
 */
import { connect, type Socket } from 'node:net';
import mqttPacket, { type IConnackPacket, type Packet } from 'mqtt-packet';
import type { Cancel, Clock } from '../base/clock.ts';
import { allFilter, downFilter, HOST_STATE_TOPIC, upStatusTopic } from '../contract/watch.ts';
import { Frames } from './frames.ts';
import type { Dial, DialLink, Link, LinkListener } from './link.ts';
import { PacketReader } from './packet-reader.ts';

export interface MqttLinksParts {
  /** Wall time only: what a link waits for is real in every mode. */
  readonly clock: Pick<Clock, 'mode' | 'monotonic' | 'afterWall'>;
  readonly host: string;
  readonly port: number;
  /** Local ports of open connections, by which the broker knows the fleet's own. */
  readonly ports: Set<number>;
}

/** Seconds; in fast runs silence is simulated time, and the watch itself pings by that. [house, time and chance] */
const KEEPALIVE_S = 60;

/** Who has said nothing for so long pings, and gives up after as long again without an answer; milliseconds of wall time. */
const PING_AFTER_MS = 45_000;

/** How long CONNACK and SUBACK may take; milliseconds of wall time. */
const CONNECT_WITHIN_MS = 10_000;

/** How long the other side may take to end a connection that we ended; milliseconds of wall time. */
const CLOSE_WITHIN_MS = 2_000;

/** All links are looked at together, and not by a timer for each; milliseconds of wall time. */
const LOOK_EVERY_MS = 5_000;

const READ_BYTES = 64 * 1024;
const LAST_MESSAGE_ID = 65_535;
const GRANTED = 2;

/** Its own `down/`, its site's `all/`, and the host's state. */
const FILTERS = 3;

/** CONNACK return codes in words. [MQTT-3.2.2.3] */
const REFUSED: Readonly<Record<number, string>> = {
  1: 'the broker does not speak MQTT 3.1.1',
  2: 'the broker refused the client id',
  3: 'the broker says that its service is not available',
  4: 'the broker refused the user name or the key',
  5: 'the broker says that this client is not authorised',
};

/** What the parser lets through, and no broker may say then. */
const OUT_OF_PLACE = {
  connack: 'the broker sent a CONNACK that answers nothing',
  suback: 'the broker sent a SUBACK that answers nothing',
  publish: 'the broker sent a message without its number',
} as const;

/** Links to one broker. */
export function mqttLinks(parts: MqttLinksParts): DialLink {
  const shared = new Shared(parts);
  return (dial, listener) => new MqttLink(shared, dial, listener);
}

/** What all links to one broker have in common. */
class Shared {
  readonly parts: MqttLinksParts;
  readonly buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly #reader = new PacketReader();
  readonly #links = new Set<MqttLink>();
  #look: Cancel | null = null;

  constructor(parts: MqttLinksParts) {
    this.parts = parts;
  }

  /** Whole packets of one link. */
  parse(link: MqttLink, packets: Buffer): void {
    const bad = this.#reader.read(packets, link);
    if (bad !== null) link.fail(`the broker sent a packet that cannot be read: ${bad}`);
  }

  add(link: MqttLink): void {
    this.#links.add(link);
    this.#look ??= this.parts.clock.afterWall(LOOK_EVERY_MS, () => this.#lookAtAll(), { unref: true });
  }

  remove(link: MqttLink): void {
    this.#links.delete(link);
    if (this.#links.size > 0) return;
    this.#look?.();
    this.#look = null;
  }

  #lookAtAll(): void {
    this.#look = this.parts.clock.afterWall(LOOK_EVERY_MS, () => this.#lookAtAll(), { unref: true });
    const now = this.parts.clock.monotonic();
    for (const link of this.#links) link.look(now);
  }
}

/** One session: nothing of an old one is sent again. */
class MqttLink implements Link {
  readonly #shared: Shared;
  readonly #listener: LinkListener;
  readonly #socket: Socket;
  readonly #frames = new Frames();
  readonly #siteId: string;
  readonly #serial: string;
  #state: 'connecting' | 'subscribing' | 'up' | 'ending' = 'connecting';
  #why = 'the connection was closed';
  #refused = false;
  #messageId = 0;
  /** Messages without their PUBACK; a watch says one thing at a time, so most have one at most. */
  #waiting: Map<number, () => void> | null = null;
  #pings: (() => void)[] | null = null;
  /** Monotonic ms: when the dialling began, then when something was last said. */
  #lastSaidAt: number;

  constructor(shared: Shared, { serial, key, siteId, will }: Dial, listener: LinkListener) {
    const { clock, host, port, ports } = shared.parts;
    this.#shared = shared;
    this.#listener = listener;
    this.#siteId = siteId;
    this.#serial = serial;
    this.#lastSaidAt = clock.monotonic();
    const callback = (length: number, bytes: Uint8Array): boolean => this.#read(bytes as Buffer, length);
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer: shared.buffer, callback } });
    this.#socket.once('connect', () => {
      const { localPort } = this.#socket;
      if (localPort === undefined) return;
      ports.add(localPort);
      this.#socket.once('close', () => ports.delete(localPort));
    });
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#why = error.message || error.code || this.#why;
    });
    this.#socket.once('close', () => {
      shared.remove(this);
      listener.linkDown(this.#why, this.#refused);
    });
    shared.add(this);
    this.#say({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive: clock.mode === 'real' ? KEEPALIVE_S : 0,
      clientId: serial,
      username: serial,
      password: Buffer.from(key),
      will: { topic: upStatusTopic(siteId, serial), payload: will, qos: 1, retain: true },
    });
  }

  send(topic: string, payload: Buffer, qos: 0 | 1, retain: boolean, sent: () => void): void {
    const publish = { cmd: 'publish', topic, payload, qos, retain, dup: false } as const;
    if (qos === 0) {
      this.#say(publish, (error) => {
        if (error == null) sent();
      });
      return;
    }
    this.#messageId = (this.#messageId % LAST_MESSAGE_ID) + 1;
    this.#waiting ??= new Map();
    this.#waiting.set(this.#messageId, sent);
    this.#say({ ...publish, messageId: this.#messageId });
  }

  ping(answered: () => void): void {
    this.#pings ??= [];
    this.#pings.push(answered);
    this.#say({ cmd: 'pingreq' });
  }

  break(): void {
    if (this.#state === 'ending') return;
    this.#why = 'no network';
    this.#state = 'ending';
    // In a fast run time waits until the broker has seen the end, as it ends its side; elsewhere nothing is said.
    if (this.#shared.parts.clock.mode === 'lockstep') this.#end();
    else this.#socket.destroy();
  }

  leave(): void {
    if (this.#state === 'ending') return;
    this.#say({ cmd: 'disconnect' });
    this.#state = 'ending';
    this.#end();
  }

  // --- what the shared parts call

  hear(packet: Packet): void {
    if (this.#state === 'ending') return;
    switch (packet.cmd) {
      case 'connack':
        return this.#greeted(packet);
      case 'suback':
        if (this.#state !== 'subscribing' || packet.granted.length !== FILTERS) return this.fail(OUT_OF_PLACE.suback);
        if (packet.granted.every((granted) => (granted as number) <= GRANTED)) return this.#subscribed();
        return this.fail('the broker refused a subscription');
      case 'publish':
        if (packet.qos > 0 && !((packet.messageId ?? 0) > 0)) return this.fail(OUT_OF_PLACE.publish);
        this.#listener.linkHeard(packet.topic, packet.payload as Buffer);
        if (packet.qos === 1) this.#say({ cmd: 'puback', messageId: packet.messageId as number });
        return;
      case 'puback':
        return this.#acknowledged(packet.messageId as number);
      case 'pingresp':
        this.#pings?.shift()?.();
        return;
      default:
        return this.fail(`the broker sent a packet that no client gets: ${packet.cmd}`);
    }
  }

  fail(why: string): void {
    if (this.#state === 'ending') return;
    this.#why = why;
    this.#state = 'ending';
    this.#socket.destroy();
  }

  look(now: number): void {
    const silentMs = now - this.#lastSaidAt;
    if (this.#state === 'connecting' || this.#state === 'subscribing') {
      if (silentMs > CONNECT_WITHIN_MS) this.fail('the broker did not answer');
      return;
    }
    if (this.#state !== 'up' || this.#shared.parts.clock.mode !== 'real') return;
    if (silentMs <= PING_AFTER_MS) return;
    if ((this.#pings?.length ?? 0) > 0) return this.fail('the broker does not answer any more');
    this.ping(nothing);
  }

  #greeted({ returnCode }: IConnackPacket): void {
    if (this.#state !== 'connecting' || returnCode === undefined) return this.fail(OUT_OF_PLACE.connack);
    if (returnCode !== 0) {
      this.#refused = true;
      return this.fail(REFUSED[returnCode] ?? `the broker refused the connection (${returnCode})`);
    }
    this.#state = 'subscribing';
    const filters = [downFilter(this.#siteId, this.#serial), allFilter(this.#siteId), HOST_STATE_TOPIC];
    this.#messageId += 1;
    this.#say({
      cmd: 'subscribe',
      messageId: this.#messageId,
      subscriptions: filters.map((topic) => ({ topic, qos: 1 })),
    });
  }

  #subscribed(): void {
    this.#state = 'up';
    this.#listener.linkUp();
  }

  #acknowledged(messageId: number): void {
    const sent = this.#waiting?.get(messageId);
    this.#waiting?.delete(messageId);
    sent?.();
  }

  #read(buffer: Buffer, length: number): boolean {
    const packets = this.#frames.whole(buffer.subarray(0, length));
    if (packets !== null) this.#shared.parse(this, packets);
    return true;
  }

  #say(packet: Packet, written?: (error?: Error | null) => void): void {
    if (this.#state === 'ending') return;
    this.#lastSaidAt = this.#shared.parts.clock.monotonic();
    this.#socket.write(mqttPacket.generate(packet), written);
  }

  #end(): void {
    const cancel = this.#shared.parts.clock.afterWall(CLOSE_WITHIN_MS, () => this.#socket.destroy(), { unref: true });
    this.#socket.once('close', cancel);
    this.#socket.end();
  }
}

function nothing(): void {}
