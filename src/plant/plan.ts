/** A plan of companies, plants and people, in metres and names: a site file or the default world before ids are assigned. */

import type { Point } from '../base/geometry/shapes.ts';
import type { ElevationSource, MusterKind, PrivacyMode, Scope, Severity, ZoneType } from '../contract/enumerations.ts';
import type { PlannedService } from './thresholds.ts';

export interface Plan {
  readonly organizations: readonly PlannedOrganization[];
}

export interface PlannedContract {
  readonly includeWorkerNames: boolean;
  readonly scopes: readonly Scope[];
  /** Null if the contract is not limited to contractors. */
  readonly contractors: readonly string[] | null;
  readonly technicalContact: string;
}

export interface PlannedOrganization {
  readonly name: string;
  readonly contract: PlannedContract;
  readonly sites: readonly PlannedSite[];
}

export interface PlannedSite {
  readonly name: string;
  readonly location: string | null;
  readonly privacyMode: PrivacyMode;
  readonly unveilMinSeverity: Severity;
  /** The degrees of the local point 0,0. Everything else is in metres east and north of it. */
  readonly origin: { readonly latitude: number; readonly longitude: number };
  /** The corners in metres; null: the convex hull of the zones, enlarged by 200 m. [decisions 6] */
  readonly boundary: readonly Point[] | null;
  /** The time limit by kind of muster; milliseconds. */
  readonly plan: Readonly<Partial<Record<MusterKind, number>>>;
  readonly service: PlannedService;
  readonly zones: readonly PlannedZone[];
  /** Areas that are not walkable although they have no walls: rings, metres. The service does not know them. */
  readonly water?: readonly (readonly Point[])[];
  readonly workers: readonly PlannedWorker[];
  readonly vehicles: readonly PlannedVehicle[];
  readonly permits: readonly PlannedPermit[];
}

/** The people of a plant as a number, roles and contractors. The seed determines the individual people. */
export interface PlannedCrew {
  readonly count: number;
  /** Contractors besides the company itself. A contractor that is listed twice employs twice as many workers. */
  readonly contractors: readonly string[];
  /** Roles. A role that is listed twice is twice as frequent. If empty, the default roles of all plants apply. */
  readonly roles: readonly string[];
  readonly permits: readonly {
    readonly reference: string;
    readonly zone: string;
    readonly holders: number;
    /** Holders who are in the zone at the start. */
    readonly inside: number;
    /** Milliseconds from the start of the sandbox; null if the permit lasts until it is closed. */
    readonly forMs: number | null;
  }[];
  /** Each is driven by a worker with that role, if there is one. */
  readonly vehicles: readonly { readonly name: string; readonly type: string; readonly role: string }[];
}

export interface PlannedZone {
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
  readonly floors: readonly { readonly name: string; readonly heightM: number; readonly refuge: boolean }[];
  /** Each has a point on the ring, and its width in metres. */
  readonly doors: readonly { readonly at: Point; readonly widthM: number }[];
  /** Stairs inside that join all floors, each with its width in metres; absent if the file has none. */
  readonly stairs?: readonly { readonly at: Point; readonly widthM: number }[];
}

export interface PlannedWorker {
  readonly externalId: string | null;
  readonly name: string;
  readonly contractor: string | null;
  readonly role: string | null;
  readonly watch: { readonly serial: string; readonly model: string | null; readonly emulated: boolean };
  /** The person's position at the start, metres. */
  readonly at: Point;
  /** The zone in which they work. */
  readonly zone: string;
  /** The floor of that zone where they are at the start; absent: the ground. */
  readonly floor?: string;
  readonly worn: 'on' | 'off' | 'unknown';
  readonly batteryPct: number;
  /** Metres per second. */
  readonly pace: number;
  /** A scripted worker stands still until an action moves it. */
  readonly behave: 'auto' | 'scripted';
}

export interface PlannedVehicle {
  readonly name: string;
  readonly type: string;
  /** The driver's external id. */
  readonly driver: string | null;
  /** The vehicle's position at the start, metres; absent: with its driver. */
  readonly at?: Point;
  /** Metres per second; absent: the pace of its type. */
  readonly pace?: number;
}

export interface PlannedPermit {
  readonly reference: string;
  /** The worker's external id. */
  readonly worker: string;
  readonly zone: string;
  /** Milliseconds from the start of the sandbox; null if the permit lasts until it is closed. */
  readonly forMs: number | null;
}
