/** What all watches of a fleet share, and what they answer and tell. */
import type { Clock, Instant } from '../base/clock.ts';
import type { Streams } from '../base/streams.ts';
import type { Connector } from './connecting.ts';
import type { DialLink } from './link.ts';
import type { WatchMachine } from './machine.ts';
import type { Power } from './power.ts';
import type { Whereabouts } from './whereabouts.ts';

/** What came of an action: heard by the service, kept by the watch to be sent later, or not possible now. [decisions 9] */
export type Acted =
  | { readonly done: 'sent' | 'buffered'; readonly uplinkId?: string; readonly at: Instant }
  | { readonly refused: string };

/** Something about the fleet that nobody did on purpose. */
export interface FleetNotice {
  /** `watch-failed`: an exception; the watch was taken out of the fleet. `person-failed`: its wearer stands still from now on. */
  readonly kind: 'link-failed' | 'downlink-unreadable' | 'watch-failed' | 'person-failed';
  readonly serial: string;
  readonly why: string;
  /** What was thrown. */
  readonly error?: Error;
  /** The broker would not let the watch in. */
  readonly refused?: boolean;
}

/** What all watches of a fleet share. */
export interface Surroundings {
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
  attend<T>(this: void, serial: string, deed: Promise<T>): Promise<T>;
}

/** What an emulated watch is made of. */
export interface EmulatedWatchParts {
  readonly key: string;
  readonly siteId: string;
  readonly whereabouts: Whereabouts;
  readonly power: Power;
  readonly machine: WatchMachine;
}
