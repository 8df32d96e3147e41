/** What all watches of a fleet share, and the results and notices that they produce. */

import type { Streams } from '../base/random/streams.ts';
import type { Clock, Instant } from '../base/time/clock.ts';
import type { MusterNotice } from '../contract/watch.ts';
import type { Connector } from './connection/connecting.ts';
import type { DialLink } from './connection/link.ts';

/**
 * The outcome of an action: acknowledged by the service, kept by the watch to be sent later, or refused. [decisions 9]
 */
export type Acted =
  | { readonly done: 'sent' | 'buffered'; readonly uplinkId?: string; readonly at: Instant }
  /** `unkept`: the action was carried out, but the disk refused to store it, so that a restart would lose it. */
  | { readonly refused: string; readonly unkept?: true };

/** Notifications from the watches to the keeper of the fleet's state. */
export interface Keeping {
  /** The state of the watch changed, and must be stored. */
  changed(serial: string): void;
  /** The unacknowledged messages of the watch changed, and must be stored. */
  boxChanged(serial: string): void;
  /** Resolves when the session number is on the disk, before the watch connects with it; null if it already is. */
  session(serial: string, number: number): Promise<void> | null;
  /** The watch will connect with that session number soon. */
  expectSession(serial: string, number: number): void;
  /** A watch of the site shows the notice from now on. */
  noticeShown(siteId: string, notice: MusterNotice): void;
}

/** For a fleet without a memory. */
export const KEEPS_NOTHING: Keeping = {
  changed() {},
  boxChanged() {},
  session: () => null,
  expectSession() {},
  noticeShown() {},
};

/** An unplanned event of the fleet. */
export interface FleetNotice {
  /**
   * `watch-failed`: an exception; the watch was taken out of the fleet. `person-failed`: its wearer stands still from
   * now on.
   */
  readonly kind: 'link-failed' | 'downlink-unreadable' | 'watch-failed' | 'person-failed';
  readonly serial: string;
  readonly why: string;
  /** The exception. */
  readonly error?: Error;
  /** The broker refused the connection. */
  readonly refused?: boolean;
  /** The Node.js error code of a connection that failed. */
  readonly code?: string;
}

/** What all watches of a fleet share. */
export interface WatchSurroundings {
  readonly clock: Clock;
  readonly streams: Streams;
  readonly connector: Connector;
  readonly dialLink: DialLink;
  /** True if every message is sent with QoS 1, because time runs faster than the wall clock. */
  assured(): boolean;
  /** A watch has something due at another time than before. */
  replan(due: Instant): void;
  readonly onNotice: (notice: FleetNotice) => void;
  /** Runs a task of one watch. An exception takes that watch out of the fleet, and the rest go on. */
  contain(this: void, serial: string, task: () => void): void;
  /** The same for asynchronous work. Returns its promise. */
  attend<T>(this: void, serial: string, work: Promise<T>): Promise<T>;
  readonly keeping: Keeping;
}
