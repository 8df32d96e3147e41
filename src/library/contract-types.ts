/** Resources, events, notices and actions as types. Generated from src/contract: node --import tsx test/generated/write.ts */

/** Something on a site that requires the attention of a person. */
export type Alert =
  | SosAlert
  | FallAlert
  | ZoneAlert
  | HeatStressAlert
  | EvacuationHelpAlert
  | WorkerCallAlert
  | DeviceOfflineAlert
  | LowBatteryAlert
  | HazardAlert;

/** What every alert has, whatever its type. */
export interface AlertCommon {
  id: string;
  severity: Severity;
  status: AlertStatus;
  /** The title. It contains the name of the worker only if the contract includes names. */
  title: string;
  /** The time at which the alert was raised. */
  date_created: string;
  /** The time of the last change. Discard a version that is older than the one that you have. */
  date_last_modified: string;
  site: SiteRef;
  zone: ZoneRef | null;
  /** The worker; null for alerts of a whole site. */
  worker: WorkerRef | null;
  /** The watch; null for alerts of a whole site. */
  device: DeviceRef | null;
  /** The position of the worker when the alert was raised, with the masking of that time. */
  location: Location | null;
  /** Whether a position exists but is not delivered. */
  location_withheld: boolean;
  /** The workers and vehicles nearby when an SOS or a fall was raised; otherwise empty. */
  nearby: readonly Nearby[];
  /** The vehicle warnings from 10 min before the alert until its resolution. */
  vehicle_warnings: readonly VehicleWarning[];
  /** The time, by the clock of the watch, at which the worker pressed acknowledge on it. It does not change `status`. */
  worker_acknowledged_at: string | null;
  /** The acknowledgement; null if there was none, also in a resolved alert. */
  acknowledged: ActionBy | null;
  resolved: Resolved | null;
  /** The name of the person to whom the alert is assigned. */
  assigned_to: string | null;
  /** Whether the alert comes from a drill or from simulated watches. */
  simulated: boolean;
  /** The page of the alert in the panel. */
  panel_url: string;
}

/** An alert of the type sos. */
export interface SosAlert extends AlertCommon {
  type: 'sos';
  details: SosDetails;
}

/** An alert of the type fall_detected. */
export interface FallAlert extends AlertCommon {
  type: 'fall_detected';
  details: FallDetails;
}

/** An alert of the types restricted_zone_entry, forbidden_zone_entry, permit_expired_inside or permit_closed_inside. */
export interface ZoneAlert extends AlertCommon {
  type:
    | 'restricted_zone_entry'
    | 'forbidden_zone_entry'
    | 'permit_expired_inside'
    | 'permit_closed_inside';
  details: ZoneDetails;
}

/** An alert of the type heat_stress. */
export interface HeatStressAlert extends AlertCommon {
  type: 'heat_stress';
  details: HeatStressDetails;
}

/** An alert of the type evacuation_help. */
export interface EvacuationHelpAlert extends AlertCommon {
  type: 'evacuation_help';
  details: EvacuationHelpDetails;
}

/** An alert of the type worker_call_request. */
export interface WorkerCallAlert extends AlertCommon {
  type: 'worker_call_request';
  details: WorkerCallDetails;
}

/** An alert of the type device_offline. */
export interface DeviceOfflineAlert extends AlertCommon {
  type: 'device_offline';
  details: DeviceOfflineDetails;
}

/** An alert of the type low_battery. */
export interface LowBatteryAlert extends AlertCommon {
  type: 'low_battery';
  details: LowBatteryDetails;
}

/** An alert of the types earthquake or tsunami_risk. */
export interface HazardAlert extends AlertCommon {
  type: 'earthquake' | 'tsunami_risk';
  details: HazardDetails;
}

/** An alert type. */
export type AlertType = Alert['type'];

/** The trigger of the SOS. */
export interface SosDetails {
  trigger: SosTrigger;
}

/** The trigger of an SOS. */
export type SosTrigger = 'watch_button' | 'watch_hardware_button' | 'after_fall' | 'control_room';

/** Whether the unanswered fall became an SOS. */
export interface FallDetails {
  /** True if the worker did not answer the are-you-ok prompt. */
  escalated_to_sos: boolean;
}

/** The kind of zone and the work permit in force, if any. */
export interface ZoneDetails {
  zone_type: GuardedZoneType;
  /** The reference of the work permit in force; null if there is none. */
  permit_reference: string | null;
}

/** The two kinds of zone that raise alerts. */
export type GuardedZoneType = 'restricted' | 'forbidden';

/** The worker must stop and rest. No value is derived from the pulse. */
export interface HeatStressDetails {
  action: 'stop_and_rest';
  /** The plant’s heat index in °C. */
  heat_index_c: number | null;
  sun_exposure_minutes: number | null;
}

/** The reason why the worker cannot evacuate. */
export interface EvacuationHelpDetails {
  reason: HelpReason | null;
  muster_id: string;
}

/** The reason why a worker cannot evacuate. */
export type HelpReason = 'trapped' | 'injured' | 'helping';

/** Whether a voice note was recorded. */
export interface WorkerCallDetails {
  /** Whether the watch recorded a voice note, because it had no coverage. */
  voice_note: boolean;
}

/** The time for which the watch has sent nothing. */
export interface DeviceOfflineDetails {
  minutes_silent: number;
}

/** The charge that was reported. */
export interface LowBatteryDetails {
  battery_pct: number;
}

/** An earthquake or a tsunami risk for the whole site. */
export interface HazardDetails {
  magnitude: number | null;
  distance_km: number | null;
  /** Whether it is an official bulletin that a person confirmed. */
  official: boolean;
  felt_at_site: boolean;
  /** The time at which the wave is expected. */
  eta: string | null;
}

/** The severity of an alert, in ascending order. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** Whether an operator has acknowledged or resolved the alert. A press on the watch does not change it. */
export type AlertStatus = 'unacknowledged' | 'acknowledged' | 'resolved';

/** A reference to a site. */
export interface SiteRef {
  id: string;
  name: string;
}

/** A reference to a zone. */
export interface ZoneRef {
  id: string;
  name: string;
}

/** A worker. `name` is present only if the contract includes names. */
export interface WorkerRef {
  id: string;
  /** The code of the worker in the staff system of the company. */
  external_id: string | null;
  /** The name. The key is absent if the contract does not include names. */
  name?: string;
  contractor: string | null;
}

/** A watch. */
export interface DeviceRef {
  id: string;
  serial: string;
  /** The charge in percent. */
  battery: number | null;
  date_last_seen: string | null;
}

/** A position. If it is masked, it is the representative point of the privacy zone. */
export interface Location {
  latitude: number;
  longitude: number;
  uncertainty_m: number | null;
  source: LocationSource;
  /** True if the point is the representative point of a privacy zone. */
  masked: boolean;
  position_date_utc: string;
  height: Height | null;
}

/** The source of a position. `zone`: it is the point of a privacy zone. */
export type LocationSource = 'gps' | 'network' | 'zone';

/** The height above ground by barometer, if it can be asserted. */
export interface Height {
  height_m: number;
  uncertainty_m: number;
  building: string | null;
  floor: string | null;
}

/** A worker or a vehicle within 100 m when an SOS or a fall was raised, with the distance only. */
export interface Nearby {
  kind: NearbyKind;
  worker: {
    id: string | null;
    /** The code of the worker in the staff system of the company. */
    external_id: string | null;
    /** The name. The key is absent if the contract does not include names. */
    name?: string;
    contractor: string | null;
  };
  vehicle_type: string | null;
  /** Whole metres, rounded down. */
  distance_m: number;
  /** The time of the position from which the distance was calculated. */
  reported_at: string;
}

/** The kind of object that was within 100 m. */
export type NearbyKind = 'person' | 'vehicle';

/** A vehicle notice that the person received. */
export interface VehicleWarning {
  /** The time at which the watch showed the notice. */
  at: string;
  vehicle_type: string | null;
  distance_m: number;
  worker_acknowledged_at: string | null;
}

/** The person who did it, and the time. */
export interface ActionBy {
  at: string;
  /** The name of the panel user, or of the customer’s operator who acted through the API. */
  by: string;
}

/** The person who resolved the alert, the time, and the note. */
export interface Resolved {
  at: string;
  /** The name of the panel user, or of the customer’s operator who acted through the API. */
  by: string;
  note: string | null;
}

/** An evacuation of a site. */
export interface Muster {
  id: string;
  site: SiteRef;
  status: MusterStatus;
  phase: MusterPhase;
  kind: MusterKind;
  reason: string | null;
  started_at: string;
  ended_at: string | null;
  deadline: Deadline | null;
  /** The origin of the danger; null if there is none, as in a drill. */
  origin: Origin | null;
  /** Increases each time the targets change. */
  targets_revision: number;
  totals: Totals;
  assembly_points: readonly AssemblyPoint[];
}

/** Whether the muster is active or closed. */
export type MusterStatus = 'active' | 'completed' | 'cancelled';

/** The phase of a muster. In the phase `inspecting`, nobody may return until further notice. */
export type MusterPhase = 'evacuating' | 'inspecting';

/** The kind of danger of a muster. */
export type MusterKind = 'general' | 'tsunami' | 'earthquake';

/** The time by which everybody should be safe. */
export interface Deadline {
  at: string;
  source: DeadlineSource;
}

/** The source of a deadline. It is never a physical calculation. */
export type DeadlineSource = 'official' | 'plan_estimate';

/** The danger from which people are evacuated; with a zone, the radius is measured from its border. */
export interface Origin {
  latitude: number;
  longitude: number;
  radius_m: number;
  label: string | null;
  zone: ZoneRef | null;
}

/** The headcount, identical to the banner of the panel. In a closed muster, some fields are null. */
export interface Totals {
  /** All workers whom the muster expects. */
  expected: number;
  safe: number;
  help: number | null;
  wrong_point: number | null;
  pending: number | null;
  no_signal: number | null;
  not_worn: number | null;
}

/** An assembly point of the muster; excluded points are listed too. */
export interface AssemblyPoint {
  id: string;
  name: string;
  status: AssemblyPointStatus;
  /** The number of workers who are safe at this point; null in a closed muster. */
  count: number | null;
  excluded: {
    reason: string;
    /** Whether the system had recommended the exclusion. A person decided it. */
    recommended: boolean;
    at: string;
    by: string;
  } | null;
}

/** Whether people are sent to the point. */
export type AssemblyPointStatus = 'available' | 'excluded';

/** A worker whom the muster expects and who is not safe. */
export interface MissingWorker {
  worker: WorkerRef;
  device: DeviceRef | null;
  status: MissingStatus;
  /** Whether the worker has an open SOS or fall, and has not arrived. */
  needs_rescue: boolean;
  help_reason: HelpReason | null;
  assembly_point: {
    id: string;
    name: string;
    valid: boolean;
  } | null;
  /** The time at which the worker declared to be at an assembly point. */
  declared_at: string | null;
  last_seen_at: string | null;
  location: Location | null;
  /** Whether a position exists but is not delivered. */
  location_withheld: boolean;
}

/** The reason why a worker does not count as safe. */
export type MissingStatus = 'help' | 'wrong_point' | 'pending' | 'no_signal' | 'not_worn';

/** An industrial site and its privacy rule. */
export interface Site {
  id: string;
  name: string;
  location: string | null;
  privacy_mode: PrivacyMode;
  /** In `on_demand` mode: the lowest severity of an open alert at which the position of the worker is visible. */
  unveil_min_severity: Severity;
}

/** When positions are visible: always, or only on demand. */
export type PrivacyMode = 'continuous' | 'on_demand';

/** A part of a site; a privacy zone exposes only its name and type. */
export interface Zone {
  id: string;
  name: string;
  type: ZoneType;
  /** The border of the zone; null for privacy zones. */
  geometry: Polygon | null;
  /** The properties of an assembly point; null for zones of other types. */
  assembly_point: ZoneAssemblyPoint | null;
}

/** The type of a zone. */
export type ZoneType = 'work_area' | 'restricted' | 'forbidden' | 'assembly_point' | 'privacy' | 'building';

/** A GeoJSON polygon, WGS84: rings of [longitude, latitude]. */
export interface Polygon {
  type: 'Polygon';
  coordinates: readonly (readonly (readonly [number, number])[])[];
}

/** The properties of an assembly point. */
export interface ZoneAssemblyPoint {
  serves: readonly MusterKind[];
  elevation_m: number | null;
  elevation_source: ElevationSource | null;
  /** Whether the assembly point is an elevated shelter in a building. */
  vertical: boolean;
  capacity: number | null;
}

/** The source of an elevation. */
export type ElevationSource = 'dem' | 'verified';

/** A person who works on a site. */
export interface Worker {
  id: string;
  /** The code of the worker in the staff system of the company. */
  external_id: string | null;
  /** The name. The key is absent if the contract does not include names. */
  name?: string;
  contractor: string | null;
  role: string | null;
  is_active: boolean;
  device: DeviceRef | null;
  /** The time of the last position or of the last contact of the watch, whichever is later. */
  date_last_seen: string | null;
}

/** A watch and the worker who wears it. */
export interface Device {
  id: string;
  serial: string;
  /** The charge in percent. */
  battery: number | null;
  date_last_seen: string | null;
  model: string | null;
  status: DeviceStatus;
  worn: boolean | null;
  worker: WorkerRef | null;
}

/** Whether a watch is in service. */
export type DeviceStatus = 'active' | 'inactive' | 'maintenance' | 'lost';

/** The current position of a worker, if the veil allows it. */
export interface Position {
  device_id: string;
  worker: WorkerRef;
  location: Location;
  in_vehicle: boolean;
}

/** A customer’s receiver of events. */
export interface WebhookDestination {
  id: string;
  /** https, a public address. */
  url: string;
  event_types: readonly EventSelector[];
  filters: WebhookFilters;
  /** Whether the destination is active. Failed deliveries never deactivate it. */
  is_active: boolean;
  /** The time of the first failed attempt after the last success; null if the last attempt succeeded. */
  failing_since: string | null;
  created_at: string;
}

/** An event type, or a group of them. */
export type EventSelector =
  | 'alert.created'
  | 'alert.acknowledged'
  | 'alert.resolved'
  | 'alert.reopened'
  | 'alert.worker_acknowledged'
  | 'muster.started'
  | 'muster.kind_changed'
  | 'muster.phase_changed'
  | 'muster.targets_changed'
  | 'muster.updated'
  | 'muster.worker_missing'
  | 'muster.ended'
  | 'alert.*'
  | 'muster.*';

/** Restrictions on the subscribed events that are delivered. */
export interface WebhookFilters {
  /** Only events of these sites. */
  site_ids?: readonly string[];
  /** Only alerts of this severity or higher. Events of musters are not restricted. */
  min_severity?: Severity;
  /** Only events that affect these contractors. */
  contractors?: readonly string[];
}

/** The new destination and its secret. */
export interface WebhookDestinationCreated {
  id: string;
  /** https, a public address. */
  url: string;
  event_types: readonly EventSelector[];
  filters: WebhookFilters;
  /** Whether the destination is active. Failed deliveries never deactivate it. */
  is_active: boolean;
  /** The time of the first failed attempt after the last success; null if the last attempt succeeded. */
  failing_since: string | null;
  created_at: string;
  /** The signing secret. No other response contains it. */
  secret: string;
}

/** The body of a webhook delivery, and an item of the event log. Deduplicate by `id`. */
export type Event = AlertEvent | MusterEvent;

/** An event of an alert. */
export interface AlertEvent {
  /** The id of the event. Deduplicate by it, because delivery is at least once. */
  id: string;
  type: AlertEventType;
  api_version: '2026-09-24';
  /** The time at which the event occurred. Order events by it. */
  created_at: string;
  /** The company that owns the site; null in test events. */
  organization_id: string | null;
  site_id: string;
  data: {
    alert: Alert;
  };
}

/** The event types of alerts. More types may be added: ignore an event of a type that you do not know. */
export type AlertEventType =
  | 'alert.created'
  | 'alert.acknowledged'
  | 'alert.resolved'
  | 'alert.reopened'
  | 'alert.worker_acknowledged';

/** An event of a muster. */
export interface MusterEvent {
  /** The id of the event. Deduplicate by it, because delivery is at least once. */
  id: string;
  type: MusterEventType;
  api_version: '2026-09-24';
  /** The time at which the event occurred. Order events by it. */
  created_at: string;
  /** The company that owns the site; null in test events. */
  organization_id: string | null;
  site_id: string;
  data: {
    muster: Muster;
  };
}

/** The event types of musters. More types may be added: ignore an event of a type that you do not know. */
export type MusterEventType =
  | 'muster.started'
  | 'muster.kind_changed'
  | 'muster.phase_changed'
  | 'muster.targets_changed'
  | 'muster.updated'
  | 'muster.worker_missing'
  | 'muster.ended';

/** The type of an event of an alert or a muster. More types may be added: ignore an event of a type that you do not know. */
export type EventType =
  | 'alert.created'
  | 'alert.acknowledged'
  | 'alert.resolved'
  | 'alert.reopened'
  | 'alert.worker_acknowledged'
  | 'muster.started'
  | 'muster.kind_changed'
  | 'muster.phase_changed'
  | 'muster.targets_changed'
  | 'muster.updated'
  | 'muster.worker_missing'
  | 'muster.ended';

/** The problem, in the format of RFC 9457. */
export interface Problem {
  /** {base_url}/problems/<slug>. */
  type: string;
  title: string;
  status: number;
  detail?: string;
  /** The request path. */
  instance?: string;
  code: ProblemCode;
  errors?: readonly ProblemError[];
}

/** The stable code to program against. The set is open: accept codes that you do not know, and treat them by their status. */
export type ProblemCode =
  | 'malformed_request'
  | 'malformed_json'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'site_not_accessible'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'action_refused'
  | 'invalid_transition'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'invalid_cursor'
  | 'invalid_destination_url'
  | 'validation_failed'
  | 'query_time_exceeded'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'storage_unavailable'
  | (string & Record<never, never>);

/** One broken rule and its place. */
export interface ProblemError {
  /** A JSON pointer into the body, or ?name for a query parameter. */
  pointer: string;
  detail: string;
}

/** A permission of a token. */
export type Scope =
  | 'alerts:read'
  | 'alerts:write'
  | 'positions:read'
  | 'musters:read'
  | 'workers:read'
  | 'webhooks:manage';

/** A page of a longer list. */
export interface Page<T> {
  data: T[];
  /** For `cursor` of the next request; null when there is no more. */
  next_cursor: string | null;
}

/** A whole list. */
export interface List<T> {
  data: T[];
}

/** The outcome of one delivery attempt. Times are simulated, ISO 8601. */
export interface AttemptNotice {
  readonly kind: 'delivery-attempted';
  readonly at: string;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  /** The id of the event's alert or muster. */
  readonly object_id: string;
  readonly destination_id: string;
  readonly url: string;
  /** Counts from 1. */
  readonly try: number;
  readonly offset_ms: number;
  readonly result: 'delivered' | 'waiting' | 'lost';
  readonly status: number | null;
  readonly error: string | null;
  readonly signatures: number;
  readonly took_ms: number;
  /** Set for a duplicate after the delivery, which at-least-once allows: the number of the copy, from 2. */
  readonly copy?: number;
}

/** The part of the program where an exception was contained. */
export type FailedPart =
  | 'command'
  | 'listener'
  | 'task'
  | 'request'
  | 'uplink'
  | 'delivery'
  | 'stream'
  | 'watch'
  | 'person';

export type Notice =
  | {
      readonly kind: 'event-occurred';
      readonly at: string;
      /** Rendered for the company; includes test events. */
      readonly event: Event;
      readonly listed: boolean;
    }
  | {
      readonly kind: 'alert-changed';
      readonly at: string;
      readonly organization_id: string;
      /** The alert as a client of the company without contractor limits would see it. */
      readonly alert: Alert;
    }
  | {
      readonly kind: 'muster-changed';
      readonly at: string;
      readonly organization_id: string;
      readonly muster: Muster;
    }
  | {
      readonly kind: 'destination-changed';
      readonly at: string;
      readonly organization_id: string;
      readonly destination: WebhookDestination;
    }
  | { readonly kind: 'destination-deleted'; readonly at: string; readonly destination_id: string }
  | AttemptNotice
  | {
      /** The e-mail to a company's technical contact about lost deliveries. */
      readonly kind: 'mail-sent';
      readonly at: string;
      readonly id: string;
      readonly organization_id: string;
      readonly to: string;
      readonly subject: string;
      readonly text: string;
    }
  | {
      /** The mail server refused an e-mail. `again` is true if it is tried again. */
      readonly kind: 'mail-refused';
      readonly at: string;
      readonly id: string;
      readonly to: string;
      readonly why: string;
      readonly again: boolean;
    }
  | {
      /** A request of a known client was answered. */
      readonly kind: 'request-answered';
      readonly at: string;
      readonly organization_id: string;
      readonly method: string;
      readonly path: string;
      readonly query: string;
      readonly status: number;
      readonly code: string | null;
      /**
       * Identifies the access token, valid or expired, and is not secret: the beginning of its SHA-256; null if the
       * token is unknown.
       */
      readonly token_hash: string | null;
      /** The `Retry-After` of a 429, seconds; null if the client is within its limits. */
      readonly retry_after_s: number | null;
    }
  | { readonly kind: 'watch-online'; readonly at: string; readonly serial: string }
  | { readonly kind: 'watch-offline'; readonly at: string; readonly serial: string }
  | { readonly kind: 'uplink-heard'; readonly at: string; readonly serial: string; readonly event: string }
  | {
      readonly kind: 'watch-refused';
      readonly at: string;
      readonly serial: string | null;
      readonly what: string;
      readonly why: string;
      /** Occurrences since the last notice of the same kind; repeats are counted and not all reported. */
      readonly times: number;
    }
  | {
      /** Valid and accepted, but production might reject it, or it indicates a fault of the watch. */
      readonly kind: 'watch-noted';
      readonly at: string;
      readonly serial: string;
      readonly what: string;
      readonly why: string;
    }
  | {
      /** A contained exception: it ended one operation only. */
      readonly kind: 'internal-error';
      readonly at: string;
      readonly part: FailedPart;
      /** The failed operation: a command's type, a watch's serial, a request. */
      readonly what: string;
      /** Occurrences; reported at each power of two. */
      readonly times: number;
      /** Name and message of the error. */
      readonly detail: string;
      /** The whole error with its stack. */
      readonly error: string;
      /**
       * The command without its secrets, for a replay. It may contain coordinates, so only the operator of the sandbox
       * may see it.
       */
      readonly command: object | null;
    }
  | {
      /** The connection to an external broker was lost, was restored, or was taken over by another process. */
      readonly kind: 'broker-changed';
      readonly at: string;
      readonly connected: boolean;
      readonly detail: string;
    }
  /**
   * A run in the running sandbox ended without a result: its file, the machine or the user's own system stopped it. It
   * may contain commands, so only the operator of the sandbox may see it.
   */
  | { readonly kind: 'run-stopped'; readonly at: string; readonly scenario: string; readonly detail: string }
  /** A node joined, left, or released its work. Only if several nodes share a database. */
  | { readonly kind: 'nodes-changed'; readonly at: string; readonly detail: string }
  | { readonly kind: 'storage-full'; readonly at: string; readonly detail: string }
  | { readonly kind: 'storage-broken'; readonly at: string; readonly detail: string };

export type NoticeKind = Notice['kind'];

/** The fields of bodies that name those who act. */
export type PeopleField = 'who' | 'near';

/** Every action: the fields of its body, and what its answer names. */
export interface Actions {
  /** Press SOS. The worker presses the SOS button. Without coverage, the watch stores the press and sends it later. */
  sos: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The button that is pressed, or the answer that is given. Default: "watch_button". */
      with?: 'watch_button' | 'watch_hardware_button';
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id: string;
      /** The worker had an open alert of this type already: the action joined it, and no event was sent. */
      joined?: boolean;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Fall. The worker falls and the watch reports it. Without an answer within the prompt time, the fall becomes an SOS. A worker who does not answer "OK" stays on the ground. This ends with `free`, with the answer "OK" while the watch shows the prompt, or when the fall alert or the SOS is resolved; for a scripted worker, also with a step that moves the worker. */
  fall: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The answer of the worker to the prompt. Default: "never". */
      answers?: 'ok' | 'help' | 'never';
      /** The time after which the worker answers, such as 10s. */
      answers_after?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id: string;
      /** The worker had an open alert of this type already: the action joined it, and no event was sent. */
      joined?: boolean;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Answer the fall prompt. The worker answers the are-you-ok prompt that the watch shows. The action is refused if the watch shows no prompt. */
  answer: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The button that is pressed, or the answer that is given. */
      with: 'ok' | 'help';
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id?: string;
      /** The worker had an open alert of this type already: the action joined it, and no event was sent. */
      joined?: boolean;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Press acknowledge. The worker acknowledges an alert on the watch. Without `alert`, it is the newest open alert that is not yet acknowledged. */
  press_ack: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The id of the alert. */
      alert?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Report that a worker cannot evacuate. During a muster, the worker reports on the watch that they cannot evacuate, and why: trapped, injured or helping. A worker who helps a colleague can move. Any other worker, also without a reason, stays in place until `free`, or until the alert is resolved. The action is refused without a muster. */
  cannot_evacuate: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** One of the three reasons; null: no reason is given. */
      reason?: HelpReason | null;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id: string;
      /** The worker had an open alert of this type already: the action joined it, and no event was sent. */
      joined?: boolean;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Free a worker. Frees a worker who is trapped, injured or on the ground after a fall, so that the worker can move again. In a muster the worker walks to an assembly point, otherwise the worker continues to work. A scripted worker stays in place until a step moves the worker. The action does not change the alert. A worker is also freed when the alert that keeps the worker in place is resolved. */
  free: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Request a call. The worker requests a call. Without coverage, the watch records a voice note, and sends both when it has coverage again. */
  call_request: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** Whether the watch records a voice note. Default: true without coverage, otherwise false. */
      voice_note?: boolean;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id: string;
      /** The worker had an open alert of this type already: the action joined it, and no event was sent. */
      joined?: boolean;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Declare that a worker is at an assembly point. The worker reports on the watch at which assembly point they are. The action does not move the worker. */
  declare: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The id or the name of the assembly point. */
      point: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Put the watch on or take it off. The worker puts the watch on, or takes it off. A watch that is taken off stays in its place. `unknown` means that it has no wrist sensor. */
  wear: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      is: 'on' | 'off' | 'unknown';
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Set the battery. Sets the charge of the watch in percent (`pct`), the percentage points that it loses in an hour from now on (`drain`), or both. */
  battery: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The charge in percent. */
      pct?: number;
      /** The loss of charge in percentage points per hour; 0: no loss. */
      drain?: number;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id?: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Lose or regain signal. The watch loses its network, its GPS or both, or regains them. With `back`, the action returns when the watch is connected again. */
  signal: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      is: 'lost' | 'back';
      kind?: 'network' | 'gps' | 'both';
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Change the watch. Changes the status of the watch, replaces it by another one (`swap_to`: a serial), or makes its clock wrong. */
  device: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      status?: DeviceStatus;
      /** The serial of another watch of the site, or of a new one. If a colleague wears it, the two exchange their watches. */
      swap_to?: string;
      /** The time by which the watch’s clock is ahead of the true time. A minus sign means behind. */
      clock_skew?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
    };
  };
  /** Change the worker. Changes whether the worker is active, the role, or the contractor (null: none). The change applies to everything that is rendered afterwards. */
  worker: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** Whether the worker is active. */
      active?: boolean;
      /** The new role; null: none. */
      role?: string | null;
      /** The new contractor; null: none. */
      contractor?: string | null;
    };
    result: {
      worker_id: string;
      device_id: string;
    };
  };
  /** Move a worker. The worker begins to walk or drive to a zone, a point or a colleague, around buildings. The action does not wait for the arrival. An autonomous worker who is trapped, injured or on the ground cannot move: the action is refused until `free`, or until the alert is resolved. For a scripted worker it is not refused: it also frees the worker, and the alert stays open. */
  move: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** A zone (id or name), {latitude, longitude}, or [x, y] metres from the site’s origin. */
      to: string | {
        latitude: number;
        longitude: number;
      } | readonly [number, number];
      /** Places to pass on the way. */
      via?: string | {
        latitude: number;
        longitude: number;
      } | readonly [number, number] | readonly (string | {
        latitude: number;
        longitude: number;
      } | readonly [number, number])[];
      /** The speed in metres per second. Default: the worker’s own walking speed. */
      pace?: number;
      /** Whether the worker is in a vehicle. */
      in_vehicle?: boolean;
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Enter a zone. Puts the worker inside the zone at once, far enough from the border that the position fix is certainly inside. The action is refused for a worker who cannot move, as in `move`. */
  enter: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The id or the name of the zone. */
      zone: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id?: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Leave a zone. Puts the worker outside the zone at once, far enough from the border that the position fix is certainly outside. The action is refused for a worker who cannot move, as in `move`. */
  leave: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The id or the name of the zone. */
      zone: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Report an exact position. The watch reports exactly this position fix at once, and the worker stays there until the next move. A worker who is trapped, injured or on the ground remains so. */
  position: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** A zone (id or name), {latitude, longitude}, or [x, y] metres from the site’s origin. */
      at?: string | {
        latitude: number;
        longitude: number;
      } | readonly [number, number];
      /** The source of the position fix. Default: "gps". */
      source?: 'gps' | 'network';
      /** The uncertainty in metres; null: unknown. */
      uncertainty_m?: number | null;
      /** The height above ground that the watch reports, in metres. */
      height_m?: number;
      /** The building that the watch reports; null: unknown. */
      building?: string | null;
      /** The floor that the watch reports; null: unknown. */
      floor?: string | null;
      /** Whether the worker is in a vehicle. */
      in_vehicle?: boolean;
    };
    result: {
      worker_id: string;
      device_id: string;
      /** True if the watch has no coverage, stores the message and sends it later (202). */
      buffered?: boolean;
    };
  };
  /** Bring a vehicle near a worker. A vehicle comes near the worker, and the watch shows a warning. Open SOS and fall alerts of the worker list the warning. */
  vehicle: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      near: string;
      type?: string | null;
      /** The distance in metres, or with a unit, such as 12m. */
      distance?: number | string;
      /** The time after which the worker acknowledges the warning, such as 5s. */
      acknowledged_after?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
    };
  };
  /** Open, expire or close a work permit. Opens, expires or closes a work permit, which allows the worker to enter the zone. If it ends while the worker is inside, an alert is raised. Without coverage, the last known position counts. */
  permit: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The id or the name of the zone. */
      zone: string;
      is: 'open' | 'expired' | 'closed';
      /** The reference of the permit. */
      reference?: string;
      /** A duration from now (90s, 15m) or an ISO time. */
      until?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      permit_id: string;
      alert_id?: string;
    };
  };
  /** Set the heat. Sets the heat index and the minutes of sun of one worker, or of all workers outdoors. Set either the index, or temperature and humidity (the dew point must be at most 35 degrees C). Outdoors is every zone but a building. While an alert of heat of the worker is open, no other is raised. */
  heat: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who?: string;
      /** The id or the name of the site. It can be omitted if there is only one site, or if the worker determines the site. */
      site?: string;
      /** The heat index in degrees C; null: not measured. */
      index_c?: number | null;
      /** The air temperature in degrees C. */
      temperature_c?: number;
      /** The relative humidity in percent. */
      humidity_pct?: number;
      /** The time that the worker has been in the sun until now, such as 90m. */
      sun?: string;
    };
    result: {
      site_id?: string;
      worker_id?: string;
      device_id?: string;
      alert_id?: string;
    };
  };
  /** Set the wind. Sets the direction that the wind comes from, and its speed. The system recommends to exclude assembly points downwind of the origin of a muster. */
  wind: {
    body: {
      /** The id or the name of the site. It can be omitted if there is only one site, or if the worker determines the site. */
      site?: string;
      /** The direction that the wind comes from, in degrees clockwise from north. */
      from_deg: number;
      /** The speed in metres per second. */
      speed?: number;
    };
    result: {
      site_id: string;
    };
  };
  /** Report an earthquake or a tsunami. Reports an official bulletin that a person confirmed, or the service’s own estimate. It raises the alert of the site. */
  hazard: {
    body: {
      kind: 'earthquake' | 'tsunami_risk';
      /** The id or the name of the site. It can be omitted if there is only one site, or if the worker determines the site. */
      site?: string;
      /** The magnitude; null: unknown. */
      magnitude?: number | null;
      /** The distance from the site in km; null: unknown. */
      distance_km?: number | null;
      /** true: an official bulletin that a person confirmed. false: an estimate of the service. Default: false. */
      official?: boolean;
      /** Whether the event was felt at the site. Default: estimated from magnitude and distance. */
      felt_at_site?: boolean;
      /** A duration from now (90s, 15m) or an ISO time. */
      eta?: string;
    };
    result: {
      site_id: string;
      alert_id?: string;
    };
  };
  /** Start a muster. A person in the control room starts an evacuation. A site can have one active muster. */
  start_muster: {
    body: {
      kind: MusterKind;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      /** The id or the name of the site. */
      site?: string;
      /** The reason, in free text. */
      reason?: string;
      /** The origin of the danger, with the radius of its effect. */
      origin?: {
        /** A zone (id or name), {latitude, longitude}, or [x, y] metres from the site’s origin. */
        at?: string | {
          latitude: number;
          longitude: number;
        } | readonly [number, number];
        /** A whole zone as the origin. The radius is measured from its border. */
        zone?: string;
        radius_m?: number;
        label?: string;
      };
      /** A duration from now (90s, 15m) or an ISO time. */
      deadline?: string;
      /** Default: `official` if a deadline is given, otherwise the source of the plan. */
      deadline_source?: DeadlineSource;
    };
    result: {
      muster_id: string;
      site_id: string;
    };
  };
  /** Change the kind of a muster. Changes the kind of the active muster. The muster then uses the assembly points that serve the new kind. Excluded points stay excluded. */
  change_kind: {
    body: {
      /** The id of the muster. It can be omitted if only one muster is active. */
      muster?: string;
      to: MusterKind;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      /** A duration from now (90s, 15m) or an ISO time. */
      deadline?: string;
      /** Default: `official` if a deadline is given, otherwise the source of the plan. */
      deadline_source?: DeadlineSource;
    };
    result: {
      muster_id: string;
      site_id: string;
    };
  };
  /** Exclude an assembly point. Excludes an assembly point from the muster. From the next headcount on, the workers at the point count as at a wrong point. A worker who is too low in a vertical assembly point counts as not arrived, excluded or not. */
  exclude_point: {
    body: {
      /** The id of the muster. It can be omitted if only one muster is active. */
      muster?: string;
      /** The id or the name of the assembly point. */
      point: string;
      /** The reason, in free text. */
      reason: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
    };
    result: {
      muster_id: string;
      site_id: string;
    };
  };
  /** Reinstate an assembly point. Makes an excluded assembly point available again. The action is refused if the point is not excluded. */
  reinstate_point: {
    body: {
      /** The id of the muster. It can be omitted if only one muster is active. */
      muster?: string;
      /** The id or the name of the assembly point. */
      point: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
    };
    result: {
      muster_id: string;
      site_id: string;
    };
  };
  /** Mark a worker safe. The control room confirms that the worker is safe. Without `point`, the worker counts as safe, but at no assembly point. */
  mark_safe: {
    body: {
      /** The id of the muster. It can be omitted if only one muster is active. */
      muster?: string;
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      /** The id or the name of the assembly point. */
      point?: string;
    };
    result: {
      muster_id: string;
      site_id: string;
      worker_id: string;
      device_id: string;
    };
  };
  /** Inspect the plant. The headcount is complete, and the control room inspects the plant. The watches show that the workers must not return. The action is refused while a worker is missing. */
  inspect: {
    body: {
      /** The id of the muster. It can be omitted if only one muster is active. */
      muster?: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
    };
    result: {
      muster_id: string;
      site_id: string;
    };
  };
  /** End a muster. Ends the muster as completed or cancelled, from either phase. The last headcount is kept. */
  end_muster: {
    body: {
      /** The id of the muster. It can be omitted if only one muster is active. */
      muster?: string;
      /** The outcome with which the muster ends. */
      outcome: 'completed' | 'cancelled';
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
    };
    result: {
      muster_id: string;
      site_id: string;
    };
  };
  /** Acknowledge an alert. An operator takes charge of the alert, through the API or in the panel. */
  acknowledge: {
    body: {
      /** The id of the alert. */
      alert: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      /** A remark for the timeline of the alert. */
      note?: string;
      /** The staff code of the operator. */
      external_id?: string;
      /** api: through the API, as the customer’s own system does it. panel: in the panel. Default: "api". */
      via?: 'api' | 'panel';
    };
    result: {
      alert_id: string;
    };
  };
  /** Resolve an alert. An operator closes the alert with a reason, through the API or in the panel. `note` becomes `resolved.note` of the alert; the reason is in its timeline. */
  resolve: {
    body: {
      /** The id of the alert. */
      alert: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      /** A remark for the timeline of the alert. */
      note?: string;
      /** The staff code of the operator. */
      external_id?: string;
      /** api: through the API, as the customer’s own system does it. panel: in the panel. Default: "api". */
      via?: 'api' | 'panel';
      /** The reason, in free text. */
      reason?: string;
    };
    result: {
      alert_id: string;
    };
  };
  /** Reopen an alert. A panel user opens a resolved alert again. The action is refused while a newer alert of the same kind is open. */
  reopen: {
    body: {
      /** The id of the alert. */
      alert: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
    };
    result: {
      alert_id: string;
    };
  };
  /** Assign an alert. A panel user assigns an open alert to a person; by default to the panel user. */
  assign: {
    body: {
      /** The id of the alert. */
      alert: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      to?: string;
    };
    result: {
      alert_id: string;
    };
  };
  /** Raise an SOS for a worker. The control room raises an SOS on behalf of a worker. */
  panel_sos: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
      alert_id: string;
      /** The worker had an open alert of this type already: the action joined it, and no event was sent. */
      joined?: boolean;
    };
  };
  /** Approve a position request. Shows the position of the worker for the given time, although no alert is open. Only for a site in `on_demand` mode. */
  unveil: {
    body: {
      /** An external_id or id of a worker, or the serial of a watch. */
      who: string;
      /** The name of the operator who performs the action. Default: "Control room". */
      by?: string;
      /** The duration, such as 15m. */
      duration?: string;
    };
    result: {
      worker_id: string;
      device_id: string;
    };
  };
  /** End the tokens of a company. Expires or revokes all access tokens of the company. The next call with one of them gets 401. In a scenario, an `api` step then requests a new token and repeats its call, so it does not fail. To test the 401, use `token: expired` in the step `api`. */
  token: {
    body: {
      /** The company whose tokens expire. */
      expire?: string;
      /** The company whose tokens are revoked. */
      revoke?: string;
    };
    result: {
      client_id: string;
    };
  };
  /** Change the limits of a company. Sets the requests and the seconds of query time that are allowed in a minute, and a factor on the query time. Use it to test both kinds of 429. */
  limits: {
    body: {
      /** The name or the client_id of the company. */
      company?: string;
      /** The number of requests that the client may send in a minute. */
      requests_per_minute?: number;
      /** The seconds of query time that the client may use in a minute. */
      query_seconds_per_minute?: number;
      /** The factor by which the measured query time is multiplied. */
      query_time_factor?: number;
      /** The time after which the default limits apply again. The `Retry-After` of a 429 does not exceed it. In a scenario, `for` sets it. */
      ends_after?: string;
    };
    result: {
      client_id: string;
    };
  };
  /** Change the privacy of a site. Changes the privacy mode, and the lowest severity at which a position is shown. Existing alerts keep their location. */
  privacy: {
    body: {
      /** The id or the name of the site. */
      site: string;
      mode?: PrivacyMode;
      unveil_min_severity?: Severity;
    };
    result: {
      site_id: string;
    };
  };
  /** Change the contract of a company. Changes names, scopes, and the contractors that the client may see (null: all). The change applies to everything that is rendered afterwards. */
  contract: {
    body: {
      /** The name or the client_id of the company. */
      company?: string;
      /** Whether the client sees names of workers. */
      include_worker_names?: boolean;
      /** The scopes of the client. */
      scopes?: readonly Scope[];
      /** The contractors that the client may see; null: all. */
      contractors?: readonly string[] | null;
    };
    result: {
      client_id: string;
    };
  };
  /** Disturb the deliveries to a receiver. Changes how events are delivered to a receiver from now on. `duplicate` delivers each event several times. `shuffle` adds a random delay up to the given duration, so that events overtake each other. `hold` adds the given delay. A receiver must handle all of them. */
  deliveries: {
    body: {
      /** The id, the url or the host of the destination. */
      to: string;
      /** The number of times that each event is delivered. */
      duplicate?: number;
      /** The longest random delay of a delivery, such as 30s. */
      shuffle?: string;
      /** The delay of each delivery, such as 30s. */
      hold?: string;
    };
    result: Record<never, never>;
  };
  /** Deliver events of the log again. Delivers the event with the given id, or all events since the given time, oldest first. Each has the same id and body, a new signature and 30 attempts from now on. `only` restricts the event types. At most 1,000 events. */
  resend: {
    body: {
      /** The id, the url or the host of the destination. */
      to: string;
      /** The id of the event. */
      event?: string;
      /** The time back from now, such as 10m. */
      since?: string;
      /** Only these event types. */
      only?: readonly EventSelector[];
    };
    result: {
      /** The number of events that are delivered again. */
      resent: number;
    };
  };
  /** Stop or start the broker, or drop its clients. Stops or starts the broker, or drops its clients. While the broker is stopped, no watch is connected. If it drops its clients, the watches connect again by themselves. */
  broker: {
    body: {
      /** The change of the broker. */
      does: 'stop' | 'start' | 'drop_clients';
      /** An external_id or id of a worker, or the serial of a watch. */
      who?: string;
    };
    result: {
      worker_id?: string;
      device_id?: string;
    };
  };
  /** Make the API fail. Makes API requests fail with a 5xx, or delays their answers by the given wall time. This applies to all requests, to those of a path, or to a share of them. A share of 0 ends the fault. */
  api_fault: {
    body: {
      /** The status of the answer. 502 and 504 have an HTML body, like the answer of a gateway. */
      status?: 500 | 502 | 503 | 504;
      /** The delay of each response in wall time, such as 2s. */
      slow?: string;
      /** Only requests whose path begins with this text. */
      path?: string;
      /** The share of the requests that are affected, from 0 to 1. Default: 1. */
      share?: number;
    };
    result: Record<never, never>;
  };
}

/** What an action touched or made. */
export type ActionResult<N extends keyof Actions = keyof Actions> = Actions[N]['result'];
