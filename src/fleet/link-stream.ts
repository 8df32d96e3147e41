/** The byte stream that mqtt.js reads and writes: any socket, with each packet written in one piece. */
import { EventEmitter } from 'node:events';
import type { Duplex, Writable } from 'node:stream';

/** Opens the socket. `take` gets what arrives, as bytes that it may keep; false: stop reading until `resume()`. */
export type OpenSocket = (take: (bytes: Buffer) => boolean) => Duplex;

/**
 * Has the part of `Duplex` that mqtt.js uses, without the two buffers of a real one: thousands of these stand in one process.
 * mqtt.js writes a packet in five to seven pieces between `cork()` and `uncork()`; they leave as one write, which is one
 * segment over TCP, one record over TLS and one frame over a WebSocket.
 * Errors of the socket go to `onError` only, so that mqtt.js does not report them a second time.
 */
export class LinkStream extends EventEmitter {
  readonly #socket: Duplex;
  readonly #now: () => number;
  #sink: Writable | null = null;
  #corked = 0;
  #pieces: Buffer[] = [];
  /** To be called once what is corked has been written. */
  #onFlushed: (() => void) | null = null;
  #closing = false;
  /** Monotonic ms of the last write. */
  writtenAt: number;

  constructor(open: OpenSocket, now: () => number, onError: (error: NodeJS.ErrnoException) => void) {
    super();
    this.#now = now;
    this.writtenAt = now();
    this.#socket = open((bytes) => this.#take(bytes));
    this.#socket.on('error', onError);
    this.#socket.on('drain', () => this.emit('drain'));
    this.#socket.once('close', () => {
      this.#closing = true;
      this.emit('close');
    });
  }

  pipe(sink: Writable): Writable {
    this.#sink = sink;
    sink.on('drain', () => this.#socket.resume());
    return sink;
  }

  cork(): void {
    this.#corked += 1;
  }

  uncork(): void {
    this.#corked -= 1;
    if (this.#corked === 0) this.#flush();
  }

  /** False while the socket is full: mqtt.js then reads nothing further until `drain`. */
  write(piece: Buffer | string): boolean {
    if (this.#closing) return true;
    this.#pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    if (this.#corked === 0) this.#flush();
    return !this.#socket.writableNeedDrain;
  }

  /** Calls back when the packets written so far have reached the operating system; never if the socket fails before. */
  whenWritten(written: () => void): void {
    const before = this.#onFlushed;
    this.#onFlushed = () => {
      before?.();
      written();
    };
  }

  /** Ends our side after what was written, and waits for the other side to end its own. */
  end(): void {
    if (this.#closing) return;
    this.#flush();
    this.#closing = true;
    this.#socket.end();
  }

  destroy(): void {
    this.#closing = true;
    this.#pieces = [];
    this.#socket.destroy();
  }

  #flush(): void {
    if (this.#pieces.length === 0 || this.#closing) return;
    const packets = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.writtenAt = this.#now();
    const flushed = this.#onFlushed;
    this.#onFlushed = null;
    if (flushed === null) this.#socket.write(packets);
    else
      this.#socket.write(packets, (error) => {
        if (error == null) flushed();
      });
  }

  #take(bytes: Buffer): boolean {
    return this.#sink?.write(bytes) ?? true;
  }
}
