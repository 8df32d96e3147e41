/** Accepts uplinks: from a PUBLISH to a committed command, and only then the PUBACK. */
import { asError } from '../../base/assert.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { UpLeaf } from '../../contract/watch.ts';
import type { Command, Done } from '../domain/commands.ts';
import { REPEATED, REPEATED_DIFFERENTLY } from '../domain/decide.ts';
import type { Device } from '../domain/world/documents.ts';
import type { CommandOutcome, Engine } from '../engine/engine.ts';
import { isBreach, judgeUplink } from './access.ts';
import { Oddities } from './oddities.ts';
import { type Answered, type Callback, type InboundPublish, type PubackReply, Pubacks } from './pubacks.ts';
import { type Refusals, Refused } from './refusals.ts';
import { orderKey, readUplink, type UplinkReading } from './uplink.ts';
import type { UplinkSource } from './uplink-source.ts';

/**
 * How a message arrived: published by the watch, as its last will, redelivered (DUP), or kept by an external broker from
 * earlier.
 */
type UplinkOccasion = 'live' | 'will' | 'again' | 'retained';

/** Why a retained message is ignored. */
const RETAINED =
  'the broker kept it from earlier (RETAIN), so it is no message from now: it is acknowledged and ignored';

/** One message on its way to its PUBACK. */
interface ArrivedUplink {
  readonly source: UplinkSource;
  readonly packet: InboundPublish;
  readonly occasion: UplinkOccasion;
  readonly answer: PubackReply;
}

/** A message that follows the protocol. */
type ValidReading = Exclude<UplinkReading, { is: 'breach' }>;

/** The watches that are online, by their births and deaths. */
export interface Presence {
  /** Returns true if the watch was offline before. */
  born(source: UplinkSource, session: number): boolean;
  /**
   * Returns true if the watch was online until now. A death of an older session than that of the latest birth has no
   * effect.
   */
  died(serial: string, session: number): boolean;
}

/** The end of a connection is no contact, and neither is a message from earlier. */
const isContact = (occasion: UplinkOccasion): boolean => occasion === 'live' || occasion === 'again';

export class Intake {
  readonly #engine: Engine;
  readonly #presence: Presence;
  readonly #refusals: Refusals;
  readonly #pubacks = new Pubacks();
  readonly #oddities: Oddities;
  readonly #strict: boolean;
  #submitted = 0;

  /** `strict`: a birth whose session number is not above the last one is refused. */
  constructor(engine: Engine, presence: Presence, refusals: Refusals, strict: boolean) {
    this.#strict = strict;
    this.#engine = engine;
    this.#presence = presence;
    this.#refusals = refusals;
    this.#oddities = new Oddities(engine, refusals);
  }

  /** Uplinks that were submitted to the engine. */
  get submitted(): number {
    return this.#submitted;
  }

  /** Handles one message. A last will does not count as contact, since its connection has ended. */
  take(source: UplinkSource, packet: InboundPublish, occasion: UplinkOccasion, callback: Callback): void {
    const { serial } = source.device;
    const device = this.#engine.world.get('device', source.device.id);
    if (device === undefined) {
      this.#refusals.refuse('topic', serial, packet.topic, 'the watch is not known any more');
      return callback(new Refused('unknown watch'));
    }
    const leaf = judgeUplink(source.upLeaf(device, packet.topic), packet);
    if (isBreach(leaf)) {
      this.#refusals.refuse(leaf.kind, serial, packet.topic, leaf.why);
      return callback(new Refused(leaf.why));
    }
    // No client subscribes to uplinks, so a retained one would never be read. `Sessions` keeps the latest birth.
    packet.retain = false;
    const arrived: ArrivedUplink = { source, packet, occasion, answer: source.queueAnswer(packet, callback) };
    this.#orFail(arrived, packet.topic, () => this.#read(arrived, device, leaf));
  }

  /** Acknowledges a message for which no watch is found, in its order among the others. */
  acknowledge(of: Answered, reply: PubackReply): void {
    this.#pubacks.settle(of, reply);
  }

  #settle({ source, answer }: ArrivedUplink): void {
    this.#pubacks.settle(source, answer);
  }

  /** Permanently refused, yet acknowledged: without a PUBACK the watch would send the unusable message at each reconnect. */
  #orFail(arrived: ArrivedUplink, what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#engine.failures.report({ part: 'uplink', what, error: asError(error) });
      this.#settle(arrived);
    }
  }

  #read(arrived: ArrivedUplink, device: Device, leaf: UpLeaf): void {
    const { source, packet, occasion } = arrived;
    const { serial } = source.device;
    // A status alone has its effect, since it restores the presence of the watch.
    if (occasion === 'retained' && leaf.leaf !== 'status') {
      this.#refusals.note(serial, packet.topic, RETAINED);
      return this.#settle(arrived);
    }
    const reading = readUplink(device, leaf, packet.payload);
    if (reading.is === 'breach') {
      this.#refusals.refuse(reading.sound ? 'dropped' : 'payload', serial, packet.topic, reading.why);
      if (isContact(occasion)) this.#engine.contact(device.id);
      return this.#settle(arrived);
    }
    const old = this.#strict && occasion === 'live' ? this.#oddities.oldSession(source, reading) : null;
    if (old !== null) {
      this.#refusals.refuse('payload', serial, packet.topic, old);
      return this.#settle(arrived);
    }
    if (occasion === 'live') this.#oddities.look(source, reading, packet);
    const submit = () => this.#orFail(arrived, reading.is, () => this.#submit(arrived, reading));
    const { clock } = this.#engine;
    if (clock.ordering) clock.ordered('uplink', orderKey(serial, reading), submit);
    else submit();
  }

  #submit(arrived: ArrivedUplink, reading: ValidReading): void {
    const { serial, id } = arrived.source.device;
    const { occasion } = arrived;
    if (reading.is === 'death') {
      // A last will changes nothing: the end of its connection has the same effect. [watch-protocol, fine print]
      if (occasion !== 'will' && this.#presence.died(serial, reading.session)) this.#tell('watch-offline', serial);
      return this.#settle(arrived);
    }
    if (isContact(occasion) && !this.#isContactItself(reading.command, id)) this.#engine.contact(id);
    this.#submitted++;
    const command: Command =
      reading.is === 'birth' && occasion !== 'will' ? { ...reading.command, arrival: occasion } : reading.command;
    this.#engine.submitWithCallback(command, (outcome) => this.#decided(arrived, reading, outcome));
  }

  /** Telemetry counts as contact when it is applied. Only a reported silence must be ended first. */
  #isContactItself({ type }: Command, deviceId: string): boolean {
    const inPassing = type === 'report-position' || type === 'report-battery';
    return inPassing && this.#engine.world.get('device', deviceId)?.silenceReported === false;
  }

  /** After the commit of the command, or its refusal. */
  #decided(
    arrived: ArrivedUplink,
    reading: Exclude<ValidReading, { is: 'death' }>,
    outcome: CommandOutcome<undefined>,
  ): void {
    const { source } = arrived;
    const { serial, id } = source.device;
    if (outcome.rejected) {
      // Not committed, so not acknowledged: the watch sends the message again on its next connection.
      if (outcome.code === 'storage_unavailable') return void source.drop();
      // The content was rolled back, but the contact counts: the watch is not silent.
      if (outcome.code === 'internal_error') this.#engine.contact(id);
      this.#refusals.refuse('dropped', serial, reading.command.type, outcome.detail);
    } else if (reading.is === 'birth') {
      const { dropped } = outcome.done;
      if (dropped !== undefined) this.#refusals.note(serial, 'up/status', dropped);
      else if (source.open && this.#presence.born(source, reading.session)) this.#tell('watch-online', serial);
    } else this.#publishUplink(serial, reading, outcome.done);
    this.#settle(arrived);
  }

  #publishUplink(
    serial: string,
    { command, event }: Extract<UplinkReading, { is: 'command' }>,
    { dropped }: Done,
  ): void {
    if (dropped === undefined) {
      if (event !== null) this.#engine.notify({ kind: 'uplink-heard', at: this.#at(), serial, event });
    } else if (dropped === REPEATED_DIFFERENTLY)
      this.#refusals.note(
        serial,
        `up/event/${event}`,
        'its id was used before for other content, so it is taken for the same and dropped',
      );
    else if (dropped !== REPEATED) this.#refusals.refuse('dropped', serial, command.type, dropped);
  }

  #tell(kind: 'watch-online' | 'watch-offline', serial: string): void {
    this.#engine.notify({ kind, at: this.#at(), serial });
  }

  #at(): string {
    return formatInstant(this.#engine.clock.now());
  }
}
