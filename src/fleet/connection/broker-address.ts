/** The broker's address, the socket that is opened to it, and its TLS options. */

import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { MQTT_PORT, MQTTS_PORT } from '../../base/network/standard-ports.ts';
import type { OpenSocket } from './link-stream.ts';

/** PEM texts, as they are in the files. */
export interface BrokerTls {
  /** Trusted instead of the CAs that Node.js trusts. */
  readonly ca?: Buffer;
  /** The client certificate, for a broker that requests one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** If true, any certificate is accepted: neither its issuer nor its host name is verified. */
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

/**
 * Throws if the certificate or the key of `tls` cannot be used. Loads the WebSocket client only for addresses that need
 * it.
 */
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
  // `default` is what CommonJS exports; the bundle does not have the named exports.
  const { streamBuilder } = (await import('mqtt/lib/connect/ws')).default;
  const scheme = protocol === 'wss:' ? 'wss' : 'ws';
  const address = { protocol: scheme, hostname, port, path: `${pathname}${search}`, protocolId: 'MQTT' } as const;
  return (take) => {
    const wsOptions = { perMessageDeflate: false, ...secure };
    // `streamBuilder` takes the address from the options. It does not use the client, so null is passed.
    return fed(streamBuilder(null as never, { ...address, wsOptions }) as Duplex, take);
  };
}

/** Opens connections inside the process, without a network. */
export const within =
  (connect: () => Duplex): OpenSocket =>
  (take) =>
    fed(connect(), take);

/** Throws if a text is not a certificate or a key, or if the key belongs to another certificate. */
export function secureContextOf({ ca, cert, key }: BrokerTls): SecureContext {
  return createSecureContext({
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}

// One context for all connections: otherwise each connection would parse the certificates again.
const secureOptions = (tls: BrokerTls) => ({
  secureContext: secureContextOf(tls),
  rejectUnauthorized: tls.insecure !== true,
});

function plain(host: string, port: number): OpenSocket {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return (take) => {
    // Copied: mqtt.js may read the bytes later, when the shared buffer already has the bytes of another connection.
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
