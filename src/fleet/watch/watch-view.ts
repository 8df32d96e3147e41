/** Where the fleet puts a watch, and its real state, which the service does not know. */
import type { Coordinates, Point } from '../../base/geometry/shapes.ts';
import type { PositionItem } from '../connection/outbox.ts';
import type { Activity } from '../people/activity.ts';
import type { MoveWay, OnFloor } from '../people/people.ts';
import type { Shown } from './screen.ts';

/** A fix as it is reported, without its position in the session. */
export type WatchFix = PositionItem['fix'];

/** A position given for the watch; `point` is in metres of the site's frame. */
export type PinnedPlace = { readonly point: Point } | { readonly coordinates: Coordinates };

/** A walk or a drive. `pace` is in metres per second; without it, the pace of the person or of the vehicle. */
export interface OrderedMove extends MoveWay {
  readonly to: PinnedPlace;
  readonly via?: readonly PinnedPlace[];
}

/** The position where the person stands now. If `floor` is null or absent, they are on the ground. */
export interface OrderedStand {
  readonly at: PinnedPlace;
  readonly floor?: OnFloor | null;
}

/** A fix that is given instead of measured. */
export type GivenFix = PinnedPlace & {
  /** Default 3 m; null if unknown. */
  readonly uncertaintyM?: number | null;
  readonly source?: WatchFix['source'];
  /** Metres above the ground; absent if the fix states no height. */
  readonly heightM?: number;
  readonly building?: string | null;
  readonly floor?: string | null;
  readonly inVehicle?: boolean;
};

/** The real state of a watch and its wearer, which the service does not know. */
export interface WatchView {
  readonly serial: string;
  readonly connected: boolean;
  readonly session: number;
  /** The position in metres of the site's frame. */
  readonly at: Point;
  readonly batteryPct: number;
  readonly network: boolean;
  readonly gps: boolean;
  /** Another client has taken the watch over. */
  readonly yielded: boolean;
  /** Null if the watch has no sensor for it. */
  readonly worn: boolean | null;
  readonly charging: boolean;
  readonly inVehicle: boolean;
  readonly shown: Shown;
}

/** The real state of a watch and its wearer, to check what the service derived from its reports. Metres and percent. */
export interface WatchTruth
  extends Pick<WatchView, 'serial' | 'inVehicle' | 'worn' | 'batteryPct' | 'charging' | 'network' | 'gps'> {
  readonly siteId: string;
  /** The person's position. */
  readonly point: Point;
  readonly coordinates: Coordinates;
  /** The smallest zone that contains the person. */
  readonly zone: string | null;
  /** The height above the ground, in a building with floors. */
  readonly heightM: number | null;
  readonly floor: string | null;
  readonly activity: Activity;
}
