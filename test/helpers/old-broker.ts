/** Stands before a broker and makes it one that speaks MQTT 3.1.1 only: it answers a CONNECT of MQTT 5 as such a broker does. */

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** CONNACK, unacceptable protocol version. [MQTT-3.1.2-2] */
const UNKNOWN_VERSION = Buffer.from([0x20, 0x02, 0x00, 0x01]);

/** The level follows the header, a length of one or two bytes, and the name "MQTT" with its own length. */
const levelOf = (bytes: Buffer): number => bytes[bytes.indexOf('MQTT') + 4] ?? 0;

export class OldBroker {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** CONNECTs of MQTT 5 that were refused. */
  refused = 0;

  private constructor(port: number) {
    this.#server = createServer((client) => {
      this.#hold(client);
      client.once('data', (bytes) => {
        if (levelOf(bytes) === 5) {
          this.refused++;
          return void client.end(UNKNOWN_VERSION);
        }
        const broker = connect({ port, host: '127.0.0.1', noDelay: true });
        this.#hold(broker);
        broker.write(bytes);
        client.pipe(broker).pipe(client);
        for (const [one, other] of [
          [client, broker],
          [broker, client],
        ] as const)
          one.once('close', () => other.destroy());
      });
    });
  }

  static async before(port: number): Promise<OldBroker> {
    const old = new OldBroker(port);
    old.#server.listen(0, '127.0.0.1');
    await once(old.#server, 'listening');
    return old;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
