/** The bearer token of the stream: the control token, or a client's access token, renewed before it expires. [decisions 3] */

import { fetchTrusting } from '../base/network/trusting-fetch.ts';
import { monotonicMs } from '../base/time/timers.ts';

/** Address and credentials of a sandbox. */
export interface SandboxAccess {
  readonly apiUrl: string;
  /** PEM of the certificate authority to trust; null: the authorities that Node.js trusts. */
  readonly ca: string | null;
  readonly controlToken: string;
  /** The client whose view is shown; absent: the view of the control token. */
  readonly client?: { readonly clientId: string; readonly clientSecret: string } | null;
}

/** A token is renewed this time before it expires; wall ms. */
const EARLY_MS = 30_000;

export class StreamToken {
  #issued: { readonly token: string; readonly until: number } | null = null;

  /** Throws with the token endpoint's error if it refuses, and in the same way as `fetch` if there is no reply. */
  async of({ apiUrl, ca, controlToken, client = null }: SandboxAccess): Promise<string> {
    if (client === null) return controlToken;
    if (this.#issued !== null && this.leftMs > 0) return this.#issued.token;
    const response = await fetchTrusting(ca, `${apiUrl}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: client.clientSecret,
      }),
    });
    const answer = (await response.json()) as { access_token?: string; expires_in?: number; error?: string };
    if (answer.access_token === undefined)
      throw new Error(
        `The sandbox gives ${client.clientId} no token: ${answer.error ?? `it answered ${response.status}`}.`,
      );
    this.#issued = { token: answer.access_token, until: monotonicMs() + (answer.expires_in ?? 0) * 1_000 - EARLY_MS };
    return answer.access_token;
  }

  /** Wall ms until the renewal; infinite for the control token. */
  get leftMs(): number {
    return this.#issued === null ? Number.POSITIVE_INFINITY : this.#issued.until - monotonicMs();
  }

  /** Called after a 401. Returns true if a new token may help. */
  drop(): boolean {
    const had = this.#issued !== null;
    this.#issued = null;
    return had;
  }
}
