/**
 * Compares several readings of one list: each page continues after the previous one, and each object is in every list whose
 * filters it fits. An object with the same values before and after a reading existed at the reading too. [decisions 1]
 */

import { canonicalJson } from '../../../base/text/canonical-json.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import { type ApiExchange, type ContractFinding, isBeforeSpan, isClose, type ReadSpan, sentAt } from '../exchange.ts';
import { finding } from '../judging/contents.ts';
import { PAGE_PARAMETERS } from '../judging/contract-routes.ts';
import { filterOf, filterValues, isAtEdge, isBefore, itemId, orderOf, parametersOf } from '../judging/lists.ts';
import { BoundedMap } from './bounded-map.ts';

/** One reading of a list from its first item: one page, or several consecutive pages. */
interface ListReading {
  readonly filters: ReadonlyMap<string, readonly string[]>;
  readonly ids: Set<string>;
  /** The last item that was read; null if the list has no further items. */
  readonly last: JsonMap | null;
  readonly order: ReturnType<typeof orderOf>;
  readonly isWalk: boolean;
  readonly at: ReadSpan;
}

/** An object, and since when its values have been the same. */
interface Sighting {
  readonly item: JsonMap;
  readonly values: Readonly<Record<string, string | null>>;
  /** `date_last_modified`, which each change replaces. For an object that can leave the list, all of its fields. */
  readonly version: unknown;
  /** The first reading with these values. */
  readonly since: ReadSpan;
  /** The same by the clock of the service, in ms; null if not known. */
  readonly sinceMs: number | null;
}

/** The viewer at the time of a reading. */
interface ListView {
  readonly now: ReadSpan;
  /** Ids of all sites; empty if not known. */
  readonly sites: ReadonlySet<string>;
  /** True if the viewer is not limited to some contractors. Workers can join and leave a contractor. */
  readonly seesAll: boolean;
}

/** Most readings that are kept of a list. */
const MOST_READINGS = 200;

/** Lists whose objects are never deleted. An object that was listed once must be listed later too. */
const LASTING: readonly string[] = ['/v1/alerts', '/v1/musters'];

/** Lists whose objects leave and return: a position is too old or veiled, or a worker is safe and then leaves the point. */
const PASSING: readonly string[] = ['/v1/positions', '/v1/musters/:muster_id/missing'];

/** Text filters whose value may contain a comma. */
const FREE_TEXT: readonly string[] = ['contractor', 'external_id'];

const CLAUSE = '[decisions 1]';

/** One list as one viewer reads it. */
export class ListHistory {
  readonly #path: string;
  readonly #sightings = new BoundedMap<string, Sighting>();
  /** By cursor: the reading that it continues. */
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

  /** Records an object of the list, from a list or from a single answer. */
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

  /** A page continues after the page that returned its cursor. [decisions 1, Keyset] */
  #page({ ids, last }: ListReading, items: readonly JsonMap[]): ContractFinding[] {
    if (items.some((item) => ids.has(this.#id(item) ?? '')))
      return [finding('page', '[decisions 1, Keyset]', '/data', 'repeats an item of the previous page')];
    if (items.length === 0)
      return [
        finding('page-end', '[spec 2 Pages and lists]', '/data', 'is empty, but the previous page has a next_cursor'),
      ];
    const order = orderOf(this.#path, items);
    const [first] = items;
    if (order === null || last === null || first === undefined || !isBefore(order, order.key(first), order.key(last)))
      return [];
    return [
      finding('page', '[decisions 1, Keyset]', '/data', `does not continue ${order.words} after the previous page`),
    ];
  }

  /** Applies to objects that are never deleted, and to filters by fields that never change. */
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

  /** True if the reading must contain the object. False also if this is not certain. */
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

  /** Each object belongs to one site: it is in the list of that site, and in no list of another site. */
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
        ? [finding('filter', CLAUSE, '?site_id', 'lists an object that is also in the list of another site')]
        : [];
    }
    const bySite = new Map(between.map((one) => [siteOf(this.#path, one), one]));
    if (sites.size === 0 || ![...sites].every((site) => bySite.has(site))) return [];
    const isNowhere = (id: string) => ![...sites].some((site) => bySite.get(site)?.ids.has(id));
    return both.some(isNowhere)
      ? [finding('filter', CLAUSE, '?site_id', 'lists an object that is in the list of no site')]
      : [];
  }
}

/** Returns the site if it is the only filter and the items have no site field; otherwise null. */
function siteOf(path: string, { filters }: ListReading): string | null {
  const [[name, [site = '', ...others]] = ['', []]] = filters;
  const isAlone = filters.size === 1 && others.every((one) => one === site);
  return isAlone && filterOf(path, name) === 'of site' ? site : null;
}

function lostFrom({ filters, isWalk }: ListReading): ContractFinding {
  const names = [...filters.keys()].join();
  if (names !== '') return finding('filter', CLAUSE, `?${names}`, `lacks an object that fits the parameter ${names}`);
  return isWalk
    ? finding('page', '[decisions 1, Keyset]', '/data', 'consecutive pages lack an object between two of their items')
    : finding('lost', CLAUSE, '/data', 'lacks an object that was listed before');
}

/** Returns only the fields by which lists are ordered. */
const keyed = (item: JsonMap): JsonMap =>
  Object.fromEntries(ORDER_FIELDS.filter((name) => name in item).map((name) => [name, item[name]]));
const ORDER_FIELDS = ['id', 'name', 'date_created', 'started_at', 'created_at', 'device_id'];

const shown = (value: object): string => JSON.stringify(value instanceof Map ? [...value].sort() : value);
