/** Observes the steps of a run, for `sandbox run --mutate`. An observer has no influence on the run. */
import type { Instant } from '../../base/time/clock.ts';
import type { Looks } from '../judging/looks.ts';
import type { NameScope } from '../judging/track.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { StepFrame } from '../model/scenario.ts';

/** What an observer may read at any time of the run. */
export interface ObservedRun {
  readonly look: Looks;
  readonly record: RunRecord;
  readonly start: Instant;
  /** The ids of the workers with this short name. */
  workerIds(who: string): readonly string[];
}

export interface StepObserver {
  /** The run is about to begin. */
  onRun(run: ObservedRun): void;
  /** A step begins, with the names that are bound at this time. */
  onBegun(step: StepFrame, names: NameScope, at: Instant): void;
  onEnded(step: StepFrame, at: Instant): void;
  /** All steps have ended, except those of `finally`. */
  onOver(): void;
}
