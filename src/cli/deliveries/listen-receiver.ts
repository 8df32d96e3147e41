/**
 * The receiver of `sandbox listen` without an address. It answers every delivery with 204, and stores what the terminal
 * shows. [cli]
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LISTEN_PATH } from '../../base/network/program-agent.ts';
import { wallMs } from '../../base/time/timers.ts';
import type { Event } from '../../contract/events.ts';
import { headerOf, readSigned, type SignedRequest, signatureFault } from '../../scenario/customer/verify-signature.ts';

/** A delivery as it arrived. */
export interface ReceivedEvent {
  /** `ok`, or what is wrong with the signature. */
  readonly signature: string;
  /** Null if the body is not an event. */
  readonly event: Event | null;
}

/** Maximum number of deliveries that arrived and were not shown yet. The oldest is dropped. */
const MOST_KEPT = 1_000;

export class OwnReceiver {
  /**
   * The secret that signs the deliveries. It is set later, because the first delivery may arrive before the response
   * that has the secret.
   */
  secret = '';
  readonly url: string;
  readonly #server: Server;
  readonly #received = new Map<string, { readonly signed: SignedRequest; readonly atMs: number }>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${LISTEN_PATH}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response));
  }

  static async start(): Promise<OwnReceiver> {
    const server = createServer();
    await new Promise<void>((listening, failed) => {
      server.once('error', failed).listen(0, '127.0.0.1', listening);
    });
    return new OwnReceiver(server);
  }

  /** Returns the last delivery of an event, and removes it. */
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
    // The sender broke off the request, and will send it again.
    if (signed === null) return;
    const [oldest] = this.#received.keys();
    if (this.#received.size >= MOST_KEPT && oldest !== undefined) this.#received.delete(oldest);
    this.#received.set(headerOf(request, 'x-service-event-id') ?? '', { signed, atMs: wallMs() });
    response.writeHead(204).end();
  }
}

export function eventIn(body: Buffer): Event | null {
  try {
    return JSON.parse(body.toString()) as Event;
  } catch {
    return null;
  }
}
