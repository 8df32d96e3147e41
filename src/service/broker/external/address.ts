/** The address of an external broker: its secret parts, and how a socket is opened to it. */
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { MQTT_PORT, MQTTS_PORT } from '../../../base/network/standard-ports.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': MQTT_PORT, 'mqtts:': MQTTS_PORT };

/** The parts of an `mqtt://` or `mqtts://` address. */
export interface BrokerEndpoint {
  /** The address for messages and for watches, without user name and password. */
  readonly url: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  open(): Socket;
}

/**
 * Returns null if the text is not the address of a broker. TLS trusts the CAs of Node.js and of NODE_EXTRA_CA_CERTS.
 */
export function endpointOf(text: string): BrokerEndpoint | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port: given, username, password, pathname, search, hash } = new URL(text);
  const standard = DEFAULT_PORTS[protocol];
  if (standard === undefined || hostname === '' || !/^\/?$/.test(pathname) || `${search}${hash}` !== '') return null;
  const port = Number(given || standard);
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  return {
    url: `${protocol}//${hostname}:${port}`,
    port,
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
    open: () =>
      protocol === 'mqtt:'
        ? connect({ host, port, noDelay: true })
        : connectTls({ host, port, ...servername }).setNoDelay(true),
  };
}
