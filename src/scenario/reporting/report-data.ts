/** The data of a report of one run. Times are simulated ms from the start. */

import type { AlertType, MusterKind, Severity } from '../../contract/enumerations.ts';
import type { AttemptNotice } from '../../contract/notices.ts';
import type { Totals } from '../../contract/resources.ts';
import type { RunResult } from '../playing/run-file.ts';
import type { FailureContext, ReportHappening } from './happenings.ts';
import type { PackedSeen } from './seen/seen.ts';
import type { ReportPerson, ReportTruth } from './seen/truth.ts';

/** How the reports of one command name a run beside the others. */
interface ReportedName {
  /** What the runs of the command differ in: their seeds or orders, or files with one title. */
  readonly by: { readonly seed: boolean; readonly order: boolean; readonly file: boolean };
  /** True if the command plays several runs. */
  readonly isOneOfMany: boolean;
  /** The file from the root of its repository. */
  readonly path: string;
}

export interface RunReport {
  /** Absent: the run is alone. */
  readonly named?: ReportedName;
  readonly version: string;
  readonly result: RunResult;
  /** The time of instant 0, ISO 8601. */
  readonly start: string;
  /** The command that reproduces the run. */
  readonly rerun: string;
  readonly steps: readonly ReportStep[];
  /** The views in which the checks of the run were evaluated, which limit what the report shows. */
  readonly views: readonly ReportView[];
  readonly alerts: readonly ReportAlert[];
  readonly musters: readonly ReportMuster[];
  readonly receivers: readonly ReportReceiver[];
  readonly people: readonly ReportPerson[];
  /** What an unscoped client of each company sees. */
  readonly seen: PackedSeen;
  /** Null if ground truth was not requested. */
  readonly truth: ReportTruth | null;
  /** All happenings, in order. */
  readonly happenings: readonly ReportHappening[];
  /** The context of each failure, in the order of the failures. */
  readonly around: readonly FailureContext[];
}

/** A company of the scenario, with the view of its unscoped client. [scenario-language, fine print] */
interface ReportView {
  readonly company: string;
  /** True if its contract included names at the start. */
  readonly names: boolean;
  /** Contractors of the scenario's client; checks are unscoped. */
  readonly contractors: readonly string[] | null;
}

/** A step, a mark, or a check with its result. */
export interface ReportStep {
  readonly t: number;
  readonly line: number;
  readonly text: string;
  /** The reason why the step was refused or skipped. */
  readonly why: string | null;
  readonly kind: 'step' | 'mark' | 'passed' | 'failed' | 'refused' | 'skipped';
  /** Waiting time of a check; simulated ms. */
  readonly waitedMs: number;
  /** Time since the notice before it; wall ms. */
  readonly wallMs: number;
  /** Number of happenings before the step began. */
  readonly happened: number;
  /** The objects that a check found. */
  readonly saw: readonly string[];
}

export interface ReportAlert {
  readonly id: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly title: string;
  /** Null for a site-wide alert. */
  readonly workerId: string | null;
  /** The worker's short name; null for a site-wide alert. */
  readonly who: string | null;
  /** Created, acknowledged, … */
  readonly changes: readonly { readonly t: number; readonly what: string; readonly by: string | null }[];
  readonly endedT: number | null;
}

export interface ReportMuster {
  readonly id: string;
  readonly site: string;
  /** Every change of the counts. */
  readonly counts: readonly {
    readonly t: number;
    readonly kind: MusterKind;
    readonly phase: string;
    readonly totals: Totals;
  }[];
}

export interface ReportReceiver {
  readonly name: string;
  readonly attempts: readonly ReportAttempt[];
}

export interface ReportAttempt extends Pick<AttemptNotice, 'try' | 'result' | 'status' | 'signatures'> {
  readonly t: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly objectId: string;
  readonly offsetMs: number;
}
