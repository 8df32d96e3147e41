/** The connections of a TLS port before the handshake: responds to clients without TLS, and limits the time of the handshake. */
import type { Server, Socket } from 'node:net';

/** The identity of a TLS server, as PEM: its certificate and the private key of the certificate. */
export interface TlsKeys {
  readonly cert: string;
  readonly key: string;
}

/** Time limit from the connection to its first byte, and from there to the end of the handshake; wall-clock ms. */
const HANDSHAKE_WITHIN_MS = 10_000;

/** The first byte of a TLS record with a handshake message. [RFC 8446 5.1] */
const TLS_HANDSHAKE = 0x16;

/** The options of a TLS server. */
export const tlsOptions = ({ cert, key }: TlsKeys) =>
  ({ cert, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_WITHIN_MS }) as const;

/**
 * True for the server's error after a client ended the handshake because it does not trust the certificate. Some
 * clients disconnect without an alert.
 */
export const isUntrusted = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/.test(code);

export interface TlsPort {
  /**
   * Ends the connections without a handshake, and each later one at once. Otherwise the server's `close` would wait for
   * them.
   */
  close(): void;
  /** Accepts connections again. */
  open(): void;
}

/**
 * Checks the first byte of each connection of a TLS server. `onPlain` gets a connection that is not TLS, with its bytes
 * unread, and must end it.
 */
export function watchTlsPort(server: Server, onPlain: (socket: Socket) => void): TlsPort {
  const [handshake] = server.listeners('connection') as ((socket: Socket) => void)[];
  /** Connections without a handshake, by the address of the client. */
  const waiting = new Map<string, Socket>();
  let isClosed = false;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (isClosed) return void socket.destroy();
    const client = addressOf(socket);
    waiting.set(client, socket);
    const onError = (): void => {};
    socket.on('error', onError);
    socket.once('close', () => {
      if (waiting.get(client) === socket) waiting.delete(client);
    });
    socket.setTimeout(HANDSHAKE_WITHIN_MS, () => socket.destroy());
    socket.once('readable', () => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return void socket.destroy();
      socket.unshift(bytes);
      socket.setTimeout(0);
      if (bytes[0] !== TLS_HANDSHAKE) return onPlain(socket);
      socket.off('error', onError);
      handshake?.call(server, socket);
    });
  });
  server.on('secureConnection', (socket: Socket) => waiting.delete(addressOf(socket)));
  return {
    close: () => {
      isClosed = true;
      for (const socket of waiting.values()) socket.destroy();
    },
    open: () => {
      isClosed = false;
    },
  };
}

/** The same for a connection and for the encrypted one over it. */
const addressOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
