/** Sends messages to watches, each over its own connection, so that one that does not read blocks no other. */
import type { AedesPublishPacket, Client } from 'aedes';
import type { Cancel, Clock } from '../base/time/clock.ts';
import type { Refusals } from './refusals.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** A watch that leaves a message unanswered for this long does not read: it must be gone after 10 s. [watch-protocol, fine print] */
const ANSWER_WITHIN_MS = 7_000;
const LOOK_EVERY_MS = 1_000;

/** High-water mark of the buffer for one slow watch: some thousand messages. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Downlinks that one watch may leave without a PUBACK; message ids end at 65,535. */
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

  /** To every connection of the watch that subscribed to the topic; none while it is offline, since its next birth fetches the state. */
  toWatch(serial: string, topic: string, payload: Buffer): void {
    for (const session of this.#sessions.ofWatch(serial)) this.#send(session, topic, payload);
  }

  /** To every connection that subscribed to the topic. */
  toAll(topic: string, payload: Buffer): void {
    for (const session of this.#sessions.all()) this.#send(session, topic, payload);
  }

  /**
   * Every message to a watch passes here, retained ones too. It gets a message id of ours, so that its PUBACK is
   * recognised, and time waits for that. aedes would send retained messages with QoS 1 to a subscription of QoS 0.
   */
  forward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null {
    const session = this.#sessions.of(client);
    const granted = session?.qosOf(packet.topic);
    if (session === undefined || granted === undefined || !session.open) return null;
    if (Math.min(granted, packet.qos) === 0) {
      // QoS 0 messages to a client that does not read are dropped; buffering them would fill the memory.
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

  /** A PUBACK arrived. In lock-step all that are awaited are applied together, in the order of the watches. */
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
    // A connection that has just ended may be reported later; each write to it would log an error.
    if (!session.open || client.conn.destroyed || session.qosOf(topic) === undefined) return;
    if (client.conn.writableLength > MAX_WAITING_BYTES || unacknowledged.size >= MAX_UNACKNOWLEDGED)
      return this.#tooSlow(session);
    this.#sent++;
    // Not by broker.publish(): there a hundred messages to one frozen watch block all others (measured).
    const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false, ...this.#number() } as const;
    client.publish(packet, nothing);
  }

  // aedes drops what has a number not above the last one of the same origin; ours count for themselves.
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
