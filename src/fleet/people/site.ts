/** A site as its people and watches know it: zones, walls, doors and the fence, in metres of its frame. */
import type { Coordinates, Point, Ring } from '../../base/geometry.ts';
import type { ZoneType } from '../../contract/enumerations.ts';

export interface FleetSite {
  readonly id: string;
  /** Degrees of the local 0,0; everything else is in metres east and north of it. */
  readonly origin: Coordinates;
  /** The fence; fewer than three corners: none. */
  readonly boundary: Ring;
  readonly zones: readonly FleetZone[];
  readonly vehicles: readonly FleetVehicle[];
}

export interface FleetZone {
  readonly name: string;
  readonly type: ZoneType;
  readonly ring: Ring;
  /** Metres above the ground. */
  readonly floors: readonly { readonly name: string; readonly heightM: number }[];
  readonly doors: readonly { readonly at: Point; readonly widthM: number }[];
}

export interface FleetVehicle {
  readonly name: string;
  readonly type: string;
  /** The serial of its driver's watch. */
  readonly driver: string | null;
  /** Where it stands at the start; absent: with its driver. */
  readonly at?: Point;
  /** Metres per second; absent: that of its type. */
  readonly pace?: number;
}

/** A zone that somebody may enter, as long as the permit lasts; null: until it is closed. */
export interface FleetPermit {
  readonly zone: string;
  readonly until: number | null;
}
