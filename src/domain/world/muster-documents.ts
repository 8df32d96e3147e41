/** The documents of an evacuation: the muster itself, which is small, one for each person that it expects, and what is kept for the time after. */
import type { Instant } from '../../base/time/clock.ts';
import type {
  AlertType,
  CountedStatus,
  DeadlineSource,
  HelpReason,
  MusterKind,
  MusterPhase,
  MusterStatus,
} from '../../contract/enumerations.ts';
import type { Fix, TimelineEntry, WorkerSnapshot } from './embedded.ts';

/** People by what they count as. Null: not recorded when the muster was closed. [spec 2 Muster totals] */
export interface MusterTotals {
  readonly expected: number;
  readonly safe: number;
  readonly help: number | null;
  readonly wrongPoint: number | null;
  readonly pending: number | null;
  readonly noSignal: number | null;
  readonly notWorn: number | null;
}

/** A point that the control room took out of the targets. It stays so over a change of kind. [decisions 6] */
interface Exclusion {
  readonly pointId: string;
  readonly reason: string;
  /** The system had recommended it, as of the exclusion. */
  readonly recommended: boolean;
  readonly at: Instant;
  readonly by: string;
}

/** What the evacuation flees from; degrees and metres. [spec 2 Muster origin] */
export interface MusterOrigin {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
  readonly label: string | null;
  /** The radius counts from its edge. */
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
  /** Counts are made then and every 5 s from then. [decisions 6] */
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  readonly deadline: MusterDeadline | null;
  readonly origin: MusterOrigin | null;
  readonly targetsRevision: number;
  /** The points that serve the kind, excluded ones included, in the order of their names. */
  readonly targets: readonly { readonly id: string; readonly name: string }[];
  /** In the order of the exclusions. */
  readonly exclusions: readonly Exclusion[];
  readonly totals: MusterTotals;
  /** Who is safe at each target, by its id; null in a closed muster. */
  readonly safeAt: Readonly<Record<string, number>> | null;
  /** Of those expected, sorted: whose destinations are notified. [decisions 7] */
  readonly contractors: readonly string[];
  readonly timeline: readonly TimelineEntry[];
}

/** A person whom a muster expects, as of its last count; written only when it changes, and gone when the muster ends. */
export interface Expected {
  /** Muster and worker: `expectedId`. */
  readonly id: string;
  readonly musterId: string;
  readonly workerId: string;
  /** False from when they declared something until the count that takes them in. */
  readonly counted: boolean;
  readonly status: CountedStatus;
  readonly helpReason: HelpReason | null;
  /** The point where they were or declared to be; `valid`: it was available and served the kind. */
  readonly point: { readonly id: string; readonly valid: boolean } | null;
  /** What they declared on the watch; `contradicted`: a newer position was more than 50 m away. [decisions 6] */
  readonly declared: { readonly pointId: string; readonly at: Instant; readonly contradicted: boolean } | null;
  /** The control room marked them safe; null point: at none. */
  readonly marked: { readonly pointId: string | null; readonly at: Instant; readonly by: string } | null;
  /** `muster.worker_missing` has been emitted: once per person and muster. [decisions 6] */
  readonly missingTold: boolean;
  /** The count since which the status holds; null before the first, or where an older version did not record it. */
  readonly since: Instant | null;
  /** The first count at which they were safe, also if they are not now. */
  readonly firstSafeAt: Instant | null;
}

export const expectedId = (musterId: string, workerId: string): string => `${musterId}/${workerId}`;

/** Why a person counts as safe: position, own declaration, or the control room's word. [decisions 6] */
export type SafeBy = 'position' | 'declared' | 'marked';

/** A person's state when the muster ended; names are as of then. */
export interface RollLine {
  readonly worker: WorkerSnapshot;
  readonly status: CountedStatus;
  readonly helpReason: HelpReason | null;
  /** As `Expected.point`, with its name. */
  readonly point: { readonly id: string; readonly name: string; readonly valid: boolean } | null;
  /** Null where they are not safe, or where it has ceased to hold since the last count. */
  readonly safeBy: SafeBy | null;
  readonly declared: { readonly point: NamedPoint; readonly at: Instant; readonly contradicted: boolean } | null;
  readonly marked: { readonly point: NamedPoint | null; readonly at: Instant; readonly by: string } | null;
  readonly since: Instant | null;
  readonly firstSafeAt: Instant | null;
  readonly lastSeenAt: Instant | null;
  /** An open SOS or fall of a person who has not arrived. [spec 2 MissingWorker] */
  readonly needsRescue: boolean;
  /** The open critical alert that counts as their reason; null: none, or they are safe. [decisions 4, After a muster] */
  readonly critical: AlertType | null;
  /** Their last position fix; null: none, or they are safe. */
  readonly fix: Fix | null;
}

interface NamedPoint {
  readonly id: string;
  readonly name: string;
}

/** The final state of every person, written once when the muster ends; no resource of the API shows it. `id` is the muster's. */
export interface Roll {
  readonly id: string;
  /** When it was closed. */
  readonly at: Instant;
  readonly points: readonly NamedPoint[];
  readonly contractors: readonly string[];
  /** In the order of the workers' ids. */
  readonly rows: readonly RollRow[];
}

/** A `RollLine`, with points and contractors by their place in the roll. */
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
  /** An older version did not record these. */
  critical?: AlertType | null,
  fix?: Fix | null,
];

/** The figures of one headcount. */
export interface CourseSample {
  readonly at: Instant;
  readonly totals: MusterTotals;
  /** Who is safe at each of the stretch's points, in their order. */
  readonly safeAt: readonly number[];
}

/** A stretch of a muster's course: some of the counts that changed something, with the same kind and the same targets. */
export interface CourseStretch {
  /** Muster and number: `stretchId`. */
  readonly id: string;
  readonly musterId: string;
  /** Counts from 0. */
  readonly number: number;
  readonly kind: MusterKind;
  readonly points: Muster['targets'];
  readonly samples: readonly CourseSample[];
}

export const stretchId = (musterId: string, number: number): string => `${musterId}/${String(number).padStart(6, '0')}`;
