/** Stands between the receiver's own client and the API of a sandbox: records each call, and tries the client with a revoked token, a rate limit and missed events. [spec 5, 6.6, 8] */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../base/time/timers.ts';
import { listenAt, PassedNotices } from './proxy.ts';

/** What the judge needs of the sandbox behind it. */
export interface TrialSandbox {
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Raises alerts in the company of the client; their events are in the log, and are not delivered. Returns the ids of the events. */
  raise(alerts: number): Promise<readonly string[]>;
  /** Every token of the client is refused from now on. */
  revokeTokens(): Promise<void>;
  /** An event of the log as it was rendered. */
  eventBody(id: string): string | null;
}

/** One call as it was answered. */
interface ClientCall {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly token: string | null;
  readonly status: number;
  /** What the judge did to it. */
  readonly trial: 'throttled' | 'revoked' | null;
  readonly answer: unknown;
}

/** Seconds. */
export const RETRY_AFTER_S = 2;

const TOKEN_PATH = '/v1/oauth/token';
/** [spec 6.6] */
export const EVENTS_PATH = '/v1/events';

/** An answer that is larger is passed on, and not looked into. */
const READ_BYTES = 4 * 1_024 * 1_024;

interface ApiReply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

export class ApiClientWatch extends PassedNotices {
  readonly calls: ClientCall[] = [];
  /** Events that were in the log before the receiver started, and one that came between two pages. */
  readonly missed: string[] = [];
  /** Events that were made after the first gap was filled; null: it was not. */
  late: readonly string[] | null = null;
  /** The walk was waited for. */
  isTried = false;
  readonly sandbox: TrialSandbox;
  readonly #server: Server;
  #isInserted = false;

  private constructor(sandbox: TrialSandbox) {
    super();
    this.sandbox = sandbox;
    this.#server = createServer((incoming, outgoing) => {
      this.#answer(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** `port` 0: a free one. */
  static async start(sandbox: TrialSandbox, port: number): Promise<ApiClientWatch> {
    const watch = new ApiClientWatch(sandbox);
    await listenAt(watch.#server, { host: '127.0.0.1', port }, 'API', '--api-port');
    return watch;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Calls of the API proper, without those for tokens. */
  get dataCalls(): readonly ClientCall[] {
    return this.calls.filter(({ path }) => path !== TOKEN_PATH);
  }

  get tokenCalls(): readonly ClientCall[] {
    return this.calls.filter(({ path }) => path === TOKEN_PATH);
  }

  /** Ids of the events of all pages that were answered. */
  get fetched(): ReadonlySet<string> {
    const pages = this.calls.filter(({ path, status }) => path === EVENTS_PATH && status === 200);
    return new Set(pages.flatMap(({ answer }) => (answer as { data: { id: string }[] }).data.map(({ id }) => id)));
  }

  hasFetched(ids: readonly string[]): boolean {
    const { fetched } = this;
    return ids.every((id) => fetched.has(id));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const atMs = monotonicMs();
    const [path = '', query = ''] = url.split('?', 2);
    // A page of the web must not reach the sandbox by a name that points here. [decisions 10]
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '')) return void outgoing.writeHead(403).end();
    const trial = path === TOKEN_PATH ? null : this.#nextTrial();
    if (trial === 'revoked') await this.sandbox.revokeTokens();
    const answer =
      trial === 'throttled' ? throttled(path) : await forward(this.sandbox.apiUrl, incoming, Buffer.concat(chunks));
    const parsed = answer.body.length > READ_BYTES ? null : parsedJson(answer.body);
    if (path === EVENTS_PATH && answer.status === 200 && nextCursor(parsed) !== null && !this.#isInserted) {
      this.#isInserted = true;
      this.missed.push(...(await this.sandbox.raise(1)));
    }
    const token = /^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
    this.calls.push({ atMs, method, path, query, token, status: answer.status, trial, answer: parsed });
    const { 'transfer-encoding': _, connection: __, ...kept } = answer.headers;
    outgoing.writeHead(answer.status, { ...kept, 'content-length': answer.body.length }).end(answer.body);
    this.wake();
  }

  /** The first call is answered, the second meets a revoked token, the third a limit; the others are answered. */
  #nextTrial(): ClientCall['trial'] {
    const has = (what: ClientCall['trial']) => this.calls.some(({ trial }) => trial === what);
    if (!this.dataCalls.some(({ status }) => status === 200)) return null;
    if (!has('revoked')) return 'revoked';
    const isRenewed = this.tokenCalls.some(({ atMs, status }) => status === 200 && atMs > this.#revokedAtMs());
    return isRenewed && !has('throttled') ? 'throttled' : null;
  }

  #revokedAtMs(): number {
    return this.calls.find(({ trial }) => trial === 'revoked')?.atMs ?? Number.POSITIVE_INFINITY;
  }
}

/** The cursor of a page; null: none. */
export function nextCursor(answer: unknown): string | null {
  const { next_cursor: cursor } = (answer ?? {}) as { next_cursor?: unknown };
  return typeof cursor === 'string' ? cursor : null;
}

const throttled = (path: string): ApiReply => ({
  status: 429,
  headers: { 'content-type': 'application/problem+json', 'retry-after': String(RETRY_AFTER_S) },
  body: Buffer.from(
    JSON.stringify({
      type: 'about:blank',
      title: 'Too many requests',
      status: 429,
      code: 'rate_limited',
      detail: `Rehearsed by certify: try again in ${RETRY_AFTER_S} s.`,
      instance: path,
    }),
  ),
});

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function forward(apiUrl: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<ApiReply> {
  const { hostname, port, host } = new URL(apiUrl);
  const { 'transfer-encoding': _, connection: __, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...kept, host, 'content-length': String(body.length) },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode as number, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.end(body);
  });
}
