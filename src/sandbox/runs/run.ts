/** One story that plays in the running sandbox: how far it is, how it ended, and what failed. [decisions 9, Run] */
import type { Instant } from '../../base/clock.ts';
import { seesAsMuch, type TokenViewer } from '../../domain/access/viewer.ts';
import type { RunNotice } from '../../scenario/log/run-notices.ts';
import type { Story, StoryStep } from '../../scenario/story/story.ts';

export type RunStatus = 'running' | 'passed' | 'failed' | 'cancelled';

/** A run as its owner sees it; times are simulated. */
export interface StoryRunState {
  readonly id: string;
  readonly organizationId: string;
  /** In whose view it plays; null: that of the control token. */
  readonly viewer: TokenViewer | null;
  readonly scenario: string;
  readonly status: RunStatus;
  readonly seed: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failures: readonly { readonly line: number; readonly text: string }[];
  /** What of the file counts for nothing here. */
  readonly warnings: readonly string[];
}

type Given = Pick<StoryRunState, 'id' | 'organizationId' | 'viewer' | 'scenario' | 'seed' | 'startedAt' | 'warnings'>;

export class Run {
  readonly #given: Given;
  readonly #steps: readonly StoryStep[];
  readonly #failures: { line: number; text: string }[] = [];
  /** The place of the step of the story itself that began last; -1: none yet. */
  #at = -1;
  #status: RunStatus = 'running';
  #endedAt: Instant | null = null;

  constructor(given: Given, story: Pick<Story, 'steps' | 'finally'>) {
    this.#given = given;
    this.#steps = [...story.steps, ...story.finally];
  }

  get state(): StoryRunState {
    // Of one that was broken off the step under way is not done.
    const open = this.#status === 'running' || this.#status === 'cancelled';
    return {
      ...this.#given,
      status: this.#status,
      endedAt: this.#endedAt,
      // A step is done when the next one has begun; the last one when the story has ended of itself.
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

  /** It fails before it begins: these steps are not for the token that started it. */
  refuse(beyond: readonly { readonly line: number; readonly text: string }[], at: Instant): void {
    this.#failures.push(...beyond);
    this.#status = 'failed';
    this.#endedAt = at;
  }

  /** `trouble`: why there is no verdict of the story itself. */
  end(status: Exclude<RunStatus, 'running'>, at: Instant, trouble: string | null): void {
    if (trouble !== null && status === 'failed') this.#failures.push({ line: 1, text: trouble });
    this.#status = status;
    this.#endedAt = at;
  }
}

/** Replaces the failure texts for a token that may see less than the run's own. */
const KEPT_BACK = 'What failed here was seen by a token that may see more than this one; ask with that one.';

/** The run as `reader` may see it; null is the control token. */
export function shownTo(reader: TokenViewer | null, state: StoryRunState): StoryRunState {
  if (seesAsMuch(reader, state.viewer)) return state;
  return { ...state, failures: state.failures.map(({ line }) => ({ line, text: KEPT_BACK })) };
}
