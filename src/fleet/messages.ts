/** Makes the message of a parcel: what goes on the wire, with its place in the session. [watch-protocol, topics] */
import type { Instant } from '../base/clock.ts';
import { formatInstant } from '../base/instants.ts';
import type { Parcel } from './outbox.ts';

export const FIRMWARE = 'sandbox-watch 1.0';

/** An uplink as it goes on the wire; `leaf` stands after `up/`. */
export interface Message {
  readonly leaf: string;
  readonly payload: unknown;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** Where messages stand: the session's number, and how many of it were said. */
export class Places {
  #session: number;
  #seq = 0;

  constructor(lastSession: number) {
    this.#session = lastSession;
  }

  get session(): number {
    return this.#session;
  }

  /** One session more, and it begins to count anew. */
  nextSession(): void {
    this.#session++;
    this.#seq = 0;
  }

  next(): { session: number; seq: number } {
    return { session: this.#session, seq: ++this.#seq };
  }
}

/** `assured`: telemetry goes with QoS 1 too; `skewMs`: how far the watch's clock is ahead. */
export function messageOf(parcel: Parcel, places: Places, now: Instant, assured: boolean, skewMs = 0): Message {
  const qos = assured ? 1 : 0;
  switch (parcel.is) {
    case 'birth': {
      const birth = { online: true, session: places.session, firmware: FIRMWARE, t: formatInstant(now + skewMs) };
      return { leaf: 'status', payload: birth, qos: 1, retain: true };
    }
    case 'event': {
      const { kind, id, at, fields } = parcel.item;
      const payload = { id, ...places.next(), t: formatInstant(at + skewMs), ...fields };
      return { leaf: `event/${kind}`, payload, qos: 1, retain: false };
    }
    case 'positions': {
      const fixes = parcel.items.map(({ fix }) => ({ ...places.next(), ...fix }));
      return { leaf: 'position', payload: fixes.length === 1 ? fixes[0] : fixes, qos, retain: false };
    }
    case 'battery': {
      const { pct, charging, at } = parcel.item;
      const payload = { ...places.next(), t: formatInstant(at + skewMs), pct, charging };
      return { leaf: 'battery', payload, qos, retain: false };
    }
  }
}
