/**
 * Links over MQTT: one mqtt.js client for each connection of a watch. The fleet decides when to reconnect, and the
 * outbox keeps unacknowledged messages, so mqtt.js neither reconnects nor stores. Pings and time limits come from one
 * timer for all links, so mqtt.js has no timers that could disturb lock-step time.
 */
import type { Duplex } from 'node:stream';
import type { ErrorWithReasonCode, IClientOptions, MqttClient } from 'mqtt';
import type { IConnackPacket, Packet } from 'mqtt-packet';
import { isWrongVersion, refusalOf } from '../../base/network/mqtt-refusals.ts';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import { allFilter, downFilter, HOST_STATE_TOPIC, upStatusTopic } from '../../contract/watch.ts';
import { type BrokerAddress, socketOpener, within } from './broker-address.ts';
import { MessageIds, NO_STORE } from './in-flight.ts';
import type { Dial, DialLink, Link, LinkListener } from './link.ts';
import { LinkStream, type OpenSocket } from './link-stream.ts';

/** 4 is MQTT 3.1.1, the version of the watch protocol. */
export type MqttVersion = 4 | 5;

/** A broker in this process, which needs no network. */
interface BrokerWithin {
  connect(): Duplex;
}

interface MqttLinksParts {
  /** Wall time only: in every mode, a link waits for a real network. */
  readonly clock: Pick<Clock, 'mode' | 'monotonic' | 'afterWall'>;
  /** The broker's address, or a broker of this process. */
  readonly broker: BrokerAddress | BrokerWithin;
  /** Default: 4. */
  readonly version?: MqttVersion;
}

/**
 * Seconds. Not used in fast runs, where idle time is simulated and the watch itself pings after it.
 * [house, time and chance]
 */
const KEEPALIVE_S = 60;

/** Idle time before PINGREQ, then the time allowed for PINGRESP: this share of the keep-alive. */
const PING_AFTER_SHARE = 0.75;

/** Time limit for CONNACK and SUBACK; milliseconds of wall time. */
const CONNECT_WITHIN_MS = 10_000;

/** Time limit for the other side to close a connection that this side ended; milliseconds of wall time. */
const CLOSE_WITHIN_MS = 2_000;

/** Interval at which one timer checks all links, instead of a timer for each; milliseconds of wall time. */
const LOOK_EVERY_MS = 5_000;

/** The limit of mqtt.js, which cannot be switched off. `CONNECT_WITHIN_MS` ends first. Milliseconds of wall time. */
const MQTT_JS_CONNECT_WITHIN_MS = 60_000;

const GRANTED = 2;

/** The watch's own `down/`, the `all/` of its site, and the state of the host. */
const FILTERS = 3;

/** QoS 1 and not retained: nearly every message is one of these. */
const UNRETAINED = { qos: 1, retain: false } as const;
const RETAINED = { qos: 1, retain: true } as const;

/** Packets that the parser accepts, but that no broker may send at that moment. */
const OUT_OF_PLACE = {
  connack: 'the broker sent a CONNACK that answers nothing',
  suback: 'the broker sent a SUBACK that answers nothing',
  publish: 'the broker sent a message without its number',
  qos: 'the broker sent a message with QoS 2, which no watch asks for',
} as const;

/** Links to one broker. This call starts to load mqtt.js; a link that is dialled before that ends waits for it. */
export function mqttLinks(parts: MqttLinksParts): DialLink {
  const shared = new Shared(parts);
  return (dial, listener) => new MqttLink(shared, dial, listener);
}

/** The modules that must be loaded before the first connection. */
interface Loaded {
  readonly MqttClient: typeof MqttClient;
  readonly open: OpenSocket;
}

/** The state that all links to one broker share. */
class Shared {
  readonly parts: MqttLinksParts;
  /** Null until `loading` resolves. Loaded here and not at the top of the file, since most commands have no fleet. */
  loaded: Loaded | null = null;
  readonly loading: Promise<Loaded>;
  readonly #links = new Set<MqttLink>();
  #look: Cancel | null = null;

  constructor(parts: MqttLinksParts) {
    this.parts = parts;
    this.loading = this.#load();
    // Every waiting link gets the failure. If no link waits, this handler prevents an unhandled rejection.
    this.loading.catch(() => {});
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

  async #load(): Promise<Loaded> {
    // `default` is what CommonJS exports; the bundle does not have the named exports.
    const { broker } = this.parts;
    const opener = 'connect' in broker ? within(() => broker.connect()) : socketOpener(broker);
    const [mqtt, open, numbers] = await Promise.all([
      import('mqtt'),
      opener,
      import('../../base/network/packet-numbers.ts'),
    ]);
    numbers.makeNumbersWhenWritten();
    this.loaded = { MqttClient: mqtt.default.MqttClient, open };
    return this.loaded;
  }

  #lookAtAll(): void {
    this.#look = this.parts.clock.afterWall(LOOK_EVERY_MS, () => this.#lookAtAll(), { unref: true });
    const now = this.parts.clock.monotonic();
    for (const link of this.#links) link.look(now);
  }
}

/** One session. Messages of an old session are not sent again. */
class MqttLink implements Link {
  readonly #shared: Shared;
  readonly #listener: LinkListener;
  readonly #siteId: string;
  readonly #serial: string;
  #state: 'connecting' | 'subscribing' | 'up' | 'ending' = 'connecting';
  /** Null until mqtt.js is loaded. */
  #stream: LinkStream | null = null;
  #client: MqttClient | null = null;
  #why = 'the connection was closed';
  #code: string | undefined;
  #refused = false;
  #pings: (() => void)[] | null = null;
  #pingAfterMs = KEEPALIVE_S * 1_000 * PING_AFTER_SHARE;

  constructor(shared: Shared, dial: Dial, listener: LinkListener) {
    this.#shared = shared;
    this.#listener = listener;
    this.#siteId = dial.siteId;
    this.#serial = dial.serial;
    const { loaded } = shared;
    if (loaded !== null) this.#connect(loaded, dial);
    else
      shared.loading
        .then((late) => this.#connect(late, dial))
        .catch((error: Error) => this.#closed(`mqtt.js could not be started: ${error.message}`));
  }

  send(topic: string, payload: string, qos: 0 | 1, retain: boolean, sent: () => void): void {
    if (this.#state === 'ending') return;
    this.#stream?.sendNow(() => this.#publish(topic, payload, qos, retain, sent));
  }

  ping(answered: () => void): void {
    if (this.#state === 'ending') return;
    this.#pings ??= [];
    this.#pings.push(answered);
    this.#client?.sendPing();
  }

  break(): void {
    if (this.#state === 'ending') return;
    this.#why = 'no network';
    this.#state = 'ending';
    // In a fast run, time waits until the broker has noticed the end and closes its side. In other modes the link does
    // not wait.
    if (this.#shared.parts.clock.mode === 'lockstep') this.#end(() => this.#stream?.end());
    else this.#stream?.destroy();
  }

  leave(): void {
    if (this.#state !== 'up') return this.break();
    this.#state = 'ending';
    const client = this.#client;
    if (client === null) return;
    // mqtt.js would wait for their acknowledgements before its DISCONNECT. The next session sends them again.
    for (const id of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(id));
    this.#end(() => client.end());
  }

  // --- called by the shared state

  look(now: number): void {
    const stream = this.#stream;
    if (stream === null) return;
    const silentMs = now - stream.writtenAt;
    if (this.#state === 'connecting' || this.#state === 'subscribing') {
      if (silentMs > CONNECT_WITHIN_MS) this.#fail('the broker did not answer');
      return;
    }
    if (this.#state !== 'up' || this.#shared.parts.clock.mode !== 'real') return;
    if (silentMs <= this.#pingAfterMs) return;
    if ((this.#pings?.length ?? 0) > 0) return this.#fail('the broker does not answer any more');
    this.ping(nothing);
  }

  #connect({ MqttClient, open }: Loaded, { serial, key, siteId, will }: Dial): void {
    if (this.#state === 'ending') return this.#closed(this.#why);
    const { clock, version = 4 } = this.#shared.parts;
    const stream = new LinkStream(
      open,
      () => clock.monotonic(),
      (error) => this.#failed(error),
    );
    this.#stream = stream;
    stream.once('close', () => this.#closed(this.#why));
    this.#shared.add(this);
    const options: IClientOptions = {
      protocolVersion: version,
      clean: true,
      keepalive: clock.mode === 'real' ? KEEPALIVE_S : 0,
      clientId: serial,
      username: serial,
      password: Buffer.from(key),
      will: { topic: upStatusTopic(siteId, serial), payload: will, qos: 1, retain: true },
      reconnectPeriod: 0,
      connectTimeout: MQTT_JS_CONNECT_WITHIN_MS,
      resubscribe: false,
      queueQoSZero: false,
      incomingStore: NO_STORE,
      outgoingStore: NO_STORE,
      messageIdProvider: new MessageIds(),
      log: nothing,
    };
    const client = new MqttClient(() => stream as never, options);
    this.#client = client;
    // CONNECT has already announced the keep-alive. If it stayed in the options, mqtt.js would start a timer for each
    // client.
    options.keepalive = 0;
    client.on('packetreceive', (packet) => this.#onPacket(packet));
    client.on('connect', () => this.#subscribe());
    client.on('message', (topic, payload) => {
      if (this.#state !== 'ending') this.#listener.linkReceived(topic, payload);
    });
    client.on('error', ({ message }) => this.#fail(`the broker sent a packet that cannot be read: ${message}`));
  }

  #publish(topic: string, payload: string, qos: 0 | 1, retain: boolean, sent: () => void): void {
    if (qos === 0) {
      this.#client?.publish(topic, payload, { qos, retain });
      // mqtt.js would call back during `publish`.
      this.#stream?.whenWritten(sent);
      return;
    }
    this.#client?.publish(topic, payload, retain ? RETAINED : UNRETAINED, (error) => {
      // A PUBACK with a reason code of refusal also ends the message, as in MQTT 3.1.1, where a PUBACK has no reason
      // code. [watch-protocol]
      if (error == null || (error as ErrorWithReasonCode).code !== undefined) sent();
    });
  }

  /** Runs before mqtt.js handles the packet: mqtt.js does not report everything, and accepts many invalid packets. */
  #onPacket(packet: Packet): void {
    if (this.#state === 'ending') return;
    switch (packet.cmd) {
      case 'connack':
        return this.#greeted(packet);
      case 'suback':
        if (this.#state !== 'subscribing' || packet.granted.length !== FILTERS) return this.#fail(OUT_OF_PLACE.suback);
        if (packet.granted.every((granted) => (granted as number) <= GRANTED)) return this.#subscribed();
        return this.#fail('the broker refused a subscription');
      case 'publish':
        if (packet.qos === 2) return this.#fail(OUT_OF_PLACE.qos);
        if (packet.qos === 1 && !((packet.messageId ?? 0) > 0)) return this.#fail(OUT_OF_PLACE.publish);
        return;
      case 'puback':
        return;
      case 'pingresp':
        this.#pings?.shift()?.();
        return;
      default:
        if (packet.cmd === 'disconnect' && this.#shared.parts.version === 5)
          return this.#fail(`the broker ended the connection (reason ${packet.reasonCode ?? 0})`);
        return this.#fail(`the broker sent a packet that no client gets: ${packet.cmd}`);
    }
  }

  #greeted({ returnCode, reasonCode, properties }: IConnackPacket): void {
    const code = this.#shared.parts.version === 5 ? reasonCode : returnCode;
    if (this.#state !== 'connecting' || code === undefined) return this.#fail(OUT_OF_PLACE.connack);
    if (code !== 0) {
      this.#refused = true;
      if (isWrongVersion(code)) this.#code = 'MQTT_VERSION';
      return this.#fail(refusalOf(code, 'key') ?? `the broker refused the connection (${code})`);
    }
    const keepaliveS = properties?.serverKeepAlive ?? 0;
    if (keepaliveS > 0) this.#pingAfterMs = Math.min(this.#pingAfterMs, keepaliveS * 1_000 * PING_AFTER_SHARE);
  }

  #subscribe(): void {
    if (this.#state !== 'connecting') return;
    this.#state = 'subscribing';
    const filters = [downFilter(this.#siteId, this.#serial), allFilter(this.#siteId), HOST_STATE_TOPIC];
    // The callback of `subscribe` comes too late: a retained message may arrive before it. So the SUBACK packet itself
    // is used.
    this.#client?.subscribe(filters, { qos: 1 }, nothing);
  }

  #subscribed(): void {
    this.#state = 'up';
    this.#listener.linkUp();
  }

  #fail(why: string): void {
    if (this.#state === 'ending') return;
    this.#why = why;
    this.#state = 'ending';
    this.#stream?.destroy();
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (this.#state === 'ending') return;
    this.#why = error.message || error.code || this.#why;
    this.#code = error.code;
  }

  #closed(why: string): void {
    this.#state = 'ending';
    this.#shared.remove(this);
    this.#listener.linkDown(why, { refused: this.#refused, ...(this.#code === undefined ? {} : { code: this.#code }) });
  }

  #end(how: () => void): void {
    const stream = this.#stream;
    if (stream === null) return;
    const cancel = this.#shared.parts.clock.afterWall(CLOSE_WITHIN_MS, () => stream.destroy(), { unref: true });
    stream.once('close', cancel);
    how();
  }
}

function nothing(): void {}
