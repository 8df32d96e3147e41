/**
 * Judges the traffic of a proxy as `compare` does: exchanges with the service, its deliveries, and its event log. [cli, proxy]
 */
import { isMap } from '../../../contract/schema.ts';
import type { ComparedService } from '../checks.ts';
import { jsonOf } from '../compared-check.ts';
import type { ApiExchange, DeliveryTraffic, Deviation } from '../exchange.ts';
import type { ContractJudge } from '../judging/judge.ts';
import type { TokenHolders } from '../token-holders.ts';
import { withoutTokens } from '../without-tokens.ts';
import type { PassedExchange } from './forwarding-server.ts';

const headersOf = (headers: PassedExchange['headers']): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the exchange without tokens and secrets, so that no report can contain them; undefined if it is not an API call. */
export function callOf(
  { method, target, sentHeaders, sent, status, headers, body, startedAt, tookMs, isWhole }: PassedExchange,
  holders: TokenHolders,
): ApiExchange | undefined {
  const [path = '', ...query] = target.split('?');
  const begin = path.indexOf('/v1/');
  if (!isWhole || begin < 0 || status < 200 || status === 304) return undefined;
  const { authorization } = headersOf(sentHeaders);
  const texts = { sent: sent.toString('utf8'), body: body.toString('utf8') };
  return {
    kind: 'call',
    ...holders.holderOf({ method, path: path.slice(begin), authorization, ...texts }),
    span: { from: startedAt, to: startedAt + tookMs },
    ...(authorization === undefined ? { isAnonymous: true } : {}),
    method,
    path: path.slice(begin),
    query: withoutTokens(query.join('?')),
    status,
    headers: headersOf(headers),
    body: withoutTokens(texts.body),
    source: 'proxy',
    ...(sent.length === 0 ? {} : { sent: withoutTokens(texts.sent) }),
  };
}

export const deliveryOf = ({ sentHeaders, sent, startedAt }: PassedExchange): DeliveryTraffic => ({
  kind: 'delivery',
  atMs: startedAt,
  headers: headersOf(sentHeaders),
  body: sent.toString('utf8'),
  source: 'proxy',
});

/** Most pages of the event log in one round. The next round continues after them. */
const MOST_PAGES = 20;

/** Reads the events after the last event that was read, as a polling client does. [decisions 1, End of the event log] */
export class EventLogReader {
  readonly #service: ComparedService;
  readonly #judge: ContractJudge;
  #since: string | null = null;

  constructor(service: ComparedService, judge: ContractJudge) {
    this.#service = service;
    this.#judge = judge;
  }

  /** Returns the deviations of the new events. Rejects if the service does not answer. */
  async read(): Promise<Deviation[]> {
    const found: Deviation[] = [];
    const since = this.#since === null ? [] : [`created_after=${encodeURIComponent(this.#since)}`];
    let cursor: string | null = null;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query: string = [
        ...since,
        'limit=200',
        ...(cursor === null ? [] : [`cursor=${encodeURIComponent(cursor)}`]),
      ].join('&');
      const answer = await this.#service.call({ method: 'GET', path: '/v1/events', query });
      found.push(...this.#judge.add(answer));
      const value = jsonOf(answer.body);
      const { data, next_cursor: next } = answer.status === 200 && isMap(value) ? value : {};
      for (const event of Array.isArray(data) ? data : []) {
        const at = isMap(event) ? event['created_at'] : null;
        if (typeof at === 'string' && at > (this.#since ?? '')) this.#since = at;
      }
      if (typeof next !== 'string') break;
      cursor = next;
    }
    return found;
  }
}
