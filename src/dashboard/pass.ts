/** What opens the stream: the control token, or a token of the client through whose eyes it is watched, renewed when it is over. [decisions 3] */
import { monotonicMs } from '../base/timers.ts';

/** Where the sandbox is, and how to enter. */
export interface SandboxDoor {
  readonly apiUrl: string;
  readonly controlToken: string;
  /** Through whose eyes the stream is watched; nothing: the sandbox's own. */
  readonly client?: { readonly clientId: string; readonly clientSecret: string } | null;
}

/** So long before its end a token is renewed; wall ms. */
const EARLY_MS = 30_000;

export class StreamToken {
  #issued: { readonly token: string; readonly until: number } | null = null;

  /** Throws in the words of the token endpoint where it refuses, and as `fetch` does where nobody answers. */
  async of({ apiUrl, controlToken, client = null }: SandboxDoor): Promise<string> {
    if (client === null) return controlToken;
    if (this.#issued !== null && this.leftMs > 0) return this.#issued.token;
    const response = await fetch(`${apiUrl}/v1/oauth/token`, {
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

  /** Wall ms until the token is to be renewed; infinite for the control token. */
  get leftMs(): number {
    return this.#issued === null ? Number.POSITIVE_INFINITY : this.#issued.until - monotonicMs();
  }

  /** It was refused. True where another one may help. */
  drop(): boolean {
    const had = this.#issued !== null;
    this.#issued = null;
    return had;
  }
}
