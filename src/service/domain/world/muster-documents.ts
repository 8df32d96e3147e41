/** The documents of an evacuation: the muster itself, which is small; one for each expected person; and the records for the time after it. */
import type { Instant } from '../../../base/time/clock.ts';
import type {
  AlertType,
  DeadlineSource,
  HelpReason,
  MusterKind,
  MusterPhase,
  MusterStatus,
} from '../../../contract/enumerations.ts';
import { COUNTED_STATUSES, type CountedStatus, type MissingStatus } from '../../../contract/resources/headcount.ts';
import type { Fix, TimelineEntry, WorkerSnapshot } from './embedded.ts';

/** The number of people with each status. Null: not recorded when the muster was closed. [spec 2 Muster totals] */
export type MusterTotals = {
  readonly [S in 'expected' | CountedStatus]: S extends MissingStatus ? number | null : number;
};

/** The same value for each status. */
export const ofEachStatus = <T>(value: T): Record<CountedStatus, T> =>
  Object.fromEntries(COUNTED_STATUSES.map((status) => [status, value])) as Record<CountedStatus, T>;

/** An assembly point that the control room excluded. The exclusion stays when the kind changes. [decisions 6] */
interface Exclusion {
  readonly pointId: string;
  readonly reason: string;
  /** True if the system recommended it at that time. */
  readonly recommended: boolean;
  readonly at: Instant;
  readonly by: string;
}

/** The origin of the danger; degrees and metres. [spec 2 Muster origin] */
export interface MusterOrigin {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
  readonly label: string | null;
  /** The zone from whose edge the radius counts; null if the radius counts from the position. */
  readonly zone: { readonly id: string; readonly name: string } | null;
}

export interface MusterDeadline {
  readonly at: Instant;
  readonly source: DeadlineSource;
}

export interface Muster {
  readonly id: string;
  readonly organizationId: string;
  readonly site: { readonly id: string; readonly name: string };
  readonly status: MusterStatus;
  readonly phase: MusterPhase;
  readonly kind: MusterKind;
  readonly reason: string | null;
  /** Counts are made at this instant and every 5 s after it. [decisions 6] */
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly deadline: MusterDeadline | null;
  readonly origin: MusterOrigin | null;
  readonly targetsRevision: number;
  /** The points that serve the kind, including excluded ones, in the order of their names. */
  readonly targets: readonly { readonly id: string; readonly name: string }[];
  /** In the order in which the points were excluded. */
  readonly exclusions: readonly Exclusion[];
  readonly totals: MusterTotals;
  /** The number of safe people at each target, by its id; null in a closed muster. */
  readonly safeAt: Readonly<Record<string, number>> | null;
  /** The contractors of the expected people, sorted: they determine which destinations are notified. [decisions 7] */
  readonly contractors: readonly string[];
  readonly timeline: readonly TimelineEntry[];
}

/**
 * A person whom a muster expects, as of its last count. Written only when it changes, and removed when the muster ends.
 */
export interface Expected {
  /** `expectedId` of muster and worker. */
  readonly id: string;
  readonly musterId: string;
  readonly workerId: string;
  /** False from a declaration before the first count of the person until that count. */
  readonly counted: boolean;
  readonly status: CountedStatus;
  readonly helpReason: HelpReason | null;
  /** The point where they were or which they declared; `valid`: it was available and served the kind. */
  readonly point: { readonly id: string; readonly valid: boolean } | null;
  /** Their declaration on the watch; `contradicted`: a newer position was more than 50 m away. [decisions 6] */
  readonly declared: { readonly pointId: string; readonly at: Instant; readonly contradicted: boolean } | null;
  /** The control room marked them safe; `pointId` is null for no point. */
  readonly marked: { readonly pointId: string | null; readonly at: Instant; readonly by: string } | null;
  /** `muster.worker_missing` has been emitted: once per person and muster. [decisions 6] */
  readonly missingTold: boolean;
  /** The count since which the status holds; null before the first. */
  readonly since: Instant | null;
  /** The first count at which they were safe, even if they are not safe now. */
  readonly firstSafeAt: Instant | null;
}

export const expectedId = (musterId: string, workerId: string): string => `${musterId}/${workerId}`;

/** Why a person counts as safe: their position, their declaration, or a mark by the control room. [decisions 6] */
export type SafeBy = 'position' | 'declared' | 'marked';

/** A person's state when the muster ended. Names are as of that time. */
export interface RollLine {
  readonly worker: WorkerSnapshot;
  readonly status: CountedStatus;
  readonly helpReason: HelpReason | null;
  /** Like `Expected.point`, with its name. */
  readonly point: { readonly id: string; readonly name: string; readonly valid: boolean } | null;
  /** Null if they are not safe, or if the reason no longer holds since the last count. */
  readonly safeBy: SafeBy | null;
  readonly declared: { readonly point: NamedPoint; readonly at: Instant; readonly contradicted: boolean } | null;
  readonly marked: { readonly point: NamedPoint | null; readonly at: Instant; readonly by: string } | null;
  readonly since: Instant | null;
  readonly firstSafeAt: Instant | null;
  readonly lastSeenAt: Instant | null;
  /** True if a person who is not safe has an open SOS or fall. [spec 2 MissingWorker] */
  readonly needsRescue: boolean;
  /**
   * The open critical alert that determines their reason; null if there is none, or if they are safe.
   * [decisions 4, After a muster]
   */
  readonly critical: AlertType | null;
  /** Their last position fix; null if there is none, or if they are safe. */
  readonly fix: Fix | null;
}

interface NamedPoint {
  readonly id: string;
  readonly name: string;
}

/**
 * The final state of every person, written once when the muster ends. No resource of the API shows it. `id` is that of
 * the muster.
 */
export interface Roll {
  readonly id: string;
  /** The instant at which it was closed. */
  readonly at: Instant;
  readonly points: readonly NamedPoint[];
  readonly contractors: readonly string[];
  /** In the order of the workers' ids. */
  readonly rows: readonly RollRow[];
}

/** A `RollLine`, with points and contractors as indexes into the lists of the roll. */
export type RollRow = readonly [
  workerId: string,
  externalId: string | null,
  name: string,
  contractor: number | null,
  status: CountedStatus,
  helpReason: HelpReason | null,
  safeBy: SafeBy | null,
  point: readonly [place: number, valid: boolean] | null,
  declared: readonly [place: number, at: Instant, contradicted: boolean] | null,
  marked: readonly [place: number | null, at: Instant, by: string] | null,
  since: Instant | null,
  firstSafeAt: Instant | null,
  lastSeenAt: Instant | null,
  needsRescue: boolean,
  critical: AlertType | null,
  fix: Fix | null,
];

/** The totals of one headcount. */
export interface CourseSample {
  readonly at: Instant;
  readonly totals: MusterTotals;
  /** The number of safe people at each of the stretch's points, in their order. */
  readonly safeAt: readonly number[];
}

/** A part of a muster's course: consecutive counts that changed something, with the same kind and the same targets. */
export interface CourseStretch {
  /** `stretchId` of muster and number. */
  readonly id: string;
  readonly musterId: string;
  /** The index of the stretch in the course, from 0. */
  readonly number: number;
  readonly kind: MusterKind;
  readonly points: Muster['targets'];
  readonly samples: readonly CourseSample[];
}

export const stretchId = (musterId: string, number: number): string => `${musterId}/${String(number).padStart(6, '0')}`;
