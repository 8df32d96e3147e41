/** Coverages united: what was met by group, what was not handled, and the mistakes of the clients. [cli, Coverage] */
import type { CoverageView } from '../../contract/operations/coverage.ts';
import {
  CATALOGUE,
  COVERAGE_GROUPS,
  COVERAGE_ITEMS,
  type CoverageGroup,
  type CoverageItem,
} from '../../service/api/coverage/catalogue.ts';

interface MetBy {
  readonly at: string;
  readonly by: string;
}

export interface CoveredItem extends Pick<CoverageItem, 'id' | 'name' | 'sentence' | 'clause'> {
  /** `not_handled`: a refusal that was met, without what has to follow. */
  readonly result: 'met' | 'not_handled' | 'not_met';
  /** Null if it was not met. */
  readonly first: MetBy | null;
}

export interface CoveredGroup {
  readonly group: CoverageGroup;
  readonly met: number;
  readonly of: number;
  readonly items: readonly CoveredItem[];
}

export interface CoverageSummary {
  readonly catalogue: string;
  /** The companies whose programs were counted. */
  readonly organizations: readonly string[];
  readonly requests: number;
  readonly deliveries: number;
  /** Number of coverages that were united. */
  readonly parts: number;
  readonly groups: readonly CoveredGroup[];
  readonly mistakes: readonly { readonly code: string; readonly times: number }[];
  readonly filters: readonly string[];
}

/** The united coverage. All views are of this catalogue. */
export function summaryOf(views: readonly CoverageView[]): CoverageSummary {
  const companies = views.flatMap((view) => view.companies);
  const met = firstOf(companies.flatMap((one) => one.met));
  const unhandled = firstOf(companies.flatMap((one) => one.not_handled));
  const mistakes = new Map<string, number>();
  for (const { code, times } of companies.flatMap((one) => one.mistakes))
    mistakes.set(code, (mistakes.get(code) ?? 0) + times);
  const sum = (key: 'requests' | 'deliveries') => companies.reduce((total, one) => total + one[key], 0);
  const itemOf = ({ id, name, sentence, clause }: CoverageItem): CoveredItem => {
    const result = met.has(id) ? 'met' : unhandled.has(id) ? 'not_handled' : 'not_met';
    return { id, name, sentence, clause, result, first: met.get(id) ?? unhandled.get(id) ?? null };
  };
  return {
    catalogue: CATALOGUE,
    organizations: [...new Set(companies.map((one) => one.organization))],
    requests: sum('requests'),
    deliveries: sum('deliveries'),
    parts: views.length,
    groups: COVERAGE_GROUPS.map((group) => {
      const items = COVERAGE_ITEMS.filter((one) => one.group === group).map(itemOf);
      return { group, met: items.filter(({ result }) => result === 'met').length, of: items.length, items };
    }),
    mistakes: [...mistakes].map(([code, times]) => ({ code, times })),
    filters: [...new Set(companies.flatMap((one) => one.filters))].toSorted(),
  };
}

/** The earliest entry of each item. */
function firstOf(entries: readonly (MetBy & { readonly id: string })[]): Map<string, MetBy> {
  const first = new Map<string, MetBy>();
  for (const { id, at, by } of entries) {
    const before = first.get(id);
    if (before === undefined || at < before.at) first.set(id, { at, by });
  }
  return first;
}

/** The summary as a coverage again, with one company for all: the form of a file. */
export function viewOf(summary: CoverageSummary): CoverageView {
  const of = (result: CoveredItem['result']) =>
    summary.groups
      .flatMap(({ items }) => items)
      .flatMap(({ id, first, result: own }) => (own === result && first !== null ? [{ id, ...first }] : []));
  const { requests, deliveries, mistakes, filters, organizations } = summary;
  const company = {
    organization: organizations.join(', '),
    requests,
    deliveries,
    met: of('met'),
    not_handled: of('not_handled'),
    mistakes: mistakes.map((one) => ({ ...one })),
    filters: [...filters],
  };
  return { catalogue: summary.catalogue, items: COVERAGE_ITEMS.length, companies: [company] };
}

export interface CoverageFloor {
  readonly group: CoverageGroup;
  readonly percent: number;
}

/** The floors that were missed, each with what is missing. */
export const missedFloors = (
  { groups }: CoverageSummary,
  floors: readonly CoverageFloor[],
): { readonly floor: CoverageFloor; readonly group: CoveredGroup }[] =>
  floors.flatMap((floor) => {
    const group = groups.find((one) => one.group === floor.group);
    return group !== undefined && group.met * 100 < floor.percent * group.of ? [{ floor, group }] : [];
  });
