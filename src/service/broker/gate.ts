/**
 * A filter between aedes' parser and aedes. Packets that MQTT forbids end the connection before aedes handles them, and
 * an unknown protocol level gets its CONNACK. aedes does not expose its parser. The version of aedes is pinned, and
 * tests send such packets.
 */
import type { Duplex } from 'node:stream';
import type { Client } from 'aedes';
import type { Packet } from 'mqtt-packet';
import { breachOf } from './packet-rules.ts';

/** CONNACK, unacceptable protocol version. [MQTT-3.1.2-2] */
const UNKNOWN_LEVEL = Buffer.from([0x20, 0x02, 0x00, 0x01]);

/** The error of `mqtt-packet` for a protocol level other than 3, 4 and 5. */
const LEVEL_ERROR = 'Invalid protocol version';

interface Parser {
  listeners(event: string): ((this: Parser, of: never) => void)[];
  removeAllListeners(event: string): void;
  on(event: 'packet', listener: (packet: Packet) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  emit(event: 'error', error: Error): void;
  /** Received bytes of an incomplete packet. */
  readonly _list: { readonly length: number };
}

const parserOf = (client: Client): Parser => (client as unknown as { _parser: Parser })._parser;

/** The received bytes of an incomplete packet. */
export const unparsedBytes = (client: Client): number => parserOf(client)._list.length;

/** Installs the filter for a client. */
export function guardPackets(client: Client, socket: Duplex): void {
  const parser = parserOf(client);
  const take = only<Packet>(parser, 'packet');
  const fail = only<Error>(parser, 'error');
  parser.removeAllListeners('packet');
  parser.removeAllListeners('error');
  parser.on('packet', (packet) => {
    // After the end of a connection aedes has no queue, but the rest of a chunk is still parsed.
    if (client.closed) return;
    // mosquitto's bridges set the high bit of the level, so the level is unknown.
    if (packet.cmd === 'connect' && 'bridgeMode' in packet) return refuseLevel(LEVEL_ERROR);
    const breach = breachOf(packet);
    if (breach === null) take(packet);
    else fail(new Error(breach));
  });
  parser.on('error', (error) => {
    if (error.message === LEVEL_ERROR) refuseLevel(error.message);
    else fail(error);
  });

  function refuseLevel(message: string): void {
    socket.end(UNKNOWN_LEVEL, () => fail(new Error(`${message}: this broker speaks MQTT 3.1.1 (level 4)`)));
  }
}

/** The only listener of the event, which aedes has added. */
function only<T>(parser: Parser, event: string): (packet: T) => void {
  const [listener] = parser.listeners(event) as ((this: Parser, packet: T) => void)[];
  if (listener === undefined) throw new Error('aedes has another parser than the one that was looked at.');
  return (packet) => listener.call(parser, packet);
}
