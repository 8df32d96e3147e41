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
import type { GivenFix, OrderedMove, OrderedStand, WatchTruth, WatchView } from './watch/watch-view.ts';

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
   * The musters that are on now. Any other that the memory knows ended meanwhile, and no message will say so. That a watch has not heard
   * of a muster proves nothing, since it may hear of it at any moment. Default: none is on. [watch-protocol, `all/muster`]
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
  /** Resolves when every watch is connected and its birth, first position and charge are heard. */
  ready(): Promise<void>;
  /** True if the watch is the fleet's and not taken over by another client. */
  emulates(serial: string): boolean;
  /** Why the watch was taken out of the fleet after an exception; null: it was not. */
  failure(serial: string): string | null;
  sos(serial: string, how: { with: 'watch_button' | 'watch_hardware_button' }): Promise<Acted>;
  /** `answersAfterMs` counts from the prompt; without it the person thinks for 3 to 12 seconds. */
  fall(serial: string, how: { answers: 'ok' | 'help' | 'never'; answersAfterMs?: number }): Promise<Acted>;
  /** Refused when no prompt is shown. */
  answer(serial: string, how: { with: 'ok' | 'help' }): Promise<Acted>;
  /** Without an alert the newest open one that the wearer has not acknowledged; refused when there is none. */
  pressAck(serial: string, how: { alertId?: string }): Promise<Acted>;
  /** The wearer cannot evacuate, and says why if they can. Unless they help another person, they stay where they are. [decisions 6] */
  cannotEvacuate(serial: string, how: { reason: 'trapped' | 'injured' | 'helping' | null }): Promise<Acted>;
  /** Lets a trapped, injured or fallen wearer leave their place; no effect on others. [decisions 6] */
  free(serial: string): Promise<Acted>;
  /** The control room has resolved an alert of that type: a wearer who was held for it is free. [decisions 6] */
  rescued(serial: string, alertType: AlertType): void;
  /** Why every action of the wearer would be refused now; null: not every one. */
  unable(serial: string): string | null;
  /** Why `answer` would be refused; null: a prompt is shown. */
  unanswerable(serial: string): string | null;
  /** Why `moveTo` and `put` would refuse the wearer; null: they would not. */
  heldBack(serial: string): string | null;
  /** Out of coverage the watch records a voice note by default. */
  callRequest(serial: string, how: { voiceNote?: boolean }): Promise<Acted>;
  /** The wearer says at which assembly point they are. */
  declare(serial: string, how: { pointId: string }): Promise<Acted>;
  /** Sets the delay between the display of the next vehicle notice and the wearer's acknowledgement. */
  expectVehicle(serial: string, how: { acknowledgeAfterMs: number }): Promise<Acted>;
  /** The wearer puts on another watch: one of the fleet's, whose wearer gets this one, or one that is new to it. */
  swap(serial: string, other: { serial: string; key: string }): Promise<Acted>;
  /** `drain`: percentage points an hour from now on. */
  battery(serial: string, how: { pct?: number; drain?: number }): Promise<Acted>;
  signal(serial: string, how: { is: 'lost' | 'back'; kind: 'network' | 'gps' | 'both' }): Promise<Acted>;
  position(serial: string, given: GivenFix): Promise<Acted>;
  /** The person sets out, round buildings; it does not wait for the arrival. Refused for an `auto` person who is stuck; a scripted worker is freed. */
  moveTo(serial: string, move: OrderedMove): Promise<Acted>;
  /** The person stands there now; who is stuck as in `moveTo`. Resolves when the first fix is heard; a second follows within a second. [decisions 5] */
  put(serial: string, stand: OrderedStand): Promise<Acted>;
  /** `off`: the watch stays where it is while the person walks on; `on`: it is with them again. Resolves when it is heard. */
  wear(serial: string, how: { is: 'on' | 'off' | 'unknown' }): Promise<Acted>;
  /** Sets the clock skew of the watch, in milliseconds; its clock stamps every `t`. [watch-protocol] */
  clockSkew(serial: string, how: { ms: number }): Promise<Acted>;
  /** Holes in the radio cover from now on, as often as `everyMs` on average (default: 20 min), or none any more. */
  radioHoles(serial: string, how: { is: 'on' | 'off'; everyMs?: number }): void;
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
