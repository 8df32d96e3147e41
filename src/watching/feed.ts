/** What flows in `GET /v1/sandbox/stream`, as whoever watches reads it: a snapshot, then each object that changed. [decisions 9] */
import type { HelpReason, MissingStatus } from '../contract/enumerations.ts';
import type {
  Alert,
  Location,
  Muster,
  Polygon,
  Site,
  WebhookDestination,
  WorkerRef,
  Zone,
} from '../contract/resources.ts';

export interface FeedClock {
  /** Simulated time. */
  readonly now: string;
  /** Simulated seconds in a second of the wall clock. */
  readonly speed: number;
  readonly paused: boolean;
}

export interface FeedSite extends Site {
  readonly boundary: Polygon;
  readonly wind: { readonly from_deg: number; readonly speed_ms: number } | null;
  readonly zones: readonly Zone[];
}

export interface FeedWorker extends WorkerRef {
  readonly role: string | null;
  readonly is_active: boolean;
  readonly site_id: string;
}

/** How somebody fares in a muster. */
export type MusterStatusOf = 'safe' | MissingStatus;

export interface FeedPerson {
  readonly worker_id: string;
  readonly device_id: string | null;
  readonly location: Location | null;
  readonly location_withheld: boolean;
  readonly in_vehicle: boolean;
  readonly worn: boolean | null;
  readonly battery: number | null;
  readonly date_last_seen: string | null;
  readonly muster: {
    readonly id: string;
    readonly status: MusterStatusOf;
    readonly needs_rescue: boolean;
    readonly help_reason: HelpReason | null;
    readonly assembly_point: { readonly id: string; readonly valid: boolean } | null;
  } | null;
}

export interface FeedDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly destination_id: string;
  readonly state: 'waiting' | 'delivered' | 'lost';
  readonly tries: number;
  readonly last_status: number | null;
  /** Of the last attempt, where it was made while somebody watched. */
  readonly last_error?: string | null;
  readonly took_ms?: number | null;
  readonly next_attempt_at: string | null;
}

/** Where somebody truly is, whatever was reported; for the control token, where it was asked for. */
export interface FeedTruth {
  readonly worker_id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Above the ground, where there are floors. */
  readonly height_m: number | null;
  readonly floor: string | null;
  readonly zone: string | null;
  readonly in_vehicle: boolean;
  readonly worn: boolean | null;
  readonly activity: string;
}

/** How many were safe when, since the start of a muster. */
export interface FeedCurve {
  readonly muster_id: string;
  /** Oldest first. */
  readonly points: readonly { readonly at: string; readonly safe: number }[];
}

/** Deliveries to a destination so far. */
export interface FeedTally {
  readonly destination_id: string;
  readonly delivered: number;
  readonly failed: number;
  readonly lost: number;
  /** Wall ms of the newest successful attempts, oldest first. */
  readonly took_ms: readonly number[];
}

export interface FeedSnapshot {
  readonly clock: FeedClock;
  readonly sites: readonly FeedSite[];
  readonly workers: readonly FeedWorker[];
  readonly people: readonly FeedPerson[];
  readonly alerts: readonly Alert[];
  readonly musters: readonly Muster[];
  /** Absent in the stream of an older service. */
  readonly curves?: readonly FeedCurve[];
  readonly destinations: readonly WebhookDestination[];
  /** Absent in the stream of an older service. */
  readonly tallies?: readonly FeedTally[];
  readonly deliveries: readonly FeedDelivery[];
  readonly truth?: readonly FeedTruth[];
}

export interface FeedChange {
  readonly subject: 'person' | 'worker' | 'site' | 'alert' | 'muster' | 'destination' | 'delivery' | 'clock' | 'truth';
  /** Simulated time. */
  readonly at: string;
  readonly people?: readonly FeedPerson[];
  readonly worker?: FeedWorker;
  readonly site?: FeedSite;
  readonly alert?: Alert;
  readonly muster?: Muster;
  readonly destination?: WebhookDestination;
  readonly delivery?: FeedDelivery;
  readonly clock?: FeedClock;
  readonly truth?: readonly FeedTruth[];
  /** The id of what is no more. */
  readonly gone?: string;
}
