/** What all watches of a fleet share, and what they answer and tell. */

import type { Streams } from '../base/random/streams.ts';
import type { Clock, Instant } from '../base/time/clock.ts';
import type { MusterNotice } from '../contract/watch.ts';
import type { Connector } from './connection/connecting.ts';
import type { DialLink } from './connection/link.ts';

/** What came of an action: acknowledged by the service, kept by the watch to be sent later, or not possible now. [decisions 9] */
export type Acted =
  | { readonly done: 'sent' | 'buffered'; readonly uplinkId?: string; readonly at: Instant }
  /** `unkept`: it was done, but the disk refuses to keep it, so that a restart would lose it. */
  | { readonly refused: string; readonly unkept?: true };

/** Notifications from the watches to the keeper of the fleet's state. */
export interface Keeping {
  /** Something of the watch is to be kept. */
  changed(serial: string): void;
  /** What the watch has to say is to be kept, or is not any more. */
  boxChanged(serial: string): void;
  /** Resolves when the number of a session is on the disk, before the watch connects with it; null: it is. */
  session(serial: string, number: number): Promise<void> | null;
  /** The watch will connect with that number soon. */
  expectSession(serial: string, number: number): void;
  /** A watch of the site shows it from now on. */
  noticeShown(siteId: string, notice: MusterNotice): void;
}

/** For a fleet that begins anew each time. */
export const KEEPS_NOTHING: Keeping = {
  changed() {},
  boxChanged() {},
  session: () => null,
  expectSession() {},
  noticeShown() {},
};

/** An unplanned event of the fleet. */
export interface FleetNotice {
  /** `watch-failed`: an exception; the watch was taken out of the fleet. `person-failed`: its wearer stands still from now on. */
  readonly kind: 'link-failed' | 'downlink-unreadable' | 'watch-failed' | 'person-failed';
  readonly serial: string;
  readonly why: string;
  /** What was thrown. */
  readonly error?: Error;
  /** The broker would not let the watch in. */
  readonly refused?: boolean;
  /** Of a connection that failed, as Node.js has it. */
  readonly code?: string;
}

/** What all watches of a fleet share. */
export interface WatchSurroundings {
  readonly clock: Clock;
  readonly streams: Streams;
  readonly connector: Connector;
  readonly dialLink: DialLink;
  /** Whether everything goes with QoS 1, because time runs faster than the wall's. */
  assured(): boolean;
  /** Something of a watch is due at another time than before. */
  replan(due: Instant): void;
  readonly onNotice: (notice: FleetNotice) => void;
  /** Runs a task of one watch. An exception takes that watch out of the fleet, and the rest go on. */
  contain(this: void, serial: string, task: () => void): void;
  /** The same for what goes on by itself; answers with the promise. */
  attend<T>(this: void, serial: string, work: Promise<T>): Promise<T>;
  readonly keeping: Keeping;
}
