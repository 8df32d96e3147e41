/** The checks of all cases of a scenario, and which of them failed under a mutation. */
import type { ScenarioCheck } from '../model/change.ts';

/** A check of the scenario, and whether it failed under a change. */
export interface SeenCheck extends ScenarioCheck {
  readonly failed: boolean;
}

export class ChecksSeen {
  readonly #checks = new Map<string, ScenarioCheck>();
  readonly #failed = new Set<string>();
  /** By change: the checks of the cases in which it was played. */
  readonly #played = new Map<string, Set<string>>();

  add(checks: readonly ScenarioCheck[]): void {
    for (const check of checks) this.#checks.set(check.key, check);
  }

  /** A check failed; several checks on one line count as failed together. */
  fail({ file, line }: Pick<ScenarioCheck, 'file' | 'line'>): void {
    for (const check of this.#checks.values())
      if (check.file === file && check.line === line) this.#failed.add(check.key);
  }

  get all(): SeenCheck[] {
    return [...this.#checks.values()].map((check) => ({ ...check, failed: this.#failed.has(check.key) }));
  }

  /** True if every check has failed under a change. */
  get haveFailed(): boolean {
    return this.#failed.size === this.#checks.size;
  }

  /** Notes that the change was played in a case with these checks. */
  play(change: string, checks: readonly string[]): void {
    const known = this.#played.get(change) ?? new Set();
    for (const check of checks) known.add(check);
    this.#played.set(change, known);
  }

  /**
   * Returns true if one of these checks has not failed yet, and the change was not played in any case that has that
   * check.
   */
  isMissing(change: string, checks: readonly string[]): boolean {
    return checks.some((key) => !this.#failed.has(key) && this.#played.get(change)?.has(key) !== true);
  }
}
