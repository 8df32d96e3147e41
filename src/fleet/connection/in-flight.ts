/** The stores that mqtt.js gets instead of its own: the outbox of the watch keeps unacknowledged messages, and a new session does not send old ones again. */
import type { IClientOptions, IStore } from 'mqtt';

/**
 * More than a watch ever has in flight. Small, because mqtt.js keeps the unacknowledged messages in an object with
 * these ids as its keys.
 */
const MOST_IN_FLIGHT = 16;

/**
 * Message ids from 1 on, reused after the acknowledgement. No random values: the provider of mqtt.js draws one at its
 * start.
 */
export class MessageIds implements NonNullable<IClientOptions['messageIdProvider']> {
  #last = 0;
  /** A bit for each id that waits for its acknowledgement. */
  #used = 0;

  allocate(): number | null {
    for (let tries = 0; tries < MOST_IN_FLIGHT; tries++) {
      this.#last = (this.#last % MOST_IN_FLIGHT) + 1;
      if (!this.register(this.#last)) continue;
      return this.#last;
    }
    return null;
  }

  getLastAllocated(): number | null {
    return this.#last === 0 ? null : this.#last;
  }

  register(id: number): boolean {
    const free = (this.#used & (1 << id)) === 0;
    this.#used |= 1 << id;
    return free;
  }

  deallocate(id: number): void {
    this.#used &= ~(1 << id);
  }

  clear(): void {
    this.#used = 0;
  }
}

/** Keeps nothing. One object for all clients, since it has no state. */
export const NO_STORE: IStore = {
  put(_packet, done) {
    done();
    return NO_STORE;
  },
  del(_packet, done) {
    done();
    return NO_STORE;
  },
  get(_packet, done) {
    done(new Error('nothing is kept'));
    return NO_STORE;
  },
  close: (done) => done(),
  createStream: () => emptyStream() as unknown as ReturnType<IStore['createStream']>,
};

/**
 * Ends when it is first read, in the same tick, so that `connect` is emitted with the CONNACK and not some ticks later.
 */
function emptyStream() {
  let end: () => void = () => {};
  return {
    on(event: string, listener: () => void) {
      if (event === 'end') end = listener;
    },
    once(event: string) {
      if (event === 'readable') end();
    },
    read: () => null,
    destroy() {},
  };
}
