/** A service whose every answer is judged by the contract and kept: what several checks look at is requested once. [cli, compare] */
import { isMap, type JsonMap } from '../contract/schema.ts';
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

  /** `isFresh`: also where the same was requested before. Rejects where nothing answers, or the client gets no such token. */
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

  /** What the contract's judge found in this answer. */
  foundIn(answer: ApiExchange): readonly Deviation[] {
    return this.#found.get(answer) ?? [];
  }

  /** Whether the client's token has read something of the same kind: then it has the scope of the request. */
  canRead({ path, token, scope }: CheckRequest): boolean {
    if (token !== undefined || scope !== undefined) return false;
    // Zones need the scope of alerts. [decisions 1]
    const kind = path.endsWith('/zones') ? 'alerts' : path.split('/')[2];
    return this.answers.some(
      (one) => one.method === 'GET' && one.status === 200 && one.scopes === undefined && one.path === `/v1/${kind}`,
    );
  }

  /** Null: no answer, or one of a busy service, which says nothing of the request. */
  async tryCall(request: CheckRequest, isFresh = false): Promise<ApiExchange | null> {
    const answer = await this.call(request, isFresh).catch(() => null);
    return answer === null || answer.status === 429 || answer.status >= 500 ? null : answer;
  }

  /** The items of a list; empty where it cannot be read. */
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
