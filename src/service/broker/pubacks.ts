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

/**
 * The PUBACK of an uplink, in its order among the others of the connection. A class, because V8 may allocate the literals
 * of a hot place among the old objects. Such a reply keeps its packet and its command until the next full collection:
 * at 20,000 messages a second that was 150 MB (measured).
 */
export class PubackReply {
  ready = false;
  readonly packet: InboundPublish;
  readonly callback: Callback;

  constructor(packet: InboundPublish, callback: Callback) {
    this.packet = packet;
    this.callback = callback;
  }
}

/**
 * The uplinks of one connection that await their PUBACK. PUBACKs are sent in the order of their PUBLISHes
 * [MQTT-4.6.0-2]. One list for the whole connection, for the reason of `PubackReply`.
 */
export class PubackQueue {
  readonly #replies: PubackReply[] = [];

  get size(): number {
    return this.#replies.length;
  }

  add(packet: InboundPublish, callback: Callback): PubackReply {
    const reply = new PubackReply(packet, callback);
    this.#replies.push(reply);
    return reply;
  }

  /** Moves the replies that are ready, and have no earlier reply that is not ready, to the end of `to`. */
  takeReady(to: PubackReply[]): void {
    const replies = this.#replies;
    let count = 0;
    for (let reply = replies[0]; reply?.ready === true; reply = replies[count]) {
      to.push(reply);
      count += 1;
    }
    if (count === replies.length) empty(replies);
    else if (count > 0) replies.splice(0, count);
  }

  clear(): void {
    empty(this.#replies);
  }
}

/** Keeps the space of the list, which `length = 0` would allocate again at the next reply. */
function empty(list: unknown[]): void {
  while (list.length > 0) list.pop();
}

/** A connection, as far as PUBACKs need it. */
export interface Answered {
  readonly conn: { readonly destroyed: boolean; readonly writableNeedDrain: boolean; write(bytes: Buffer): boolean };
  /** Moves the replies that became ready since the last call to the end of `to`. */
  takeReady(to: PubackReply[]): void;
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
    const replies: PubackReply[] = [];
    for (const of of settled) {
      of.takeReady(replies);
      if (replies.length === 0) continue;
      // aedes would make four writes for each PUBACK, one tick of the event loop later, and would wait for a client
      // that does not read.
      if (!of.conn.destroyed && !of.conn.writableNeedDrain) acknowledge(of.conn, replies);
      for (const { callback } of replies) callback(null);
      empty(replies);
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
