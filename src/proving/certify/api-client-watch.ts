/**
 * A proxy between the receiver's own client and the API of a sandbox. It records each call, knows what certify delivered, and simulates a
 * revoked token, a rate limit and an outage. [spec 5, 6.6, 8]
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forwardWhole } from '../../base/network/forward.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { listEvents } from '../../contract/operations/events.ts';
import { TOKEN_PATH } from '../../contract/operations/operation.ts';
import { type ApiReply, jsonReply, parsedBody, problemReply } from './api-passage.ts';
import { ALERTS_PATH, DeliveredObjects, MUSTERS_PATH } from './delivered.ts';
import { listenAt, PassedNotices } from './proxy.ts';

/** What the checks need of the sandbox behind the proxy. */
export interface TrialSandbox {
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Raises alerts in the company of the client; their events are in the log, and are not delivered. Returns the ids of the events. */
  raise(alerts: number): Promise<readonly string[]>;
  /** Raises SOS alerts that stay open. Returns the ids of their events. */
  raiseOpen(alerts: number): Promise<readonly string[]>;
  /** Makes the API refuse every token of the client from now on. */
  revokeTokens(): Promise<void>;
  /** Returns an event of the log as it was rendered, or null if the log has no such event. */
  eventBody(id: string): string | null;
}

/** What certify does to calls: answers 429, has revoked the token, or answers 503. */
type CallTrial = 'throttled' | 'revoked' | 'unavailable';

/** One call as it was answered. */
export interface ClientCall {
  readonly startedMs: number;
  readonly answeredMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly token: string | null;
  readonly status: number;
  /** Null if the call was answered as the service answers it. */
  readonly trial: CallTrial | null;
  readonly answer: unknown;
}

/** A limit or a revoked token that waits for calls. */
export interface Trial {
  readonly kind: 'throttled' | 'revoked';
  /** A check that is judged again begins a second trial of the kind; monotonic milliseconds. */
  readonly beganMs: number;
  /** When the first call met the trial; null if none has. */
  metMs: number | null;
}

/** The times of simulated limits and revoked tokens. */
interface TrialTimes {
  /** The simulated Retry-After; whole seconds. */
  readonly retryAfterS: number;
  /** Calls that come within this time of the first are in flight together, and get their answers at the same moment; wall milliseconds. */
  readonly gatherMs: number;
}

const TRIAL_TIMES: TrialTimes = { retryAfterS: 2, gatherMs: 300 };

/** Quiet period after which the receiver's own calls have ended; wall milliseconds. */
const QUIET_MS = 400;

/** Path of the event log. [spec 6.6] */
export const EVENTS_PATH = listEvents.path;

export class ApiClientWatch extends PassedNotices {
  readonly calls: ClientCall[] = [];
  readonly delivered = new DeliveredObjects();
  /** Events that were in the log before the receiver started, and one that came between two pages. */
  readonly missed: string[] = [];
  /** Events that were made after the first gap was filled; null if it was not filled. */
  late: readonly string[] | null = null;
  /** True if certify has already waited for the client's page walk. */
  isTried = false;
  /** The lateness of certify that makes this wait inconclusive; null if it was in time. Wall milliseconds. */
  walkLateMs: number | null = null;
  /** Alerts whose updates are answered 503. */
  readonly unavailable = new Set<string>();
  readonly sandbox: TrialSandbox;
  readonly times: TrialTimes;
  readonly #server: Server;
  #isInserted = false;
  #inFlight = 0;
  #lastMs = monotonicMs();
  /** The trial that calls meet now, or null. */
  #current: Trial | null = null;
  /** The revocation of the current trial. It waits for the first calls, so that all of them carry a revoked token. */
  #revocation: Promise<void> | null = null;

  private constructor(sandbox: TrialSandbox, times: TrialTimes) {
    super();
    this.sandbox = sandbox;
    this.times = times;
    this.#server = createServer((incoming, outgoing) => {
      this.#inFlight++;
      this.#answer(incoming, outgoing)
        .catch(() => outgoing.destroy())
        .finally(() => {
          this.#inFlight--;
          this.#lastMs = monotonicMs();
        });
    });
  }

  /** With `port` 0, the system chooses a free port. */
  static async start(sandbox: TrialSandbox, port: number, times = TRIAL_TIMES): Promise<ApiClientWatch> {
    const watch = new ApiClientWatch(sandbox, times);
    await listenAt(watch.#server, { host: '127.0.0.1', port }, 'API', '--api-port');
    return watch;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Calls of the API, without the token requests. */
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

  /**
   * Resolves when no call is in flight and none arrives. If a client never rests, it resolves at an instant without a
   * call.
   */
  async quiet(limitMs: number): Promise<void> {
    const endMs = monotonicMs() + limitMs;
    for (;;) {
      const nowMs = monotonicMs();
      const restMs = this.#inFlight === 0 ? nowMs - this.#lastMs : 0;
      if (restMs >= QUIET_MS || (nowMs > endMs && this.#inFlight === 0) || nowMs > endMs + limitMs) return;
      await new Promise<void>((resolve) => later(Math.min(QUIET_MS - restMs, LOOK_EVERY_MS), resolve));
    }
  }

  /** Applies the trial to all calls until `endTrial`. */
  beginTrial(kind: Trial['kind']): Trial {
    this.#revocation = null;
    this.#current = { kind, beganMs: monotonicMs(), metMs: null };
    return this.#current;
  }

  endTrial(): void {
    this.#current = null;
  }

  /** When the calls that met the trial get their answers; monotonic milliseconds. */
  answersAtMs({ metMs }: Trial): number {
    return (metMs ?? 0) + this.times.gatherMs;
  }

  /** When calls are answered again after a limit; monotonic milliseconds. */
  limitEndsMs(trial: Trial): number {
    return this.answersAtMs(trial) + this.times.retryAfterS * 1_000;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const startedMs = monotonicMs();
    const [path = '', query = ''] = url.split('?', 2);
    // A web page must not reach the sandbox by a host name that resolves to this machine. [decisions 10]
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '')) return void outgoing.writeHead(403).end();
    const body = Buffer.concat(chunks);
    const { reply, trial } = await this.#replyTo(incoming, path, body);
    const answer = parsedBody(reply);
    if (path === EVENTS_PATH && reply.status === 200 && nextCursor(answer) !== null && !this.#isInserted) {
      this.#isInserted = true;
      this.missed.push(...(await this.sandbox.raise(1)));
    }
    const token = /^bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
    const { status } = reply;
    this.calls.push({ startedMs, answeredMs: monotonicMs(), method, path, query, token, status, trial, answer });
    const { 'transfer-encoding': _, connection: __, ...kept } = reply.headers;
    outgoing.writeHead(status, { ...kept, 'content-length': reply.body.length }).end(reply.body);
    this.wake();
  }

  /** The first call starts the trial. The calls in flight with the first one wait for the same moment. */
  async #gathered(current: Trial): Promise<void> {
    current.metMs ??= monotonicMs();
    const leftMs = this.answersAtMs(current) - monotonicMs();
    if (leftMs > 0) await new Promise<void>((resolve) => later(leftMs, resolve));
  }

  async #replyTo(
    incoming: IncomingMessage,
    path: string,
    body: Buffer,
  ): Promise<{ reply: ApiReply; trial: CallTrial | null }> {
    const { apiUrl } = this.sandbox;
    const { method, url = '/' } = incoming;
    if (path === TOKEN_PATH) return { reply: await forwardWhole(incoming, apiUrl, url, body), trial: null };
    const current = this.#current;
    if (current !== null) await this.#gathered(current);
    if (current?.kind === 'revoked') {
      this.#revocation ??= this.sandbox.revokeTokens();
      await this.#revocation;
    }
    const leftMs = current?.kind === 'throttled' ? this.limitEndsMs(current) - monotonicMs() : 0;
    if (leftMs > 0) return { reply: throttled(apiUrl, path, leftMs), trial: 'throttled' };
    if (method === 'PATCH' && this.unavailable.has(path.split('/').at(-1) ?? ''))
      return {
        reply: problemReply(apiUrl, path, 'storage_unavailable', 'Rehearsed by certify.'),
        trial: 'unavailable',
      };
    const reply = await this.#ofService(incoming, path, body);
    return { reply, trial: current?.kind === 'revoked' && reply.status === 401 ? 'revoked' : null };
  }

  /** Answers like the service that sent the delivered events. The sandbox checks token, scope, query and body. */
  async #ofService(incoming: IncomingMessage, path: string, body: Buffer): Promise<ApiReply> {
    const { apiUrl } = this.sandbox;
    const { method = 'GET', url = '/' } = incoming;
    if (method === 'GET' && (path === ALERTS_PATH || path === MUSTERS_PATH)) return this.#list(incoming, path);
    const reply = await forwardWhole(incoming, apiUrl, url, body);
    if (reply.status !== 404) return reply;
    const answer = this.delivered.answer(method, path, body.toString('utf8'));
    if (answer === null) return reply;
    if (answer.status === 409) return problemReply(apiUrl, path, 'invalid_transition', answer.detail);
    return jsonReply(200, answer.body);
  }

  async #list(incoming: IncomingMessage, path: string): Promise<ApiReply> {
    const { apiUrl } = this.sandbox;
    const { url = '/' } = incoming;
    const query = url.split('?', 2)[1] ?? '';
    const parameters = new URLSearchParams(query);
    const cursor = parameters.get('cursor');
    const isOwn = this.delivered.isOwnCursor(cursor);
    if (isOwn) parameters.delete('cursor');
    const reply = await forwardWhole(incoming, apiUrl, isOwn ? `${path}?${parameters}` : url, Buffer.alloc(0));
    const first = parsedBody(reply) as Parameters<DeliveredObjects['page']>[2] | null;
    // The pages of delivered objects come before those of the sandbox.
    if (reply.status !== 200 || first === null || (cursor !== null && !isOwn)) return reply;
    const page = this.delivered.page(path, query, first);
    if (page === null) return problemReply(apiUrl, path, 'invalid_cursor', 'The cursor belongs to another query.');
    return page === first ? reply : jsonReply(200, page);
  }
}

/** The interval at which `quiet` checks again; wall milliseconds. */
const LOOK_EVERY_MS = 50;

/** The cursor to the next page, or null if there is none. */
export function nextCursor(answer: unknown): string | null {
  const { next_cursor: cursor } = (answer ?? {}) as { next_cursor?: unknown };
  return typeof cursor === 'string' ? cursor : null;
}

function throttled(apiUrl: string, path: string, leftMs: number): ApiReply {
  const seconds = Math.ceil(leftMs / 1_000);
  return problemReply(apiUrl, path, 'rate_limited', `Rehearsed by certify: try again in ${seconds} s.`, {
    'retry-after': String(seconds),
  });
}
