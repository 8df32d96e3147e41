/** Documents of the plant and its people: companies, sites, zones, workers, watches, vehicles, permits. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import type {
  DeviceStatus,
  ElevationSource,
  MusterKind,
  PrivacyMode,
  Scope,
  Severity,
  ZoneType,
} from '../../contract/enumerations.ts';
import type { Thresholds } from '../../plant/thresholds.ts';

/** A customer: it owns sites and workers and has one API client. [spec 5] */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly technicalContact: string;
}

/** An API client and its contract. [decisions 3] `contractors` null: not scoped to any. */
export interface Client {
  readonly id: string;
  readonly organizationId: string;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly includeWorkerNames: boolean;
  readonly contractors: readonly string[] | null;
}

export interface Site {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly location: string | null;
  readonly privacyMode: PrivacyMode;
  readonly unveilMinSeverity: Severity;
  /** Degrees of the local 0,0; every ring is in metres east and north of it. */
  readonly origin: { readonly latitude: number; readonly longitude: number };
  readonly boundary: readonly Point[];
  /** Ceiling of the site's plan by kind, milliseconds. */
  readonly plan: Readonly<Partial<Record<MusterKind, number>>>;
  readonly thresholds: Thresholds;
  /** The plant's heat index, degrees C; null: not measured. */
  readonly heatIndexC: number | null;
  /** Where it blows from, degrees from north, and metres per second; null: not known. */
  readonly wind: { readonly fromDeg: number; readonly speedMs: number } | null;
}

export interface Floor {
  readonly name: string;
  /** Height of the floor above ground, metres. */
  readonly heightM: number;
  readonly refuge: boolean;
}

export interface Zone {
  readonly id: string;
  readonly siteId: string;
  readonly name: string;
  readonly type: ZoneType;
  readonly ring: readonly Point[];
  readonly assemblyPoint: {
    readonly serves: readonly MusterKind[];
    readonly elevationM: number | null;
    readonly elevationSource: ElevationSource | null;
    readonly vertical: boolean;
    readonly capacity: number | null;
    readonly minHeightM: number | null;
  } | null;
  readonly floors: readonly Floor[];
}

export interface Worker {
  readonly id: string;
  readonly organizationId: string;
  readonly siteId: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly contractor: string | null;
  readonly role: string | null;
  readonly isActive: boolean;
  readonly deviceId: string | null;
}

export interface Device {
  readonly id: string;
  readonly organizationId: string;
  readonly siteId: string;
  readonly serial: string;
  readonly keyHash: string;
  readonly model: string | null;
  readonly status: DeviceStatus;
  readonly workerId: string | null;
  /** A spare watch is left to the user's own client. */
  readonly emulated: boolean;
  /** True from a low-battery alert until the battery has risen above the clearing level. [decisions 5] */
  readonly batteryLow: boolean;
  /** The silence that was already reported: no second `device_offline` until contact. */
  readonly silenceReported: boolean;
  /** The heat index where this watch is, degrees C; null: that of the plant. */
  readonly heatIndexC: number | null;
  /** When heat was last an alert for its wearer. [decisions 5 `heat_stress`] */
  readonly heatAlertedAt: Instant | null;
}

export interface Vehicle {
  readonly id: string;
  readonly siteId: string;
  readonly type: string;
  readonly driverId: string | null;
}

export interface Permit {
  readonly id: string;
  readonly siteId: string;
  readonly workerId: string;
  readonly zoneId: string;
  readonly reference: string;
  readonly until: Instant | null;
  /** Null while it is in force. */
  readonly endedAt: Instant | null;
}

/** A person is inside a zone that needs a permit or is forbidden: from the entry to the exit. `id` is device/zone. [decisions 5] */
export interface Stay {
  readonly id: string;
  readonly deviceId: string;
  readonly zoneId: string;
  readonly since: Instant;
}

/** A proximity warning that a watch showed. [spec 2 VehicleWarning] */
export interface Warning {
  readonly id: string;
  readonly deviceId: string;
  readonly at: Instant;
  /** The vehicle, where it is one of the plant's. */
  readonly vehicleId: string | null;
  readonly vehicleType: string | null;
  readonly distanceM: number;
  readonly workerAcknowledgedAt: Instant | null;
}

/** An approved request to see a worker's position; `id` is the worker's. [decisions 4] */
export interface Unveiling {
  readonly id: string;
  readonly by: string;
  readonly until: Instant;
}
