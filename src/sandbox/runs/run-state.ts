/** One run of a scenario in the running sandbox: its progress, its result, and its failures. [decisions 9, Run] */

import type { Instant } from '../../base/time/clock.ts';
import { withoutHostFolders } from '../../base/user-files.ts';
import type { RunStatus } from '../../contract/enumerations.ts';
import type { RunNotice } from '../../scenario/log/run-notices.ts';
import type { RunError } from '../../scenario/playing/run-file.ts';
import type { RunShown } from '../../service/api/scenarios.ts';
import { seesAsMuch, type TokenViewer } from '../../service/domain/access/viewer.ts';
import type { StepBeyond } from './beyond.ts';
import type { ExaminedScenario } from './examine.ts';

/** The state of a run as its owner sees it; times are simulated. */
export interface ScenarioRunState extends Omit<RunShown, 'startedAt' | 'endedAt'> {
  readonly organizationId: string;
  /** The viewer whose permissions apply; null: the control token. */
  readonly viewer: TokenViewer | null;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
}

type Given = Pick<
  ScenarioRunState,
  'id' | 'organizationId' | 'viewer' | 'scenario' | 'seed' | 'startedAt' | 'warnings'
>;

export class Run {
  readonly #given: Given;
  readonly #steps: ExaminedScenario['steps'];
  readonly #failures: { line: number; text: string }[] = [];
  /** The index of the last step that has begun; -1: none yet. */
  #at = -1;
  #status: RunStatus = 'running';
  #endedAt: Instant | null = null;

  constructor(given: Given, steps: ExaminedScenario['steps']) {
    this.#given = given;
    this.#steps = steps;
  }

  get state(): ScenarioRunState {
    // The step in progress of a cancelled run is not done.
    const open = this.#status === 'running' || this.#status === 'cancelled';
    return {
      ...this.#given,
      status: this.#status,
      endedAt: this.#endedAt,
      // A step is done when the next one begins; the last step is done when the scenario ends without being cancelled.
      stepsDone: this.#status === 'passed' ? this.#steps.length : Math.max(0, this.#at + (open ? 0 : 1)),
      stepsTotal: this.#steps.length,
      failures: [...this.#failures],
    };
  }

  take(notice: RunNotice): void {
    if (notice.kind === 'failure') this.#failures.push({ line: notice.line, text: notice.text });
    if (notice.kind !== 'step-began' && notice.kind !== 'mark') return;
    const next = this.#steps.findIndex(
      ({ line, text }, place) => place > this.#at && line === notice.line && text === notice.text,
    );
    if (next >= 0) this.#at = next;
  }

  /** Fails the run before it begins, because the token that started it may not perform these steps. */
  refuse(beyond: readonly StepBeyond[], at: Instant): void {
    this.#failures.push(...beyond);
    this.#status = 'failed';
    this.#endedAt = at;
  }

  /** `trouble`: the reason why the run has no result of its own. */
  end(
    status: Exclude<RunStatus, 'running'>,
    at: Instant,
    trouble: Pick<RunError, 'code' | 'message' | 'fix'> | null,
  ): void {
    if (trouble !== null && status === 'error')
      this.#failures.push({
        line: 1,
        text: this.#given.viewer === null ? `${trouble.message}\n${trouble.fix}` : troubleForClient(trouble),
      });
    this.#status = status;
    this.#endedAt = at;
  }
}

/** Replaces the failure texts for a token that may see less than the token of the run. */
const KEPT_BACK = 'The failures are visible only to a token with the permissions of the token that started the run.';

/** Returns the run as `reader` may see it; null: the control token. */
export function shownTo(reader: TokenViewer | null, state: ScenarioRunState): ScenarioRunState {
  if (reader === null) return state;
  if (seesAsMuch(reader, state.viewer))
    return { ...state, failures: state.failures.map(({ line, text }) => ({ line, text: withoutHostFolders(text) })) };
  return { ...state, failures: state.failures.map(({ line }) => ({ line, text: KEPT_BACK })) };
}

/** Errors of the machine name commands and folders of the host, so a client gets only the code. [decisions 9, Scenarios with commands] */
const troubleForClient = ({ code }: Pick<RunError, 'code'>): string =>
  `The run ended before its end (${code}). The control token shows the reason to the operator of the sandbox, in a run that it starts.`;
