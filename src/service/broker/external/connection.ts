/**
 * One MQTT connection of the service to an external broker, with MQTT 3.1.1 or 5. mqtt.js is not used: it handles one
 * message at a time, so each message would wait for the commit of the one before. Here the broker's window limits how
 * many are in flight.
 */
import type { Socket } from 'node:net';
import mqttPacket, { type IConnackPacket, type IConnectPacket, type IPublishPacket, type Packet } from 'mqtt-packet';
import { asError } from '../../../base/assert.ts';
import { isWrongVersion, refusalOf } from '../../../base/network/mqtt-refusals.ts';
import { makeNumbersWhenWritten } from '../../../base/network/packet-numbers.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import type { BrokerEndpoint } from './address.ts';

/** 4 is MQTT 3.1.1. */
export type ServiceMqttVersion = 4 | 5;

export interface ConnectionParts {
  readonly clock: Pick<Clock, 'afterWall'>;
  readonly endpoint: BrokerEndpoint;
  readonly version: ServiceMqttVersion;
  readonly clientId: string;
  /**
   * Seconds for which the broker keeps the session without a connection. 0: the session starts clean and ends with the
   * connection.
   */
  readonly keepSessionS: number;
  /** Seconds without a message after which the broker counts as disconnected. Default 30. */
  readonly keepaliveS?: number;
  readonly will?: { readonly topic: string; readonly payload: Buffer };
}

/** Why a connection ended. */
export interface ConnectionEnd {
  readonly why: string;
  /** An error code of Node.js, such as `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /**
   * The reason of a refusal:
   * - `version`: the broker does not support this version of MQTT.
   * - `credentials`: wrong user name, password or client id.
   * - `taken-over`: another client connected with the same client id.
   * - `unable`: the broker lacks a feature that the service needs.
   * - `subscription`: the broker refused a subscription.
   * - `claimed`: another sandbox serves a site of this one.
   */
  readonly refusal?: 'version' | 'credentials' | 'taken-over' | 'unable' | 'subscription' | 'claimed' | undefined;
  /** True if the CONNECT was answered. */
  readonly greeted: boolean;
  /** True if the broker closed the connection without a reason. */
  readonly silent?: boolean;
}

interface ConnectionListener {
  /** A CONNACK arrived: the session exists. */
  greeted(sessionPresent: boolean, receiveMaximum: number): void;
  subscribed(granted: readonly number[]): void;
  published(packet: IPublishPacket): void;
  /** `reasonCode` is 0 in MQTT 3.1.1. */
  acknowledged(messageId: number, reasonCode: number): void;
  /** Called once when the connection ends for any reason. */
  ended(end: ConnectionEnd): void;
}

/** Seconds. A broker publishes a client's will after 1.5 times this. */
const KEEPALIVE_S = 30;

/** Time limit from opening the socket to the CONNACK; milliseconds of wall time. */
const CONNECT_WITHIN_MS = 10_000;

/** Time limit for the other side to close a connection that this side ended; milliseconds of wall time. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * The most uplinks that the broker may have in flight to this client (MQTT 5). More would only wait for the same turns
 * of the engine.
 */
const RECEIVE_MAXIMUM = 2_000;

/** The most messages in flight to a broker that states no limit (MQTT 3.1.1, or MQTT 5 without `receiveMaximum`). */
const SEND_AT_ONCE = 1_000;

/** Written as bytes: a packet that is generated while modules load would fill the cache of numbers. */
const DISCONNECT = Buffer.from([0xe0, 0x00]);
const PINGREQ = Buffer.from([0xc0, 0x00]);

/** CONNACK codes that concern the identity of the client. [MQTT-3.2.2-3; MQTT 5: 3.2.2.2] */
const CREDENTIALS: ReadonlySet<number> = new Set([2, 4, 5, 0x85, 0x86, 0x87, 0x8a, 0x8c]);
const SESSION_TAKEN_OVER = 0x8e;

export class BrokerConnection {
  readonly #parts: ConnectionParts;
  readonly #listener: ConnectionListener;
  readonly socket: Socket;
  #state: 'connecting' | 'up' | 'ended' = 'connecting';
  #greeted = false;
  #why: Omit<ConnectionEnd, 'greeted'> = { why: 'the broker closed the connection', silent: true };
  #awaitsPong = false;
  #cancel: Cancel;

  constructor(parts: ConnectionParts, listener: ConnectionListener) {
    makeNumbersWhenWritten();
    this.#parts = parts;
    this.#listener = listener;
    const { clock, endpoint, version } = parts;
    const parser = mqttPacket.parser({ protocolVersion: version });
    parser.on('packet', (packet) => this.#onPacket(packet));
    parser.on('error', (error: unknown) =>
      this.fail(`the broker sent a packet that cannot be read: ${asError(error).message}`),
    );
    this.socket = endpoint.open();
    this.socket.on('data', (bytes: Buffer) => {
      // Packets after the one that ended the connection are ignored: the broker sends them again.
      if (this.#state !== 'ended') parser.parse(bytes);
    });
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#state !== 'ended')
        this.#why = { why: error.message || (error.code ?? 'the network failed'), code: error.code };
    });
    this.socket.once('close', () => this.#closed());
    this.socket.write(mqttPacket.generate(this.#connect(), { protocolVersion: version }));
    this.#cancel = clock.afterWall(CONNECT_WITHIN_MS, () =>
      this.fail('the broker did not answer in time', 'ETIMEDOUT'),
    );
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** Subscribes with QoS 1. `rh` 0 requests the retained messages. */
  subscribe(filters: readonly string[]): void {
    const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const, rh: 0 as const }));
    this.#send({ cmd: 'subscribe', messageId: 1, subscriptions });
  }

  publish(packet: IPublishPacket): void {
    this.#send(packet);
  }

  puback(messageId: number): void {
    this.#send({ cmd: 'puback', messageId });
  }

  /**
   * Ends the connection without DISCONNECT: a kept session continues, and the broker sends unacknowledged messages
   * again.
   */
  fail(why: string, code?: string, refusal?: ConnectionEnd['refusal']): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#why = { why, code, refusal };
    this.socket.destroy();
  }

  /** Sends DISCONNECT: the broker publishes no will, and keeps the session if `keepSessionS` is not 0. */
  leave(): void {
    if (this.#state === 'ended') return;
    const isUp = this.#state === 'up';
    this.#state = 'ended';
    this.#why = { why: 'the service left' };
    const cancel = this.#parts.clock.afterWall(CLOSE_WITHIN_MS, () => this.socket.destroy(), { unref: true });
    this.socket.once('close', cancel);
    if (isUp) this.socket.end(DISCONNECT);
    else this.socket.destroy();
  }

  #connect(): IConnectPacket {
    const { endpoint, version, clientId, keepSessionS, will } = this.#parts;
    const properties = { sessionExpiryInterval: keepSessionS, receiveMaximum: RECEIVE_MAXIMUM };
    return {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: version,
      clientId,
      keepalive: this.#parts.keepaliveS ?? KEEPALIVE_S,
      clean: keepSessionS === 0,
      ...(endpoint.username === undefined ? {} : { username: endpoint.username }),
      ...(endpoint.password === undefined ? {} : { password: Buffer.from(endpoint.password) }),
      ...(will === undefined ? {} : { will: { ...will, qos: 1, retain: true } }),
      ...(version === 5 ? { properties } : {}),
    };
  }

  #onPacket(packet: Packet): void {
    if (this.#state === 'ended') return;
    this.#awaitsPong = false;
    switch (packet.cmd) {
      case 'connack':
        return this.#answered(packet);
      case 'suback':
        return this.#listener.subscribed(packet.granted as number[]);
      case 'publish':
        return this.#listener.published(packet);
      case 'puback':
        return this.#listener.acknowledged(packet.messageId ?? 0, packet.reasonCode ?? 0);
      case 'pingresp':
        return;
      case 'disconnect': {
        const reason = packet.reasonCode ?? 0;
        return reason === SESSION_TAKEN_OVER
          ? this.fail('another client connected with the same client id', undefined, 'taken-over')
          : this.fail(`the broker ended the connection (reason 0x${reason.toString(16)})`);
      }
      default:
        return this.fail(`the broker sent a packet that no client gets: ${packet.cmd}`);
    }
  }

  #answered({ sessionPresent, returnCode, reasonCode, properties = {} }: IConnackPacket): void {
    this.#greeted = true;
    const code = reasonCode ?? returnCode ?? 0;
    if (code !== 0) {
      const refusal = isWrongVersion(code) ? 'version' : CREDENTIALS.has(code) ? 'credentials' : undefined;
      const why = refusalOf(code, 'password') ?? `the broker refused the connection (0x${code.toString(16)})`;
      return this.fail(why, undefined, refusal);
    }
    const lack = lackOf(properties);
    if (lack !== null) return this.fail(lack, undefined, 'unable');
    this.#state = 'up';
    this.#cancel();
    this.#ping();
    this.#listener.greeted(sessionPresent, Math.min(properties.receiveMaximum ?? SEND_AT_ONCE, SEND_AT_ONCE));
  }

  #ping(): void {
    const tick = (): void => {
      if (this.#awaitsPong) return this.fail('the broker does not answer any more', 'ETIMEDOUT');
      this.#awaitsPong = true;
      this.socket.write(PINGREQ);
      this.#ping();
    };
    // Half of the keep-alive until the PINGREQ, and the same time for its answer.
    const everyMs = ((this.#parts.keepaliveS ?? KEEPALIVE_S) * 1_000) / 2;
    this.#cancel = this.#parts.clock.afterWall(everyMs, tick, { unref: true });
  }

  #send(packet: Packet): void {
    if (this.#state === 'up') this.socket.write(mqttPacket.generate(packet, { protocolVersion: this.#parts.version }));
  }

  #closed(): void {
    this.#state = 'ended';
    this.#cancel();
    this.#listener.ended({ ...this.#why, greeted: this.#greeted });
  }
}

/**
 * A feature that the service needs and that the broker states to lack (MQTT 5); null if there is none.
 * [MQTT 5: 3.2.2.3]
 */
function lackOf({
  maximumQoS,
  retainAvailable,
  wildcardSubscriptionAvailable,
}: NonNullable<IConnackPacket['properties']>): string | null {
  if (maximumQoS === 0) return 'the broker takes no message of QoS 1';
  if (retainAvailable === false) return 'the broker retains no messages';
  if (wildcardSubscriptionAvailable === false) return 'the broker has no subscriptions with wildcards';
  return null;
}
