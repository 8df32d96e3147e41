/** Ports for programs that get their port before they listen, such as brokers and example receivers. */
import { createServer } from 'node:net';

/** Below the ports that Linux gives to connections and to listeners of port 0, so that no other program takes one in between. */
const [FIRST, LAST] = [20_000, 32_000] as const;

/** Each process begins elsewhere. */
let next = FIRST + ((process.pid * 53) % (LAST - FIRST));

/** A port of 127.0.0.1 at which nothing listens. No port is returned twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next === LAST ? FIRST : next + 1;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
