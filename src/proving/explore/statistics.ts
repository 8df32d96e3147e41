/** The statistics of a search, with which a user can judge the result "nothing found". */
import { summedWallTime, type WallTimeShares } from './wall-time.ts';

/** Below this number of scenarios in which a rule judged something, "nothing found" proves little about the rule. */
export const FEW_JUDGED = 20;

export interface JudgedRule {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Number of scenarios in which the rule had something to judge. */
  readonly scenarios: number;
  /** Number of scenarios in which it held later than the patience of the file. */
  readonly slow: number;
}

/** A rule by its place and text. */
type NamedRule = Pick<JudgedRule, 'file' | 'line' | 'text'>;

export interface SearchStatistics {
  /** Where the wall time of all plays went, with those that confirm and shorten; ms, added up over the jobs. */
  readonly wall_ms_by: WallTimeShares;
  readonly rules: readonly JudgedRule[];
  /** Number of scenarios with each move, and how many of them had new coverage. */
  readonly moves: Readonly<Record<string, { readonly scenarios: number; readonly fresh: number }>>;
}

/** The counts of one process. */
export class SearchCounts {
  readonly #rules = new Map<number, { readonly rule: NamedRule; scenarios: number; slow: number }>();
  readonly #moves = new Map<string, { scenarios: number; fresh: number }>();

  constructor(rules: readonly NamedRule[]) {
    for (const { file, line, text } of rules)
      this.#rules.set(line, { rule: { file, line, text }, scenarios: 0, slow: 0 });
  }

  /** `isFresh`: the scenario had new coverage. `late`: lines of the rules that held late. */
  add(matched: Iterable<number>, moves: Iterable<string>, isFresh: boolean, late: Iterable<number> = []): void {
    for (const line of late) {
      const judged = this.#rules.get(line);
      if (judged !== undefined) judged.slow++;
    }
    for (const line of matched) {
      const judged = this.#rules.get(line);
      if (judged !== undefined) judged.scenarios++;
    }
    for (const move of moves) {
      const used = this.#moves.get(move) ?? { scenarios: 0, fresh: 0 };
      used.scenarios++;
      if (isFresh) used.fresh++;
      this.#moves.set(move, used);
    }
  }

  /** The line of the least judged rule, of those judged in fewer than 20 scenarios; null if there is none. */
  get rarest(): number | null {
    const few = [...this.#rules].filter(([, { scenarios }]) => scenarios > 0 && scenarios < FEW_JUDGED);
    return few.toSorted(([, a], [, b]) => a.scenarios - b.scenarios)[0]?.[0] ?? null;
  }

  /** Returns the factor on the weight of a move. Moves that led to new coverage are drawn more often. */
  factorOf(move: string): number {
    const { scenarios, fresh } = this.#moves.get(move) ?? { scenarios: 0, fresh: 0 };
    const all = [...this.#moves.values()];
    const mean =
      (all.reduce((sum, one) => sum + one.fresh, 0) + 1) / (all.reduce((sum, one) => sum + one.scenarios, 0) + 2);
    return Math.min(MOST_FACTOR, Math.max(1 / MOST_FACTOR, (fresh + 1) / (scenarios + 2) / mean));
  }

  statisticsWith(wallTime: WallTimeShares): SearchStatistics {
    return {
      wall_ms_by: wallTime,
      rules: [...this.#rules.values()].map(({ rule, scenarios, slow }) => ({ ...rule, scenarios, slow })),
      moves: Object.fromEntries([...this.#moves].map(([name, used]) => [name, { ...used }])),
    };
  }
}

/** Largest factor on a weight; its inverse is the smallest. */
const MOST_FACTOR = 3;

/** Adds up the statistics of several processes. */
export function summedStatistics(all: readonly SearchStatistics[]): SearchStatistics {
  const rules = new Map<number, JudgedRule>();
  const moves: Record<string, { scenarios: number; fresh: number }> = {};
  for (const one of all) {
    for (const rule of one.rules) {
      const { scenarios = 0, slow = 0 } = rules.get(rule.line) ?? {};
      rules.set(rule.line, { ...rule, scenarios: rule.scenarios + scenarios, slow: rule.slow + slow });
    }
    for (const [name, { scenarios, fresh }] of Object.entries(one.moves)) {
      const sum = moves[name] ?? { scenarios: 0, fresh: 0 };
      moves[name] = { scenarios: sum.scenarios + scenarios, fresh: sum.fresh + fresh };
    }
  }
  return { wall_ms_by: summedWallTime(all.map((one) => one.wall_ms_by)), rules: [...rules.values()], moves };
}
