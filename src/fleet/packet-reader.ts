/** Reads MQTT packets for all links of a fleet, one after another: what one broker says badly must not make the others deaf. */
import mqttPacket, { type Packet, type Parser } from 'mqtt-packet';

export class PacketReader {
  #parser: Parser = this.#newParser();
  /** What the parser found in the bytes that it has now. */
  readonly #packets: Packet[] = [];
  #malformed: Error | null = null;

  /** Whole packets, each told to `by`; the answer says why one could not be read, after which nothing more was. */
  read(bytes: Buffer, by: { hear(packet: Packet): void }): string | null {
    try {
      this.#parser.parse(bytes);
    } catch (error) {
      this.#malformed = error as Error;
    }
    for (const packet of this.#packets) by.hear(packet);
    this.#packets.length = 0;
    if (this.#malformed === null) return null;
    const why = this.#malformed.message;
    // After an error mqtt-packet reads on where it stood in the bad packet, so a new one takes its place.
    this.#malformed = null;
    this.#parser = this.#newParser();
    return why;
  }

  #newParser(): Parser {
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    parser.on('packet', (packet) => this.#packets.push(packet));
    parser.on('error', (error) => {
      this.#malformed = error;
    });
    return parser;
  }
}
