/** The after-action record of a muster: what a safety manager takes home, as figures; page and tables are made from it. */
import type { Instant } from '../../base/clock.ts';
import type {
  AlertStatus,
  AlertType,
  DeadlineSource,
  MusterKind,
  MusterPhase,
  MusterStatus,
  Severity,
} from '../../contract/enumerations.ts';
import type { MusterTotals, RollLine, TimelineEntry } from '../../domain/world/documents.ts';

export interface AfterAction {
  readonly musterId: string;
  readonly site: { readonly id: string; readonly name: string };
  readonly status: MusterStatus;
  readonly phase: MusterPhase;
  readonly reason: string | null;
  readonly startedAt: Instant;
  /** Null: still under way. */
  readonly endedAt: Instant | null;
  /** What the record is of: the end, or now while it is under way. */
  readonly asOf: Instant;
  /** When the record was drawn up: what is said of alerts is of then. */
  readonly drawnAt: Instant;
  /** In their order, the last one is the muster's. */
  readonly kinds: readonly KindSpan[];
  readonly deadline: DeadlineRecord | null;
  /** Of the last count, which the end makes. Null figures: of an older muster, of which no course is kept. */
  readonly totals: MusterTotals;
  /** Null where no course is kept. */
  readonly shares: readonly ShareRecord[] | null;
  readonly peaks: readonly PeakRecord[];
  /** In the order in which they became targets, then of their names. */
  readonly points: readonly PointRecord[];
  readonly contractors: readonly ContractorRecord[];
  /** By name; null where no roll is kept. */
  readonly people: readonly PersonRecord[] | null;
  /** What the control room did. */
  readonly timeline: readonly TimelineEntry[];
  /** Oldest first. */
  readonly alerts: readonly AlertRecord[];
  /** The counts that changed something, oldest first; empty where none are kept. */
  readonly course: readonly CountRecord[];
}

export interface KindSpan {
  readonly kind: MusterKind;
  readonly from: Instant;
  /** Null: to the end, or still. */
  readonly until: Instant | null;
}

/** `ahead`: it has not passed. `ended_before`: the muster ended before it, with somebody missing. `unknown`: no course is kept. */
export type DeadlineVerdict = 'met' | 'missed' | 'ahead' | 'ended_before' | 'unknown';

export interface DeadlineRecord {
  readonly at: Instant;
  readonly source: DeadlineSource;
  readonly verdict: DeadlineVerdict;
  /** At the deadline, or at the last count before it. */
  readonly safe: number | null;
  readonly expected: number | null;
}

/** When so many per cent of those expected were safe. */
export interface ShareRecord {
  readonly percent: number;
  /** For the first time; null: never. */
  readonly firstAt: Instant | null;
  /** Since when without a break; null: not at the last count. */
  readonly sinceAt: Instant | null;
}

export type PeakOf = 'help' | 'wrong_point' | 'no_signal' | 'not_worn';

export interface PeakRecord {
  readonly of: PeakOf;
  readonly people: number;
  /** The first count that had so many; null: there was nobody. */
  readonly at: Instant | null;
}

export interface PointRecord {
  readonly id: string;
  readonly name: string;
  /** The kinds for which it was a target in this muster. */
  readonly kinds: readonly MusterKind[];
  readonly exclusions: readonly ExclusionRecord[];
  /** Safe there at the last count; null where it is not known. */
  readonly safe: number | null;
  readonly most: number | null;
  /** The last count at which more were safe there than before. */
  readonly lastArrivalAt: Instant | null;
}

export interface ExclusionRecord {
  readonly at: Instant;
  readonly by: string | null;
  readonly reason: string | null;
  /** The system had recommended it; null: not kept for one that was taken back. */
  readonly recommended: boolean | null;
  /** When it was reinstated, and by whom. */
  readonly until: { readonly at: Instant; readonly by: string | null } | null;
}

export interface ContractorRecord {
  /** Null: the company's own people. */
  readonly contractor: string | null;
  readonly expected: number;
  readonly safe: number;
  /** Of those who were ever safe: from the start to the first time; milliseconds. */
  readonly medianMs: number | null;
}

export interface PersonRecord extends RollLine {
  /** From the start to the first time safe; milliseconds. */
  readonly safeAfterMs: number | null;
}

export interface AlertRecord {
  readonly id: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly status: AlertStatus;
  readonly title: string;
  readonly worker: { readonly externalId: string | null; readonly name: string } | null;
  readonly raisedAt: Instant;
  /** It was open already when the muster began. */
  readonly before: boolean;
  readonly acknowledged: AlertStep | null;
  readonly resolved: AlertStep | null;
  /** Everything that became of it. */
  readonly timeline: readonly TimelineEntry[];
}

export interface AlertStep {
  readonly at: Instant;
  /** The person, where the timeline knows one; the API's `by` may say no more than that it came by the integration. */
  readonly by: string;
  readonly reason: string | null;
  readonly note: string | null;
  /** From the alert to it; milliseconds. */
  readonly afterMs: number;
}

export interface CountRecord {
  readonly at: Instant;
  readonly kind: MusterKind;
  readonly totals: MusterTotals;
  /** Who is safe at each target of then, by its id. */
  readonly safeAt: ReadonlyMap<string, number>;
}
