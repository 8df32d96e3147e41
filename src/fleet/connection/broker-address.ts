/** Where the broker is, how to open a socket to it, and what TLS needs for that. */

import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import type { OpenSocket } from './link-stream.ts';

/** PEM texts, as files have them. */
export interface BrokerTls {
  /** Trusted instead of the CAs that Node.js trusts. */
  readonly ca?: Buffer;
  /** What the fleet shows of itself, where the broker asks for a client certificate. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Any certificate is accepted: its issuer and its host name are not verified. */
  readonly insecure?: boolean;
}

export interface BrokerAddress {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`. */
  readonly url: string;
  readonly tls?: BrokerTls;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'mqtt:': MQTT_PORT,
  'mqtts:': MQTTS_PORT,
  'ws:': 80,
  'wss:': 443,
};

/** The protocols of a broker's address, with the colon as in `URL.protocol`. */
export const BROKER_PROTOCOLS: readonly string[] = Object.keys(DEFAULT_PORTS);

/** One read buffer for all plain sockets: Node.js would otherwise allocate 64 KB for each read. */
const READ_BYTES = 64 * 1024;

/** Throws where the certificate or the key of `tls` cannot be used. Loads the WebSocket client for addresses that need it. */
export async function socketOpener({ url, tls = {} }: BrokerAddress): Promise<OpenSocket> {
  const { protocol, hostname, port: given, pathname, search } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(given || DEFAULT_PORTS[protocol]);
  if (protocol === 'mqtt:') return plain(host, port);
  const secure = protocol === 'mqtts:' || protocol === 'wss:' ? secureOptions(tls) : {};
  if (protocol === 'mqtts:')
    return (take) => {
      const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
      return fed(connectTls({ host, port, ...servername, ...secure }).setNoDelay(true), take);
    };
  // `default` is what CommonJS exports; the bundle has no other names of it.
  const { streamBuilder } = (await import('mqtt/lib/connect/ws')).default;
  const scheme = protocol === 'wss:' ? 'wss' : 'ws';
  const address = { protocol: scheme, hostname, port, path: `${pathname}${search}`, protocolId: 'MQTT' } as const;
  return (take) => {
    const wsOptions = { perMessageDeflate: false, ...secure };
    // It takes the address from the options, and asks the client for nothing.
    return fed(streamBuilder(null as never, { ...address, wsOptions }) as Duplex, take);
  };
}

/** Opens connections that no network carries. */
export const within =
  (connect: () => Duplex): OpenSocket =>
  (take) =>
    fed(connect(), take);

/** Throws where a text is not a certificate or key, or the key is another certificate's. */
export function secureContextOf({ ca, cert, key }: BrokerTls): SecureContext {
  return createSecureContext({
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}

// One context for all connections: each would otherwise read the certificates again.
const secureOptions = (tls: BrokerTls) => ({
  secureContext: secureContextOf(tls),
  rejectUnauthorized: tls.insecure !== true,
});

function plain(host: string, port: number): OpenSocket {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return (take) => {
    // Copied: mqtt.js may look at what it gets later, when the buffer has the bytes of another connection.
    const callback = (length: number): boolean => {
      const bytes = Buffer.allocUnsafe(length);
      buffer.copy(bytes, 0, 0, length);
      return take(bytes);
    };
    return connect({ host, port, noDelay: true, onread: { buffer, callback } });
  };
}

function fed(socket: Duplex, take: (bytes: Buffer) => boolean): Duplex {
  return socket.on('data', (bytes: Buffer) => {
    if (!take(bytes)) socket.pause();
  });
}
