/** The after-action record of a muster as data; page and tables are made from it. */

import type { Instant } from '../../../base/time/clock.ts';
import type { DeadlineSource, MusterKind } from '../../../contract/enumerations.ts';
import type { MissingStatus } from '../../../contract/resources/headcount.ts';
import type { PersonReason } from '../../../contract/stream.ts';
import type { Standing } from '../../../watching/state/not-safe.ts';
import type { WaitingAlarm } from '../../../watching/state/people.ts';
import type { Alert, MusterTotals, RollLine } from '../../domain/world/documents.ts';
import type { Muster } from '../../domain/world/muster-documents.ts';

export interface AfterAction
  extends Pick<Muster, 'site' | 'status' | 'phase' | 'reason' | 'startedAt' | 'endedAt' | 'timeline'> {
  /**
   * Totals of the last headcount, which the end of the muster makes. Figures are null for an older muster without a
   * course.
   */
  readonly totals: MusterTotals;
  readonly musterId: string;
  /** The end of the muster, or the present time while it is active. */
  readonly asOf: Instant;
  /** The time at which the record was created; the alerts are those at this time. */
  readonly drawnAt: Instant;
  /** In order; the last one is the present kind. */
  readonly kinds: readonly KindSpan[];
  readonly deadline: DeadlineRecord | null;
  /** Null: no course is stored. */
  readonly shares: readonly ShareRecord[] | null;
  readonly peaks: readonly PeakRecord[];
  /** In the order in which the points became targets, then by name. */
  readonly points: readonly PointRecord[];
  readonly contractors: readonly ContractorRecord[];
  /** By name; null: no roll is stored. */
  readonly people: readonly PersonRecord[] | null;
  /** Oldest first. */
  readonly alerts: readonly AlertRecord[];
  /** Headcounts that differ from the previous one, oldest first; empty: none are stored. */
  readonly course: readonly CountRecord[];
}

export interface KindSpan {
  readonly kind: MusterKind;
  readonly from: Instant;
  /** Null: until the end, or ongoing. */
  readonly until: Instant | null;
}

/**
 * `ahead`: the deadline has not passed. `ended_before`: the muster ended before it, with people missing. `unknown`: no
 * course is stored.
 */
export type DeadlineResult = 'met' | 'missed' | 'ahead' | 'ended_before' | 'unknown';

export interface DeadlineRecord {
  readonly at: Instant;
  readonly source: DeadlineSource;
  readonly verdict: DeadlineResult;
  /** Safe people at the deadline, or at the last headcount before it. */
  readonly safe: number | null;
  readonly expected: number | null;
}

/** The time at which this percentage of the expected people was safe. */
export interface ShareRecord {
  readonly percent: number;
  /** The first time; null: never. */
  readonly firstAt: Instant | null;
  /** Start of the last uninterrupted period; null: the share was not reached at the last headcount. */
  readonly sinceAt: Instant | null;
}

export type PeakOf = Exclude<MissingStatus, 'pending'>;

export interface PeakRecord {
  readonly of: PeakOf;
  readonly people: number;
  /** The first headcount with this number; null: it was always zero. */
  readonly at: Instant | null;
}

export interface PointRecord {
  readonly id: string;
  readonly name: string;
  /** The kinds that the point served in this muster. */
  readonly kinds: readonly MusterKind[];
  readonly exclusions: readonly ExclusionRecord[];
  /** Safe people at the point at the last headcount; null: unknown. */
  readonly safe: number | null;
  readonly most: number | null;
  /** The last headcount at which the number of safe people increased. */
  readonly lastArrivalAt: Instant | null;
}

export interface ExclusionRecord {
  readonly at: Instant;
  readonly by: string | null;
  readonly reason: string | null;
  /** True if the system recommended the exclusion; null: unknown, because the point was reinstated. */
  readonly recommended: boolean | null;
  readonly until: { readonly at: Instant; readonly by: string | null } | null;
}

export interface ContractorRecord {
  /** Null: people of the company itself. */
  readonly contractor: string | null;
  readonly expected: number;
  readonly safe: number;
  /** Median time from the start to the first time safe, over people who were ever safe; milliseconds. */
  readonly medianMs: number | null;
}

export interface PersonRecord extends RollLine {
  /** Time from the start to the first time safe; milliseconds. */
  readonly safeAfterMs: number | null;
  /** The reason in the form that every screen shows. [decisions 4, Reason, Rescue] */
  readonly reason: PersonReason | null;
  readonly rescue: boolean;
  /** Rank, reason in words and waiting time, as the lists of the panel have them; null: the person is safe. */
  readonly standing: (Standing & { readonly waiting: WaitingAlarm | null }) | null;
  /**
   * The last place in words, at the last headcount, if the veil now allows it; null: the person is safe, or the site no
   * longer exists. [decisions 4, After a muster]
   */
  readonly lastPlace: string | null;
}

export interface AlertRecord extends Pick<Alert, 'id' | 'type' | 'severity' | 'status' | 'timeline'> {
  readonly title: string;
  readonly worker: { readonly externalId: string | null; readonly name: string } | null;
  readonly raisedAt: Instant;
  /** True if the alert was raised before the muster began. */
  readonly before: boolean;
  readonly acknowledged: AlertStep | null;
  readonly resolved: AlertStep | null;
}

export interface AlertStep {
  readonly at: Instant;
  /** The name in the timeline, which is that of the person; the API's `by` may be only the integration. */
  readonly by: string;
  readonly reason: string | null;
  readonly note: string | null;
  /** Time since the alert; milliseconds. */
  readonly afterMs: number;
}

export interface CountRecord {
  readonly at: Instant;
  readonly kind: MusterKind;
  readonly totals: MusterTotals;
  /** Safe people at each target, by its id. */
  readonly safeAt: ReadonlyMap<string, number>;
}
