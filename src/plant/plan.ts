/** A plan of companies, plants and people, in metres and names: what a site file or the default world says, before anything has an id. */

import type { Point } from '../base/geometry/shapes.ts';
import type { ElevationSource, MusterKind, PrivacyMode, Scope, Severity, ZoneType } from '../contract/enumerations.ts';
import type { PlannedService } from './thresholds.ts';

export interface Plan {
  readonly organizations: readonly PlannedOrganization[];
}

export interface PlannedContract {
  readonly includeWorkerNames: boolean;
  readonly scopes: readonly Scope[];
  /** Null: not scoped to contractors. */
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
  /** Degrees of the local 0,0; everything else is in metres east and north of it. */
  readonly origin: { readonly latitude: number; readonly longitude: number };
  /** Metres; null: the zones' convex hull grown by 200 m. [decisions 6] */
  readonly boundary: readonly Point[] | null;
  /** Ceiling by kind, milliseconds. */
  readonly plan: Readonly<Partial<Record<MusterKind, number>>>;
  readonly service: PlannedService;
  readonly zones: readonly PlannedZone[];
  /** Areas that are not walkable although no wall is there: rings, metres. Unknown to the service. */
  readonly water?: readonly (readonly Point[])[];
  readonly workers: readonly PlannedWorker[];
  readonly vehicles: readonly PlannedVehicle[];
  readonly permits: readonly PlannedPermit[];
}

/** The people of a plant as numbers, trades and firms; who they are follows from the seed. */
export interface PlannedCrew {
  readonly count: number;
  /** Contractors besides the company itself. A contractor that is listed twice employs twice as many workers. */
  readonly contractors: readonly string[];
  /** Roles. A role that is listed twice is twice as frequent. Empty: the default roles of all plants. */
  readonly roles: readonly string[];
  readonly permits: readonly {
    readonly reference: string;
    readonly zone: string;
    readonly holders: number;
    /** Holders who are in the zone at the start. */
    readonly inside: number;
    /** Milliseconds from the start of the sandbox; null: until it is closed. */
    readonly forMs: number | null;
  }[];
  /** Driven by a worker of that role where there is one. */
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
  /** A point on the ring and the width in metres. */
  readonly doors: readonly { readonly at: Point; readonly widthM: number }[];
  /** Stairs inside that join all floors, and their width in metres; absent: none is drawn. */
  readonly stairs?: readonly { readonly at: Point; readonly widthM: number }[];
}

export interface PlannedWorker {
  readonly externalId: string | null;
  readonly name: string;
  readonly contractor: string | null;
  readonly role: string | null;
  readonly watch: { readonly serial: string; readonly model: string | null; readonly emulated: boolean };
  /** Where the person is at the start, metres. */
  readonly at: Point;
  /** The zone they walk about in. */
  readonly zone: string;
  /** The floor of that zone on which they are at the start; absent: the ground. */
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
  /** Where it stands at the start, metres; absent: with its driver. */
  readonly at?: Point;
  /** Metres per second; absent: that of its type. */
  readonly pace?: number;
}

export interface PlannedPermit {
  readonly reference: string;
  /** The worker's external id. */
  readonly worker: string;
  readonly zone: string;
  /** Milliseconds from the start of the sandbox; null: until it is closed. */
  readonly forMs: number | null;
}
