/**
 * Input that is accepted here, but that production might reject or that indicates a fault of the watch. It is reported
 * once per connection. [watch-protocol, fine print]
 */
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { Engine } from '../engine/engine.ts';
import type { InboundPublish } from './pubacks.ts';
import type { Refusals } from './refusals.ts';
import type { UplinkReading } from './uplink.ts';
import type { UplinkSource } from './uplink-source.ts';

/** Clock skew of a watch above which it is reported; simulated ms. [watch-protocol, fine print] */
const CLOCK_OFF_MS = 60_000;

/** Wall time allowed for transport, which matters if the clock runs fast; ms. */
const UNDER_WAY_MS = 1_000;

type Odd = 'clock' | 'qos' | 'session';

export class Oddities {
  readonly #engine: Engine;
  readonly #refusals: Refusals;
  /** Oddities already reported for the connection: each would recur with every message. */
  readonly #reported = new WeakMap<UplinkSource, Set<Odd>>();

  constructor(engine: Engine, refusals: Refusals) {
    this.#engine = engine;
    this.#refusals = refusals;
  }

  look(source: UplinkSource, reading: Exclude<UplinkReading, { is: 'breach' }>, { topic, qos }: InboundPublish): void {
    const { serial } = source.device;
    if (reading.t !== null) this.#clock(source, reading.t, reading, topic);
    if (reading.is === 'command' && reading.event !== null && qos === 0 && this.#first(source, 'qos'))
      this.#refusals.note(serial, topic, 'an event by QoS 0: what is lost on the way is never sent again');
    this.#lateBattery(source, reading, topic);
    const old = this.oldSession(source, reading);
    if (old !== null) this.#refusals.note(serial, topic, old);
  }

  /** Why the session number of a birth is wrong; null if it is right, and for any other message. */
  oldSession(source: UplinkSource, reading: Exclude<UplinkReading, { is: 'breach' }>): string | null {
    if (reading.is !== 'birth') return null;
    const last = this.#engine.world.telemetry(source.device.id).session;
    return reading.session <= last ? `session ${reading.session} is not above the last one, ${last}` : null;
  }

  /** A watch that counts sessions but publishes no birth is heard only as long as the numbers increase. */
  #lateBattery(source: UplinkSource, reading: Exclude<UplinkReading, { is: 'breach' }>, topic: string): void {
    if (reading.is !== 'command' || reading.command.type !== 'report-battery') return;
    const { session } = this.#engine.world.telemetry(source.device.id);
    if (reading.session >= session || !this.#first(source, 'session')) return;
    this.#refusals.note(
      source.device.serial,
      topic,
      `session ${reading.session} is older than the last one, ${session}, so the charge is late and not used. A watch that begins a session must publish a birth (up/status)`,
    );
  }

  #clock(source: UplinkSource, t: Instant, reading: Exclude<UplinkReading, { is: 'breach' }>, topic: string): void {
    const { clock } = this.#engine;
    const now = clock.now();
    const offMs = t - now;
    if (Math.abs(offMs) <= Math.max(CLOCK_OFF_MS, UNDER_WAY_MS * clock.state().speed))
      return void this.#forget(source, 'clock');
    // Buffered events are late for different reasons, so each is reported.
    const isEvent = reading.is === 'command' && reading.event !== null;
    if (!this.#first(source, 'clock') && !isEvent) return;
    const way = offMs > 0 ? 'ahead of' : 'behind';
    this.#refusals.note(
      source.device.serial,
      topic,
      `its t ${formatInstant(t)} is ${Math.round(Math.abs(offMs) / 1_000)} s ${way} the sandbox's clock, ${formatInstant(now)}`,
    );
  }

  #first(source: UplinkSource, odd: Odd): boolean {
    const reported = this.#reported.get(source) ?? new Set<Odd>();
    this.#reported.set(source, reported);
    if (reported.has(odd)) return false;
    reported.add(odd);
    return true;
  }

  #forget(source: UplinkSource, odd: Odd): void {
    this.#reported.get(source)?.delete(odd);
  }
}
