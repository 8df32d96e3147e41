/** Where the fleet puts a watch, and its true state, which the service does not know. */ /** Where the fleet puts a watch, and its true state, which the service does not know. */
import type { Coordinates, Point } from '../../base/geometry/shapes.ts';
import type { PositionItem } from '../connection/outbox.ts';
import type { Activity } from '../people/activity.ts';
import type { MoveWay, OnFloor } from '../people/people.ts';
import type { Shown } from './screen.ts';

/** A fix as it is reported, without its place in the session. */
export type WatchFix = PositionItem['fix'];

/** A position given for the watch; `point` in metres of the site's frame. */
export type PinnedPlace = { readonly point: Point } | { readonly coordinates: Coordinates };

/** A walk or a drive. `pace` in metres per second; without it, the person's own or the vehicle's. */
export interface OrderedMove extends MoveWay {
  readonly to: PinnedPlace;
  readonly via?: readonly PinnedPlace[];
}

/** Where the person stands now; `floor: null` or nothing: on the ground. */
export interface OrderedStand {
  readonly at: PinnedPlace;
  readonly floor?: OnFloor | null;
}

/** A fix that is given instead of sensed. */
export type GivenFix = PinnedPlace & {
  /** Default 3 m; null: unknown. */
  readonly uncertaintyM?: number | null;
  readonly source?: WatchFix['source'];
  /** Metres above the ground; absent: the fix asserts no height. */
  readonly heightM?: number;
  readonly building?: string | null;
  readonly floor?: string | null;
  readonly inVehicle?: boolean;
};

/** The truth about a watch and its wearer, which the service does not know. */
export interface WatchView {
  readonly serial: string;
  readonly connected: boolean;
  readonly session: number;
  /** Metres of the site's frame. */
  readonly at: Point;
  readonly batteryPct: number;
  readonly network: boolean;
  readonly gps: boolean;
  /** Another client has taken the watch over. */
  readonly yielded: boolean;
  /** Null: the watch cannot tell. */
  readonly worn: boolean | null;
  readonly charging: boolean;
  readonly inVehicle: boolean;
  readonly shown: Shown;
}

/** What is true of a watch and its wearer, for judging what was made of its reports. Metres and percent. */
export interface WatchTruth
  extends Pick<WatchView, 'serial' | 'inVehicle' | 'worn' | 'batteryPct' | 'charging' | 'network' | 'gps'> {
  readonly siteId: string;
  /** Of the person. */
  readonly point: Point;
  readonly coordinates: Coordinates;
  /** The smallest zone that holds the person. */
  readonly zone: string | null;
  /** Above the ground, where there are floors. */
  readonly heightM: number | null;
  readonly floor: string | null;
  readonly activity: Activity;
}
