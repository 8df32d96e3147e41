/** The receivers of a story: real HTTP servers on this machine that check each delivery's signature and answer 204. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { signatureFault } from './verify-signature.ts';

/** What a delivery may hold at most; the service's events are a few kilobytes. */
const LARGEST_BODY = 1024 * 1024;

/** Bodies kept for the reports of a run; the oldest give way. */
const MOST_KEPT = 1_000;

/** A delivery as it came in. */
export interface Received {
  readonly receiver: string;
  readonly eventId: string;
  readonly body: string;
  /** Null for a sound one. */
  readonly fault: string | null;
}

/** The host that the customer's destination names; the sandbox forwards it here. */
export function receiverHost(name: string): string {
  return `${name}.receiver.example`;
}

export class BuiltInReceivers {
  readonly received: Received[] = [];
  /** By receiver and event: whether all deliveries of it were sound. */
  readonly #sound = new Map<string, boolean>();
  /** Host name -> address, for the boot of the sandbox. */
  readonly forwards = new Map<string, string>();
  readonly #servers: Server[] = [];
  readonly #secrets = new Map<string, { known: Promise<string>; tell: (secret: string) => void }>();
  readonly #clock: Clock;
  readonly #onFault: (received: Received) => void;

  constructor(clock: Clock, onFault: (received: Received) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  async start(names: readonly string[]): Promise<void> {
    for (const name of names) {
      let tell = (_secret: string) => {};
      const known = new Promise<string>((resolve) => {
        tell = resolve;
      });
      this.#secrets.set(name, { known, tell });
      const server = createServer((request, response) => void this.#receive(name, request, response));
      this.#servers.push(server);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
      this.forwards.set(receiverHost(name), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  }

  urlOf(name: string): string {
    return `https://${receiverHost(name)}/`;
  }

  /** The short name behind a destination's url. */
  nameOf(url: string): string | null {
    return [...this.#secrets.keys()].find((name) => url === this.urlOf(name)) ?? null;
  }

  /** What the receiver made of the signatures of this event; null where it did not come. */
  soundness(name: string, eventId: string): 'valid' | 'unsound' | null {
    const sound = this.#sound.get(`${name} ${eventId}`);
    return sound === undefined ? null : sound ? 'valid' : 'unsound';
  }

  /** The secret that the customer was given when the destination was made. */
  tellSecret(name: string, secret: string): void {
    this.#secrets.get(name)?.tell(secret);
  }

  async stop(): Promise<void> {
    const stops = this.#servers.splice(0).map((server) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    });
    await Promise.all(stops);
  }

  async #receive(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return void response.writeHead(413).end();
    // A delivery cannot overtake the answer that told the secret, but its reading can.
    const secret = await this.#secrets.get(name)!.known;
    const signed = {
      timestamp: header(request, 'x-service-timestamp'),
      signature: header(request, 'x-service-signature'),
      body,
    };
    const fault =
      request.method === 'POST'
        ? signatureFault(signed, secret, this.#clock.wall())
        : `${request.method} instead of POST`;
    const eventId = header(request, 'x-service-event-id') ?? '';
    const received: Received = { receiver: name, eventId, body: body.toString('utf8'), fault };
    this.received.push(received);
    if (this.received.length > MOST_KEPT) this.received.shift();
    const key = `${name} ${eventId}`;
    this.#sound.set(key, fault === null && this.#sound.get(key) !== false);
    if (fault !== null) this.#onFault(received);
    response.writeHead(fault === null ? 204 : 400).end();
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
