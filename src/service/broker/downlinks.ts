/** Sends messages to watches, each over its own connection, so that a watch that does not read blocks no other. */
import type { AedesPublishPacket, Client } from 'aedes';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import type { Refusals } from './refusals.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/**
 * A watch that leaves a message without a PUBACK for this long does not read: its connection must be ended after 10 s.
 * [watch-protocol, fine print]
 */
const ANSWER_WITHIN_MS = 7_000;
const LOOK_EVERY_MS = 1_000;

/** High-water mark of the buffer for one slow watch: a few thousand messages. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** The most downlinks of one watch without a PUBACK. Message ids end at 65,535. */
const MAX_UNACKNOWLEDGED = 10_000;

export class Downlinks {
  readonly #clock: Clock;
  readonly #sessions: Sessions;
  readonly #refusals: Refusals;
  #looking: Cancel | null = null;
  #sent = 0;

  constructor(clock: Clock, sessions: Sessions, refusals: Refusals) {
    this.#clock = clock;
    this.#sessions = sessions;
    this.#refusals = refusals;
  }

  get sent(): number {
    return this.#sent;
  }

  /**
   * Sends to every connection of the watch that subscribed to the topic. Sends nothing while it is offline, since its
   * next birth fetches the state.
   */
  toWatch(serial: string, topic: string, payload: Buffer): void {
    for (const session of this.#sessions.ofWatch(serial)) this.#send(session, topic, payload);
  }

  /** Sends to every connection that subscribed to the topic. */
  toAll(topic: string, payload: Buffer): void {
    for (const session of this.#sessions.all()) this.#send(session, topic, payload);
  }

  /**
   * aedes calls this for every message to a watch, including retained ones. The message gets a message id of this
   * class, so that its PUBACK is recognised and time waits for it. aedes would send retained messages with QoS 1 to a
   * subscription with QoS 0.
   */
  forward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null {
    const session = this.#sessions.of(client);
    const granted = session?.qosOf(packet.topic);
    if (session === undefined || granted === undefined || !session.open) return null;
    if (Math.min(granted, packet.qos) === 0) {
      // QoS 0 messages to a client that does not read are dropped, since buffering them would fill the memory.
      if (client.conn.writableNeedDrain) return null;
      packet.qos = 0;
      return packet;
    }
    const messageId = session.messageId();
    const { serial } = session.device;
    session.unacknowledged.set(messageId, {
      since: this.#clock.monotonic(),
      release: this.#clock.hold('downlink', () => `PUBACK of watch ${serial} for ${packet.topic}`),
    });
    this.#look();
    packet.messageId = messageId;
    return packet;
  }

  /** A PUBACK arrived. In lock-step all PUBACKs that are awaited are applied together, in the order of the watches. */
  acknowledged(session: Session, messageId: number, then: () => void): void {
    const waiting = session.unacknowledged.get(messageId);
    const key = `${session.device.serial}/${String(messageId).padStart(5, '0')}`;
    if (waiting === undefined) return;
    session.unacknowledged.delete(messageId);
    this.#clock.ordered('downlink', key, () => {
      then();
      waiting.release();
    });
  }

  stop(): void {
    this.#looking?.();
    this.#looking = null;
  }

  #send(session: Session, topic: string, payload: Buffer): void {
    const { client, unacknowledged } = session;
    // The end of a connection may be reported late, and each write to an ended one would log an error.
    if (!session.open || client.conn.destroyed || session.qosOf(topic) === undefined) return;
    if (client.conn.writableLength > MAX_WAITING_BYTES || unacknowledged.size >= MAX_UNACKNOWLEDGED)
      return this.#tooSlow(session);
    this.#sent++;
    // Not sent by `broker.publish()`: there a hundred messages to one blocked watch delay all others (measured).
    const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false, ...this.#number() } as const;
    client.publish(packet, nothing);
  }

  // aedes drops a message whose number is not above the last one from the same origin. So these have an origin and a
  // counter of their own.
  #number() {
    return { brokerId: 'downlink', brokerCounter: this.#sent };
  }

  #look(): void {
    this.#looking ??= this.#clock.afterWall(
      LOOK_EVERY_MS,
      () => {
        this.#looking = null;
        const now = this.#clock.monotonic();
        let waiting = false;
        for (const session of [...this.#sessions.all()]) {
          const [oldest] = session.unacknowledged.values();
          if (oldest === undefined) continue;
          if (now - oldest.since > ANSWER_WITHIN_MS) this.#tooSlow(session);
          else waiting = true;
        }
        if (waiting) this.#look();
      },
      { unref: true },
    );
  }

  #tooSlow(session: Session): void {
    if (!session.open) return;
    this.#refusals.refuseConnection('slow', session.device.serial, 'the watch does not take its messages');
    session.open = false;
    session.client.conn.destroy();
  }
}

function nothing(): void {}
