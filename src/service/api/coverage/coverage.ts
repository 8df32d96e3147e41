/**
 * What of the contract the clients of this sandbox have met, by company, since the start of the process. It listens where a request
 * ends and where an attempt settles; it keeps states of items, never bodies. [decisions 9]
 */

import { sha256Hex } from '../../../base/ids.ts';
import { LISTEN_PATH, PROGRAM_AGENT } from '../../../base/network/program-agent.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { updateAlert } from '../../../contract/operations/alerts.ts';
import type { CompanyCoverageView, CoverageView } from '../../../contract/operations/coverage.ts';
import { listEvents } from '../../../contract/operations/events.ts';
import type { Operation } from '../../../contract/operations/operation.ts';
import { issueToken } from '../../../contract/operations/token.ts';
import { createWebhook, rotateWebhookSecret } from '../../../contract/operations/webhooks.ts';
import { isMap } from '../../../contract/schema.ts';
import type { Destination } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import { CATALOGUE, COVERAGE_ITEMS } from './catalogue.ts';
import { CompanyCoverage } from './company.ts';
import { type CoveredAttempt, DeliveryFold } from './deliveries.ts';
import { type CoveredRequest, RequestFold } from './requests.ts';

/** A request that has ended. */
export interface EndedRequest
  extends Pick<
    CoveredRequest,
    'at' | 'clientAt' | 'status' | 'code' | 'retryAfterS' | 'tokenId' | 'refusal' | 'body' | 'raw'
  > {
  readonly operation: Operation | undefined;
  /** Null if the caller is not known. */
  readonly organizationId: string | null;
  readonly target: string;
  readonly agent: string | undefined;
  readonly sent: unknown;
}

interface CountedCompany {
  readonly coverage: CompanyCoverage;
  readonly requests: RequestFold;
  readonly deliveries: DeliveryFold;
}

/** In the place of a body: what is remembered has none, and no secret of a client. */
const NO_BODY = { body: () => null, raw: null };

/** The most destinations and stranger's refusals that are remembered. */
const MOST_KEPT = 1_000;

export class Coverage {
  readonly #companies = new Map<string, CountedCompany>();
  /** Destinations that an own request has made. */
  readonly #own = new Set<string>();
  /** Destinations whose secret was rotated, also by a scenario. */
  readonly #rotated = new Set<string>();
  /** The last refused token request of a caller who is not known, by user agent. */
  readonly #strangers = new Map<string, CoveredRequest>();

  /** A destination that was there when the process began: a client made it. */
  adopt({ id, session }: Pick<Destination, 'id' | 'session'>): void {
    if (session === undefined && !this.#own.has(id)) keepId(this.#own, id);
  }

  /** Takes a request. Programs of this package, and operations of the sandbox alone, do not count. */
  ended(request: EndedRequest): void {
    const { operation, organizationId, agent = '' } = request;
    if (operation === undefined || operation.path.startsWith('/v1/sandbox/')) return;
    if (operation.operationId === rotateWebhookSecret.operationId && request.status < 300)
      keepId(this.#rotated, idIn(request.target));
    if (agent.startsWith(PROGRAM_AGENT)) return;
    if (organizationId === null) {
      if (operation.operationId === issueToken.operationId)
        keep(this.#strangers, agent, { ...covered(request, operation), ...NO_BODY });
      return;
    }
    const company = this.#of(organizationId);
    const stranger = operation.operationId === issueToken.operationId ? this.#strangers.get(agent) : undefined;
    if (stranger !== undefined) {
      this.#strangers.delete(agent);
      company.requests.take(stranger);
    }
    company.requests.take(covered(request, operation, company.deliveries.isTestAlert(idIn(request.target))));
    this.#destinations(request, operation);
    if (operation.operationId === listEvents.operationId && request.status === 200 && company.deliveries.awaitsLost)
      company.deliveries.pageRead(request.raw?.page?.ids ?? idsOf(request.body()), request.at);
  }

  #destinations({ status, body }: EndedRequest, operation: Operation): void {
    if (status >= 300 || operation.operationId !== createWebhook.operationId) return;
    const made = body();
    if (isMap(made)) keepId(this.#own, String(made['id']));
  }

  /** True if deliveries to this destination are judged by a program of the user. */
  isOwn({ id, url, session }: Pick<Destination, 'id' | 'url' | 'session'>): boolean {
    if (session === undefined) return this.#own.has(id);
    const { pathname } = new URL(url);
    return !pathname.startsWith('/panel/inbox/') && pathname !== LISTEN_PATH;
  }

  /** Takes an attempt at a destination of the user's own. */
  attempted(organizationId: string, attempt: Omit<CoveredAttempt, 'isRotated'>): void {
    const isRotated = this.#rotated.has(attempt.destinationId);
    this.#of(organizationId).deliveries.take({ ...attempt, isRotated });
  }

  #of(organizationId: string): CountedCompany {
    const known = this.#companies.get(organizationId);
    if (known !== undefined) return known;
    const coverage = new CompanyCoverage();
    const company = { coverage, requests: new RequestFold(coverage), deliveries: new DeliveryFold(coverage) };
    this.#companies.set(organizationId, company);
    return company;
  }

  /** What the companies have met. `only`: a company; null: all. */
  view(world: World, only: string | null): CoverageView {
    const companies = [...this.#companies].flatMap(([id, { coverage, requests }]) => {
      const organization = world.get('organization', id)?.name;
      if (organization === undefined || (only !== null && only !== id)) return [];
      return [viewOf(organization, coverage, requests.unrepeated)];
    });
    return { catalogue: CATALOGUE, items: COVERAGE_ITEMS.length, companies };
  }
}

function viewOf(organization: string, company: CompanyCoverage, unrepeated: ReadonlySet<string>): CompanyCoverageView {
  const { met, unhandled, requests, deliveries, mistakes, filters } = company;
  return {
    organization,
    requests,
    deliveries,
    met: COVERAGE_ITEMS.flatMap(({ id }) => {
      const one = met.get(id) ?? (unrepeated.has(id) ? unhandled.get(id) : undefined);
      return one === undefined ? [] : [{ id, at: formatInstant(one.at), by: one.by }];
    }),
    not_handled: [...unhandled]
      .filter(([id]) => !unrepeated.has(id))
      .map(([id, { at, by }]) => ({ id, at: formatInstant(at), by })),
    partly: company.partly().map(({ fact, met: { at, by } }) => ({ id: fact, at: formatInstant(at), by })),
    mistakes: [...mistakes].map(([code, times]) => ({ code, times })),
    filters: [...filters].toSorted(),
  };
}

function covered(request: EndedRequest, operation: Operation, isOfTest = false): CoveredRequest {
  const { target, sent, at, clientAt, status, code, retryAfterS, tokenId, refusal, body, raw } = request;
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const update = operation.operationId === updateAlert.operationId && isMap(sent) ? sent['status'] : undefined;
  const identity = `${operation.method} ${target}${sent === undefined ? '' : ` ${sha256Hex(JSON.stringify(sent))}`}`;
  const filters = [...new Set(query.keys())].filter((name) => name !== 'cursor' && name !== 'limit');
  // Not spread: that takes longer than all the rest.
  const hasCursor = query.has('cursor');
  return {
    operation,
    update,
    identity,
    hasCursor,
    filters,
    at,
    clientAt,
    status,
    code,
    isOfTest,
    retryAfterS,
    tokenId,
    refusal,
    body,
    raw,
  };
}

/** The id in `/v1/alerts/ID...`; empty if there is none. */
const idIn = (target: string): string => target.split(/[/?]/)[3] ?? '';

function idsOf(page: unknown): unknown[] {
  const data = isMap(page) ? page['data'] : undefined;
  return Array.isArray(data) ? data.map((event: unknown) => (isMap(event) ? event['id'] : null)) : [];
}

function keepId(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > MOST_KEPT) ids.delete(ids.values().next().value as string);
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value as string);
}
