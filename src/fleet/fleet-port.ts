/** The fleet's port: its options, and the operations that people and the composition root use. */
import type { Duplex } from 'node:stream';
import type { Point } from '../base/geometry/shapes.ts';
import type { Clock, Instant } from '../base/time/clock.ts';
import type { AlertType } from '../contract/enumerations.ts';
import type { BrokerTls } from './connection/broker-address.ts';
import type { DialLink } from './connection/link.ts';
import type { MqttVersion } from './connection/mqtt-link.ts';
import type { FleetMemory } from './kept/memory.ts';
import type { FleetSite } from './people/ground/site.ts';
import type { Acted, FleetNotice } from './surroundings.ts';
import type { FleetWatch } from './watch/fleet-watch.ts';
import type { WatchTruth, WatchView } from './watch/watch-view.ts';
import type { WatchAction } from './watch-action.ts';

export interface FleetOptions {
  readonly clock: Clock;
  /** `mqtt://host:port`, `mqtts://`, `ws://` or `wss://`. */
  readonly brokerUrl: string;
  /** Connects to a broker of this process, instead of `brokerUrl`. */
  readonly connect?: () => Duplex;
  /** For `mqtts://` and `wss://`. Default: the certificate must name the host and be signed by a CA that Node.js trusts. */
  readonly brokerTls?: BrokerTls;
  /** Default: 4, which is MQTT 3.1.1. */
  readonly mqttVersion?: MqttVersion;
  /** The seed of random values and of message ids. */
  readonly seed: string;
  readonly watches: readonly FleetWatch[];
  /** The sites of the watches, with their zones and vehicles. A site that is not listed is an open field. */
  readonly sites?: readonly FleetSite[];
  readonly onNotice?: (notice: FleetNotice) => void;
  /** Another way to connect than by MQTT. */
  readonly dialLink?: DialLink;
  /** The storage of the fleet's state, from which it continues. Default: none, so the fleet starts anew. */
  readonly memory?: FleetMemory;
  /**
   * The musters that are active now. Any other muster in the memory ended during the downtime, and no message will
   * report that. A watch that has no notice of a muster proves nothing, since the notice may arrive at any moment.
   * Default: no muster is active. [watch-protocol, `all/muster`]
   */
  readonly activeMusters?: ReadonlySet<string>;
  /** Called when the disk refused a write. The write is tried again. */
  readonly onUnkept?: (error: Error) => void;
  /** Returns the key of a watch that is not in `watches`: a spare watch that a worker puts on. */
  readonly keyOf?: (serial: string) => string;
}

/** What a fleet restored from its memory. */
export interface Resumed {
  /**
   * The number of people who are where they were before the restart. The others start where their `FleetWatch` places
   * them.
   */
  readonly people: number;
  /** One sentence for each document of the memory that could not be read. */
  readonly unreadable: readonly string[];
}

/**
 * The fleet's port. People act through it. Nothing else from the service reaches the fleet except over MQTT.
 * [decisions 9]
 */
export interface Fleet {
  /** Null if the fleet had no memory, or an empty one. */
  readonly resumed: Resumed | null;
  /** The people who cannot leave their place, and the simulated instant since which they cannot. */
  held(): { readonly serial: string; readonly since: Instant }[];
  /** Resolves when every watch is connected and its birth, first position and charge are acknowledged. */
  ready(): Promise<void>;
  /** True if the watch is the fleet's and not taken over by another client. */
  emulates(serial: string): boolean;
  /** The exception for which the watch was taken out of the fleet, as text; null if it was not taken out. */
  failure(serial: string): string | null;
  /** The wearer carries out the action, and the watch reports the effects. */
  perform(serial: string, action: WatchAction): Promise<Acted>;
  /**
   * The reason why `perform` would refuse the action now; null if there is none. A refusal that only the attempt
   * reveals is not included.
   */
  objection(serial: string, action: WatchAction): string | null;
  /** The control room has resolved an alert of that type. A wearer who was held for it can move again. [decisions 6] */
  rescued(serial: string, alertType: AlertType): void;
  /** The person's real position, in metres of the site's frame; null if the watch is not in the fleet. */
  whereIs(serial: string): Point | null;
  /** Another client took the watch over. The emulated watch is silent from now on. [watch-protocol] */
  yieldWatch(serial: string): void;
  views(): WatchView[];
  /**
   * The real state of every watch and its wearer, for checks. Nothing that the service publishes may contain it.
   * [decisions 4]
   */
  truth(): WatchTruth[];
  /**
   * Resolves when everything up to now is in the memory. A disk error is reported by `onUnkept`. Does nothing without a
   * memory.
   */
  keep(): Promise<void>;
  /**
   * Every watch publishes its death message and disconnects, as far as time permits. The others disconnect without one.
   * Idempotent.
   */
  stop(): Promise<void>;
}
