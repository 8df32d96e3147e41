/**
 * The sandbox of one `sandbox mcp`: its own, of which at most one runs at a time, in memory, on free ports; or with
 * `--data-dir` a running one, which belongs to its user and is never stopped or replaced. [cli, mcp]
 */
import { fetchTrusting } from '../../base/network/trusting-fetch.ts';
import type { Ready } from '../../contract/banner.ts';
import type { Sandbox } from '../../sandbox/start.ts';
import { foundBy, noSandbox, readyIn } from '../running.ts';
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

/** What a call needs of a sandbox. */
interface CalledSandbox {
  readonly ready: Ready;
  /** PEM of the certificate authority to trust; null for those of Node.js. */
  readonly ca: string | null;
}

export class SandboxInHand {
  /** The data folder of the sandbox that the server joins; null if it starts sandboxes of its own. */
  readonly joins: string | null;
  #hasLeft = false;
  #running: Sandbox | null = null;
  #token: string | null = null;
  #starting: Promise<Sandbox> | null = null;

  /** Throws a command error if no sandbox runs in the data folder to join. */
  constructor(joins: string | null = null) {
    this.joins = joins;
    if (joins !== null && readyIn(joins) === null) throw noSandbox(joins);
  }

  /** Starts a sandbox. Throws a refusal if one is already running, or if the server joins one. */
  async start(wishes: StartWishes): Promise<Sandbox> {
    if (this.joins !== null)
      throw new ToolRefusal(
        `This server uses the running sandbox of the data folder ${this.joins}, and starts no other. sandbox_status shows its addresses. For a sandbox of its own, start the server without --data-dir.`,
      );
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

  /**
   * The sandbox that is called. A joined one is looked up for each call, because its user may restart it. Throws a refusal
   * if none is running.
   */
  get called(): CalledSandbox {
    if (this.joins !== null) {
      if (this.#hasLeft)
        throw new ToolRefusal(
          `This server has left the sandbox of the data folder ${this.joins}. Start the server again to join it.`,
        );
      const ready = readyIn(this.joins);
      if (ready === null) throw new ToolRefusal(`${noSandbox(this.joins).message} Its user can start it again.`);
      return { ready, ca: foundBy(ready).ca };
    }
    if (this.#running === null) throw new ToolRefusal('No sandbox runs. Call start_sandbox first.');
    return this.#running;
  }

  /** Stops its own sandbox, or leaves the joined one. Returns true if it stopped one. Idempotent. */
  async stop(): Promise<boolean> {
    this.#hasLeft = true;
    await this.#starting?.catch(() => {});
    const running = this.#running;
    this.#running = null;
    this.#token = null;
    await running?.stop();
    return running !== null;
  }

  /** Calls the API with the control token, which opens everything of the sandbox itself. */
  control(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    return this.#send(method, path, this.called.ready.control_token, body);
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
    const { ready, ca } = this.called;
    const { clients, api_url } = ready;
    const [client] = clients;
    if (client === undefined) throw new ToolRefusal('The world has no client.');
    const answer = await fetchTrusting(ca, `${api_url}/v1/oauth/token`, {
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
    const { ready, ca } = this.called;
    const answer = await fetchTrusting(ca, ready.api_url + path, {
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
