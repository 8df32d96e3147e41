/** The documents that make up the world: one plain object each, which is replaced and never changed in place. */
import type { Instant } from '../../../base/time/clock.ts';
import type {
  AlertStatus,
  AlertType,
  EventGroup,
  EventType,
  LocationSource,
  NearbyKind,
  Scope,
  Severity,
} from '../../../contract/enumerations.ts';
import type { AlertDetails } from '../../../contract/resources.ts';
import type { Fix, TimelineEntry, WorkerSnapshot } from './embedded.ts';
import type { GuestScenario } from './guest.ts';
import type { CourseStretch, Expected, Muster, Roll } from './muster-documents.ts';
import type {
  Client,
  Device,
  Organization,
  Permit,
  Site,
  Stay,
  Unveiling,
  Vehicle,
  Warning,
  Worker,
  Zone,
} from './plant.ts';

export type * from './guest.ts';
export type * from './muster-documents.ts';
export type * from './plant.ts';

/** The latest telemetry of a watch: kept in memory and written behind. */
export interface Telemetry {
  readonly id: string;
  readonly fix: Fix | null;
  readonly batteryPct: number | null;
  readonly charging: boolean;
  readonly worn: boolean | null;
  readonly session: number;
  /** The place of the last battery report; null: none since the last birth that began the numbers anew. */
  readonly batteryPlace: { readonly session: number; readonly seq: number } | null;
  readonly firmware: string | null;
  readonly lastContactAt: Instant | null;
  /** Guarded zones that contain the last fix but not the one before it. [decisions 5, two fixes running] */
  readonly entering: readonly string[];
  /** Intervals of the last hours outdoors by daylight, the oldest first. */
  readonly sun: readonly (readonly [from: Instant, to: Instant])[];
  /** True if the last fix was outdoors by daylight. */
  readonly inSun: boolean;
  /** The assembly points that the wearer is in, and since when; almost always none or one. [decisions 6] */
  readonly stays: readonly PointStay[];
}

/** A stay in an assembly point, by fixes that are precise enough. `since` is the arrival of the first of them. */
export interface PointStay {
  readonly pointId: string;
  readonly since: Instant;
  /**
   * True if the last fix was outside by more than its uncertainty. A second consecutive one ends the stay.
   * [decisions 6]
   */
  readonly outside?: boolean;
}

/** A location as the API may show it: masked if a privacy zone requires it. */
export interface ShownLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly uncertaintyM: number | null;
  readonly source: LocationSource;
  readonly masked: boolean;
  readonly at: Instant;
  readonly height: Fix['height'];
}

export interface DeviceSnapshot {
  readonly id: string;
  readonly serial: string;
  readonly batteryPct: number | null;
  readonly lastSeenAt: Instant | null;
}

export interface NearbyEntry {
  readonly kind: NearbyKind;
  readonly worker: WorkerSnapshot;
  readonly vehicleType: string | null;
  readonly distanceM: number;
  readonly reportedAt: Instant;
}

export interface Alert {
  readonly id: string;
  readonly organizationId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly status: AlertStatus;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly site: { readonly id: string; readonly name: string };
  readonly zone: { readonly id: string; readonly name: string } | null;
  readonly worker: WorkerSnapshot | null;
  readonly device: DeviceSnapshot | null;
  readonly location: ShownLocation | null;
  readonly locationWithheld: boolean;
  readonly details: AlertDetails;
  readonly nearby: readonly NearbyEntry[];
  readonly vehicleWarnings: readonly Pick<
    Warning,
    'id' | 'at' | 'vehicleType' | 'distanceM' | 'workerAcknowledgedAt'
  >[];
  readonly workerAcknowledgedAt: Instant | null;
  readonly acknowledged: { readonly at: Instant; readonly by: string } | null;
  readonly resolved: { readonly at: Instant; readonly by: string; readonly note: string | null } | null;
  readonly assignedTo: string | null;
  /**
   * Identifies the subject, which has at most one open alert. A second report of the same subject is merged into that
   * alert. [decisions 5]
   */
  readonly subject: string;
  readonly timeline: readonly TimelineEntry[];
}

/** A fall prompt. It belongs to the service, not to the watch. [watch-protocol] */
export interface Prompt {
  readonly id: string;
  /** The `id` of the fall message, to which the watch refers in its answer. */
  readonly fallId: string;
  readonly alertId: string;
  readonly deviceId: string;
  readonly siteId: string;
  readonly until: Instant;
}

export interface Destination {
  readonly id: string;
  readonly organizationId: string;
  readonly clientId: string;
  readonly url: string;
  readonly eventTypes: readonly (EventType | EventGroup)[];
  readonly filters: {
    readonly siteIds?: readonly string[];
    readonly minSeverity?: Severity;
    readonly contractors?: readonly string[];
  };
  readonly isActive: boolean;
  readonly failingSince: Instant | null;
  readonly createdAt: Instant;
  readonly secret: string;
  readonly previousSecret: { readonly secret: string; readonly validUntil: Instant } | null;
  /**
   * Set for a destination of `sandbox listen`: its `url` may be any address, and the client does not see it. Absent for
   * a destination of the client. [decisions 9]
   */
  readonly session?: DestinationSession;
}

export interface DestinationSession {
  /** True if an https receiver is accepted with a certificate that no CA has signed. */
  readonly skipVerify: boolean;
  /** The instant at which the command last renewed its lease. */
  readonly joinedAt: Instant;
  /** The name of the listener, if there are several at one address. Absent if the address has one destination. */
  readonly listener?: string;
}

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly destinationId: string;
  /** 0 is delivered first. [decisions 7] */
  readonly priority: 0 | 1 | 2;
  readonly eventAt: Instant;
  /** Index of the next attempt in the retry schedule. */
  readonly slot: number;
  readonly due: Instant;
  readonly tries: number;
  readonly state: 'waiting' | 'delivered' | 'lost';
  readonly lastStatus: number | null;
  /**
   * The instant at which a resent event began its retry schedule; absent if the schedule began with the event itself.
   */
  readonly resentAt?: Instant;
}

/** An issued access token; its id is the token's hash. [decisions 3] */
export interface Token {
  readonly id: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Wall time in real and scaled runs, simulated time in lock-step. */
  readonly expiresAt: number;
  readonly revoked: boolean;
}

/**
 * A watch message that was accepted, so that a repeated one is recognised. `id`: the watch's id and the message's id.
 */
interface AcceptedUplink {
  readonly id: string;
  readonly at: Instant;
  /** A digest of its content. */
  readonly content: string;
}

/** The latest instants of an organization's events and alert changes. Both strictly increase. [decisions 1, 5] */
export interface OrganizationClock {
  /** The organization's id. */
  readonly id: string;
  /** The last `created_at` of its listed events; 0 before the first. */
  readonly lastEventAt: Instant;
  /** The last `date_last_modified` of its alerts; 0 before the first. */
  readonly lastModifiedAt: Instant;
}

/** A lost delivery that no e-mail has reported yet; its id is that of the delivery. [spec 6.6, decisions 7] */
export interface LostDelivery {
  readonly id: string;
  readonly destinationId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly eventAt: Instant;
}

/** An e-mail to a technical contact. [spec 6.6, decisions 7] */
export interface ContactMail {
  readonly id: string;
  readonly at: Instant;
  readonly organizationId: string;
  readonly destinationId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** True until the mail server has accepted the e-mail. Always false without a mail server. */
  readonly waits: boolean;
}

/** State of the sandbox itself that must survive a restart. */
export interface Meta {
  readonly id: 'meta';
  /** The salt of ids. */
  readonly salt: string;
  /** The configuration from which the world was made. Another world needs another data folder. */
  readonly origin: string;
}

/** The simulated time, and its offset from the wall clock. [decisions 9, a restart] */
export interface ClockReading {
  readonly id: 'clock';
  readonly now: Instant;
  readonly offsetMs: number;
  /** The part of the offset that was caused by a wrong wall clock; ms. Absent if none. */
  readonly strayMs?: number;
}

export interface Documents {
  organization: Organization;
  client: Client;
  site: Site;
  zone: Zone;
  worker: Worker;
  device: Device;
  vehicle: Vehicle;
  permit: Permit;
  stay: Stay;
  warning: Warning;
  unveiling: Unveiling;
  telemetry: Telemetry;
  alert: Alert;
  prompt: Prompt;
  destination: Destination;
  delivery: Delivery;
  token: Token;
  heard: AcceptedUplink;
  organizationClock: OrganizationClock;
  muster: Muster;
  expected: Expected;
  course: CourseStretch;
  roll: Roll;
  guest: GuestScenario;
  lost: LostDelivery;
  mail: ContactMail;
  meta: Meta;
  clock: ClockReading;
}
export type Kind = keyof Documents;

type Stored<K extends Kind> = { readonly kind: K; readonly id: string; readonly document: Documents[K] };

/** A site, or an object that is on a site from the beginning. */
export type PlantDocument = { [K in 'site' | 'zone' | 'worker' | 'device' | 'vehicle' | 'permit']: Stored<K> }[
  | 'site'
  | 'zone'
  | 'worker'
  | 'device'
  | 'vehicle'
  | 'permit'];

/** Every kind, in the order in which a world is loaded. */
export const KINDS = [
  'meta',
  'clock',
  'organization',
  'client',
  'site',
  'zone',
  'worker',
  'device',
  'vehicle',
  'permit',
  'stay',
  'warning',
  'unveiling',
  'telemetry',
  'alert',
  'prompt',
  'destination',
  'delivery',
  'token',
  'heard',
  'organizationClock',
  'muster',
  'expected',
  'course',
  'roll',
  'guest',
  'lost',
  'mail',
] as const satisfies readonly Kind[];

/** One event as it was rendered when it occurred. It is never rendered again. [decisions 1] */
export interface EventRecord {
  readonly id: string;
  readonly type: EventType;
  readonly organizationId: string;
  readonly siteId: string;
  readonly objectId: string;
  /** The contractor of the alert's worker; null for site-wide alerts and musters. */
  readonly contractor: string | null;
  readonly createdAt: Instant;
  readonly body: string;
  /** False for a test event, which is delivered but is in no log. [decisions 7] */
  readonly listed: boolean;
  /** The client's contract hid the object when the event occurred: the client never gets the event, whatever its contract is later. [decisions 1] */
  readonly hidden: boolean;
}
