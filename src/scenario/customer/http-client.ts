/** HTTP client for the running sandbox on this machine. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { Outage } from '../../base/assert.ts';
import { SCENARIO_AGENT } from '../../base/network/program-agent.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { Clock } from '../../base/time/clock.ts';

/** Timeout for a reply, wall ms; longer than the clock's watchdog, which reports the cause. */
const NO_ANSWER_MS = 30_000;

/** Maximum size of an answer. */
const LARGEST_ANSWER = 16 * 1024 * 1024;

export interface HttpAnswer {
  readonly status: number;
  /** Parsed JSON; text if it is not JSON; null without a body. */
  readonly body: unknown;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if the call was not made, because the request for its token failed: this is the reply to that request. */
  readonly ofTokenRequest?: true;
}

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  /** Sent as JSON, or as a form for a token request. */
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

/** Keeps connections to one sandbox open. */
export class HttpClient {
  readonly #agent: Agent;
  readonly #request: typeof httpRequest;
  readonly #base: string;
  readonly #clock: Clock;

  /** `ca`: PEM of the certificate authority to trust; null: the sandbox uses http without TLS. */
  constructor(base: string, ca: string | null, clock: Clock) {
    this.#agent = ca === null ? new Agent({ keepAlive: true }) : new TlsAgent({ keepAlive: true, ca });
    this.#request = ca === null ? httpRequest : httpsRequest;
    this.#base = base;
    this.#clock = clock;
  }

  /** Throws an `Outage` if no answer arrives. */
  call({ method, path, token, body, form }: HttpCall): Promise<HttpAnswer> {
    const sent =
      form === undefined
        ? body === undefined
          ? undefined
          : JSON.stringify(body)
        : new URLSearchParams(form).toString();
    const headers = {
      accept: 'application/json',
      'user-agent': SCENARIO_AGENT,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined
        ? {}
        : {
            'content-type': form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
            'content-length': String(Buffer.byteLength(sent)),
          }),
    };
    return new Promise((resolve, reject) => {
      const what = `${method} ${path}`;
      const fail = (cause: Error) => {
        cancel();
        reject(outage(what, cause));
      };
      const request = this.#request(this.#base + path, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > LARGEST_ANSWER) request.destroy(new Error('the answer is too large'));
          else chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('end', () => {
          cancel();
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, body: parsed(text), headers: plain(response.headers) });
        });
      });
      const cancel = this.#clock.afterWall(
        NO_ANSWER_MS,
        () => request.destroy(new Error(`no answer within ${NO_ANSWER_MS / 1000} s`)),
        { unref: true },
      );
      request.on('error', fail);
      request.end(sent);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

function outage(what: string, cause: Error): Outage {
  return new Outage({
    code: 'sandbox_not_reachable',
    message: `The sandbox did not answer ${what}: ${cause.message}.`,
    fix: `Run it again. ${CLI} doctor checks the machine.`,
    cause,
  });
}
