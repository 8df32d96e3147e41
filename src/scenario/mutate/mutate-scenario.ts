/** Mutation testing of a scenario: plays it with one change at a time, and reports changes that it does not detect and checks that fail under no change. */

import { isOfCause, type ScenarioChange, type ScenarioCheck, type Version } from '../model/change.ts';
import { plantsOf } from '../model/plants.ts';
import { type Scenario, shownCase, type Values } from '../model/scenario.ts';
import { type RunError, type RunResult, runFile } from '../playing/run-file.ts';
import type { RunOptions } from '../playing/run-options.ts';
import { loadScenario } from '../reading/load.ts';
import { changesOf, type FoundChanges, type StrayReason } from './changes.ts';
import { hintOf } from './hint.ts';

/** Maximum number of variants that are played per change. */
const MOST_VERSIONS = 6;

interface MutateOptions
  extends Pick<RunOptions, 'boot' | 'seed' | 'set' | 'receivers' | 'read' | 'signal' | 'version'> {
  /** Wall-time limit of a run, ms; exceeding it counts as noticed. */
  readonly timeoutMs?: number | undefined;
  /** The cases to play; null: a single run. */
  readonly cases: readonly (Values | null)[];
  /** The share of one process: part 0 of 2 gets the first, third and fifth change. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
}

/**
 * The outcome of a change. `noticed`: the scenario failed; `needed`: the file is invalid without the step;
 * `equivalent`: it passed, with a reason in the file; `unnoticed`: it passed; `stale`: the file has a reason, but the
 * scenario did not pass.
 */
export type ChangeOutcome = 'noticed' | 'needed' | 'equivalent' | 'unnoticed' | 'stale';

export interface JudgedChange extends Pick<ScenarioChange, 'file' | 'line' | 'word' | 'detail'> {
  /** For example `ana -> luis`, or `left out`. */
  readonly text: string;
  readonly outcome: ChangeOutcome;
  /** Why the change was noticed or is equivalent, or a hint how to detect it. */
  readonly why: string;
}

/** A check of the scenario, and whether it failed under a change. */
export interface SeenCheck extends ScenarioCheck {
  readonly failed: boolean;
}

export interface MutationReport {
  readonly file: string;
  readonly scenario: string;
  readonly seed: string;
  /** Set if the unchanged scenario does not pass or is invalid; in that case nothing was mutated. */
  readonly broken: Broken | null;
  /** Interrupted: some changes were not played. */
  readonly interrupted: boolean;
  readonly judged: readonly JudgedChange[];
  /** In the order of the file; with a share, `failed` only considers the changes of this share. */
  readonly checks: readonly SeenCheck[];
}

export interface Broken {
  readonly exitCode: RunResult['exitCode'];
  readonly text: string;
  readonly error: RunError | null;
}

/** Plays in lock-step. An invalid file does not throw: the report contains the mistake. */
export async function mutateScenario(file: string, options: MutateOptions): Promise<MutationReport> {
  const judged = new Map<string, JudgedChange>();
  const pending = new Map<string, ScenarioChange>();
  const seen = new Set<string>();
  const ours = new Set<string>();
  const checks = new ChecksSeen();
  const played: { readonly theCase: PlayedCase; readonly changes: readonly ScenarioChange[] }[] = [];
  const scenarios = { scenario: file, seed: options.seed ?? '' };
  const report = (more: Partial<MutationReport> = {}): MutationReport => ({
    file,
    ...scenarios,
    broken: null,
    interrupted: options.signal?.aborted === true,
    judged: [...judged.values()].toSorted((a, b) => a.line - b.line),
    checks: checks.all,
    ...more,
  });
  for (const values of options.cases) {
    const theCase = new PlayedCase(file, values, options, checks);
    const baseline = await theCase.baseline();
    if (baseline !== null) return report({ broken: baseline });
    Object.assign(scenarios, theCase.of);
    const { changes, checks: own, stray } = theCase.found();
    checks.add(own);
    played.push({ theCase, changes });
    for (const reason of stray)
      if (options.part === undefined || options.part.index === 0) judged.set(reason.key, strayed(reason));
    for (const change of changes) {
      const isOurs = options.part === undefined || seen.size % options.part.of === options.part.index;
      if (!seen.has(change.key) && isOurs) ours.add(change.key);
      if (ours.has(change.key) && !seen.has(change.key)) pending.set(change.key, change);
      seen.add(change.key);
      // Detection in one case suffices; the variants of a change can differ between cases.
      if (!pending.has(change.key)) continue;
      const outcome = await theCase.judge(change);
      if (options.signal?.aborted === true) return report();
      if (outcome === null) continue;
      judged.set(change.key, outcome);
      if (outcome.outcome !== 'unnoticed' && outcome.outcome !== 'equivalent') pending.delete(change.key);
    }
  }
  for (const { theCase, changes } of played) {
    await theCase.lookForFailures(changes.filter(({ key }) => ours.has(key)));
    if (options.signal?.aborted === true) break;
  }
  return report();
}

/** The checks of all cases, and which of them failed under a change. */
class ChecksSeen {
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

/** Plays one case of a file, unchanged or with a change. */
class PlayedCase {
  readonly #file: string;
  readonly #values: Values | null;
  readonly #options: MutateOptions;
  readonly #checks: ChecksSeen;
  /** The keys of this case's checks. */
  readonly #own: string[] = [];
  /** The canonical log of the unchanged scenario. */
  readonly #log: string[] = [];

  constructor(file: string, values: Values | null, options: MutateOptions, checks: ChecksSeen) {
    this.#file = file;
    this.#values = values;
    this.#options = options;
    this.#checks = checks;
  }

  get of(): { scenario: string; seed: string } {
    const loaded = this.#load();
    return loaded.ok ? { scenario: loaded.scenario.title, seed: loaded.seed } : { scenario: this.#file, seed: '' };
  }

  /** Returns null if the unchanged scenario passes. */
  async baseline(): Promise<Broken | null> {
    const result = await this.#play([], this.#log, {});
    if (result.verdict === 'passed') return null;
    const [failure] = result.failures;
    const where = this.#values === null ? '' : ` (${shownCase(this.#values)})`;
    const text = result.mistakes ?? failure?.text ?? result.error?.message ?? 'The scenario does not pass.';
    return { exitCode: result.exitCode, text: `${text}${where}`, error: result.error };
  }

  found(): FoundChanges {
    const loaded = this.#load();
    if (!loaded.ok) return { changes: [], checks: [], stray: [] };
    const found = changesOf(loaded.source, namesOf(loaded.scenario));
    this.#own.push(...found.checks.map(({ key }) => key));
    return found;
  }

  /** Returns null if every variant of the change makes the file invalid. */
  async judge(change: ScenarioChange): Promise<JudgedChange | null> {
    let passed: { text: string; log: readonly string[] } | null = null;
    let played = 0;
    for (const version of change.versions) {
      if (played >= MOST_VERSIONS) break;
      const { text } = version;
      const log: string[] = [];
      const result = await this.#playChanged(change, version, log);
      if (result.exitCode === 2) {
        if (change.kind === 'left-out') return judgedAs(change, text, 'needed', firstLine(result.mistakes));
        continue;
      }
      played++;
      if (result.verdict !== 'passed') return noticed(change, text, result);
      passed ??= { text, log };
      if (!change.anyVersion) break;
    }
    if (passed === null) return null;
    if (change.equivalent !== null) return judgedAs(change, passed.text, 'equivalent', change.equivalent);
    return judgedAs(change, passed.text, 'unnoticed', hintOf(change, this.#log, passed.log));
  }

  /** Plays the changes that another case has noticed, for the checks that only this case has. */
  async lookForFailures(changes: readonly ScenarioChange[]): Promise<void> {
    for (const change of changes.filter(isOfCause))
      for (const version of change.versions) {
        if (this.#options.signal?.aborted === true) return;
        if (!this.#checks.isMissing(change.key, this.#own)) break;
        await this.#playChanged(change, version, []);
      }
  }

  #load() {
    const { seed, set, receivers, read } = this.#options;
    return loadScenario(this.#file, {
      seed,
      set,
      receivers,
      values: this.#values,
      ...(read === undefined ? {} : { read }),
    });
  }

  /**
   * A wrong expected value makes its own check fail, which ends the run. A change of the events can make several checks
   * fail, so that run continues while some check has not failed under any change.
   */
  async #playChanged(change: ScenarioChange, version: Version, log: string[]): Promise<RunResult> {
    const { file, line, kind } = change;
    const result = await this.#play(version.edits, log, {
      endsAtFailure: () => !isOfCause(change) || this.#checks.haveFailed,
      onCheckFailed: (check) => {
        // The failure of an inverted `never` is not a failure of the original check.
        if (kind !== 'inverted' || check.file !== file || check.line !== line) this.#checks.fail(check);
      },
    });
    if (result.exitCode !== 2) this.#checks.play(change.key, this.#own);
    return result;
  }

  async #play(
    edits: Version['edits'],
    log: string[],
    { endsAtFailure = () => false, onCheckFailed }: Pick<RunOptions, 'onCheckFailed'> & { endsAtFailure?(): boolean },
  ): Promise<RunResult> {
    const { boot, seed, set, receivers, read, signal, timeoutMs, version } = this.#options;
    const end = new AbortController();
    const stop = () => end.abort();
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    try {
      return await runFile(this.#file, {
        mode: 'fast',
        boot,
        seed,
        set,
        receivers,
        read,
        timeoutMs,
        version,
        edits,
        onCheckFailed,
        values: this.#values,
        signal: end.signal,
        onLogLine: (line) => void log.push(line),
        sink: (notice) => {
          const isFailure = notice.kind === 'expectation-failed' || notice.kind === 'failure';
          if (isFailure && endsAtFailure()) stop();
        },
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }
}

const namesOf = ({ cast, receivers, plan }: Scenario) => {
  const { sites, zones } = plantsOf(plan);
  return {
    people: [...cast.keys()],
    receivers: receivers.map(({ name }) => name),
    companies: plan.organizations.map(({ name }) => name),
    sites,
    zones,
  };
};

const firstLine = (text: string | null): string => (text ?? '').split('\n')[0] ?? '';

const judgedAs = (
  { file, line, word, detail }: ScenarioChange,
  text: string,
  outcome: ChangeOutcome,
  why: string,
): JudgedChange => ({
  file,
  line,
  word,
  detail,
  text,
  outcome,
  why,
});

function strayed({ known, ...reason }: StrayReason): JudgedChange {
  const those = known.length === 0 ? 'Nothing is changed here' : `What is changed here: ${known.join(', ')}`;
  const { file, line, word, detail } = reason;
  const why = `There is no such detail. ${those}. Correct the name in equivalent, or delete it.`;
  return { file, line, word, detail, text: 'is no change of this step', outcome: 'stale', why };
}

function noticed(change: ScenarioChange, text: string, { error }: RunResult): JudgedChange {
  if (change.equivalent !== null) {
    const why = `The file says: ${change.equivalent}. It is noticed; delete ${change.detail} from equivalent.`;
    return judgedAs(change, text, 'stale', why);
  }
  const why = error === null || error.code === 'interrupted' ? 'the scenario fails' : error.message;
  return judgedAs(change, text, 'noticed', why);
}
