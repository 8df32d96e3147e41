/** What both proxies of certify share: listening at the user's address, and waiting for messages that pass. */
import type { Server } from 'node:net';
import { Outage } from '../../base/assert.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';

/** Throws `Outage` if the port cannot be used; its fix names the flag for another port. */
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

/** Conditions that are evaluated again whenever a message has passed. */
export class PassedNotices {
  #waiting: (() => void)[] = [];

  /** Evaluates the conditions again. Called when a message has passed, or has come by another way. */
  wake(): void {
    for (const look of this.#waiting.splice(0)) look();
  }

  /** Resolves with what is found, now or after a message has passed; null if `limitMs` of wall time is over. */
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
