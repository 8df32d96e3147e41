/** The sandbox of one `sandbox mcp`: at most one runs at a time, in memory, on free ports. */
import { fetchTrusting } from '../../base/network/trusting-fetch.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { ToolRefusal } from './refusal.ts';

/** The options with which an agent starts a sandbox. */
interface StartWishes {
  readonly watches?: number;
  readonly seed?: string;
  readonly speed?: number;
}

/** An answer of the API. */
export interface ApiAnswer {
  readonly status: number;
  /** The parsed body if it is JSON, or else its text; null if there is no body. */
  readonly body: unknown;
}

export class SandboxInHand {
  #running: Sandbox | null = null;
  #token: string | null = null;
  #starting: Promise<Sandbox> | null = null;

  /** Starts a sandbox. Throws a refusal if one is already running. */
  async start(wishes: StartWishes): Promise<Sandbox> {
    if (this.#running !== null || this.#starting !== null)
      throw new ToolRefusal('A sandbox runs already. Use it, or call stop_sandbox first.');
    this.#starting = (async () => {
      const { startSandbox } = await import('../../sandbox/start.ts');
      return startSandbox({ ...wishes, memory: true, port: 0, mqttPort: 0 });
    })();
    try {
      this.#running = await this.#starting;
      return this.#running;
    } finally {
      this.#starting = null;
    }
  }

  /** The running sandbox. Throws a refusal if none is running. */
  get running(): Sandbox {
    if (this.#running === null) throw new ToolRefusal('No sandbox runs. Call start_sandbox first.');
    return this.#running;
  }

  /** Stops the sandbox. Returns false if none was running. Idempotent. */
  async stop(): Promise<boolean> {
    await this.#starting?.catch(() => {});
    const running = this.#running;
    this.#running = null;
    this.#token = null;
    await running?.stop();
    return running !== null;
  }

  /** Calls the API with the control token, which opens everything of the sandbox itself. */
  control(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    return this.#send(method, path, this.running.ready.control_token, body);
  }

  /** Calls the API as the first client of the sandbox, with an access token of that client. */
  async client(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await this.#send(method, path, await this.#clientToken(), body);
    if (answer.status !== 401 || this.#token === null) return answer;
    this.#token = null;
    return this.#send(method, path, await this.#clientToken(), body);
  }

  async #clientToken(): Promise<string> {
    if (this.#token !== null) return this.#token;
    const { clients, api_url } = this.running.ready;
    const [client] = clients;
    if (client === undefined) throw new ToolRefusal('The world has no client.');
    const answer = await fetchTrusting(this.running.ca, `${api_url}/v1/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.client_id,
        client_secret: client.client_secret,
      }),
    });
    const { access_token } = (await answer.json()) as { access_token?: string };
    if (access_token === undefined) throw new ToolRefusal(`The token endpoint answered ${answer.status}.`);
    this.#token = access_token;
    return access_token;
  }

  async #send(method: string, path: string, token: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await fetchTrusting(this.running.ca, this.running.ready.api_url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return { status: answer.status, body: text === '' ? null : isJson ? JSON.parse(text) : text };
  }
}
