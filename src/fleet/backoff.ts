/** How long a watch waits before it tries to connect again: longer each time, and not all watches at once. */
import type { Stream, Streams } from '../base/streams.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export class Backoff {
  readonly #streams: Streams;
  readonly #serial: string;
  #attempts = 0;
  // Drawn from only when a connection breaks, so made only then.
  #jitter: Stream | null = null;

  constructor(streams: Streams, serial: string) {
    this.#streams = streams;
    this.#serial = serial;
  }

  /** 1 s doubling to 30 s, give or take a half; milliseconds. */
  next(): number {
    this.#jitter ??= this.#streams.stream(this.#serial, 'reconnect');
    const around = Math.min(FIRST_MS * 2 ** this.#attempts, LONGEST_MS);
    this.#attempts++;
    return Math.ceil(around * (0.5 + this.#jitter.float()));
  }

  /** The connection stands. */
  reset(): void {
    this.#attempts = 0;
  }
}
