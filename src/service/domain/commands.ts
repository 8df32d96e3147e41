/** The commands that the engine decides: named in the imperative, already parsed and authenticated at the boundary. */
import type { Instant } from '../../base/time/clock.ts';
import type { DeviceStatus, MusterKind, PrivacyMode, Scope, Severity } from '../../contract/enumerations.ts';
import type {
  Client,
  ContactMail,
  Delivery,
  Destination,
  DestinationSession,
  GuestScenario,
  MusterDeadline,
  MusterOrigin,
  PlantDocument,
  Worker,
} from './world/documents.ts';
import type { Fix } from './world/embedded.ts';

/** An event message of a watch. Two watches may use one `uplinkId`. [watch-protocol, fine print] */
export interface Uplink {
  readonly deviceId: string;
  readonly uplinkId: string;
  /** The session of the watch that sent the message; absent: unknown. */
  readonly session?: number;
  /** By the watch's own clock. */
  readonly watchTime: Instant;
}

/** The place of a report in the stream of its watch. [watch-protocol, fine print, Order] */
export interface StreamPlace {
  readonly session: number;
  readonly seq: number;
}

/**
 * How a birth arrived. `again`: redelivered (DUP). `retained`: the broker kept it from earlier, so it is no message from
 * now. [watch-protocol, Retained messages]
 */
type BirthArrival = 'live' | 'again' | 'retained';

/** The key that identifies the message among those of all watches. */
export const uplinkKey = ({ deviceId, uplinkId }: Pick<Uplink, 'deviceId' | 'uplinkId'>): string =>
  `${deviceId}/${uplinkId}`;

/** A control-room action on a muster. */
interface Steering {
  readonly musterId: string;
  readonly by: string;
}

/** The heat index in degrees C, and the sun exposure to set; `sunMs` is null to keep the measured exposure. */
interface HeatReport {
  readonly indexC: number | null;
  readonly sunMs: number | null;
}

export type Command =
  // A watch sends a report.
  | {
      readonly type: 'report-birth';
      readonly deviceId: string;
      readonly session: number;
      readonly firmware: string | null;
      /** Default: `live`. */
      readonly arrival?: BirthArrival;
    }
  | {
      readonly type: 'report-position';
      readonly deviceId: string;
      /** The oldest first; `at` is by the watch's own clock. */
      readonly fixes: readonly (Fix & { readonly worn: boolean | null })[];
      /** Absent: unknown. */
      readonly session?: number;
    }
  | {
      readonly type: 'report-battery';
      readonly deviceId: string;
      readonly pct: number;
      readonly charging: boolean;
      /** Absent: the report counts as the newest. */
      readonly place?: StreamPlace;
    }
  | ({ readonly type: 'report-sos'; readonly trigger: 'watch_button' | 'watch_hardware_button' } & Uplink)
  | ({ readonly type: 'report-fall' } & Uplink)
  | ({ readonly type: 'answer-prompt'; readonly fallId: string; readonly answer: 'ok' | 'help' } & Uplink)
  | ({ readonly type: 'acknowledge-on-watch'; readonly alertId: string | null } & Uplink)
  | ({ readonly type: 'request-call'; readonly voiceNote: boolean } & Uplink)
  | ({ readonly type: 'report-help'; readonly reason: 'trapped' | 'injured' | 'helping' | null } & Uplink)
  | ({ readonly type: 'declare-at-point'; readonly pointId: string } & Uplink)
  | ({ readonly type: 'acknowledge-vehicle'; readonly warningId: string } & Uplink)
  | { readonly type: 'regain-contact'; readonly deviceId: string }
  // Something is due.
  | { readonly type: 'expire-permit'; readonly permitId: string }
  | { readonly type: 'expire-prompt'; readonly promptId: string }
  | { readonly type: 'judge-silence'; readonly deviceId: string }
  | { readonly type: 'count-muster'; readonly musterId: string }
  // A person decides, in the panel or through the API.
  | {
      readonly type: 'update-alert';
      readonly alertId: string;
      readonly status: 'acknowledged' | 'resolved';
      readonly by: string;
      /** The actor, for the timeline. */
      readonly actor: string;
      readonly reason: string | null;
      readonly note: string | null;
    }
  | { readonly type: 'reopen-alert'; readonly alertId: string; readonly by: string }
  | { readonly type: 'assign-alert'; readonly alertId: string; readonly by: string; readonly to: string }
  | { readonly type: 'panel-sos'; readonly workerId: string; readonly by: string }
  | { readonly type: 'unveil'; readonly workerId: string; readonly by: string; readonly until: Instant }
  // What happens at the plant.
  | {
      readonly type: 'open-permit';
      readonly workerId: string;
      readonly zoneId: string;
      /** Undefined for the next number of the site. */
      readonly reference?: string;
      /** Null if it lasts until it is closed. */
      readonly until: Instant | null;
    }
  | { readonly type: 'close-permit'; readonly permitId: string }
  /** For everyone outdoors. `indexC` is null if the index is no longer measured. */
  | ({ readonly type: 'report-plant-heat'; readonly siteId: string } & HeatReport)
  /** `indexC` is null for the index of the plant again. */
  | ({ readonly type: 'report-person-heat'; readonly deviceId: string } & HeatReport)
  | {
      readonly type: 'report-wind';
      readonly siteId: string;
      readonly wind: { readonly fromDeg: number; readonly speedMs: number } | null;
    }
  | {
      readonly type: 'report-hazard';
      readonly siteId: string;
      readonly hazard: 'earthquake' | 'tsunami_risk';
      readonly official: boolean;
      readonly magnitude: number | null;
      readonly distanceKm: number | null;
      readonly feltAtSite: boolean;
      readonly eta: Instant | null;
    }
  | {
      readonly type: 'warn-of-vehicle';
      readonly deviceId: string;
      readonly vehicleType: string | null;
      readonly distanceM: number;
    }
  | ({ readonly type: 'change-worker'; readonly workerId: string } & Partial<
      Pick<Worker, 'isActive' | 'role' | 'contractor'>
    >)
  | { readonly type: 'change-device'; readonly deviceId: string; readonly status: DeviceStatus }
  | {
      readonly type: 'swap-watch';
      readonly workerId: string;
      readonly serial: string;
      /** The key hash of a watch that is new to the service. */
      readonly keyHash: string;
    }
  // The control room manages an evacuation; the API cannot. [spec 1.3]
  | {
      readonly type: 'start-muster';
      readonly siteId: string;
      readonly kind: MusterKind;
      readonly reason: string | null;
      readonly origin: MusterOrigin | null;
      /** Null for the deadline of the plan, if it has one. */
      readonly deadline: MusterDeadline | null;
      readonly by: string;
    }
  | ({
      readonly type: 'change-muster-kind';
      readonly kind: MusterKind;
      readonly deadline: MusterDeadline | null;
    } & Steering)
  | ({ readonly type: 'exclude-point'; readonly pointId: string; readonly reason: string } & Steering)
  | ({ readonly type: 'reinstate-point'; readonly pointId: string } & Steering)
  /** `pointId` is null for a worker who is safe at no point. */
  | ({ readonly type: 'mark-safe'; readonly workerId: string; readonly pointId: string | null } & Steering)
  | ({ readonly type: 'inspect-plant' } & Steering)
  | ({ readonly type: 'end-muster'; readonly outcome: 'completed' | 'cancelled' } & Steering)
  // The customer's API client.
  | {
      readonly type: 'issue-token';
      readonly hash: string;
      readonly clientId: string;
      readonly scopes: readonly Scope[];
      readonly expiresAt: number;
    }
  | ({
      readonly type: 'create-destination';
      readonly session?: Pick<DestinationSession, 'skipVerify' | 'listener'>;
    } & Pick<Destination, 'organizationId' | 'clientId' | 'url' | 'eventTypes' | 'filters' | 'secret'>)
  | { readonly type: 'delete-destination'; readonly destinationId: string }
  | { readonly type: 'rotate-secret'; readonly destinationId: string; readonly secret: string }
  | {
      readonly type: 'resend-events';
      readonly destinationId: string;
      /** Events of the destination's company, in the order in which they are sent. */
      readonly events: readonly Pick<Delivery, 'eventId' | 'eventType' | 'eventAt' | 'priority'>[];
    }
  /**
   * The e-mail was sent, or written to its file. `lostIds`: the deliveries that it reports. Null if their destination
   * was deleted.
   */
  | { readonly type: 'keep-mail'; readonly mail: ContactMail | null; readonly lostIds: readonly string[] }
  | { readonly type: 'test-destination'; readonly destinationId: string; readonly nonce: string }
  // Actions of the sandbox itself, which no client of the real service can do.
  | ({ readonly type: 'change-contract'; readonly clientId: string } & Partial<
      Pick<Client, 'includeWorkerNames' | 'scopes' | 'contractors'>
    >)
  | { readonly type: 'end-tokens'; readonly clientId: string; readonly how: 'expire' | 'revoke'; readonly at: number }
  | {
      readonly type: 'change-privacy';
      readonly siteId: string;
      readonly mode?: PrivacyMode;
      readonly unveilMinSeverity?: Severity;
    }
  /** New documents of sites and of the objects on them. */
  | { readonly type: 'join-plant'; readonly guest: GuestScenario; readonly documents: readonly PlantDocument[] }
  | { readonly type: 'leave-plant'; readonly guestId: string }
  // The sender reports the outcome of an attempt.
  | {
      readonly type: 'settle-delivery';
      readonly deliveryId: string;
      readonly attemptedAt: Instant;
      readonly delivered: boolean;
      readonly status: number | null;
    };

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>;

/** The result of a command that was not rejected: the ids of what it created or changed. */
export interface Done {
  readonly alertId?: string;
  /** The alert was already open: it got a line in its timeline, and no event is emitted. [decisions 5] */
  readonly joined?: boolean;
  readonly permitId?: string;
  readonly deviceId?: string;
  readonly musterId?: string;
  readonly destination?: Destination;
  /** The world already was in the requested state. */
  readonly unchanged?: boolean;
  /**
   * Why the message was acknowledged but ignored: it was accepted before, or refers to something that does not exist.
   */
  readonly dropped?: string;
}
