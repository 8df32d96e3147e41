/** The receiver of `sandbox listen` without an address: it answers every delivery with 204, and keeps what the terminal shows of it. [cli] */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wallMs } from '../../base/time/timers.ts';
import type { Event } from '../../contract/events.ts';
import { headerOf, readSigned, type SignedRequest, signatureFault } from '../../scenario/customer/verify-signature.ts';

/** A delivery as it arrived. */
export interface ReceivedEvent {
  /** `ok`, or what is wrong with the signature. */
  readonly signature: string;
  /** Null: the body is not an event. */
  readonly event: Event | null;
}

/** Deliveries that arrived and were not shown yet; older ones are forgotten. */
const MOST_KEPT = 1_000;

export class OwnReceiver {
  /** Signs the deliveries. The first of them may arrive before the answer that has the secret. */
  secret = '';
  readonly url: string;
  readonly #server: Server;
  readonly #received = new Map<string, { readonly signed: SignedRequest; readonly atMs: number }>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response));
  }

  static async start(): Promise<OwnReceiver> {
    const server = createServer();
    await new Promise<void>((listening, failed) => {
      server.once('error', failed).listen(0, '127.0.0.1', listening);
    });
    return new OwnReceiver(server);
  }

  /** The last delivery of an event, once. */
  take(eventId: string): ReceivedEvent | null {
    const received = this.#received.get(eventId);
    this.#received.delete(eventId);
    if (received === undefined) return null;
    const fault = signatureFault(received.signed, [this.secret], received.atMs);
    return { signature: fault ?? 'ok', event: eventIn(received.signed.body) };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = await readSigned(request);
    // The sender broke off, and sends it again.
    if (signed === null) return;
    const [oldest] = this.#received.keys();
    if (this.#received.size >= MOST_KEPT && oldest !== undefined) this.#received.delete(oldest);
    this.#received.set(headerOf(request, 'x-service-event-id') ?? '', { signed, atMs: wallMs() });
    response.writeHead(204).end();
  }
}

function eventIn(body: Buffer): Event | null {
  try {
    return JSON.parse(body.toString()) as Event;
  } catch {
    return null;
  }
}
