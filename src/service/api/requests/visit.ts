/** One request from its headers to its end: caller, limits, and its row in the audit log. [spec 5, decisions 8] */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { asError } from '../../../base/assert.ts';
import type { Release } from '../../../base/time/clock.ts';
import { withoutSecrets } from '../../../contract/operations/hidden-secrets.ts';
import { CONTROL_NOTE } from '../../../contract/resources/logs.ts';
import type { Client } from '../../domain/world/documents.ts';
import type { RequestProblem } from '../../engine/store-port.ts';
import type { LimitDecision, RateLimiter } from '../access/limits.ts';
import { type BearerHash, bearerHash, bearerOfTicket, type Principal, principalOf } from '../access/principal.ts';
import { KnownSecrets } from '../access/secrets.ts';
import { Raw } from '../answers/raw.ts';
import type { ApiParts, Route } from '../route.ts';
import { auditRow } from './audit.ts';
import { queryOf } from './request-rules.ts';

/** Query time charged per request where clients follow simulated time, so that fast and scaled runs give the same result; ms. [decisions 8] */
const FIXED_COST_MS = 1;
const FIXED_COST_MS_PER_ROW = 0.02;

export interface Visit {
  readonly principal: Principal;
  readonly route: Route | undefined;
  /**
   * The client whose limits the request counts for: the client of the token, or the one authenticated at the token
   * endpoint.
   */
  client: Client | null;
  /** Null while the client is unknown. */
  limit: LimitDecision | null;
  /** True if a run has decided that no limit and no outage applies to the request. */
  isSpared: boolean;
  /** Counts the request for a client that was authenticated by its secret. */
  admit(client: Client): void;
  code: string | null;
  /** The sentences of the problem, without secrets. */
  problem: RequestProblem | null;
  rows: number;
  handledMs: number;
  note: string | null;
  /** The checked body of the request, and the answer as the handler made it; undefined: there is none. */
  sent: unknown;
  answer: unknown;
  /** If false, the request gets no row in the audit log. */
  logged: boolean;
  readonly warnings: string[];
  /** Called when the request lets simulated time pass, or ends. Null unless the request had to wait for its turn. */
  ended: (() => void) | null;
  /** Lets simulated time pass before the answer, for requests that wait. Default: after the answer. */
  release(): void;
}

/** The answer on the bare socket, if the request was not complete and valid HTTP. */
interface SocketAnswer {
  readonly status: number;
  readonly code: string;
  readonly problem: RequestProblem;
}

/** The requests of a connection: the one in flight, and the latest to arrive. */
interface SocketState {
  open: OpenVisit | null;
  last: IncomingMessage;
  /** Of the latest request with a token. Remembered per connection, so that its use tells nobody about other tokens. */
  bearer: BearerHash | null;
}

/** nginx's status for a client that closed the connection early. */
export const CLIENT_WENT_AWAY = 499;

/** One list for the rows of all requests without a warning. */
const NO_WARNINGS: readonly string[] = [];

const ANONYMOUS: Principal = { kind: 'anonymous', why: 'This operation takes no access token.' };

export class Visits {
  readonly #parts: ApiParts;
  readonly #limiter: RateLimiter;
  /** The secrets that are redacted from rows and answers. */
  readonly secrets: KnownSecrets;
  readonly #open = new Set<OpenVisit>();
  /** Written once per connection and read for each of its requests, because reading is cheaper than writing. */
  readonly #sockets = new WeakMap<Socket, SocketState>();

  constructor(parts: ApiParts, limiter: RateLimiter) {
    this.#parts = parts;
    this.#limiter = limiter;
    this.secrets = new KnownSecrets(parts.engine.world, parts.controlToken);
  }

  /** Counts the request for its client. The visit ends with the answer or with the connection. */
  open(request: IncomingMessage, response: ServerResponse, route: Route | undefined): Visit {
    const { engine, clock, controlToken } = this.#parts;
    const now = clock.clientTime();
    const state = this.#stateOf(request);
    const { authorization } = request.headers;
    const ticket =
      route?.takesTicket === true && authorization === undefined
        ? bearerOfTicket(queryOf(request.url ?? ''), controlToken, clock.wall())
        : null;
    const principal =
      route?.access === 'none'
        ? ANONYMOUS
        : (ticket ?? principalOf(engine.world, bearerOf(state, authorization), controlToken, now));
    const client = principal.kind === 'client' ? principal.client : null;
    const limit = client === null ? null : this.#limiter.admit(client.id, now);
    const hold = clock.hold('http', () => withoutSecrets(`${request.method} ${request.url}`));
    const visit = new OpenVisit({ visits: this, request, response, route, principal, client, limit, hold });
    visit.startedMs = clock.monotonic();
    this.#open.add(visit);
    state.open = visit;
    state.last = request;
    // Both events occur once. `once` would create two wrapper functions for each request.
    response.on('finish', () => {
      visit.answered = true;
    });
    response.on('close', () => this.close(visit));
    return visit;
  }

  /** Counts a request for a client that was authenticated by its secret. */
  admit(client: Client): LimitDecision {
    return this.#limiter.admit(client.id, this.#parts.clock.clientTime());
  }

  /** Ends the visit. Idempotent. */
  close(visit: OpenVisit): void {
    if (!this.#open.delete(visit)) return;
    const { engine, clock } = this.#parts;
    const { route, request, startedMs } = visit;
    const state = this.#sockets.get(request.socket);
    if (state?.open === visit) state.open = null;
    try {
      this.#close(visit, clock.monotonic() - startedMs);
    } catch (error) {
      // A socket calls this, so an exception would end the process.
      engine.failures.report({
        part: 'request',
        what: `end of ${route?.path ?? 'a request'}`,
        error: asError(error),
      });
    } finally {
      visit.release();
    }
  }

  #stateOf(request: IncomingMessage): SocketState {
    let state = this.#sockets.get(request.socket);
    if (state === undefined) {
      state = { open: null, last: request, bearer: null };
      this.#sockets.set(request.socket, state);
    }
    return state;
  }

  /** Makes the connections of requests in flight close after their answers. */
  endKeepAlive(): void {
    for (const { response } of this.#open) response.shouldKeepAlive = false;
  }

  /** The visit of the socket's current request, or null. */
  on(socket: Socket): Visit | null {
    return this.#sockets.get(socket)?.open ?? null;
  }

  /** True once response headers were sent for the socket's current request. */
  hasAnswered(socket: Socket): boolean {
    const state = this.#sockets.get(socket);
    return state?.open?.response.headersSent ?? state?.last.complete === false;
  }

  /** Records that the socket's request was answered below the HTTP layer. */
  answeredBelow(socket: Socket, answer: SocketAnswer): void {
    const open = this.#sockets.get(socket)?.open;
    if (open == null) return;
    open.onSocket = answer;
    this.close(open);
  }

  #close(visit: OpenVisit, tookMs: number): void {
    const { request, response, onSocket, answered } = visit;
    const { clock, engine } = this.#parts;
    const gone = !answered;
    const status = onSocket?.status ?? (gone ? CLIENT_WENT_AWAY : response.statusCode);
    this.#charge(visit, status);
    if (!visit.logged) return;
    const left = gone && onSocket === null ? 'The client disconnected before the reply.' : null;
    const { principal } = visit;
    const row = auditRow(clock, this.secrets, {
      // The owner of an invalid token may still be known.
      client: visit.client ?? (principal.kind === 'anonymous' ? (principal.client ?? null) : null),
      method: request.method ?? '',
      target: request.url ?? '',
      status,
      code: onSocket?.code ?? (gone ? null : visit.code),
      problem: onSocket?.problem ?? (gone ? null : visit.problem),
      tookMs,
      note: left ?? visit.note,
      agent: request.headers['user-agent'],
      warnings: visit.warnings.length === 0 ? NO_WARNINGS : visit.warnings,
    });
    const tokenId = ('tokenId' in principal ? principal.tokenId : undefined) ?? null;
    const retryAfterS = status === 429 && visit.limit?.admitted === false ? visit.limit.retryAfterS : null;
    engine.logRequest(row, { tokenId, retryAfterS });
    if (gone || visit.route === undefined) return;
    this.#parts.coverage.ended({
      operation: visit.route,
      organizationId: row.organizationId,
      target: request.url ?? '',
      at: row.at,
      clientAt: clock.clientTime(),
      status,
      code: row.code,
      agent: request.headers['user-agent'],
      sent: visit.sent,
      tokenId,
      retryAfterS,
      refusal: principal.kind === 'anonymous' ? (principal.ended ?? null) : null,
      body: () => parsed(visit.answer),
      raw: visit.answer instanceof Raw ? visit.answer : null,
    });
  }

  /** Every request of a known client counts, except one refused by 429; query time is charged after the answer. [decisions 8] */
  #charge({ client, limit, route, rows, handledMs }: Visit, status: number): void {
    if (client === null || limit === null || status === 429) return;
    const { clock } = this.#parts;
    const now = clock.clientTime();
    // An unknown path gets 404 even if the client is over a limit, but the request counts.
    if (!limit.admitted) return this.#limiter.count(client.id, now);
    // Production has no such routes, so waits must not spend the client's limits.
    if (route?.access === 'sandbox' || route?.access === 'control') return;
    const cost = clock.simulatesClients ? FIXED_COST_MS + rows * FIXED_COST_MS_PER_ROW : handledMs;
    this.#limiter.charge(client.id, now, cost);
  }
}

/** An answer as its client reads it. */
const parsed = (answer: unknown): unknown =>
  answer instanceof Raw ? (JSON.parse(answer.text.toString()) as unknown) : answer;

function bearerOf(state: SocketState, header: string | undefined): BearerHash | null {
  if (header === undefined) return null;
  if (state.bearer?.header !== header) state.bearer = bearerHash(header);
  return state.bearer;
}

interface VisitParts {
  readonly visits: Visits;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route | undefined;
  readonly principal: Principal;
  readonly client: Client | null;
  readonly limit: LimitDecision | null;
  readonly hold: Release;
}

/** A visit that has not ended. Methods instead of closures, since each request has one. */
class OpenVisit implements Visit {
  readonly principal: Principal;
  readonly route: Route | undefined;
  client: Client | null;
  limit: LimitDecision | null;
  isSpared = false;
  code: string | null = null;
  problem: RequestProblem | null = null;
  rows = 0;
  handledMs = 0;
  note: string | null;
  sent: unknown = undefined;
  answer: unknown = undefined;
  logged = true;
  readonly warnings: string[] = [];
  ended: (() => void) | null = null;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  onSocket: SocketAnswer | null = null;
  /** The response was sent completely. */
  answered = false;
  startedMs = 0;
  readonly #visits: Visits;
  readonly #hold: Release;

  constructor({ visits, request, response, route, principal, client, limit, hold }: VisitParts) {
    this.principal = principal;
    this.route = route;
    this.client = client;
    this.limit = limit;
    this.note = principal.kind === 'control' ? CONTROL_NOTE : principal.kind === 'panel' ? 'panel' : null;
    this.request = request;
    this.response = response;
    this.#visits = visits;
    this.#hold = hold;
  }

  admit(client: Client): void {
    this.client = client;
    this.limit = this.#visits.admit(client);
  }

  release(): void {
    this.ended?.();
    this.#hold();
  }
}
