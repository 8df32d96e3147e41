/** One watch with its wearer, as the fleet receives them. */
import type { Coordinates } from '../../base/geometry/shapes.ts';
import type { SitePerson } from '../people/ground/site.ts';

/** The configuration of an emulated watch and its wearer. */
export interface FleetWatch extends SitePerson {
  /** The watch's own key, which is its password. [watch-protocol] */
  readonly key: string;
  readonly siteId: string;
  /** The degrees of the local point 0,0; points are in metres east and north of it. */
  readonly origin: Coordinates;
  readonly worn: 'on' | 'off' | 'unknown';
  readonly batteryPct: number;
  /** The number of the last session that the service knows; 0 if there was none. */
  readonly lastSession: number;
  /** The intervals of position reports, until `down/config` sets others; milliseconds. */
  readonly positionEveryMs: number;
  readonly alarmEveryMs: number;
}
