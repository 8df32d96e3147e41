/** What a fleet is made of: its watches with their wearers, the sites that they stand on, and the way to the service. */
import type { Clock } from '../base/clock.ts';
import type { Coordinates, Point, Ring } from '../base/geometry.ts';
import type { DialLink } from './link.ts';
import type { FleetPermit, FleetSite } from './people/site.ts';
import type { FleetNotice } from './surroundings.ts';

/** What an emulated watch and its wearer know of themselves. */
export interface FleetWatch {
  readonly serial: string;
  /** The watch's own key, its password. [watch-protocol] */
  readonly key: string;
  readonly siteId: string;
  /** Degrees of the local 0,0; points are in metres east and north of it. */
  readonly origin: Coordinates;
  /** Where the person is at the start. */
  readonly at: Point;
  /** Where they walk about. */
  readonly area: Ring;
  /** The name of the zone that the area is. */
  readonly zone?: string;
  /** The floor of it on which they are at the start; absent: the ground. */
  readonly floor?: string;
  readonly permits?: readonly FleetPermit[];
  /** Metres per second. */
  readonly pace: number;
  readonly worn: 'on' | 'off' | 'unknown';
  readonly batteryPct: number;
  /** A puppet stands still until told, its battery is steady and its fixes are exact. */
  readonly behave: 'auto' | 'puppet';
  /** The number of the last session that the service heard of; 0: none. */
  readonly lastSession: number;
  /** Until `down/config` says otherwise; milliseconds. */
  readonly positionEveryMs: number;
  readonly alarmEveryMs: number;
}

export interface FleetOptions {
  readonly clock: Clock;
  /** `mqtt://host:port`. */
  readonly brokerUrl: string;
  /** Where chance and the ids of messages come from. */
  readonly seed: string;
  readonly watches: readonly FleetWatch[];
  /** What stands on the sites of the watches; a site that is not here is an open field. */
  readonly sites?: readonly FleetSite[];
  readonly onNotice?: (notice: FleetNotice) => void;
  /** Another way to connect than MQTT over TCP. */
  readonly dialLink?: DialLink;
}
