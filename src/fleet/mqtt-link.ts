/** A link over real MQTT 3.1.1 and TCP, by mqtt.js: one client per session, so that nothing of an old one is sent again. */
import { connect, type Socket } from 'node:net';
import { MqttClient } from 'mqtt';
import type { Clock } from '../base/clock.ts';
import { allFilter, downFilter, HOST_STATE_TOPIC, upStatusTopic } from '../contract/watch.ts';
import type { Dial, DialLink, Link, LinkListener } from './link.ts';

export interface MqttLinksParts {
  readonly clock: Clock;
  readonly host: string;
  readonly port: number;
  /** Local ports of open connections, by which the broker knows the fleet's own. */
  readonly ports: Set<number>;
}

/** Seconds; in fast runs silence is simulated time, and the watch itself pings by that. [house, time and chance] */
const KEEPALIVE_S = 60;

/** How long a CONNACK may take; milliseconds of wall time. */
const CONNECT_WITHIN_MS = 10_000;

/** How long the other side may take to end a connection that we ended; milliseconds of wall time. */
const CLOSE_WITHIN_MS = 2_000;

/** Links to one broker. */
export function mqttLinks(parts: MqttLinksParts): DialLink {
  return (dial, listener) => new MqttLink(parts, dial, listener);
}

class MqttLink implements Link {
  readonly #parts: MqttLinksParts;
  readonly #listener: LinkListener;
  readonly #socket: Socket;
  readonly #client: MqttClient;
  #why = 'the connection was closed';
  #broken = false;

  constructor(parts: MqttLinksParts, { serial, key, siteId, will }: Dial, listener: LinkListener) {
    const { host, port, clock } = parts;
    this.#parts = parts;
    this.#listener = listener;
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.once('connect', () => this.#keepPort());
    this.#client = new MqttClient(() => this.#socket as never, {
      clientId: serial,
      username: serial,
      password: key,
      will: { topic: upStatusTopic(siteId, serial), payload: will, qos: 1, retain: true },
      protocolVersion: 4,
      clean: true,
      resubscribe: false,
      queueQoSZero: false,
      // The watch schedules its own: mqtt.js knows neither jitter nor simulated time.
      reconnectPeriod: 0,
      keepalive: clock.mode === 'real' ? KEEPALIVE_S : 0,
      connectTimeout: CONNECT_WITHIN_MS,
      log: nothing,
    });
    this.#client.once('connect', () => this.#subscribe(siteId, serial));
    this.#client.on('message', (topic, payload) => {
      if (!this.#broken) listener.linkHeard(topic, payload);
    });
    this.#client.on('error', (error) => {
      this.#why = error.message || (error as NodeJS.ErrnoException).code || this.#why;
    });
    this.#client.once('close', () => listener.linkDown(this.#why));
  }

  send(topic: string, payload: Buffer, qos: 0 | 1, retain: boolean, sent: () => void): void {
    this.#client.publish(topic, payload, { qos, retain }, (error) => {
      if (!error) sent();
    });
  }

  ping(answered: () => void): void {
    const onPacket = ({ cmd }: { cmd: string }): void => {
      if (cmd !== 'pingresp') return;
      this.#client.removeListener('packetreceive', onPacket);
      answered();
    };
    this.#client.on('packetreceive', onPacket);
    this.#client.sendPing();
  }

  break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#why = 'no network';
    // In a fast run time waits until the broker has seen the end, as it ends its side; elsewhere nothing is said.
    if (this.#parts.clock.mode === 'lockstep') this.#endWithin(() => this.#socket.end());
    else this.#socket.destroy();
  }

  leave(): void {
    if (this.#broken) return;
    this.#endWithin(() => this.#client.end());
  }

  #endWithin(end: () => void): void {
    const cancel = this.#parts.clock.afterWall(CLOSE_WITHIN_MS, () => this.#socket.destroy(), { unref: true });
    this.#socket.once('close', cancel);
    end();
  }

  #subscribe(siteId: string, serial: string): void {
    const filters = [downFilter(siteId, serial), allFilter(siteId), HOST_STATE_TOPIC];
    this.#client.subscribe(filters, { qos: 1 }, (error) => {
      if (this.#broken) return;
      if (!error) return this.#listener.linkUp();
      this.#why = error.message;
      this.#socket.destroy();
    });
  }

  #keepPort(): void {
    const { localPort } = this.#socket;
    if (localPort === undefined) return;
    this.#parts.ports.add(localPort);
    this.#socket.once('close', () => this.#parts.ports.delete(localPort));
  }
}

function nothing(): void {}
