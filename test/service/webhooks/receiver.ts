/** A real HTTP receiver on loopback that records what it gets and behaves as configured. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { later, monotonicMs, wallMs } from '../../../src/base/time/timers.ts';

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly eventId: string;
  readonly wallAt: number;
  readonly monotonicAt: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

/** What a receiver does once it has read the whole request. */
export type Behaviour = (exchange: Exchange) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  ({ response }) =>
    void response.writeHead(code, headers).end(`answer ${code}`);
export const ok = status(200);
export const hang: Behaviour = () => {};
export const reset: Behaviour = ({ socket }) => void socket.resetAndDestroy();
/** The bytes as they are; after garbage the connection is closed too. */
export const raw =
  (text: string): Behaviour =>
  ({ socket }) =>
    void socket.end(text);
export const slow =
  (delayMs: number, then: Behaviour = ok): Behaviour =>
  (exchange) =>
    void later(delayMs, () => then(exchange));
/** A byte of the text each `everyMs`, for ever from its start again. */
export const drip =
  (head: string, text: string, everyMs: number): Behaviour =>
  ({ socket }) => {
    let sent = 0;
    const next = () => {
      if (socket.destroyed) return;
      socket.write(text[sent++ % text.length] as string);
      later(everyMs, next);
    };
    if (head !== '') socket.write(head);
    next();
  };
export const hugeBody =
  (bytes: number, code = 200): Behaviour =>
  ({ response }) =>
    void response.writeHead(code, { 'content-length': bytes }).end(Buffer.alloc(bytes, 'x'));

/** Answers are kept back until the test lets them go, one by one or all. */
export class Gate {
  #kept: (() => void)[] = [];
  #open = false;

  readonly behaviour: Behaviour = (exchange) => {
    if (this.#open) ok(exchange);
    else this.#kept.push(() => ok(exchange));
  };

  letOneGo(): void {
    this.#kept.shift()?.();
  }

  open(): void {
    this.#open = true;
    for (const go of this.#kept.splice(0)) go();
  }
}

export class Receiver {
  readonly received: Received[] = [];
  /** The behaviour for the n-th request, counted from 0. */
  behave: (n: number, received: Received) => Behaviour = () => ok;
  connections = 0;
  /** The most requests that stood unanswered at one time. */
  peak = 0;
  readonly #server: Server;
  #unanswered = 0;
  readonly #closed: (() => void)[] = [];
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      socket.once('close', () => {
        for (const look of this.#closed.splice(0)) look();
      });
    });
  }

  static async start(behaviour: Behaviour = ok): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.behave = () => behaviour;
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}`);
  }

  /** Resolves when `count` requests have arrived in all. */
  has(count: number): Promise<void> {
    if (this.received.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  openConnections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  }

  /** Resolves when no connection is open. */
  async unconnected(): Promise<void> {
    for (;;) {
      // Listened for before it is looked at, so that none is missed.
      const closed = new Promise<void>((resolve) => this.#closed.push(resolve));
      if ((await this.openConnections()) === 0) return;
      await closed;
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#unanswered += 1;
    this.peak = Math.max(this.peak, this.#unanswered);
    response.on('close', () => {
      this.#unanswered -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
      eventId: String(request.headers['x-service-event-id']),
      wallAt: wallMs(),
      monotonicAt: monotonicMs(),
    };
    this.received.push(received);
    const behaviour = this.behave(this.received.length - 1, received);
    for (const waiting of this.#waiting) if (waiting.count <= this.received.length) waiting.resolve();
    behaviour({ request, response, socket: request.socket });
  }
}
