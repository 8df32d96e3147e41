/** A site as its people and watches know it: zones, walls, doors and the fence, in metres of its frame. */
import type { Coordinates, Point, Ring } from '../../../base/geometry/shapes.ts';
import type { ZoneType } from '../../../contract/enumerations.ts';

export interface FleetSite {
  readonly id: string;
  /** Degrees of the local 0,0; everything else is in metres east and north of it. */
  readonly origin: Coordinates;
  /** The fence; fewer than three corners: none. */
  readonly boundary: Ring;
  readonly zones: readonly FleetZone[];
  /** Areas where people cannot walk or drive. */
  readonly water?: readonly Ring[];
  readonly vehicles: readonly FleetVehicle[];
}

export interface FleetZone {
  readonly name: string;
  readonly type: ZoneType;
  readonly ring: Ring;
  /** Metres above the ground. */
  readonly floors: readonly FleetFloor[];
  readonly doors: readonly { readonly at: Point; readonly widthM: number }[];
  /** Stairs between all floors, each at one place inside; absent or none: one in the middle. */
  readonly stairs?: readonly { readonly at: Point; readonly widthM: number }[];
  /** People that an assembly point has room for; null or absent: as many as its area holds. */
  readonly capacity?: number | null;
  /** Of a shelter that is served by height, metres above the ground; null or absent: its lowest floor of refuge. */
  readonly minHeightM?: number | null;
}

interface FleetFloor {
  readonly name: string;
  readonly heightM: number;
  /** People gather there in a muster that sends them up. */
  readonly refuge?: boolean;
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

/** A zone that a person may enter while the permit lasts; null: until it is closed. */
export interface FleetPermit {
  readonly zone: string;
  readonly until: number | null;
}

/** A person on a site, with the watch that they wear. */
export interface SitePerson {
  /** Of the watch; chance goes by it. */
  readonly serial: string;
  /** Where they are at the start. */
  readonly at: Point;
  /** Where they work. */
  readonly area: Ring;
  /** The name of the zone that the area is. */
  readonly zone?: string;
  /** The floor on which they are at the start; absent: the ground. */
  readonly floor?: string;
  /** Metres per second. */
  readonly pace: number;
  /** A scripted worker stands still without actions, its battery is steady and its fixes are exact. */
  readonly behave: 'auto' | 'scripted';
  readonly permits?: readonly FleetPermit[];
}
