/** Takes uplinks: from a PUBLISH to a committed command, and only then the PUBACK. */
import type { PublishPacket } from 'aedes';
import { asError } from '../base/assert.ts';
import { formatInstant } from '../base/instants.ts';
import type { UpLeaf } from '../contract/watch.ts';
import type { Command, Done } from '../domain/commands.ts';
import { HEARD_BEFORE, HEARD_OTHERWISE } from '../domain/decide.ts';
import type { Device } from '../domain/world/documents.ts';
import type { CommandOutcome, Engine } from '../engine/engine.ts';
import { isBreach, judgeUplink } from './access.ts';
import { Oddities } from './oddities.ts';
import { type Callback, type PubackReply, Pubacks } from './pubacks.ts';
import { type Refusals, Refused } from './refusals.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { orderKey, readUplink, type UplinkReading } from './uplink.ts';

export class Intake {
  readonly #engine: Engine;
  readonly #sessions: Sessions;
  readonly #refusals: Refusals;
  readonly #pubacks = new Pubacks();
  readonly #oddities: Oddities;
  readonly #strict: boolean;
  #heard = 0;

  /** `strict`: a birth whose session is not above the last one is refused. */
  constructor(engine: Engine, sessions: Sessions, refusals: Refusals, strict: boolean) {
    this.#strict = strict;
    this.#engine = engine;
    this.#sessions = sessions;
    this.#refusals = refusals;
    this.#oddities = new Oddities(engine, refusals);
  }

  /** Uplinks that reached the engine. */
  get heard(): number {
    return this.#heard;
  }

  /** `will`: the last words of a connection that is gone, which are no contact. */
  take(session: Session, packet: PublishPacket, will: boolean, callback: Callback): void {
    const { serial } = session.device;
    const device = this.#engine.world.get('device', session.device.id);
    if (device === undefined) {
      this.#refusals.refuse('topic', serial, packet.topic, 'the watch is not known any more');
      return callback(new Refused('unknown watch'));
    }
    const leaf = judgeUplink(session.upLeaf(device, packet.topic), packet);
    if (isBreach(leaf)) {
      this.#refusals.refuse(leaf.kind, serial, packet.topic, leaf.why);
      return callback(new Refused(leaf.why));
    }
    // Nobody subscribes to uplinks, so a retained one would never be read; the latest birth is kept by `Sessions`.
    packet.retain = false;
    const answer = session.queueAnswer(packet, callback);
    try {
      this.#read(session, device, leaf, packet, will, answer);
    } catch (error) {
      this.#failed(session, packet.topic, error, answer);
    }
  }

  #read(
    session: Session,
    device: Device,
    leaf: UpLeaf,
    packet: PublishPacket,
    will: boolean,
    answer: PubackReply,
  ): void {
    const { serial } = session.device;
    const reading = readUplink(device, leaf, packet.payload);
    if (reading.is === 'breach') {
      this.#refusals.refuse(reading.sound === true ? 'dropped' : 'payload', serial, packet.topic, reading.why);
      if (!will) this.#engine.contact(device.id);
      return this.#pubacks.settle(session, answer);
    }
    const old = this.#strict && !will ? this.#oddities.oldSession(session, reading) : null;
    if (old !== null) {
      this.#refusals.refuse('payload', serial, packet.topic, old);
      return this.#pubacks.settle(session, answer);
    }
    if (!will) this.#oddities.look(session, reading, packet);
    const { clock } = this.#engine;
    if (!clock.ordering) return this.#apply(session, reading, will, answer);
    clock.ordered('uplink', orderKey(serial, reading), () => this.#apply(session, reading, will, answer));
  }

  /** Permanently refused, yet acknowledged: without a PUBACK the watch would send the unusable message at each reconnect. */
  #failed(session: Session, what: string, error: unknown, answer: PubackReply): void {
    this.#engine.failures.report({ part: 'uplink', what, error: asError(error) });
    this.#pubacks.settle(session, answer);
  }

  #apply(
    session: Session,
    reading: Exclude<UplinkReading, { is: 'breach' }>,
    will: boolean,
    answer: PubackReply,
  ): void {
    try {
      this.#submit(session, reading, will, answer);
    } catch (error) {
      this.#failed(session, reading.is, error, answer);
    }
  }

  #submit(
    session: Session,
    reading: Exclude<UplinkReading, { is: 'breach' }>,
    will: boolean,
    answer: PubackReply,
  ): void {
    const { serial, id } = session.device;
    if (reading.is === 'death') {
      // A last will changes nothing: the end of its connection tells the same. [watch-protocol, fine print]
      if (!will && this.#sessions.died(serial, reading.session)) this.#tell('watch-offline', serial);
      return this.#pubacks.settle(session, answer);
    }
    if (!will && !this.#isContactItself(reading.command, id)) this.#engine.contact(id);
    this.#heard++;
    this.#engine.hear(reading.command, (outcome) => this.#answer(session, reading, outcome, answer));
  }

  /** Telemetry counts as contact when it arrives; only a reported silence must end before. */
  #isContactItself({ type }: Command, deviceId: string): boolean {
    const inPassing = type === 'report-position' || type === 'report-battery';
    return inPassing && this.#engine.world.get('device', deviceId)?.silenceReported === false;
  }

  #answer(
    session: Session,
    reading: Extract<UplinkReading, { is: 'birth' | 'command' }>,
    outcome: CommandOutcome<undefined>,
    answer: PubackReply,
  ): void {
    if (outcome.rejected) {
      // Not committed, so not acknowledged: the watch sends it again on its next connection.
      if (outcome.code === 'storage_unavailable') return void session.client.conn.destroy();
      // The content was rolled back, but the contact counts: the watch is not silent.
      if (outcome.code === 'internal_error') this.#engine.contact(session.device.id);
      this.#refusals.refuse('dropped', session.device.serial, reading.command.type, outcome.detail);
    } else if (reading.is === 'birth') {
      if (session.open && this.#sessions.born(session, reading.session))
        this.#tell('watch-online', session.device.serial);
    } else this.#publishUplink(session, reading, outcome.done);
    this.#pubacks.settle(session, answer);
  }

  #publishUplink(
    session: Session,
    { command, event }: Extract<UplinkReading, { is: 'command' }>,
    { dropped }: Done,
  ): void {
    const { serial } = session.device;
    if (dropped === undefined) {
      if (event !== null) this.#engine.notify({ kind: 'uplink-heard', at: this.#at(), serial, event });
    } else if (dropped === HEARD_OTHERWISE)
      this.#refusals.note(
        serial,
        `up/event/${event}`,
        'its id was used before for other content, so it is taken for the same and dropped',
      );
    else if (dropped !== HEARD_BEFORE) this.#refusals.refuse('dropped', serial, command.type, dropped);
  }

  #tell(kind: 'watch-online' | 'watch-offline', serial: string): void {
    this.#engine.notify({ kind, at: this.#at(), serial });
  }

  #at(): string {
    return formatInstant(this.#engine.clock.now());
  }
}
