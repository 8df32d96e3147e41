/** The byte stream that mqtt.js reads and writes: any socket, with each packet written in one piece. */
import { EventEmitter } from 'node:events';
import type { Duplex, Writable } from 'node:stream';

/**
 * Opens the socket. `take` gets the received bytes, which it may keep. If it returns false, reading stops until
 * `resume()`.
 */
export type OpenSocket = (take: (bytes: Buffer) => boolean) => Duplex;

/**
 * Has the part of `Duplex` that mqtt.js uses, without the two buffers of a real one, since one process has thousands of
 * these. mqtt.js writes a packet in five to seven pieces. They leave as one write, which is one segment over TCP, one
 * record over TLS and one frame over a WebSocket. There is no `cork()`: mqtt.js would use it, with a tick of its own
 * for each packet. Errors of the socket go to `onError` only, so that mqtt.js does not report them a second time.
 */
export class LinkStream extends EventEmitter {
  readonly #socket: Duplex;
  readonly #now: () => number;
  #sink: Pick<Writable, '_write'> | null = null;
  /** The beginning of a packet, or packets that are written at the end of this tick. */
  #pieces: (Buffer | string)[] = [];
  /** Called once the pieces have been written. */
  #onFlushed: (() => void) | null = null;
  #closing = false;
  #gathering = false;
  /** Backpressure: the socket's buffer is above its high-water mark. */
  #full = false;
  /** Monotonic time of the last write, in milliseconds. */
  writtenAt: number;

  constructor(open: OpenSocket, now: () => number, onError: (error: NodeJS.ErrnoException) => void) {
    super();
    this.#now = now;
    this.writtenAt = now();
    this.#socket = open((bytes) => this.#take(bytes));
    this.#socket.on('error', onError);
    this.#socket.on('drain', () => {
      this.#full = false;
      this.emit('drain');
    });
    this.#socket.once('close', () => {
      this.#closing = true;
      this.emit('close');
    });
  }

  pipe(sink: Pick<Writable, '_write'>): void {
    this.#sink = sink;
  }

  /** Runs a task that writes whole packets, and sends them at once. */
  sendNow(task: () => void): void {
    this.#gathering = true;
    try {
      task();
    } finally {
      this.#gathering = false;
      this.#flush();
    }
  }

  /** False while the socket is full: mqtt.js then reads nothing further until `drain`. */
  write(piece: Buffer | string): boolean {
    if (this.#closing) return true;
    if (this.#pieces.length === 0 && !this.#gathering) process.nextTick(this.#flushLater);
    this.#pieces.push(piece);
    return !this.#full;
  }

  /**
   * Calls back when the packets written so far have reached the operating system; never if the socket fails before
   * that.
   */
  whenWritten(written: () => void): void {
    const before = this.#onFlushed;
    this.#onFlushed = () => {
      before?.();
      written();
    };
  }

  /** Ends this side after the bytes that were written, and waits for the other side to end its own. */
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

  readonly #flushLater = () => this.#flush();

  #flush(): void {
    if (this.#pieces.length === 0 || this.#closing) return;
    const packets = joined(this.#pieces);
    this.#pieces = [];
    this.writtenAt = this.#now();
    const flushed = this.#onFlushed;
    this.#onFlushed = null;
    this.#full = !(flushed === null
      ? this.#socket.write(packets)
      : this.#socket.write(packets, (error) => (error == null ? flushed() : undefined)));
  }

  // Calls the sink's `_write` directly, past its queue: the queue would always be empty, since reading pauses until the
  // last bytes are handled.
  #take(bytes: Buffer): boolean {
    let [handled, paused] = [false, false];
    this.#sink?._write(bytes, 'buffer' as BufferEncoding, () => {
      handled = true;
      if (paused) this.#socket.resume();
    });
    paused = !handled;
    return handled;
  }
}

/** Writes strings directly into the packet: a separate buffer for each string would be most of a message's garbage. */
function joined(pieces: readonly (Buffer | string)[]): Buffer {
  let length = 0;
  for (const piece of pieces) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  const bytes = Buffer.allocUnsafe(length);
  let end = 0;
  for (const piece of pieces) end += typeof piece === 'string' ? bytes.write(piece, end) : piece.copy(bytes, end);
  return bytes;
}
