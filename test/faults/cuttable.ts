/** A TCP proxy that can be cut: what is connected stays connected and carries nothing, and nothing new comes through, as when a cable is pulled. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class CuttableProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

  private constructor(target: number) {
    this.#server = createServer((near) => {
      const far = connect(target, '127.0.0.1');
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, [far, near]] as const) {
        from.setNoDelay(true);
        from.on('data', (bytes) => to.write(bytes));
        from.on('error', () => {});
        from.on('close', () => {
          this.#pairs.delete(pair);
          if (!this.#isCut) to.destroy();
        });
      }
      if (this.#isCut) for (const socket of pair) socket.pause();
    });
  }

  static async to(target: number): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** What was under way when it was cut arrives now. */
  mend(): void {
    this.#isCut = false;
    for (const pair of this.#pairs)
      for (const socket of pair) {
        if (socket.destroyed) for (const one of pair) one.destroy();
        else socket.resume();
      }
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
