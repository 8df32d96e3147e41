/** One watch with its wearer, as the fleet is given them. */
import type { Coordinates } from '../../base/geometry/shapes.ts';
import type { SitePerson } from '../people/ground/site.ts';

/** What an emulated watch and its wearer know of themselves. */
export interface FleetWatch extends SitePerson {
  /** The watch's own key, its password. [watch-protocol] */
  readonly key: string;
  readonly siteId: string;
  /** Degrees of the local 0,0; points are in metres east and north of it. */
  readonly origin: Coordinates;
  readonly worn: 'on' | 'off' | 'unknown';
  readonly batteryPct: number;
  /** The number of the last session that the service knows; 0: none. */
  readonly lastSession: number;
  /** Until `down/config` says otherwise; milliseconds. */
  readonly positionEveryMs: number;
  readonly alarmEveryMs: number;
}
