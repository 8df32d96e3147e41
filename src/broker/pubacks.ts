/** Gives the PUBACKs of a turn: those of one connection in one piece, in the order of their PUBLISHes [MQTT-4.6.0-2]. */
import type { PublishPacket } from 'aedes';

/** aedes goes on with what follows a PUBLISH when it is called without an error, and ends the connection when it is called with one. */
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
  /** The answers whose turn has come since the last call, and none of them again. */
  takeReady(): readonly PubackReply[];
}

const PUBACK = 0x40;
const REMAINING_LENGTH = 2;
const PUBACK_BYTES = 4;

export class Pubacks {
  #settled: Answered[] = [];

  /** An uplink is heard for good; its PUBACK goes with those of the others that are settled at this moment. */
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
      // aedes would write four pieces for each, and go on a turn later. Where a client does not read, it waits for that.
      if (!of.conn.destroyed && !of.conn.writableNeedDrain) acknowledge(of.conn, answers);
      for (const { callback } of answers) callback(null);
    }
  }
}

/** What is acknowledged has QoS 0 for aedes from here on. */
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
