/** Gives the PUBACKs of a turn: those of one connection in one piece, in the order of their PUBLISHes [MQTT-4.6.0-2]. */
import type { PublishPacket } from 'aedes';

/** The callback of aedes' publish hook: without an error aedes continues with the PUBLISH, with one it ends the connection. */
export type Callback = (error?: Error | null) => void;

/** The PUBACK of an uplink, in its place among the others of the connection. */
export interface PubackReply {
  ready: boolean;
  readonly packet: PublishPacket;
  readonly callback: Callback;
}

/** A connection as far as PUBACKs go. */
export interface Answered {
  readonly conn: { readonly destroyed: boolean; readonly writableNeedDrain: boolean; write(bytes: Buffer): boolean };
  /** Takes the answers that became due since the last call. */
  takeReady(): readonly PubackReply[];
}

const PUBACK = 0x40;
const REMAINING_LENGTH = 2;
const PUBACK_BYTES = 4;

export class Pubacks {
  #settled: Answered[] = [];

  /** The uplink is committed; its PUBACK is batched with those settled in the same turn. */
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
      // aedes would make four writes for each PUBACK, one turn later, and wait for the drain of a client that does not read.
      if (!of.conn.destroyed && !of.conn.writableNeedDrain) acknowledge(of.conn, answers);
      for (const { callback } of answers) callback(null);
    }
  }
}

/** For aedes an acknowledged packet has QoS 0 from here on. */
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
