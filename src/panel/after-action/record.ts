/** The after-action record of a muster as data; page and tables are made from it. */

import type { Instant } from '../../base/time/clock.ts';
import type { DeadlineSource, MusterKind } from '../../contract/enumerations.ts';
import type { PersonReason } from '../../contract/stream.ts';
import type { Alert, MusterTotals, RollLine } from '../../domain/world/documents.ts';
import type { Muster } from '../../domain/world/muster-documents.ts';

export interface AfterAction
  extends Pick<Muster, 'site' | 'status' | 'phase' | 'reason' | 'startedAt' | 'endedAt' | 'timeline'> {
  /** Of the last count, which the end makes. Null figures: an older muster without a course. */
  readonly totals: MusterTotals;
  readonly musterId: string;
  /** The end, or now while active. */
  readonly asOf: Instant;
  /** When the record was made: the alerts are of then. */
  readonly drawnAt: Instant;
  /** In order; the last one is the muster's. */
  readonly kinds: readonly KindSpan[];
  readonly deadline: DeadlineRecord | null;
  /** Null: no course is kept. */
  readonly shares: readonly ShareRecord[] | null;
  readonly peaks: readonly PeakRecord[];
  /** In the order in which they became targets, then by name. */
  readonly points: readonly PointRecord[];
  readonly contractors: readonly ContractorRecord[];
  /** By name; null: no roll is kept. */
  readonly people: readonly PersonRecord[] | null;
  /** Oldest first. */
  readonly alerts: readonly AlertRecord[];
  /** Counts that differ from the one before, oldest first; empty: none are kept. */
  readonly course: readonly CountRecord[];
}

export interface KindSpan {
  readonly kind: MusterKind;
  readonly from: Instant;
  /** Null: to the end, or ongoing. */
  readonly until: Instant | null;
}

/** `ahead`: it has not passed. `ended_before`: the muster ended before it with people missing. `unknown`: no course is kept. */
export type DeadlineResult = 'met' | 'missed' | 'ahead' | 'ended_before' | 'unknown';

export interface DeadlineRecord {
  readonly at: Instant;
  readonly source: DeadlineSource;
  readonly verdict: DeadlineResult;
  /** At the deadline, or at the last count before it. */
  readonly safe: number | null;
  readonly expected: number | null;
}

/** When this percentage of those expected was safe. */
export interface ShareRecord {
  readonly percent: number;
  /** For the first time; null: never. */
  readonly firstAt: Instant | null;
  /** Start of the last unbroken stretch; null: not at the last count. */
  readonly sinceAt: Instant | null;
}

export type PeakOf = 'help' | 'wrong_point' | 'no_signal' | 'not_worn';

export interface PeakRecord {
  readonly of: PeakOf;
  readonly people: number;
  /** The first count with this number; null: it was always zero. */
  readonly at: Instant | null;
}

export interface PointRecord {
  readonly id: string;
  readonly name: string;
  /** Kinds of this muster that it served. */
  readonly kinds: readonly MusterKind[];
  readonly exclusions: readonly ExclusionRecord[];
  /** Safe there at the last count; null: unknown. */
  readonly safe: number | null;
  readonly most: number | null;
  /** The last count at which the number of safe people grew. */
  readonly lastArrivalAt: Instant | null;
}

export interface ExclusionRecord {
  readonly at: Instant;
  readonly by: string | null;
  readonly reason: string | null;
  /** Recommended by the system; null: unknown, as it was reinstated. */
  readonly recommended: boolean | null;
  readonly until: { readonly at: Instant; readonly by: string | null } | null;
}

export interface ContractorRecord {
  /** Null: the company's own people. */
  readonly contractor: string | null;
  readonly expected: number;
  readonly safe: number;
  /** People who were ever safe, by the time from the start; milliseconds. */
  readonly medianMs: number | null;
}

export interface PersonRecord extends RollLine {
  /** Time from the start to the first time safe; milliseconds. */
  readonly safeAfterMs: number | null;
  /** As every screen shows them. [decisions 4, Reason, Rescue] */
  readonly reason: PersonReason | null;
  readonly rescue: boolean;
  /** In words, as of the last count, where the veil shows it now; null: they are safe, or the site is gone. [decisions 4, After a muster] */
  readonly lastPlace: string | null;
}

export interface AlertRecord extends Pick<Alert, 'id' | 'type' | 'severity' | 'status' | 'timeline'> {
  readonly title: string;
  readonly worker: { readonly externalId: string | null; readonly name: string } | null;
  readonly raisedAt: Instant;
  /** Raised before the muster began. */
  readonly before: boolean;
  readonly acknowledged: AlertStep | null;
  readonly resolved: AlertStep | null;
}

export interface AlertStep {
  readonly at: Instant;
  /** From the timeline, which names the person; the API's `by` may name the integration only. */
  readonly by: string;
  readonly reason: string | null;
  readonly note: string | null;
  /** Since the alert; milliseconds. */
  readonly afterMs: number;
}

export interface CountRecord {
  readonly at: Instant;
  readonly kind: MusterKind;
  readonly totals: MusterTotals;
  /** Safe people at each target, by its id. */
  readonly safeAt: ReadonlyMap<string, number>;
}
