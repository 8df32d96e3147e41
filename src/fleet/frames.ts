/** Cuts what a socket brings into whole MQTT packets and keeps the rest for the next piece. [MQTT-2.2.3] */

/** A length takes four bytes at most, seven bits each. */
const MOST_LENGTH_BYTES = 4;

export class Frames {
  /** The beginning of a packet; most pieces end with one. */
  #rest: Buffer | null = null;

  /**
   * The whole packets that are there, in one piece, or null: none yet. The answer may be part of the given piece, which
   * may be used again after it; what is kept is copied. A length that is none is left to the parser to refuse.
   */
  whole(piece: Buffer): Buffer | null {
    const bytes = this.#rest === null ? piece : Buffer.concat([this.#rest, piece]);
    let end = 0;
    for (let next = packetEnd(bytes, 0); next !== null && next <= bytes.length; next = packetEnd(bytes, end))
      end = next;
    this.#rest = end === bytes.length ? null : Buffer.from(bytes.subarray(end));
    return end === 0 ? null : bytes.subarray(0, end);
  }
}

/** Where the packet ends that begins there; null: its length is not known yet. */
function packetEnd(bytes: Buffer, start: number): number | null {
  let length = 0;
  for (let place = 0; place < MOST_LENGTH_BYTES; place++) {
    const byte = bytes[start + 1 + place];
    if (byte === undefined) return null;
    length += (byte & 0x7f) * 128 ** place;
    if ((byte & 0x80) === 0) return start + 2 + place + length;
  }
  return start + 1 + MOST_LENGTH_BYTES;
}
