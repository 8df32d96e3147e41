/** The connections to one destination: kept open briefly between deliveries, never shared with others. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/**
 * A socket that has been idle for this time is closed; wall milliseconds. A receiver closes idle sockets too, and an
 * attempt on a socket that was just closed would count as failed without a fault of the receiver. Servers allow at
 * least 2 s.
 */
const IDLE_MS = 1_000;

const OPTIONS = { keepAlive: true, timeout: IDLE_MS } as const;

export class Sockets {
  #http: HttpAgent | null = null;
  #https: HttpsAgent | null = null;
  /** For a session or a forward that requested it; the setting of a resumed session may differ. */
  #unverified: HttpsAgent | null = null;

  /**
   * Returns the agent for a target's scheme. The number of its sockets is limited by the number of attempts in flight.
   */
  for(target: URL, session?: { readonly skipVerify: boolean }): HttpAgent {
    if (target.protocol === 'http:') {
      this.#http ??= new HttpAgent(OPTIONS);
      return this.#http;
    }
    // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the user's shell must not make bad certificates
    // acceptable.
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
