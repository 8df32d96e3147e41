/** MQTT clients of certify that write raw packets: one takes over the connection of a watch, one reads a retained message. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { later } from '../../../base/time/timers.ts';

/** Time limit of a connection; wall ms. */
const WITHIN_MS = 3_000;

/** The broker of the sandbox, on this machine. */
export interface JudgedBroker {
  readonly port: number;
  /** PEM of the certificate authority to trust; null if the broker uses plain mqtt. */
  readonly ca: string | null;
}

export function connectTo({ port, ca }: JudgedBroker): Socket {
  const address = { host: '127.0.0.1', port };
  return ca === null
    ? connect({ ...address, noDelay: true })
    : connectTls({ ...address, ca, rejectUnauthorized: true }).setNoDelay(true);
}

interface RawLogin {
  readonly broker: JudgedBroker;
  readonly clientId: string;
  readonly serial: string;
  readonly key: string;
}

/**
 * Connects, answers each packet with `replyTo`, and disconnects when that returns null. Resolves after the
 * disconnection.
 */
function converse(
  { broker, clientId, serial, key }: RawLogin,
  replyTo: (packet: Packet) => Packet | null,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectTo(broker);
    const parser = mqttPacket.parser({ protocolVersion: 4 });
    const cancel = later(WITHIN_MS, () => socket.destroy());
    parser.on('packet', (packet) => {
      const answer = replyTo(packet);
      if (answer === null) socket.end(mqttPacket.generate({ cmd: 'disconnect' }));
      else socket.write(mqttPacket.generate(answer));
    });
    parser.on('error', () => socket.destroy());
    socket.on('data', (bytes) => parser.parse(bytes));
    socket.on('error', () => {});
    socket.once('close', () => {
      cancel();
      resolve();
    });
    const login = { clientId, username: serial, password: Buffer.from(key), clean: true, keepalive: 0 };
    socket.write(mqttPacket.generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, ...login }));
  });
}

/**
 * Connects with the client id of a watch, as a second device would: the broker disconnects the first one
 * [MQTT-3.1.4-2]. Resolves with true if the broker accepted it.
 */
export async function takeOver(login: RawLogin): Promise<boolean> {
  let isIn = false;
  await converse(login, (packet) => {
    isIn ||= packet.cmd === 'connack' && packet.returnCode === 0;
    return null;
  });
  return isIn;
}

/** Resolves with the retained message of a topic, or null if there is none. */
export async function readRetained(login: RawLogin, topic: string): Promise<string | null> {
  let text: string | null = null;
  await converse(login, (packet) => {
    if (packet.cmd === 'publish') text = String(packet.payload);
    if (packet.cmd === 'connack' && packet.returnCode === 0)
      return { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 0 }] };
    // The message may come before the SUBACK or after it.
    return text === null && packet.cmd === 'suback' ? { cmd: 'pingreq' } : null;
  });
  return text;
}
