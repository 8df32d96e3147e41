/** Makes the message of a parcel: its payload, with its position in the session. [watch-protocol, topics] */
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant, writable } from '../../base/time/instants.ts';
import type { WatchPosition } from '../../contract/watch.ts';
import type { Parcel, PositionItem } from './outbox.ts';

const FIRMWARE = 'sandbox-watch 1.0';

/** An uplink as it is published; `leaf` is the part of the topic after `up/`. */
export interface Message {
  readonly leaf: string;
  readonly payload: unknown;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** The session number, and the number of messages that the session has published. */
export class MessagePositions {
  #session: number;
  #seq = 0;

  constructor(lastSession: number) {
    this.#session = lastSession;
  }

  get session(): number {
    return this.#session;
  }

  /** Continues from a stored session number. The number never decreases. */
  resume(session: number): void {
    this.#session = Math.max(this.#session, session);
  }

  /** Starts the next session, whose sequence numbers begin again. */
  nextSession(): void {
    this.#session++;
    this.#seq = 0;
  }

  /** The sequence number of the next message of the session. */
  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

/**
 * The time of the watch's clock, which is `skewMs` ahead of the true time. It is limited to instants that can be
 * formatted.
 */
export const watchTime = (now: Instant, skewMs: number): string => formatInstant(writable(now + skewMs));

/** `assured`: telemetry is sent with QoS 1 too. `skewMs`: how far the watch's clock is ahead. */
export function messageOf(
  parcel: Parcel,
  places: MessagePositions,
  now: Instant,
  assured: boolean,
  skewMs = 0,
): Message {
  const qos = assured ? 1 : 0;
  switch (parcel.is) {
    case 'birth': {
      const birth = { online: true, session: places.session, firmware: FIRMWARE, t: watchTime(now, skewMs) };
      return { leaf: 'status', payload: birth, qos: 1, retain: true };
    }
    case 'event': {
      const { kind, id, at, fields } = parcel.item;
      const stamp = { id, session: places.session, seq: places.nextSeq(), t: watchTime(at, skewMs) };
      const payload = { ...stamp, ...fields };
      return { leaf: `event/${kind}`, payload, qos: 1, retain: false };
    }
    case 'positions': {
      const { items } = parcel;
      const payload = items.length === 1 ? placed(items[0]!, places) : items.map((item) => placed(item, places));
      return { leaf: 'position', payload, qos, retain: false };
    }
    case 'battery': {
      const { pct, charging, at } = parcel.item;
      const { session } = places;
      const payload = { session, seq: places.nextSeq(), t: watchTime(at, skewMs), pct, charging };
      return { leaf: 'battery', payload, qos, retain: false };
    }
  }
}

// The most frequent message, so it is built without object spread (measured: several times slower and larger).
function placed({ fix }: PositionItem, places: MessagePositions): WatchPosition {
  const { t, latitude, longitude, uncertainty_m, source, in_vehicle, height, worn } = fix;
  const { session } = places;
  const seq = places.nextSeq();
  return height === undefined
    ? { session, seq, t, latitude, longitude, uncertainty_m, source, in_vehicle, worn }
    : { session, seq, t, latitude, longitude, uncertainty_m, source, in_vehicle, height, worn };
}
