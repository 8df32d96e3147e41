/** The data of a report of one run. Times are simulated ms from the start. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { AlertType, MusterKind, Severity, ZoneType } from '../../contract/enumerations.ts';
import type { AttemptNotice } from '../../contract/notices.ts';
import type { Totals } from '../../contract/resources.ts';
import type { RunResult } from '../playing/run-file.ts';
import type { FailureContext } from './happenings.ts';
import type { TimedStatus } from './html/person-status.ts';

export interface RunReport {
  readonly version: string;
  readonly result: RunResult;
  /** ISO 8601, of instant 0. */
  readonly start: string;
  /** The command that reproduces the run. */
  readonly rerun: string;
  readonly steps: readonly ReportStep[];
  readonly people: readonly string[];
  /** The views in which the run was judged, which limit what the report shows. */
  readonly views: readonly ReportView[];
  readonly alerts: readonly ReportAlert[];
  readonly musters: readonly ReportMuster[];
  readonly receivers: readonly ReportReceiver[];
  readonly sites: readonly ReportSite[];
  readonly tracks: readonly ReportTrack[];
  /** The context of each failure, in their order. */
  readonly around: readonly FailureContext[];
}

/** A company of the scenario, as its unscoped client sees it. [scenario-language, fine print] */
interface ReportView {
  readonly company: string;
  /** Whether its contract had names at the start. */
  readonly names: boolean;
  /** Contractors of the scenario's client; checks are unscoped. */
  readonly contractors: readonly string[] | null;
}

/** A step, a mark, or a check with its outcome. */
export interface ReportStep {
  readonly t: number;
  readonly line: number;
  readonly text: string;
  /** Why it was refused or skipped. */
  readonly why: string | null;
  readonly kind: 'step' | 'mark' | 'passed' | 'failed' | 'refused' | 'skipped';
  /** For a check; simulated ms. */
  readonly waitedMs: number;
  /** Since the notice before it; wall ms. */
  readonly wallMs: number;
}

export interface ReportAlert {
  readonly id: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly title: string;
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

/** Metres from the site's origin. */
export interface ReportSite {
  readonly name: string;
  readonly boundary: readonly Point[];
  readonly zones: readonly { readonly name: string; readonly type: ZoneType; readonly ring: readonly Point[] }[];
}

/** Reported positions as flattened t, x, y; metres from the site's origin. */
export interface ReportTrack {
  readonly who: string;
  readonly site: string;
  readonly points: readonly number[];
  /** Statuses of the person from the beginning. */
  readonly standing: readonly TimedStatus[];
}
