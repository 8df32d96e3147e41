/**
 * What several readings of one list say together: pages go on behind each other, and each object is in every list that it fits.
 * An object that is listed before and after a reading, with the same values, was there at the reading too. [decisions 1]
 */
import type { JsonMap } from '../../contract/schema.ts';
import { canonicalJson } from '../../scenario/log/canonical-log.ts';
import { type ApiExchange, type ContractFinding, isBeforeSpan, isClose, type ReadSpan, sentAt } from '../exchange.ts';
import { finding } from '../judging/contents.ts';
import { PAGE_PARAMETERS } from '../judging/contract-routes.ts';
import { filterOf, filterValues, isAtEdge, isBefore, itemId, orderOf, parametersOf } from '../judging/lists.ts';
import { BoundedMap } from './bounded-map.ts';

/** From its beginning on: one page, or several of one walk. */
interface ListReading {
  readonly filters: ReadonlyMap<string, readonly string[]>;
  readonly ids: Set<string>;
  /** Its last item; null: nothing is behind it. */
  readonly last: JsonMap | null;
  readonly order: ReturnType<typeof orderOf>;
  readonly isWalk: boolean;
  readonly at: ReadSpan;
}

/** An object, for as long as its values were the same. */
interface Sighting {
  readonly item: JsonMap;
  readonly values: Readonly<Record<string, string | null>>;
  /** Of an alert; a change changes it. Of an object that comes and goes, all that it has. */
  readonly version: unknown;
  /** The first reading of it. */
  readonly since: ReadSpan;
  /** The same by the clock of the service, ms; null: not known. */
  readonly sinceMs: number | null;
}

/** What is known of the viewer when it reads. */
interface ListView {
  readonly now: ReadSpan;
  /** The ids of all sites; empty: not known. */
  readonly sites: ReadonlySet<string>;
  /** Whether the viewer is not limited to contractors. Objects come to those and leave them. */
  readonly seesAll: boolean;
}

/** Readings that are kept. */
const MOST_READINGS = 200;

/** Their objects are never deleted, so that one which was listed once has to be listed later too. */
const LASTING: readonly string[] = ['/v1/alerts', '/v1/musters'];

/** Their objects leave the list and come back: a position grows old or is veiled, a worker is safe and leaves the point again. */
const PASSING: readonly string[] = ['/v1/positions', '/v1/musters/:muster_id/missing'];

/** Filters by text, in which a comma may stand. */
const FREE_TEXT: readonly string[] = ['contractor', 'external_id'];

const CLAUSE = '[decisions 1]';

/** One list as one viewer reads it. */
export class ListHistory {
  readonly #path: string;
  readonly #sightings = new BoundedMap<string, Sighting>();
  /** By cursor: the walk that it continues. */
  readonly #walks = new BoundedMap<string, ListReading>();
  #readings: ListReading[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  read(call: ApiExchange, items: readonly JsonMap[], next: unknown, view: ListView): ContractFinding[] {
    const { now, sites } = view;
    const found: ContractFinding[] = [];
    const parameters = parametersOf(call.query);
    const filters = new Map([...parameters].filter(([name]) => !PAGE_PARAMETERS.includes(name)));
    const cursor = parameters.get('cursor')?.[0];
    const before = cursor === undefined ? null : this.#walks.get(cursor);
    if (before != null) found.push(...this.#page(before, items));
    const isKnown = before === null || (before !== undefined && shown(before.filters) === shown(filters));
    const last = items.at(-1) ?? before?.last ?? null;
    if (isKnown && (last !== null || typeof next !== 'string')) {
      const reading: ListReading = {
        filters,
        ids: new Set([...(before?.ids ?? []), ...items.map((item) => this.#id(item)).filter((id) => id !== null)]),
        last: typeof next === 'string' ? last : null,
        order: orderOf(this.#path, items) ?? before?.order ?? null,
        isWalk: before != null,
        at: now,
      };
      if (typeof next === 'string') this.#walks.set(next, reading);
      if (found.length === 0)
        found.push(...(view.seesAll ? this.#lostSince(reading) : []), ...this.#ofSites(reading, sites));
      this.#readings = [...this.#readings.slice(1 - MOST_READINGS), reading];
    }
    for (const item of items) found.push(...this.see(item, view, call));
    return found;
  }

  /** An object of the list, wherever it was read. */
  see(item: JsonMap, { now, seesAll }: ListView, call: ApiExchange): ContractFinding[] {
    const id = this.#id(item);
    if (id === null) return [];
    const values = filterValues(this.#path, item);
    const isPassing = PASSING.includes(this.#path) || !seesAll;
    const version = isPassing ? canonicalJson(item) : item['date_last_modified'];
    const nowMs = sentAt(call);
    const known = this.#sightings.get(id);
    const isSame = known !== undefined && known.version === version && shown(known.values) === shown(values);
    const isLasting = !isPassing || isClose(known?.sinceMs ?? null, nowMs);
    if (!isSame || known === undefined || !isLasting) {
      this.#sightings.set(id, { item: keyed(item), values, version, since: now, sinceMs: nowMs });
      return [];
    }
    const lost = this.#readings.filter(
      (reading) =>
        isBeforeSpan(known.since, reading.at) &&
        isBeforeSpan(reading.at, now) &&
        !reading.ids.has(id) &&
        this.#mustHave(reading, known),
    );
    for (const reading of lost) reading.ids.add(id);
    return lost.slice(0, 1).map((reading) => lostFrom(reading));
  }

  #id(item: JsonMap): string | null {
    return itemId(this.#path, item);
  }

  /** A page goes on behind the one that gave its cursor. [decisions 1, Keyset] */
  #page({ ids, last }: ListReading, items: readonly JsonMap[]): ContractFinding[] {
    if (items.some((item) => ids.has(this.#id(item) ?? '')))
      return [finding('page', '[decisions 1, Keyset]', '/data', 'has an item of the page before')];
    if (items.length === 0)
      return [
        finding('page-end', '[spec 2 Pages and lists]', '/data', 'is empty, and the page before has a next_cursor'),
      ];
    const order = orderOf(this.#path, items);
    const [first] = items;
    if (order === null || last === null || first === undefined || !isBefore(order, order.key(first), order.key(last)))
      return [];
    return [finding('page', '[decisions 1, Keyset]', '/data', `does not go on ${order.words} behind the page before`)];
  }

  /** Of objects that are never deleted, and of filters by what never changes. */
  #lostSince(reading: ListReading): ContractFinding[] {
    const isLasting = [...reading.filters.keys()].every((name) => {
      const filter = filterOf(this.#path, name);
      return filter !== undefined && filter !== 'of site' && filter.isFixed;
    });
    if (!LASTING.includes(this.#path) || !isLasting) return [];
    const lost = [...this.#sightings].filter(
      ([id, one]) => isBeforeSpan(one.since, reading.at) && !reading.ids.has(id) && this.#mustHave(reading, one),
    );
    for (const [id] of lost) reading.ids.add(id);
    return lost.slice(0, 1).map(() => lostFrom(reading));
  }

  /** False also where that is not sure. */
  #mustHave({ filters, last, order }: ListReading, { item, values }: Sighting): boolean {
    if (last !== null && (order === null || !isBefore(order, order.key(item), order.key(last)))) return false;
    return [...filters].every(([name, wanted]) => {
      const filter = filterOf(this.#path, name);
      if (filter === undefined || filter === 'of site') return false;
      const value = values[name] ?? null;
      // A comma in free text may be part of a name. [decisions 1, List parameters]
      const isSure =
        !isAtEdge(name, value, wanted) && !(FREE_TEXT.includes(name) && wanted.some((one) => one.includes(',')));
      return isSure && filter.fits(value, wanted);
    });
  }

  /** Each object is of one site: it is in the list of that site, and in no other one. */
  #ofSites(reading: ListReading, sites: ReadonlySet<string>): ContractFinding[] {
    if (reading.last !== null) return [];
    const own = siteOf(this.#path, reading);
    const isWhole = reading.filters.size === 0;
    if (own === null && !isWhole) return [];
    const before = this.#readings.findLast((one) => one.last === null && shown(one.filters) === shown(reading.filters));
    if (before === undefined) return [];
    const between = this.#readings.filter(
      ({ at, last }) => last === null && isBeforeSpan(before.at, at) && isBeforeSpan(at, reading.at),
    );
    const both = [...reading.ids].filter((id) => before.ids.has(id));
    if (own !== null) {
      const others = between.filter((one) => (siteOf(this.#path, one) ?? own) !== own);
      return others.some(({ ids }) => both.some((id) => ids.has(id)))
        ? [finding('filter', CLAUSE, '?site_id', 'lists an object that the list of another site has too')]
        : [];
    }
    const bySite = new Map(between.map((one) => [siteOf(this.#path, one), one]));
    if (sites.size === 0 || ![...sites].every((site) => bySite.has(site))) return [];
    const isNowhere = (id: string) => ![...sites].some((site) => bySite.get(site)?.ids.has(id));
    return both.some(isNowhere)
      ? [finding('filter', CLAUSE, '?site_id', 'lists an object that no list of a site has')]
      : [];
  }
}

/** The site of a list that is selected by it alone, where no item says its site. */
function siteOf(path: string, { filters }: ListReading): string | null {
  const [[name, [site = '', ...others]] = ['', []]] = filters;
  const isAlone = filters.size === 1 && others.every((one) => one === site);
  return isAlone && filterOf(path, name) === 'of site' ? site : null;
}

function lostFrom({ filters, isWalk }: ListReading): ContractFinding {
  const names = [...filters.keys()].join();
  if (names !== '') return finding('filter', CLAUSE, `?${names}`, `lacks an object that fits the parameter ${names}`);
  return isWalk
    ? finding('page', '[decisions 1, Keyset]', '/data', 'the pages of a walk lack an object between two of their items')
    : finding('lost', CLAUSE, '/data', 'lacks an object that was listed before');
}

/** What an object is ordered by. */
const keyed = (item: JsonMap): JsonMap =>
  Object.fromEntries(ORDER_FIELDS.filter((name) => name in item).map((name) => [name, item[name]]));
const ORDER_FIELDS = ['id', 'name', 'date_created', 'started_at', 'created_at', 'device_id'];

const shown = (value: object): string => JSON.stringify(value instanceof Map ? [...value].sort() : value);
