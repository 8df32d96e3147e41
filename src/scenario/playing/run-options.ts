/** How a scenario file is run. */
import type { Clock } from '../../base/time/clock.ts';
import type { ReadText } from '../../base/user-files.ts';
import type { OwnSystem } from '../customer/own-system.ts';
import type { RunSink } from '../log/run-notices.ts';
import type { RunMode, ScenarioRule } from '../model/scenario.ts';
import type { LoadedScenario, LoadOptions } from '../reading/load.ts';
import type { HeldAt } from './pause.ts';
import type { Boot, RunStage, RunWitness } from './ports.ts';

export interface RunOptions extends Omit<LoadOptions, 'read'> {
  readonly mode: RunMode;
  /** For scaled runs; overrides the file's. */
  readonly speed?: number | undefined;
  /** The order of what is simultaneous; 0: that of the file. Absent: the same, and requests in flight begin as they arrive. For mode `fast`. */
  readonly order?: number | undefined;
  /** `--shuffle-ties`: the order is drawn from the seed and `order`, also of what is due at one instant inside the sandbox. */
  readonly shufflesTies?: boolean | undefined;
  /** The file was found in a folder or by its tags: a scenario that does not play in this mode is skipped. Otherwise that is an error. */
  readonly skipsOtherModes?: boolean | undefined;
  /** Folder for `run.jsonl`. */
  readonly out?: string | undefined;
  /** Last line to play. */
  readonly until?: number | undefined;
  /** Wall-time limit, ms. */
  readonly timeoutMs?: number | undefined;
  /** Called with each line of the canonical log, to compare two runs. */
  readonly onLogLine?: ((line: string) => void) | undefined;
  /** Called at the end of the scenario with its sandbox still up; the sandbox stops once it resolves. */
  readonly keep?: ((stage: RunStage, at: HeldAt) => Promise<void>) | undefined;
  /**
   * The same at the line of `until`, before later steps, `finally` and rules; without `until` at the first failure.
   * The result is that of what was played.
   */
  readonly pause?: ((stage: RunStage, at: HeldAt) => Promise<void>) | undefined;
  readonly boot: Boot;
  readonly sink: RunSink;
  /** Aborts the run: exit 130. */
  readonly signal?: AbortSignal | undefined;
  /** Records the run for reports. */
  readonly witness?: RunWitness | undefined;
  /** For the log's header: equal logs are promised within one version. */
  readonly version?: string | undefined;
  readonly read?: ReadText | undefined;
  /** The scenario, if it was read already. */
  readonly loaded?: LoadedScenario | undefined;
  /** Domain of built-in receivers, default `receiver.example`; must be unique among runs in one sandbox. */
  readonly receiverDomain?: string | undefined;
  /** The clock of a running sandbox, which the run does not control. */
  readonly clock?: Clock | undefined;
  /** The user's own system, kept from scenario to scenario; absent: each run starts and stops its own. */
  readonly ownSystem?: OwnSystem | undefined;
  /** Overrides how long time stands still for the user's own system; wall ms. */
  readonly patienceMs?: number | undefined;
  /** Called as soon as a rule is broken, or the user's own system has ended (its line), before the run is over. */
  readonly onBreach?: ((at: Pick<ScenarioRule, 'file' | 'line' | 'text'>, why: string) => void) | undefined;
  /** Called as soon as a check, a rule or an expected answer has failed, with its place in the files. */
  readonly onCheckFailed?: ((check: Pick<ScenarioRule, 'file' | 'line'>) => void) | undefined;
  /** Called with each answer of a probe. */
  readonly onProbed?: ((probe: string, value: unknown) => void) | undefined;
  /** How often each rule had something to judge; called at the end of the scenario. */
  readonly onMatched?: ((matched: ReadonlyMap<ScenarioRule, number>) => void) | undefined;
  /** Wall ms without progress after which a lock-step run counts as stuck. */
  readonly watchdogMs?: number | undefined;
}
