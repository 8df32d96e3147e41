/** The notices that a run emits; progress, reports and the command line are views of them. */
import type { RunStatus } from '../../contract/enumerations.ts';
import type { Muster } from '../../contract/resources.ts';
import type { RunMode, Values } from '../model/scenario.ts';

export type RunNotice =
  | {
      readonly kind: 'run-began';
      readonly scenario: string;
      readonly file: string;
      readonly values: Values | null;
      readonly mode: RunMode;
      readonly speed: number;
      readonly seed: string;
      readonly steps: number;
    }
  /** The sandbox of a run at a pace can be watched. */
  | { readonly kind: 'watchable'; readonly apiUrl: string; readonly controlToken: string }
  /** How far the run is behind its pace, where that has changed; wall ms. */
  | { readonly kind: 'behind'; readonly atMs: number; readonly behindMs: number }
  /** `judged`: true if a notice with the result follows. */
  | (AtStep & { readonly kind: 'step-began'; readonly judged: boolean })
  | (AtStep & { readonly kind: 'mark' })
  | (AtStep & { readonly kind: 'step-refused'; readonly detail: string })
  /** The step was not run, or the rule was not judged, because it uses a name that a failed step should have bound. */
  | (AtStep & { readonly kind: 'step-skipped'; readonly why: string })
  | (AtStep & CheckedStep & { readonly kind: 'expectation-passed' })
  | (AtStep & CheckedStep & { readonly kind: 'expectation-failed' })
  /** The figures, kind or phase of a muster changed. */
  | {
      readonly kind: 'muster-figures';
      readonly atMs: number;
      readonly muster: Pick<Muster, 'site' | 'kind' | 'phase' | 'status' | 'totals'>;
    }
  /** A complete failure, emitted once it is known whether the missing match came late. */
  | { readonly kind: 'failure'; readonly line: number; readonly text: string }
  | { readonly kind: 'finally-began'; readonly atMs: number }
  | {
      readonly kind: 'run-ended';
      readonly verdict: RunVerdict;
      readonly passed: number;
      readonly failed: number;
      readonly skipped: number;
      readonly atMs: number;
      readonly wallMs: number;
      /** How far the run fell behind its pace; in a running sandbox, the longest delay of due work. Wall ms. */
      readonly lagMs: number;
      readonly logSha256: string | null;
      readonly deliveries: DeliveryCounts;
      /** The reason why the scenario has no result. */
      readonly error: string | null;
      /** The reason in the file why the scenario is skipped, or is known to fail. */
      readonly reason: string | null;
    };

/** The result of a run; the JSON field is called `verdict`. [scenario-language, Output] */
export type RunVerdict = Exclude<RunStatus, 'running' | 'cancelled'>;

/** Results that leave the exit code at 0. */
export const isAccepted = (verdict: RunVerdict): boolean => verdict !== 'failed' && verdict !== 'error';

/** Deliveries to the destinations that the scenario made, at the end of the run. */
export interface DeliveryCounts {
  readonly delivered: number;
  /** Delivered after the first attempt. */
  readonly retried: number;
  /** Given up after the last retry. */
  readonly lost: number;
  /** Pending after at least one failed attempt: neither delivered nor lost. */
  readonly failing: number;
}

interface AtStep {
  readonly line: number;
  /** Simulated ms from the start. */
  readonly atMs: number;
  readonly text: string;
}

interface CheckedStep {
  readonly waitedMs: number;
  /** The found objects, for display, such as `alert sos of ana`. Absent: nothing that has a name. */
  readonly saw?: readonly string[];
}

export type RunSink = (notice: RunNotice) => void;
