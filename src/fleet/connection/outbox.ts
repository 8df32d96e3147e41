/** The messages of a watch that are not yet acknowledged. While it is disconnected they are kept, up to a limit, and the most urgent are sent first. */
import type { Instant } from '../../base/time/clock.ts';
import {
  MAX_POSITIONS_PER_MESSAGE,
  MAX_WATCH_PAYLOAD_BYTES,
  type UplinkEventKind,
  type WatchPosition,
} from '../../contract/watch.ts';

/** An event message. Its id stays the same until the PUBACK, in every session that sends it. */
export interface EventItem {
  readonly is: 'event';
  readonly kind: UplinkEventKind;
  readonly id: string;
  readonly at: Instant;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface PositionItem {
  readonly is: 'position';
  readonly fix: Omit<WatchPosition, 'session' | 'seq'>;
}

export interface BatteryItem {
  readonly is: 'battery';
  readonly at: Instant;
  readonly pct: number;
  readonly charging: boolean;
}

export type Item = EventItem | PositionItem | BatteryItem;

/** The items that are stored across a restart. */
export type KeptItem = EventItem | PositionItem;

/** The content of one message. */
export type Parcel =
  | { readonly is: 'birth' }
  | { readonly is: 'event'; readonly item: EventItem }
  | { readonly is: 'positions'; readonly items: readonly PositionItem[] }
  | { readonly is: 'battery'; readonly item: BatteryItem };

/** Three hours without coverage at the usual rate; beyond it the oldest positions are dropped. */
const MAX_POSITIONS = MAX_POSITIONS_PER_MESSAGE;

/** Events made without coverage. Beyond this limit the oldest are dropped. */
const MAX_EVENTS = 200;

/**
 * Bytes of a position message besides the text of its fixes: session, sequence number and comma, for the message and
 * again for each fix.
 */
const ENVELOPE_BYTES = 64;

const URGENT: ReadonlySet<UplinkEventKind> = new Set(['sos', 'fall']);

export class Outbox {
  #birth = false;
  #events: EventItem[] = [];
  #positions: PositionItem[] = [];
  #battery: BatteryItem | null = null;
  /** The numbers under which items are stored. Null for most watches, which have nothing to store. */
  #kept: Map<KeptItem, number> | null = null;
  #numbers = 0;

  /** Some items are stored, and must be removed from the store once they are delivered. */
  get hasKept(): boolean {
    return this.#kept !== null && this.#kept.size > 0;
  }

  /**
   * True if items would be lost with the process. A battery charge does not count: it is published again at each
   * connection.
   */
  get hasNews(): boolean {
    return this.#events.length + this.#positions.length > 0;
  }

  /**
   * The items that must be stored and are not yet, and the numbers of those that must be removed. The caller's write
   * counts as done.
   */
  keep(): { readonly puts: readonly (readonly [number, KeptItem])[]; readonly removals: readonly number[] } {
    const now = new Set<KeptItem>([...this.#events, ...this.#positions]);
    this.#kept ??= new Map();
    const removals: number[] = [];
    for (const [item, number] of this.#kept) {
      if (now.has(item)) continue;
      removals.push(number);
      this.#kept.delete(item);
    }
    const puts: [number, KeptItem][] = [];
    for (const item of now) {
      if (this.#kept.has(item)) continue;
      this.#numbers += 1;
      this.#kept.set(item, this.#numbers);
      puts.push([this.#numbers, item]);
    }
    return { puts, removals };
  }

  /** Stores nothing any more. Returns the numbers of the stored items, which the caller removes. */
  forget(): readonly number[] {
    const numbers = [...(this.#kept?.values() ?? [])];
    this.#kept = null;
    return numbers;
  }

  /** Continues with the stored items, in the order of their numbers. */
  resume(items: readonly (readonly [number, KeptItem])[]): void {
    this.#kept = new Map();
    for (const [number, item] of items) {
      this.add(item);
      this.#kept.set(item, number);
      this.#numbers = Math.max(this.#numbers, number);
    }
  }

  /** The watch has a new connection: its birth is published before anything else. */
  beBorn(): void {
    this.#birth = true;
  }

  /** Returns the item that was dropped to make room, if any. */
  add(item: Item): Item | undefined {
    switch (item.is) {
      case 'event': {
        this.#events.push(item);
        return this.#events.length > MAX_EVENTS ? this.#events.shift() : undefined;
      }
      case 'position': {
        this.#positions.push(item);
        return this.#positions.length > MAX_POSITIONS ? this.#positions.shift() : undefined;
      }
      case 'battery': {
        const before = this.#battery;
        this.#battery = item;
        return before ?? undefined;
      }
    }
  }

  /**
   * The next message to publish. Order: birth; SOS and falls; other events in their order; positions, the oldest first;
   * the battery.
   */
  next(): Parcel | null {
    if (this.#birth) return { is: 'birth' };
    if (this.#events.length > 0) {
      const urgent = this.#events.find(({ kind }) => URGENT.has(kind));
      return { is: 'event', item: urgent ?? this.#events[0]! };
    }
    if (this.#positions.length > 0) return { is: 'positions', items: this.#firstPositions() };
    return this.#battery === null ? null : { is: 'battery', item: this.#battery };
  }

  // As many positions as one message may carry, the oldest first.
  #firstPositions(): PositionItem[] {
    // A single position needs no size check.
    if (this.#positions.length === 1) return [this.#positions[0]!];
    let bytes = ENVELOPE_BYTES;
    const fitting = this.#positions.findIndex(({ fix }, index) => {
      bytes += Buffer.byteLength(JSON.stringify(fix)) + ENVELOPE_BYTES;
      return index > 0 && bytes > MAX_WATCH_PAYLOAD_BYTES;
    });
    return fitting < 0 ? [...this.#positions] : this.#positions.slice(0, fitting);
  }

  /** The parcel was acknowledged, or sent with QoS 0. Items that were added meanwhile stay. */
  delivered(parcel: Parcel): void {
    switch (parcel.is) {
      case 'birth':
        this.#birth = false;
        return;
      case 'event':
        this.#events = this.#events.filter((item) => item !== parcel.item);
        return;
      case 'positions': {
        const last = this.#positions.indexOf(parcel.items.at(-1) as PositionItem);
        if (last + 1 === this.#positions.length) this.#positions.length = 0;
        else this.#positions.splice(0, last + 1);
        return;
      }
      case 'battery':
        if (this.#battery === parcel.item) this.#battery = null;
    }
  }
}

/** The items of a parcel whose acknowledgement can be awaited. */
export function itemsOf(parcel: Parcel): readonly Item[] {
  if (parcel.is === 'birth') return [];
  return parcel.is === 'positions' ? parcel.items : [parcel.item];
}
