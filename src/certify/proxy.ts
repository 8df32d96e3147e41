/** What both proxies of certify share: listening where the user says, and waiting for what passes. */
import type { Server } from 'node:net';
import { Outage } from '../base/assert.ts';
import { later, monotonicMs } from '../base/time/timers.ts';

/** Throws `Outage` with the flag that names another port. */
export function listenAt(server: Server, { host, port }: { host: string; port: number }, what: string, flag: string) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(
        new Outage({
          code: 'port_taken',
          message: `The ${what} cannot listen at ${host}:${port}: ${message}`,
          fix: `Name another port with ${flag}.`,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
}

/** Tasks that look again whenever something has passed. */
export class PassedNotices {
  #waiting: (() => void)[] = [];

  /** Something has passed, or has come by another way. */
  wake(): void {
    for (const look of this.#waiting.splice(0)) look();
  }

  /** Resolves with what is found, now or after something has passed; null: not within `limitMs` of wall time. */
  async until<T>(find: () => T | null | undefined | false, limitMs: number): Promise<T | null> {
    const endMs = monotonicMs() + limitMs;
    for (;;) {
      const found = find();
      if (found !== null && found !== undefined && found !== false) return found;
      const leftMs = endMs - monotonicMs();
      if (leftMs <= 0) return null;
      await new Promise<void>((resolve) => {
        const cancel = later(leftMs, resolve);
        this.#waiting.push(() => {
          cancel();
          resolve();
        });
      });
    }
  }
}
