/** A site as its people and watches know it: zones, walls, doors and the fence, in metres of its local frame. */
import type { Coordinates, Point, Ring } from '../../../base/geometry/shapes.ts';
import type { ZoneType } from '../../../contract/enumerations.ts';

export interface FleetSite {
  readonly id: string;
  /** The degrees of the local point 0,0. Everything else is in metres east and north of it. */
  readonly origin: Coordinates;
  /** The fence; with fewer than three corners there is none. */
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
  /** The floors; heights in metres above the ground. */
  readonly floors: readonly FleetFloor[];
  readonly doors: readonly { readonly at: Point; readonly widthM: number }[];
  /** Stairs between all floors, each at one place inside. If absent or empty, there is one in the middle. */
  readonly stairs?: readonly { readonly at: Point; readonly widthM: number }[];
  /** The number of people that an assembly point holds; null or absent: computed from its area. */
  readonly capacity?: number | null;
  /**
   * The least height at which a vertical shelter counts people, metres above the ground; null or absent: its lowest
   * floor of refuge.
   */
  readonly minHeightM?: number | null;
}

interface FleetFloor {
  readonly name: string;
  readonly heightM: number;
  /** True if people gather on this floor in a muster that sends them up. */
  readonly refuge?: boolean;
}

export interface FleetVehicle {
  readonly name: string;
  readonly type: string;
  /** The serial of its driver's watch. */
  readonly driver: string | null;
  /** The vehicle's position at the start; absent: with its driver. */
  readonly at?: Point;
  /** Metres per second; absent: the pace of its type. */
  readonly pace?: number;
}

/** A permit to enter a zone until an instant; null: until the permit is closed. */
export interface FleetPermit {
  readonly zone: string;
  readonly until: number | null;
}

/** A person on a site, with the watch that they wear. */
export interface SitePerson {
  /** The serial of the watch. The person's random values depend on it. */
  readonly serial: string;
  /** The person's position at the start. */
  readonly at: Point;
  /** The area where the person works. */
  readonly area: Ring;
  /** The name of the zone that is the work area. */
  readonly zone?: string;
  /** The floor where the person is at the start; absent: the ground. */
  readonly floor?: string;
  /** Metres per second. */
  readonly pace: number;
  /** A scripted worker stands still without actions, its battery is steady and its fixes are exact. */
  readonly behave: 'auto' | 'scripted';
  readonly permits?: readonly FleetPermit[];
}
