/** How the fleet is told where a watch is, and what it tells of a watch: the truth that the service does not know. */
import type { Coordinates, Point } from '../base/geometry.ts';
import type { PositionItem } from './outbox.ts';
import type { Shown } from './screen.ts';

/** A fix as it is reported, without its place in the session. */
export type Fix = PositionItem['fix'];

/** Where the watch is told to be; `point` in metres of the site's frame. */
export type Place = { readonly point: Point } | { readonly coordinates: Coordinates };

/** A fix that is told instead of sensed. */
export type ToldFix = Place & {
  /** Default 3 m; null: unknown. */
  readonly uncertaintyM?: number | null;
  readonly source?: Fix['source'];
  readonly height?: NonNullable<Fix['height']>;
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
  readonly shown: Shown;
}
