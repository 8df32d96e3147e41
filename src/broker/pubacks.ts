/** Sends the PUBACKs of a transaction: one write per connection, in the order of the PUBLISHes [MQTT-4.6.0-2]. */

/** The part of a PUBLISH that the service reads, from aedes' parser or from the service's own. */
export interface InboundPublish {
  readonly topic: string;
  readonly payload: Buffer | string;
  /** 0 once its PUBACK has been written. */
  qos: 0 | 1 | 2;
  readonly messageId?: number | undefined;
  retain: boolean;
}

/**
 * Ends the handling of a PUBLISH. On an error, aedes ends the watch's connection; an external broker only gets a
 * PUBACK.
 */
export type Callback = (error?: Error | null) => void;

/** The PUBACK of an uplink, in its order among the others of the connection. */
export interface PubackReply {
  ready: boolean;
  readonly packet: InboundPublish;
  readonly callback: Callback;
}

const NO_REPLIES: readonly PubackReply[] = [];

/**
 * The uplinks of one connection that await their PUBACK. PUBACKs are sent in the order of their PUBLISHes
 * [MQTT-4.6.0-2].
 */
export class PubackQueue {
  #replies: PubackReply[] = [];

  get size(): number {
    return this.#replies.length;
  }

  add(packet: InboundPublish, callback: Callback): PubackReply {
    const reply: PubackReply = { ready: false, packet, callback };
    this.#replies.push(reply);
    return reply;
  }

  /** Takes the replies that are ready and have no earlier reply that is not ready. */
  takeReady(): readonly PubackReply[] {
    const replies = this.#replies;
    let count = 0;
    while (replies[count]?.ready === true) count++;
    if (count < replies.length) return count === 0 ? NO_REPLIES : replies.splice(0, count);
    if (count > 0) this.#replies = [];
    return replies;
  }

  clear(): void {
    this.#replies = [];
  }
}

/** A connection, as far as PUBACKs need it. */
export interface Answered {
  readonly conn: { readonly destroyed: boolean; readonly writableNeedDrain: boolean; write(bytes: Buffer): boolean };
  /** Takes the replies that became ready since the last call. */
  takeReady(): readonly PubackReply[];
}

const PUBACK = 0x40;
const REMAINING_LENGTH = 2;
const PUBACK_BYTES = 4;

export class Pubacks {
  #settled: Answered[] = [];

  /** The uplink is committed. Its PUBACK is batched with those that are settled in the same transaction. */
  settle(of: Answered, answer: PubackReply): void {
    answer.ready = true;
    if (this.#settled.push(of) === 1) queueMicrotask(() => this.#give());
  }

  #give(): void {
    const settled = this.#settled;
    this.#settled = [];
    for (const of of settled) {
      const answers = of.takeReady();
      if (answers.length === 0) continue;
      // aedes would make four writes for each PUBACK, one tick of the event loop later, and would wait for a client
      // that does not read.
      if (!of.conn.destroyed && !of.conn.writableNeedDrain) acknowledge(of.conn, answers);
      for (const { callback } of answers) callback(null);
    }
  }
}

/** Writes the PUBACKs. For aedes an acknowledged packet has QoS 0 from here on. */
function acknowledge(conn: Answered['conn'], answers: readonly PubackReply[]): void {
  const bytes = Buffer.allocUnsafe(answers.length * PUBACK_BYTES);
  let end = 0;
  for (const { packet } of answers) {
    if (packet.qos !== 1 || packet.messageId === undefined) continue;
    bytes[end] = PUBACK;
    bytes[end + 1] = REMAINING_LENGTH;
    end = bytes.writeUInt16BE(packet.messageId, end + 2);
    packet.qos = 0;
  }
  if (end > 0) conn.write(end === bytes.length ? bytes : bytes.subarray(0, end));
}
