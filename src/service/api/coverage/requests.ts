/** What the requests and the token requests of one company show. [spec 3, 4, 7, decisions 2, 3] */
import type { Instant } from '../../../base/time/clock.ts';
import type { Operation } from '../../../contract/operations/operation.ts';
import { issueToken } from '../../../contract/operations/token.ts';
import { PROBLEMS, type ProblemCode } from '../../../contract/problems.ts';
import { TOKEN_LIFE_S } from '../../../contract/requests.ts';
import type { SchemaNode } from '../../../contract/schema.ts';
import type { EndedToken } from '../access/principal.ts';
import type { Raw } from '../answers/raw.ts';
import { operationName, PAGED, REFUSAL_OF } from './catalogue.ts';
import type { CompanyCoverage } from './company.ts';

/** An answered request of the user's own programs. */
export interface CoveredRequest {
  readonly operation: Operation;
  readonly at: Instant;
  /** The clock of token lifetimes and Retry-After; ms. */
  readonly clientAt: number;
  readonly status: number;
  readonly code: string | null;
  /** True for a request about the alert of a test event. */
  readonly isOfTest: boolean;
  /** Method, path, query and the hash of a body: equal for a request that is repeated unchanged. */
  readonly identity: string;
  readonly hasCursor: boolean;
  readonly filters: readonly string[];
  /** The status of an update of an alert. */
  readonly update: unknown;
  readonly retryAfterS: number | null;
  readonly tokenId: string | null;
  /** How the token had ended. */
  readonly refusal: EndedToken | null;
  /** What was answered; parsed only if the answer can show something new. */
  readonly body: () => unknown;
  /** The answer, if it was serialised by its route. */
  readonly raw: Raw | null;
}

/** Most tokens whose use is remembered. */
const MOST_TOKENS = 100;

interface PendingRefusal {
  readonly id: string;
  readonly operationId: string;
  readonly identity: string;
  /** The earliest time of a retry; the time itself where there is no Retry-After. */
  readonly notBefore: number;
  /** A later success of the operation is needed. Otherwise: no unchanged repetition. */
  readonly needsSuccess: boolean;
  readonly by: string;
}

export class RequestFold {
  readonly #company: CompanyCoverage;
  #pending: PendingRefusal[] = [];
  /** Uses by token. */
  readonly #uses = new Map<string, number>();
  /** Refused requests that were repeated unchanged: they are not handled. */
  readonly #repeated = new Set<string>();
  #lastToken: { readonly endsAt: number } | null = null;
  #lastRefusal: EndedToken | null = null;

  constructor(company: CompanyCoverage) {
    this.#company = company;
  }

  /** Refusals that were not repeated unchanged until now. */
  get unrepeated(): ReadonlySet<string> {
    return new Set(this.#pending.filter(({ needsSuccess }) => !needsSuccess).map(({ id }) => id));
  }

  take(request: CoveredRequest): void {
    const { operation, at, status } = request;
    const by = `${operation.method} ${operation.path} ${status}`;
    this.#company.requests++;
    this.#handle(request);
    if (status >= 400) return this.#refused(request, by);
    if (status >= 300) return;
    const { operationId } = operation;
    this.#company.meet(`operations/${operationName(operationId, request.update)}`, { at, by });
    for (const filter of request.filters) this.#company.filters.add(`${operationId} ${filter}`);
    if (operation.operationId === issueToken.operationId) this.#token(request);
    else this.#used(request, by);
    this.#body(request, by);
  }

  #body({ operation, at, status, body, raw, hasCursor }: CoveredRequest, by: string): void {
    const schema = operation.answers[status] as SchemaNode | null | undefined;
    if (schema === null || schema === undefined) return;
    const { operationId } = operation;
    const end = `pages/${operationId} end`;
    const isPaged = PAGED.has(operationId);
    if (isPaged && hasCursor) this.#company.meet(`pages/${operationId} second page`, { at, by });
    if (isPaged && !this.#company.met.has(end)) {
      const next = raw?.page == null ? (body() as { next_cursor?: unknown }).next_cursor : raw.page.nextCursor;
      if (next === null) this.#company.meet(end, { at, by });
    }
    if (raw !== null) this.#company.readRaw(schema, raw, { at, by });
    else if (this.#company.isCurious(schema)) this.#company.read(schema, body(), { at, by });
  }

  /** Decides about refusals before this request. */
  #handle({ operation, at, clientAt, status, identity }: CoveredRequest): void {
    if (this.#pending.length === 0) return;
    this.#pending = this.#pending.filter((one) => {
      if (one.operationId !== operation.operationId) return true;
      if (one.needsSuccess) {
        // Too early: it does not count, and the refusal waits for the next one.
        if (clientAt < one.notBefore || status >= 300) return true;
        this.#company.meet(one.id, { at, by: one.by });
        return false;
      }
      if (identity !== one.identity) return true;
      // A repetition that succeeds was right: the state had changed.
      if (status < 400) this.#company.meet(one.id, { at, by: one.by });
      else if (this.#repeated.size < MOST_PENDING) this.#repeated.add(identity);
      return false;
    });
  }

  #refused(request: CoveredRequest, by: string): void {
    const { operation, at, clientAt, status, code, identity, retryAfterS, refusal, isOfTest } = request;
    // A correct client takes no test event for a real alert. [decisions 7]
    const id = isOfTest && status === 404 ? null : refusalOf(operation, status, code);
    if (id === null) {
      const mistake = code ?? String(status);
      this.#company.mistakes.set(mistake, (this.#company.mistakes.get(mistake) ?? 0) + 1);
      return;
    }
    if (status === 401 && operation.operationId !== issueToken.operationId) this.#lastRefusal = refusal;
    this.#company.refuse(id, { at, by });
    const needsSuccess = status === 401 || status === 408 || status === 429 || status >= 500;
    const known = this.#pending.some((one) => one.id === id && one.operationId === operation.operationId);
    if (known && needsSuccess) return;
    if (!needsSuccess && this.#repeated.has(identity)) return;
    const notBefore = clientAt + (retryAfterS ?? 0) * 1_000;
    this.#pending.push({ id, operationId: operation.operationId, identity, notBefore, needsSuccess, by });
    if (this.#pending.length <= MOST_PENDING) return;
    const oldest = this.#pending.shift();
    if (oldest?.needsSuccess === false) this.#company.meet(oldest.id, { at, by: oldest.by });
  }

  #token({ at, clientAt }: CoveredRequest): void {
    const by = 'POST /v1/oauth/token 200';
    if (this.#lastRefusal === 'revoked') this.#company.meet('tokens/after-revocation', { at, by });
    if (this.#lastRefusal !== null) this.#company.meet('tokens/after-401', { at, by });
    // A client that takes a token for each request, or starts again, renews none.
    else if (this.#lastToken !== null && isSecondHalf(this.#lastToken.endsAt - clientAt))
      this.#company.meet('tokens/early', { at, by });
    this.#lastRefusal = null;
    this.#lastToken = { endsAt: clientAt + TOKEN_LIFE_MS };
  }

  #used({ tokenId, at }: CoveredRequest, by: string): void {
    if (tokenId === null) return;
    const uses = (this.#uses.get(tokenId) ?? 0) + 1;
    this.#uses.set(tokenId, uses);
    if (this.#uses.size > MOST_TOKENS) this.#uses.delete(this.#uses.keys().next().value as string);
    if (uses > 1) this.#company.meet('tokens/reused', { at, by });
  }
}

const MOST_PENDING = 50;
const TOKEN_LIFE_MS = TOKEN_LIFE_S * 1_000;

const isSecondHalf = (leftMs: number): boolean => leftMs > 0 && leftMs <= TOKEN_LIFE_MS / 2;

/** The item of a refusal; null for a client's mistake. */
function refusalOf(operation: Operation, status: number, code: string | null): string | null {
  if (operation.operationId === issueToken.operationId) {
    if (status === 401) return 'refusals/token/invalid_client';
    if (status === 429) return 'refusals/token/limited';
  }
  if (status === 502 || status === 504) return 'refusals/gateway';
  const known = code !== null && code in PROBLEMS ? REFUSAL_OF[code as ProblemCode] : 'mistake';
  return known === 'mistake' ? null : `refusals/${code}`;
}
