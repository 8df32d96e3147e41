/** A connection within this process with the interface of a socket: no port, no file descriptor and no kernel buffer. */
import { Duplex } from 'node:stream';

/** The most unread bytes of an end before the other end must wait: the default size of a socket's buffers. */
const MOST_UNDERWAY_BYTES = 64 * 1024;

type WriteDone = (error?: Error | null) => void;

/**
 * Two ends: what one writes, the other reads before the event loop continues. If one end closes, the other ends too.
 */
export function wire(): readonly [Duplex, Duplex] {
  const [one, other] = [new WireEnd(), new WireEnd()];
  one.peer = other;
  other.peer = one;
  return [one, other];
}

class WireEnd extends Duplex {
  peer: WireEnd = this;
  /** Bytes that the peer wrote and that this end has not yet delivered. */
  #underway: Buffer[] = [];
  #bytes = 0;
  /** True if the peer writes nothing more. */
  #ended = false;
  #isEndPushed = false;
  #isDelivering = false;
  /** Backpressure: the reader wants no more bytes for now. */
  #full = false;
  /** The callback of the peer's last write, which is not yet completed. */
  #blocked: WriteDone | null = null;

  constructor() {
    // As for sockets: an end closes when the other one ends.
    super({ allowHalfOpen: false });
  }

  override _read(): void {
    this.#full = false;
    if (this.#underway.length > 0 || this.#ended) this.#deliverSoon();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: WriteDone): void {
    this.peer.#take(bytes, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: WriteDone): void {
    this.peer.#take(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: WriteDone): void {
    this.peer.#end();
    done();
  }

  override _destroy(error: Error | null, done: WriteDone): void {
    this.peer.#end();
    this.#underway = [];
    this.#unblock();
    done(error);
  }

  #take(bytes: Buffer, done: WriteDone): void {
    // Nobody reads the bytes any more. The writer will be notified of the end.
    if (this.destroyed) return done();
    this.#underway.push(bytes);
    this.#bytes += bytes.length;
    this.#deliverSoon();
    if (this.#bytes <= MOST_UNDERWAY_BYTES) done();
    else this.#blocked = done;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#deliverSoon();
  }

  #deliverSoon(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    // Deferred, since a write must not run the other end's code.
    process.nextTick(deliver, this);
  }

  deliver(): void {
    this.#isDelivering = false;
    if (this.destroyed) return;
    while (this.#underway.length > 0 && !this.#full) {
      const bytes = this.#underway.shift() as Buffer;
      this.#bytes -= bytes.length;
      this.#full = !this.push(bytes);
    }
    if (this.#bytes <= MOST_UNDERWAY_BYTES) this.#unblock();
    if (!this.#ended || this.#isEndPushed || this.#underway.length > 0) return;
    this.#isEndPushed = true;
    this.push(null);
  }

  #unblock(): void {
    const done = this.#blocked;
    this.#blocked = null;
    done?.();
  }
}

const deliver = (end: WireEnd): void => end.deliver();
