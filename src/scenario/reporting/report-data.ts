/** What a report of one run is made from: everything that happened, told for people. Times are simulated ms from the start. */
import type { Point } from '../../base/geometry.ts';
import type { AlertType, MusterKind, Severity, ZoneType } from '../../contract/enumerations.ts';
import type { Totals } from '../../contract/resources.ts';
import type { RunResult } from '../playing/run-file.ts';
import type { FailureContext } from './around.ts';
import type { ToldStatus } from './html/person-status.ts';

export interface RunReport {
  readonly version: string;
  readonly result: RunResult;
  /** ISO 8601: the instant 0. */
  readonly start: string;
  /** The command that plays the same again. */
  readonly rerun: string;
  readonly steps: readonly ReportStep[];
  readonly people: readonly string[];
  /** Through whose eyes the run was judged, and so what stands in this report. */
  readonly views: readonly ToldView[];
  readonly alerts: readonly ReportAlert[];
  readonly musters: readonly ReportMuster[];
  readonly receivers: readonly ToldReceiver[];
  readonly sites: readonly ReportSite[];
  readonly tracks: readonly ReportTrack[];
  /** What happened around each failure of the result, in their order. */
  readonly around: readonly FailureContext[];
}

/** A company of the story, as its unscoped client sees it. [scenario-language, fine print] */
export interface ToldView {
  readonly company: string;
  /** Whether its contract had names at the start. */
  readonly names: boolean;
  /** The contractors that the story's client is scoped to; checks are unscoped. */
  readonly contractors: readonly string[] | null;
}

/** A step, a mark, or a check and how it came out. */
export interface ReportStep {
  readonly t: number;
  readonly line: number;
  readonly text: string;
  readonly kind: 'step' | 'mark' | 'passed' | 'failed' | 'refused';
  /** Of a check: how long it waited. */
  readonly waitedMs: number;
}

export interface ReportAlert {
  readonly id: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly title: string;
  /** The short name of its worker; null for a site-wide one. */
  readonly who: string | null;
  /** What happened to it and when: created, acknowledged, … */
  readonly changes: readonly { readonly t: number; readonly what: string; readonly by: string | null }[];
  readonly endedT: number | null;
}

export interface ReportMuster {
  readonly id: string;
  readonly site: string;
  /** Each count or change that was told. */
  readonly counts: readonly {
    readonly t: number;
    readonly kind: MusterKind;
    readonly phase: string;
    readonly totals: Totals;
  }[];
}

export interface ToldReceiver {
  readonly name: string;
  readonly attempts: readonly ReportAttempt[];
}

export interface ReportAttempt {
  readonly t: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly objectId: string;
  /** Counts from 1. */
  readonly try: number;
  readonly offsetMs: number;
  readonly result: 'delivered' | 'waiting' | 'lost';
  readonly status: number | null;
  readonly signatures: number;
}

/** Metres from the site's origin. */
export interface ReportSite {
  readonly name: string;
  readonly boundary: readonly Point[];
  readonly zones: readonly { readonly name: string; readonly type: ZoneType; readonly ring: readonly Point[] }[];
}

/** Where a watch said it was: t, x, y one after the other; metres from the site's origin. */
export interface ReportTrack {
  readonly who: string;
  readonly site: string;
  readonly points: readonly number[];
  /** How the person stands, from the beginning on. */
  readonly standing: readonly ToldStatus[];
}
