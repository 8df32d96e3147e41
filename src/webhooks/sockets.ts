/** The connections to one destination: kept open between deliveries for a moment, and shared with no other. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { DestinationSession } from '../domain/world/documents.ts';

/**
 * A socket that has been idle this long is closed; wall milliseconds. A receiver closes idle sockets too, and an
 * attempt that met one just closed would count as failed through no fault of the receiver. Servers allow 2 s and more.
 */
const IDLE_MS = 1_000;

const OPTIONS = { keepAlive: true, timeout: IDLE_MS } as const;

export class Sockets {
  #http: HttpAgent | null = null;
  #https: HttpsAgent | null = null;
  /** Of a session or a forward that requested it; a session that is resumed may differ. */
  #unverified: HttpsAgent | null = null;

  /** The agent for a target's scheme. How many sockets it opens is bounded by the attempts in flight. */
  for(target: URL, session?: Pick<DestinationSession, 'skipVerify'>): HttpAgent {
    if (target.protocol === 'http:') {
      this.#http ??= new HttpAgent(OPTIONS);
      return this.#http;
    }
    // Explicit: NODE_TLS_REJECT_UNAUTHORIZED=0 in the user's shell must not make bad receivers look good.
    if (session?.skipVerify !== true) {
      this.#https ??= new HttpsAgent({ ...OPTIONS, rejectUnauthorized: true });
      return this.#https;
    }
    this.#unverified ??= new HttpsAgent({ ...OPTIONS, rejectUnauthorized: false });
    return this.#unverified;
  }

  close(): void {
    this.#http?.destroy();
    this.#https?.destroy();
    this.#unverified?.destroy();
    this.#http = null;
    this.#https = null;
    this.#unverified = null;
  }
}
