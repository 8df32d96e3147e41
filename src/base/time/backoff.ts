/** Reconnect back-off with jitter: exponential per client, so that many clients of one broker do not come back at once. */
import type { Stream, Streams } from '../random/streams.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export class Backoff {
  readonly #streams: Streams;
  readonly #client: string;
  #attempts = 0;
  // Drawn from only when a connection breaks, so made only then.
  #jitter: Stream | null = null;

  constructor(streams: Streams, client: string) {
    this.#streams = streams;
    this.#client = client;
  }

  /** 1 s doubling to 30 s, give or take a half; milliseconds. */
  next(): number {
    this.#jitter ??= this.#streams.stream(this.#client, 'reconnect');
    const around = Math.min(FIRST_MS * 2 ** this.#attempts, LONGEST_MS);
    this.#attempts++;
    return Math.ceil(around * (0.5 + this.#jitter.float()));
  }

  /** The connection stands. */
  reset(): void {
    this.#attempts = 0;
  }
}
