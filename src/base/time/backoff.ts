/** Reconnect back-off with jitter, exponential per client, so that many clients do not reconnect at the same time. */
import type { Stream, Streams } from '../random/streams.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export class Backoff {
  readonly #streams: Streams;
  readonly #client: string;
  #attempts = 0;
  // Created on first use: it is only needed when a connection breaks.
  #jitter: Stream | null = null;

  constructor(streams: Streams, client: string) {
    this.#streams = streams;
    this.#client = client;
  }

  /** 1 s, doubled each time up to 30 s, with a jitter of 50 % in both directions; milliseconds. */
  next(): number {
    this.#jitter ??= this.#streams.stream(this.#client, 'reconnect');
    const around = Math.min(FIRST_MS * 2 ** this.#attempts, LONGEST_MS);
    this.#attempts++;
    return Math.ceil(around * (0.5 + this.#jitter.float()));
  }

  /** Called when the connection is up. */
  reset(): void {
    this.#attempts = 0;
  }
}
