/** Connected watches: the sessions of each, and which one published its latest birth. aedes' own count drifts (aedes #1023). */
import type { Client } from 'aedes';
import type { Presence } from './intake.ts';
import type { Session } from './session.ts';
import type { UplinkSource } from './uplink-source.ts';

interface Born {
  readonly session: number;
  readonly by: UplinkSource;
}

export class Sessions implements Presence {
  readonly #open = new Set<Session>();
  /** Includes ended sessions, since their last will is handled after their end. */
  readonly #byClient = new WeakMap<Client, Session>();
  readonly #bySerial = new Map<string, Set<Session>>();
  /** Watches that published a birth and have not yet published a death. */
  readonly #born = new Map<string, Born>();

  get size(): number {
    return this.#open.size;
  }

  /** The number of watches whose birth arrived on a connection that is still open. */
  get watches(): number {
    return this.#born.size;
  }

  add(session: Session): void {
    this.#open.add(session);
    this.#byClient.set(session.client, session);
    const { serial } = session.device;
    const known = this.#bySerial.get(serial);
    if (known === undefined) this.#bySerial.set(serial, new Set([session]));
    else known.add(session);
  }

  of(client: Client): Session | undefined {
    return this.#byClient.get(client);
  }

  ofWatch(serial: string): Iterable<Session> {
    return this.#bySerial.get(serial) ?? [];
  }

  all(): Iterable<Session> {
    return this.#open;
  }

  born(session: UplinkSource, number: number): boolean {
    const { serial } = session.device;
    const wasThere = this.#born.has(serial);
    this.#born.set(serial, { session: number, by: session });
    return !wasThere;
  }

  died(serial: string, number: number): boolean {
    const born = this.#born.get(serial);
    return born !== undefined && number >= born.session && this.#born.delete(serial);
  }

  /** The connection has ended. Returns true if the watch was online by this connection and no newer one. */
  remove(session: Session): boolean {
    const { serial } = session.device;
    this.#open.delete(session);
    const known = this.#bySerial.get(serial);
    known?.delete(session);
    if (known?.size === 0) this.#bySerial.delete(serial);
    return this.#born.get(serial)?.by === session && this.#born.delete(serial);
  }
}
