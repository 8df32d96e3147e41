/** The enumerations of the API specification, each as a list, a schema and a type. */
import type { Static } from 'typebox';
import { MISSING_STATUSES } from './resources/headcount.ts';
import { words } from './shapes.ts';

/** The only version of the interface. It is in every event and in the User-Agent of deliveries [spec 9]. */
export const API_VERSION = '2026-09-24';

/** [spec 2 AlertType] */
export const ALERT_TYPES = [
  'sos',
  'fall_detected',
  'restricted_zone_entry',
  'forbidden_zone_entry',
  'permit_expired_inside',
  'permit_closed_inside',
  'heat_stress',
  'evacuation_help',
  'worker_call_request',
  'device_offline',
  'low_battery',
  'earthquake',
  'tsunami_risk',
] as const;
export const AlertType = words(
  'AlertType',
  'The type of an alert. `earthquake` and `tsunami_risk` concern the whole site [spec 2].',
  ALERT_TYPES,
);
export type AlertType = Static<typeof AlertType>;

/** The severities in ascending order [spec 2 Severity]. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const Severity = words('Severity', 'The severity of an alert, in ascending order [spec 2].', SEVERITIES);
export type Severity = Static<typeof Severity>;

/** True if severity `a` is `b` or higher, as `min_severity` and `unveil_min_severity` require [spec 2]. */
export function severityAtLeast(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) >= SEVERITIES.indexOf(b);
}

/** [spec 2 AlertStatus] */
export const ALERT_STATUSES = ['unacknowledged', 'acknowledged', 'resolved'] as const;
export const AlertStatus = words(
  'AlertStatus',
  'Whether an operator has acknowledged or resolved the alert. A press on the watch does not change it [spec 2].',
  ALERT_STATUSES,
);
export type AlertStatus = Static<typeof AlertStatus>;

/** [spec 6] */
export const EVENT_TYPES = [
  'alert.created',
  'alert.acknowledged',
  'alert.resolved',
  'alert.reopened',
  'alert.worker_acknowledged',
  'muster.started',
  'muster.kind_changed',
  'muster.phase_changed',
  'muster.targets_changed',
  'muster.updated',
  'muster.worker_missing',
  'muster.ended',
] as const;

/** Advice for clients. The lists of this version are complete. */
export const MORE_TYPES = 'More types may be added: ignore an event of a type that you do not know';
export const EventType = words(
  'EventType',
  `The type of an event of an alert or a muster. ${MORE_TYPES} [spec 6].`,
  EVENT_TYPES,
);
export type EventType = Static<typeof EventType>;

/** A subscription to all events of a kind [spec 4]. */
export const EVENT_GROUPS = ['alert.*', 'muster.*'] as const;
export const EventGroup = words('EventGroup', 'All events of alerts, or all events of musters [spec 4].', EVENT_GROUPS);
export type EventGroup = Static<typeof EventGroup>;

/** The values to which a destination subscribes, and that filter the event log: a type or a group [spec 4]. */
export const EVENT_SELECTORS = [...EVENT_TYPES, ...EVENT_GROUPS] as const;
export const EventSelector = words('EventSelector', 'An event type, or a group of them [spec 4].', EVENT_SELECTORS);
export type EventSelector = Static<typeof EventSelector>;

/** [spec 2 Muster] */
export const MUSTER_STATUSES = ['active', 'completed', 'cancelled'] as const;
export const MusterStatus = words('MusterStatus', 'Whether the muster is active or closed [spec 2].', MUSTER_STATUSES);
export type MusterStatus = Static<typeof MusterStatus>;

/** [spec 2 Muster] */
export const MUSTER_PHASES = ['evacuating', 'inspecting'] as const;
export const MusterPhase = words(
  'MusterPhase',
  'The phase of a muster. In the phase `inspecting`, nobody may return until further notice [spec 2].',
  MUSTER_PHASES,
);
export type MusterPhase = Static<typeof MusterPhase>;

/** [spec 2 MusterKind] */
export const MUSTER_KINDS = ['general', 'tsunami', 'earthquake'] as const;
export const MusterKind = words('MusterKind', 'The kind of danger of a muster [spec 2].', MUSTER_KINDS);
export type MusterKind = Static<typeof MusterKind>;

/** [spec 2 Zone] */
export const ZONE_TYPES = ['work_area', 'restricted', 'forbidden', 'assembly_point', 'privacy', 'building'] as const;
export const ZoneType = words('ZoneType', 'The type of a zone [spec 2].', ZONE_TYPES);
export type ZoneType = Static<typeof ZoneType>;

/** [spec 2 Device] */
export const DEVICE_STATUSES = ['active', 'inactive', 'maintenance', 'lost'] as const;
export const DeviceStatus = words('DeviceStatus', 'Whether a watch is in service [spec 2].', DEVICE_STATUSES);
export type DeviceStatus = Static<typeof DeviceStatus>;

/** [spec 2 Site] */
export const PRIVACY_MODES = ['continuous', 'on_demand'] as const;
export const PrivacyMode = words(
  'PrivacyMode',
  'When positions are visible: always, or only on demand [spec 2].',
  PRIVACY_MODES,
);
export type PrivacyMode = Static<typeof PrivacyMode>;

/** [spec 2 Location] */
export const LOCATION_SOURCES = ['gps', 'network', 'zone'] as const;
export const LocationSource = words(
  'LocationSource',
  'The source of a position. `zone`: it is the point of a privacy zone [spec 2].',
  LOCATION_SOURCES,
);
export type LocationSource = Static<typeof LocationSource>;

/** [spec 2 SosDetails] */
export const SOS_TRIGGERS = ['watch_button', 'watch_hardware_button', 'after_fall', 'control_room'] as const;
export const SosTrigger = words('SosTrigger', 'The trigger of an SOS [spec 2].', SOS_TRIGGERS);
export type SosTrigger = Static<typeof SosTrigger>;

/** [spec 2 EvacuationHelpDetails] */
export const HELP_REASONS = ['trapped', 'injured', 'helping'] as const;
export const HelpReason = words('HelpReason', 'The reason why a worker cannot evacuate [spec 2].', HELP_REASONS);
export type HelpReason = Static<typeof HelpReason>;

/** [spec 2 MissingWorker] */
export const MissingStatus = words(
  'MissingStatus',
  'The reason why a worker does not count as safe [spec 2].',
  MISSING_STATUSES,
);

/** [spec 2 AssemblyPoint] */
export const ASSEMBLY_POINT_STATUSES = ['available', 'excluded'] as const;
export const AssemblyPointStatus = words(
  'AssemblyPointStatus',
  'Whether people are sent to the point [spec 2].',
  ASSEMBLY_POINT_STATUSES,
);
export type AssemblyPointStatus = Static<typeof AssemblyPointStatus>;

/** [spec 2 Zone] */
export const ELEVATION_SOURCES = ['dem', 'verified'] as const;
export const ElevationSource = words('ElevationSource', 'The source of an elevation [spec 2].', ELEVATION_SOURCES);
export type ElevationSource = Static<typeof ElevationSource>;

/** [spec 2 Muster] */
export const DEADLINE_SOURCES = ['official', 'plan_estimate'] as const;
export const DeadlineSource = words(
  'DeadlineSource',
  'The source of a deadline. It is never a physical calculation [spec 2].',
  DEADLINE_SOURCES,
);
export type DeadlineSource = Static<typeof DeadlineSource>;

/** [spec 2 Nearby] */
export const NEARBY_KINDS = ['person', 'vehicle'] as const;
export const NearbyKind = words('NearbyKind', 'The kind of object that was within 100 m [spec 2].', NEARBY_KINDS);
export type NearbyKind = Static<typeof NearbyKind>;

/**
 * The statuses of a run in a running sandbox. `error`: the run has no result, because the file, the machine or the
 * user's own system stopped it [decisions 9].
 */
const RUN_STATUSES = ['running', 'passed', 'failed', 'cancelled', 'error', 'skipped', 'known_failure'] as const;
export const RunStatus = words('RunStatus', 'The state or the result of a run [decisions 9].', RUN_STATUSES);
export type RunStatus = Static<typeof RunStatus>;

/**
 * The scopes in the order of the specification's table. A list of granted scopes keeps this order
 * [spec 5, decisions 3].
 */
export const SCOPES = [
  'alerts:read',
  'alerts:write',
  'positions:read',
  'musters:read',
  'workers:read',
  'webhooks:manage',
] as const;
export const Scope = words('Scope', 'A permission of a token [spec 5].', SCOPES);
export type Scope = Static<typeof Scope>;

/** What each scope permits. [spec 5] */
export const SCOPE_WORDS: { readonly [S in Scope]: string } = {
  'alerts:read': 'Read alerts and zones.',
  'alerts:write': 'Acknowledge and resolve alerts, always with the operator.',
  'positions:read': 'Read the positions that the veil allows, and `location` of missing workers.',
  'musters:read': 'Read musters and their headcount.',
  'workers:read': 'Workers and devices.',
  'webhooks:manage': 'Webhook destinations.',
};
