/** The answers that one client reads with one set of scopes: its lists, and whether they agree. [decisions 1, spec 2] */
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { type ApiExchange, type ContractFinding, sentAt } from '../exchange.ts';
import { itemId } from '../judging/lists.ts';
import { Claims, claimsOf, claimsOfEvent } from './claims.ts';
import { ExpectedEvents } from './event-history.ts';
import { ListHistory } from './list-history.ts';
import { MusterHistory } from './muster-history.ts';
import { PlantHistory } from './plant-history.ts';

/** Single answers whose object is also in a list. */
const LIST_OF: Readonly<Record<string, string>> = { '/v1/alerts/:alert_id': '/v1/alerts' };

export class ViewerHistory {
  readonly #lists = new Map<string, ListHistory>();
  readonly #claims = new Claims();
  readonly #musters = new MusterHistory();
  readonly #expected = new ExpectedEvents();
  readonly #plant = new PlantHistory();
  #sites: ReadonlySet<string> = new Set();
  /** Number of answers so far. */
  #count = 0;

  /** `path`: the path of the route. The answer itself must have no fault, so that no fault is reported twice. */
  answer(path: string, call: ApiExchange, body: JsonMap): ContractFinding[] {
    this.#count += 1;
    const now = call.span ?? { from: this.#count, to: this.#count };
    const { data } = body;
    const isList = Array.isArray(data);
    const all = (isList ? data : [body]).filter(isMap);
    const found: ContractFinding[] = [];
    const view = { now, sites: this.#sites, seesAll: this.#musters.seesAll };
    if (isList) found.push(...this.#list(path, call).read(call, all, body['next_cursor'] ?? null, view));
    else if (LIST_OF[path] !== undefined)
      found.push(...all.flatMap((one) => this.#list(LIST_OF[path] as string, call).see(one, view, call)));
    if (path === '/v1/sites') this.#sites = new Set(all.map(({ id }) => id).filter((id) => typeof id === 'string'));
    if (found.length > 0) return found;
    const at = isList ? '/data/*' : '';
    const claims = all.flatMap((one) => (path === '/v1/events' ? claimsOfEvent(one) : claimsOf(path, one)));
    found.push(
      ...this.#claims.add(
        `GET ${path}`,
        claims.map((one) => ({ ...one, pointer: at + one.pointer })),
        now,
        sentAt(call),
      ),
    );
    this.#musters.seen(path === '/v1/workers' ? all : all.map(({ worker }) => worker));
    if (/^\/v1\/musters(\/:muster_id)?$/.test(path))
      found.push(...all.flatMap((one) => this.#musters.muster(call, one, now)));
    if (path.endsWith('/missing')) this.#musters.missing(call.path.split('/')[3] ?? '', all, now);
    const isWhole = isList && !/(^|&)cursor=/.test(call.query) && typeof body['next_cursor'] !== 'string';
    if (path === '/v1/alerts' && isWhole) found.push(...this.#musters.alerts(call, all, now));
    if (/^\/v1\/(alerts|musters)(\/:[a-z_]+)?$/.test(path)) for (const one of all) this.#expected.object(one, now);
    // A client that is limited to some contractors has no events from before a worker joined one of them.
    if (path === '/v1/events' && isWhole && this.#musters.seesAll && /^(limit=\d+)?$/.test(call.query))
      found.push(...this.#expected.log(all, now));
    found.push(...this.#plant.answer(path, call, all));
    return found;
  }

  /** The zones of each site and the missing workers of each muster are separate lists. */
  #list(path: string, call: ApiExchange): ListHistory {
    const key = path.includes(':') ? call.path : path;
    const list = this.#lists.get(key) ?? new ListHistory(path);
    this.#lists.set(key, list);
    return list;
  }
}

/** True if the list contains an item twice. */
export function repeatedIn(path: string, all: readonly JsonMap[]): boolean {
  const ids = all.map((one) => itemId(path, one)).filter((id) => id !== null);
  return new Set(ids).size < ids.length;
}
