/** The fleet's port: what it is made of, and what people and the composition root do with it. */
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
  /** `mqtt://host:port`; or `mqtts://`, `ws://`, `wss://`. */
  readonly brokerUrl: string;
  /** Connects to a broker of this process, in the place of `brokerUrl`. */
  readonly connect?: () => Duplex;
  /** For `mqtts://` and `wss://`. Default: the certificate must name the host and be signed by a CA that Node.js trusts. */
  readonly brokerTls?: BrokerTls;
  /** Default: 4, which is MQTT 3.1.1. */
  readonly mqttVersion?: MqttVersion;
  /** Where chance and the ids of messages come from. */
  readonly seed: string;
  readonly watches: readonly FleetWatch[];
  /** What stands on the sites of the watches; a site that is not here is an open field. */
  readonly sites?: readonly FleetSite[];
  readonly onNotice?: (notice: FleetNotice) => void;
  /** Another way to connect than by MQTT. */
  readonly dialLink?: DialLink;
  /** Where it keeps its state, and goes on from it. Default: it begins anew. */
  readonly memory?: FleetMemory;
  /**
   * The musters that are on now. Any other that the memory knows ended meanwhile, and no message will say so. That a watch has no notice
   * of a muster proves nothing, since it may receive the notice at any moment. Default: none is on. [watch-protocol, `all/muster`]
   */
  readonly activeMusters?: ReadonlySet<string>;
  /** The disk refused to keep something; it is tried again. */
  readonly onUnkept?: (error: Error) => void;
  /** The key of a watch that is not in `watches`: a spare one that was put on. */
  readonly keyOf?: (serial: string) => string;
}

/** What a fleet went on with. */
export interface Resumed {
  /** People who are where they were; the others are where their `FleetWatch` says. */
  readonly people: number;
  /** One sentence for each document of the memory that could not be read. */
  readonly unreadable: readonly string[];
}

/** The fleet's port: people act by it, and nothing else of the service reaches the fleet but MQTT. [decisions 9] */
export interface Fleet {
  /** Null: it had no memory, or an empty one. */
  readonly resumed: Resumed | null;
  /** The people who cannot leave their place, and since when; a simulated instant. */
  held(): { readonly serial: string; readonly since: Instant }[];
  /** Resolves when every watch is connected and its birth, first position and charge are acknowledged. */
  ready(): Promise<void>;
  /** True if the watch is the fleet's and not taken over by another client. */
  emulates(serial: string): boolean;
  /** Why the watch was taken out of the fleet after an exception; null: it was not. */
  failure(serial: string): string | null;
  /** The wearer does it, and the watch reports what there is to report. */
  perform(serial: string, action: WatchAction): Promise<Acted>;
  /** Why `perform` would refuse the action now; null: no objection. What only the attempt shows is none. */
  objection(serial: string, action: WatchAction): string | null;
  /** The control room has resolved an alert of that type: a wearer who was held for it is free. [decisions 6] */
  rescued(serial: string, alertType: AlertType): void;
  /** Where the person truly is, metres of the site's frame; null: the watch is not the fleet's. */
  whereIs(serial: string): Point | null;
  /** Another client took the watch over: the emulated one is silent from now on. [watch-protocol] */
  yieldWatch(serial: string): void;
  views(): WatchView[];
  /** What is true now of every watch and its wearer, for judging; nothing that the service emits may hold it. [decisions 4] */
  truth(): WatchTruth[];
  /** Everything up to now is in its memory; a disk error is reported by `onUnkept`. Without a memory there is nothing to do. */
  keep(): Promise<void>;
  /** Every watch says goodbye and disconnects, as far as there is time; the rest just goes. Idempotent. */
  stop(): Promise<void>;
}
