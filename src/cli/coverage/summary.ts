/** Coverages united: what was met by group, what was not handled, and the mistakes of the clients. [cli, Coverage] */
import type { CompanyCoverageView, CoverageView } from '../../contract/operations/coverage.ts';
import {
  CATALOGUE,
  COVERAGE_GROUPS,
  COVERAGE_ITEMS,
  type CoverageGroup,
  type CoverageItem,
} from '../../service/api/coverage/catalogue.ts';

type MetItem = CompanyCoverageView['met'][number];

export interface CoveredItem extends Pick<CoverageItem, 'id' | 'name' | 'sentence' | 'clause'> {
  /** `not_handled`: a refusal that was met, without what has to follow. */
  readonly result: 'met' | 'not_handled' | 'not_met';
  /** Of an item that needs two facts, the one that was met; null: none, or both. */
  readonly partly: string | null;
  /** Null if it was not met. */
  readonly first: Pick<MetItem, 'at' | 'by'> | null;
}

export interface CoveredGroup {
  readonly group: CoverageGroup;
  readonly met: number;
  readonly of: number;
  readonly items: readonly CoveredItem[];
}

export interface CoverageSummary {
  /** The same as a coverage with each company once: the form of a file. */
  readonly view: CoverageView;
  /** The companies whose programs were counted. */
  readonly organizations: readonly string[];
  readonly requests: number;
  readonly deliveries: number;
  /** The one file that has it; null: it is of a running sandbox or of several files. */
  readonly file: string | null;
  /** Words that name the data folder of the running sandbox; empty: the default, or none runs. */
  readonly place: string;
  /** Number of files that were united. */
  readonly files: number;
  readonly groups: readonly CoveredGroup[];
  readonly mistakes: readonly { readonly code: string; readonly times: number }[];
  readonly filters: readonly string[];
}

/** The united coverage. All views are of this catalogue. `files`: those that the user named. `place`: as in the summary. */
export function summaryOf(views: readonly CoverageView[], files: readonly string[] = [], place = ''): CoverageSummary {
  const view = united(views);
  const { requests, deliveries, mistakes, filters, ...all } = merged('', view.companies);
  const [met, unhandled] = [firstOf(all.met), firstOf(all.not_handled)];
  const partly = firstOf(all.partly);
  const itemOf = ({ id, name, sentence, clause, facts = [] }: CoverageItem): CoveredItem => {
    const result = met.has(id) ? 'met' : unhandled.has(id) ? 'not_handled' : 'not_met';
    const half = result === 'not_met' ? (facts.flat().find((fact) => partly.has(fact)) ?? null) : null;
    return { id, name, sentence, clause, result, partly: half, first: met.get(id) ?? unhandled.get(id) ?? null };
  };
  return {
    view,
    organizations: view.companies.map(({ organization }) => organization),
    requests,
    deliveries,
    file: files.length === 1 ? (files[0] ?? null) : null,
    place,
    files: files.length,
    groups: COVERAGE_GROUPS.map((group) => {
      const items = COVERAGE_ITEMS.filter((one) => one.group === group).map(itemOf);
      return { group, met: items.filter(({ result }) => result === 'met').length, of: items.length, items };
    }),
    mistakes,
    filters,
  };
}

/** The views as one, with each company once. */
function united(views: readonly CoverageView[]): CoverageView {
  const all = views.flatMap(({ companies }) => companies);
  const names = [...new Set(all.map(({ organization }) => organization))];
  const companies = names.map((name) =>
    merged(
      name,
      all.filter(({ organization }) => organization === name),
    ),
  );
  return { catalogue: CATALOGUE, items: COVERAGE_ITEMS.length, companies };
}

/** What several companies, or one in several views, have met. */
function merged(organization: string, companies: readonly CompanyCoverageView[]): CompanyCoverageView {
  const met = firstOf(companies.flatMap((one) => one.met));
  const partly = firstOf(companies.flatMap((one) => one.partly));
  for (const { id, facts = [] } of COVERAGE_ITEMS) {
    if (facts.length < 2) continue;
    const halves = facts.map((some) => some.flatMap((fact) => partly.get(fact) ?? [])[0]);
    // It is met with the last of them.
    const [last] = halves.flatMap((half) => half ?? []).toSorted((a, b) => (a.at < b.at ? 1 : -1));
    if (last !== undefined && halves.every((half) => half !== undefined) && !met.has(id)) met.set(id, { ...last, id });
    if (met.has(id)) for (const fact of facts.flat()) partly.delete(fact);
  }
  const unhandled = firstOf(companies.flatMap((one) => one.not_handled));
  const mistakes = new Map<string, number>();
  for (const { code, times } of companies.flatMap((one) => one.mistakes))
    mistakes.set(code, (mistakes.get(code) ?? 0) + times);
  return {
    organization,
    requests: companies.reduce((sum, { requests }) => sum + requests, 0),
    deliveries: companies.reduce((sum, { deliveries }) => sum + deliveries, 0),
    met: [...met.values()],
    not_handled: [...unhandled.values()].filter(({ id }) => !met.has(id)),
    partly: [...partly.values()],
    mistakes: [...mistakes].map(([code, times]) => ({ code, times })),
    filters: [...new Set(companies.flatMap(({ filters }) => filters))].toSorted(),
  };
}

/** The earliest entry of each item. */
function firstOf(entries: readonly MetItem[]): Map<string, MetItem> {
  const first = new Map<string, MetItem>();
  for (const one of entries) {
    const before = first.get(one.id);
    if (before === undefined || one.at < before.at) first.set(one.id, one);
  }
  return first;
}

/** True for a group of which nothing was met. */
export const isUnused = ({ items }: CoveredGroup): boolean => items.every(({ result }) => result === 'not_met');

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
