/** A service whose answers are judged by the contract and cached, so that several checks share one request. [cli, compare] */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { CheckRequest, ComparedService } from './checks.ts';
import { jsonOf } from './compared-check.ts';
import type { ApiExchange, Deviation } from './exchange.ts';
import type { ContractJudge } from './judging/judge.ts';

export class JudgedService {
  readonly credentials: ComparedService['credentials'];
  /** In the order of the requests. */
  readonly answers: ApiExchange[] = [];
  readonly deviations: Deviation[] = [];
  readonly #service: ComparedService;
  readonly #judge: ContractJudge;
  readonly #kept = new Map<string, ApiExchange>();
  readonly #found = new Map<ApiExchange, readonly Deviation[]>();

  constructor(service: ComparedService, judge: ContractJudge) {
    this.#service = service;
    this.#judge = judge;
    this.credentials = service.credentials;
  }

  /** `isFresh`: ignores the cache. Rejects if there is no response, or if the service issues no such token. */
  async call(request: CheckRequest, isFresh = false): Promise<ApiExchange> {
    const key = JSON.stringify(request);
    const kept = this.#kept.get(key);
    if (kept !== undefined && !isFresh) return kept;
    const answer = await this.#service.call(request);
    this.answers.push(answer);
    const found = this.#judge.add(answer);
    this.deviations.push(...found);
    this.#found.set(answer, found);
    if (request.method === 'GET') this.#kept.set(key, answer);
    else if (request.form === undefined) this.#kept.clear();
    return answer;
  }

  /** Returns the deviations that the judge found in this answer. */
  foundIn(answer: ApiExchange): readonly Deviation[] {
    return this.#found.get(answer) ?? [];
  }

  /** True if the client's token has already read objects of the same kind, so it has the scope of the request. */
  canRead({ path, token, scope }: CheckRequest): boolean {
    if (token !== undefined || scope !== undefined) return false;
    // Zones need the scope of alerts. [decisions 1]
    const kind = path.endsWith('/zones') ? 'alerts' : path.split('/')[2];
    return this.answers.some(
      (one) => one.method === 'GET' && one.status === 200 && one.scopes === undefined && one.path === `/v1/${kind}`,
    );
  }

  /** Returns null if there is no response, or if the service is busy (429 or 5xx), which shows nothing about the request. */
  async tryCall(request: CheckRequest, isFresh = false): Promise<ApiExchange | null> {
    const answer = await this.call(request, isFresh).catch(() => null);
    return answer === null || answer.status === 429 || answer.status >= 500 ? null : answer;
  }

  /** Returns the items of a list; empty if it cannot be read. */
  async list(path: string, query?: string, scope?: string): Promise<JsonMap[]> {
    const request: CheckRequest = {
      method: 'GET',
      path,
      ...(query === undefined ? {} : { query }),
      ...(scope === undefined ? {} : { scope }),
    };
    const answer = await this.tryCall(request);
    const value = answer?.status === 200 ? jsonOf(answer.body) : null;
    const data = isMap(value) ? value['data'] : null;
    return Array.isArray(data) ? data.filter(isMap) : [];
  }
}
