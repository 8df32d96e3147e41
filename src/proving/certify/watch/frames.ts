/** Splits a stream of bytes into MQTT packets, so that each can be passed on byte for byte, or withheld. [MQTT 2.2] */

/** More than any packet of the watch protocol. A longer packet is passed on in pieces, and parsing ends. */
const LONGEST = 256 * 1024;

export class PacketFrames {
  #rest: Buffer = Buffer.alloc(0);
  /** True after bytes that are not MQTT or exceed the limit. Further bytes are passed through unparsed. */
  #isBroken = false;

  /** Returns the complete packets of the bytes so far. The rest waits for the next bytes. */
  take(bytes: Buffer): Buffer[] {
    if (this.#isBroken) return [bytes];
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Buffer[] = [];
    for (let length = lengthOf(this.#rest); length !== null; length = lengthOf(this.#rest)) {
      if (length > LONGEST) {
        this.#isBroken = true;
        frames.push(this.#rest);
        break;
      }
      if (this.#rest.length < length) break;
      frames.push(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length);
    }
    return frames;
  }
}

/** Length of the first packet with its fixed header, or null if the header is incomplete. */
function lengthOf(bytes: Buffer): number | null {
  let rest = 0;
  for (let place = 1; place <= 4; place++) {
    const byte = bytes[place];
    if (byte === undefined) return null;
    rest += (byte & 127) << (7 * (place - 1));
    if (byte < 128) return 1 + place + rest;
  }
  return Number.POSITIVE_INFINITY;
}
