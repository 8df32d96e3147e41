/** A TLS client that ends the handshake as one does that does not trust the certificate; Node.js leaves without a word. */
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** The record of a fatal alert `unknown_ca`, by TLS 1.2. [RFC 5246 7.2] */
const UNKNOWN_CA = Buffer.from('15030300020230', 'hex');

/** Resolves when the server has ended the connection. */
export async function connectUntrusting(port: number): Promise<void> {
  const hello = await clientHello();
  const socket = connect(port, '127.0.0.1', () => socket.write(hello));
  socket.on('error', () => {});
  socket.once('data', () => socket.write(UNKNOWN_CA));
  await new Promise((done) => socket.once('close', done));
}

/** What a client of TLS 1.2 sends first. */
function clientHello(): Promise<Buffer> {
  return new Promise((done) => {
    const socket = new Duplex({ read: () => {}, write: (bytes) => done(bytes) });
    connectTls({ socket, maxVersion: 'TLSv1.2' }).on('error', () => {});
  });
}
