/** Documents of the plant and its people: companies, sites, zones, workers, watches, vehicles, permits. */

import type { Point } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type {
  DeviceStatus,
  ElevationSource,
  MusterKind,
  PrivacyMode,
  Scope,
  Severity,
  ZoneType,
} from '../../../contract/enumerations.ts';
import type { Thresholds } from '../../../plant/thresholds.ts';

/** A customer, who owns sites and workers and has one API client. [spec 5] */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly technicalContact: string;
}

/**
 * An API client and its contract. `contractors` is null if the contract is not limited to contractors. [decisions 3]
 */
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
  /** The degrees of the local point 0,0. Every ring is in metres east and north of it. */
  readonly origin: { readonly latitude: number; readonly longitude: number };
  readonly boundary: readonly Point[];
  /** The time limits of the site's plan by kind; milliseconds. */
  readonly plan: Readonly<Partial<Record<MusterKind, number>>>;
  readonly thresholds: Thresholds;
  /** The plant's heat index, degrees C; null if it is not measured. */
  readonly heatIndexC: number | null;
  /**
   * The direction from which the wind blows, degrees from north, and its speed in metres per second; null if unknown.
   */
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
  /** False for a spare watch, which is left to the user's own client. */
  readonly emulated: boolean;
  /** True from a low-battery alert until the battery has risen above the clearing level. [decisions 5] */
  readonly batteryLow: boolean;
  /** True from a reported silence until contact, so that there is no second `device_offline`. */
  readonly silenceReported: boolean;
  /** The heat index at this watch, degrees C; null for that of the plant. */
  readonly heatIndexC: number | null;
  /** The instant of the wearer's last heat alert; null if there was none. [decisions 5 `heat_stress`] */
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
  /** Null while the permit is in force. */
  readonly endedAt: Instant | null;
}

/**
 * A person's stay inside a zone that needs a permit or is forbidden, from entry to exit. `id` is device/zone.
 * [decisions 5]
 */
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
  /** The vehicle, if it belongs to the plant; else null. */
  readonly vehicleId: string | null;
  readonly vehicleType: string | null;
  readonly distanceM: number;
  readonly workerAcknowledgedAt: Instant | null;
}

/** An approved request to see a worker's position; `id` is that of the worker. [decisions 4] */
export interface Unveiling {
  readonly id: string;
  readonly by: string;
  readonly until: Instant;
}
