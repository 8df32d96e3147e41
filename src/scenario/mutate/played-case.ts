/** Plays one case of a scenario, unchanged, with a mutation or with a pasted hint, and keeps which checks failed. */
import { isDeepStrictEqual } from 'node:util';
import { isOfCause, type ScenarioChange, type Version } from '../model/change.ts';
import { plantsOf } from '../model/plants.ts';
import { type Scenario, shownCase, type Values } from '../model/scenario.ts';
import { type RunError, type RunResult, runFile } from '../playing/run-file.ts';
import type { RunOptions } from '../playing/run-options.ts';
import { type LoadedScenario, loadScenario } from '../reading/load.ts';
import { readNamed } from '../reading/merged-file.ts';
import { changesOf, type FoundChanges } from './changes.ts';
import type { ChecksSeen } from './checks-seen.ts';
import { ObservedChanges } from './observed-changes.ts';
import { isSameStep } from './same-step.ts';

/** Maximum number of variants that are played per change. */
const MOST_VERSIONS = 6;

export interface CaseOptions
  extends Pick<RunOptions, 'boot' | 'seed' | 'set' | 'receivers' | 'read' | 'signal' | 'version'> {
  /** Wall-time limit of a run, ms; exceeding it counts as noticed. */
  readonly timeoutMs?: number | undefined;
}

export interface Broken {
  readonly exitCode: RunResult['exitCode'];
  readonly text: string;
  readonly error: RunError | null;
}

/** `noticed`: the run failed. `needed`: the file is invalid without the step. `passed`: the run passed. */
export type PlayedOutcome =
  | { readonly kind: 'noticed' | 'passed'; readonly version: Version; readonly result: RunResult }
  | { readonly kind: 'needed'; readonly version: Version; readonly why: string };

interface CasePlayOptions extends Pick<RunOptions, 'onCheckFailed' | 'read'> {
  readonly edits?: Version['edits'];
  readonly observed?: ObservedChanges | undefined;
  endsAtFailure?(): boolean;
}

export class PlayedCase {
  readonly #file: string;
  readonly #values: Values | null;
  readonly #options: CaseOptions;
  readonly #checks: ChecksSeen;
  /** The keys of this case's checks. */
  readonly #own: string[] = [];
  readonly #loaded: LoadedScenario;
  #unchanged: ObservedChanges | null = null;

  constructor(file: string, values: Values | null, options: CaseOptions, checks: ChecksSeen) {
    this.#file = file;
    this.#values = values;
    this.#options = options;
    this.#checks = checks;
    this.#loaded = this.#load();
  }

  get of(): { scenario: string; seed: string } {
    const loaded = this.#loaded;
    return loaded.ok ? { scenario: loaded.scenario.title, seed: loaded.seed } : { scenario: this.#file, seed: '' };
  }

  /** Returns null if the unchanged scenario passes. */
  async baseline(): Promise<Broken | null> {
    const observed = this.#observer(null);
    const result = await this.#play({ observed });
    this.#unchanged = observed;
    if (result.verdict === 'passed') return null;
    const [failure] = result.failures;
    const where = this.#values === null ? '' : ` (${shownCase(this.#values)})`;
    const text = result.mistakes ?? failure?.text ?? result.error?.message ?? 'The scenario does not pass.';
    return { exitCode: result.exitCode, text: `${text}${where}`, error: result.error };
  }

  found(): FoundChanges {
    const loaded = this.#loaded;
    if (!loaded.ok) return { changes: [], checks: [], stray: [] };
    const found = changesOf(loaded.source, namesOf(loaded.scenario));
    this.#own.push(...found.checks.map(({ key }) => key));
    return found;
  }

  /** Returns null if every variant of the change makes the file invalid, or cannot change anything. */
  async judge(change: ScenarioChange): Promise<PlayedOutcome | null> {
    let passed: PlayedOutcome | null = null;
    let played = 0;
    for (const version of change.versions) {
      if (played >= MOST_VERSIONS) break;
      if (this.#isSame(change, version)) continue;
      const result = await this.#playChanged(change, version);
      if (result.exitCode === 2) {
        if (change.kind === 'left-out') return { kind: 'needed', version, why: firstLine(result.mistakes) };
        continue;
      }
      played++;
      if (result.verdict !== 'passed') return { kind: 'noticed', version, result };
      passed ??= { kind: 'passed', version, result };
      if (!change.anyVersion) break;
    }
    return passed;
  }

  /** Plays the changes that another case has noticed, for the checks that only this case has. */
  async lookForFailures(changes: readonly ScenarioChange[]): Promise<void> {
    for (const change of changes.filter(isOfCause))
      for (const version of change.versions) {
        if (this.#options.signal?.aborted === true) return;
        if (!this.#checks.isMissing(change.key, this.#own)) break;
        if (!this.#isSame(change, version)) await this.#playChanged(change, version);
      }
  }

  /** Observes the unchanged run, and the run with the mutation. Null if the file can no longer be read. */
  async compare(change: ScenarioChange, version: Version): Promise<ComparedRuns | null> {
    const loaded = this.#loaded;
    if (!loaded.ok) return null;
    const { file, line } = stepOf(change, loaded.source.placeOf);
    const [unchanged, mutated] = [this.#observer({ file, line }), this.#observer({ file, line })];
    await this.#play({ observed: unchanged });
    await this.#play({ edits: version.edits, observed: mutated });
    return { unchanged, mutated, step: { file, line }, cast: loaded.scenario.cast, values: this.#values };
  }

  /** Returns true if the scenario passes with this text as its file. `version`: the mutation, if there is one. */
  async passesWith(text: string, version: Version | null): Promise<boolean> {
    const before = this.#options.read ?? readNamed(this.#file);
    const read: RunOptions['read'] = (path) => (path === this.#file ? text : before(path));
    const { verdict, exitCode } = await this.#play({ read, edits: version?.edits ?? [], endsAtFailure: () => true });
    // An invalid file shows nothing about the mutation.
    return verdict === 'passed' || (version !== null && exitCode === 2);
  }

  /** The text of the scenario's own file. */
  get text(): string {
    const text = (this.#options.read ?? readNamed(this.#file))(this.#file);
    return typeof text === 'string' ? text : '';
  }

  /** True if the variant cannot change anything: the step, or the service, is the same. */
  #isSame(change: ScenarioChange, version: Version): boolean {
    const loaded = this.#loaded;
    if (!loaded.ok) return false;
    if (change.kind === 'threshold') {
      const edited = this.#load(version.edits);
      return edited.ok && isDeepStrictEqual(edited.scenario.plan, loaded.scenario.plan);
    }
    const { value, placeOf } = loaded.source;
    const played = this.#unchanged?.names.of(stepOf(change, placeOf)) ?? [];
    return isSameStep(value, change.path, version, played);
  }

  #observer(step: ConstructorParameters<typeof ObservedChanges>[1]): ObservedChanges {
    const loaded = this.#loaded;
    return new ObservedChanges(loaded.ok ? loaded.scenario.cast : new Map(), step);
  }

  #load(edits: Version['edits'] = []): LoadedScenario {
    const { seed, set, receivers, read } = this.#options;
    return loadScenario(this.#file, {
      seed,
      set,
      receivers,
      values: this.#values,
      edits,
      ...(read === undefined ? {} : { read }),
    });
  }

  /**
   * A wrong expected value makes its own check fail, which ends the run. A change of the events can make several checks
   * fail, so that run continues while some check has not failed under any change.
   */
  async #playChanged(change: ScenarioChange, version: Version): Promise<RunResult> {
    const { file, line, kind } = change;
    const result = await this.#play({
      edits: version.edits,
      endsAtFailure: () => !isOfCause(change) || this.#checks.haveFailed,
      onCheckFailed: (check) => {
        // The failure of an inverted `never` is not a failure of the original check.
        if (kind !== 'inverted' || check.file !== file || check.line !== line) this.#checks.fail(check);
      },
    });
    if (result.exitCode !== 2) this.#checks.play(change.key, this.#own);
    return result;
  }

  async #play(how: CasePlayOptions): Promise<RunResult> {
    const { boot, seed, set, receivers, signal, timeoutMs, version } = this.#options;
    const { edits = [], observed, onCheckFailed, read = this.#options.read, endsAtFailure = () => false } = how;
    const end = new AbortController();
    const stop = () => end.abort();
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    try {
      return await runFile(this.#file, {
        mode: 'fast',
        // A pause is wall time for a person who watches; it changes no result.
        waitsInPauses: false,
        boot,
        seed,
        set,
        receivers,
        read,
        timeoutMs,
        version,
        edits,
        onCheckFailed,
        observer: observed,
        onLogLine: observed?.onLogLine,
        values: this.#values,
        signal: end.signal,
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

/** Two runs of one case, and where the step of the mutation is. */
export interface ComparedRuns {
  readonly unchanged: ObservedChanges;
  readonly mutated: ObservedChanges;
  readonly step: { readonly file: string; readonly line: number };
  readonly cast: Scenario['cast'];
  /** Of the case; null without cases. */
  readonly values: Values | null;
}

/** The line of the word of the step. A threshold has the line of its key. */
const stepOf = (
  { kind, path, word, file, line }: ScenarioChange,
  placeOf: (path: ScenarioChange['path']) => { readonly file: string; readonly line: number },
) => (kind === 'threshold' ? { file, line } : placeOf([...path, word]));

const firstLine = (text: string | null): string => (text ?? '').split('\n')[0] ?? '';

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
