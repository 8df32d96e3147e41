/** The options of a run of a scenario file. */

import type { Clock } from '../../base/time/clock.ts';
import type { ReadText } from '../../base/user-files.ts';
import type { CoverageView } from '../../contract/operations/coverage.ts';
import type { OwnSystem } from '../customer/own-system.ts';
import type { BrokenWhy } from '../judging/system-rules.ts';
import type { RunSink } from '../log/run-notices.ts';
import type { OnRunWait } from '../model/run-wait.ts';
import type { RunMode, ScenarioRule } from '../model/scenario.ts';
import type { TrafficPort } from '../model/traffic-port.ts';
import type { LoadedScenario, LoadOptions } from '../reading/load.ts';
import type { HeldAt } from './pause.ts';
import type { Boot, RunStage, RunWitness } from './ports.ts';
import type { StepObserver } from './step-observer.ts';

export interface RunOptions extends Omit<LoadOptions, 'read'> {
  readonly mode: RunMode;
  /** Default: true. False if `clock: {pause: ...}` does not stand still, because many runs are played. */
  readonly waitsInPauses?: boolean | undefined;
  /** The speed of scaled runs; overrides that of the file. */
  readonly speed?: number | undefined;
  /**
   * The order of simultaneous steps and requests; 0: that of the file. Absent: as 0, but requests in flight begin as
   * they arrive. For mode `fast`.
   */
  readonly order?: number | undefined;
  /**
   * `--shuffle-ties`: the order is drawn from the seed and `order`, also for entries that are due at one instant inside
   * the sandbox.
   */
  readonly shufflesTies?: boolean | undefined;
  /**
   * True if the file was found in a folder or by its tags: a scenario that does not support this mode is then skipped.
   * Otherwise that is an error.
   */
  readonly skipsOtherModes?: boolean | undefined;
  /** Folder for `run.jsonl`. */
  readonly out?: string | undefined;
  /** Last line to run. */
  readonly until?: number | undefined;
  /** Wall-time limit, ms. */
  readonly timeoutMs?: number | undefined;
  /** Called with each line of the canonical log, to compare two runs. */
  readonly onLogLine?: ((line: string) => void) | undefined;
  /** Called at the end of the scenario while its sandbox still runs; the sandbox stops once the promise resolves. */
  readonly keep?: ((stage: RunStage, at: HeldAt) => Promise<void>) | undefined;
  /**
   * Called at the line of `until`, before later steps, `finally` and rules; without `until` at the first failure. The
   * result only covers the steps that were run.
   */
  readonly pause?: ((stage: RunStage, at: HeldAt) => Promise<void>) | undefined;
  /** Called at the end with what the user's system and receivers have met of the contract. */
  readonly onCoverage?: ((coverage: CoverageView) => void) | undefined;
  readonly boot: Boot;
  readonly sink: RunSink;
  /** Aborts the run: exit 130. */
  readonly signal?: AbortSignal | undefined;
  /** Records the run for reports. */
  readonly witness?: RunWitness | undefined;
  /** The version in the log's header: logs are guaranteed to be equal only within one version. */
  readonly version?: string | undefined;
  readonly read?: ReadText | undefined;
  /** The scenario, if it has already been read. */
  readonly loaded?: LoadedScenario | undefined;
  /** Domain of built-in receivers, default `receiver.example`; must be unique among runs in one sandbox. */
  readonly receiverDomain?: string | undefined;
  /** The clock of a running sandbox, which the run does not control. */
  readonly clock?: Clock | undefined;
  /** The user's own system, kept between scenarios; absent: each run starts and stops its own. */
  readonly ownSystem?: OwnSystem | undefined;
  /** Overrides how long time is held for the user's own system at a limit of a rule; `patienceMs` of the file, wall ms. */
  readonly patienceMsOf?: ((rule: ScenarioRule, patienceMs: number) => number) | undefined;
  /** Called when a rule became true while time was held for it; both wall ms, `patienceMs` of the file. */
  readonly onHeld?: ((rule: ScenarioRule, heldMs: number, patienceMs: number) => void) | undefined;
  /**
   * Called as soon as a rule is broken, or the user's own system has ended (with the line of `system`), before the end
   * of the run.
   */
  readonly onBreach?: ((at: Pick<ScenarioRule, 'file' | 'line' | 'text'>, breach: BrokenWhy) => void) | undefined;
  /** Called as soon as a check, a rule or an expected reply has failed, with its position in the files. */
  readonly onCheckFailed?: ((check: Pick<ScenarioRule, 'file' | 'line'>) => void) | undefined;
  /** Number of the system's requests that are in flight together, where it is known; absent: wall time decides. */
  readonly requestsTogether?: number | undefined;
  /** Called when the run begins to wait for something. */
  readonly onWait?: OnRunWait | undefined;
  /** Called with each answer of a probe. */
  readonly onProbed?: ((probe: string, value: unknown) => void) | undefined;
  /** Called at the end of the scenario with the number of matches of each rule. */
  readonly onMatched?: ((matched: ReadonlyMap<ScenarioRule, number>) => void) | undefined;
  /** Observes and changes the deliveries and calls of the user's own system. */
  readonly traffic?: TrafficPort | undefined;
  /** Observes the steps, for `--mutate`. */
  readonly observer?: StepObserver | undefined;
  /** Wall ms without progress after which a lock-step run counts as stuck. */
  readonly watchdogMs?: number | undefined;
}
