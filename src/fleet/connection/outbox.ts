/** The messages of a watch that are not yet acknowledged: kept while it is disconnected, with a limit, the most urgent first. */
import type { Instant } from '../../base/time/clock.ts';
import {
  MAX_POSITIONS_PER_MESSAGE,
  MAX_WATCH_PAYLOAD_BYTES,
  type UplinkEventKind,
  type WatchPosition,
} from '../../contract/watch.ts';

/** An event message; its id is the same until the PUBACK, whatever session brings it. */
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

/** What is kept over a restart. */
export type KeptItem = EventItem | PositionItem;

/** What goes into one message. */
export type Parcel =
  | { readonly is: 'birth' }
  | { readonly is: 'event'; readonly item: EventItem }
  | { readonly is: 'positions'; readonly items: readonly PositionItem[] }
  | { readonly is: 'battery'; readonly item: BatteryItem };

/** Three hours out of coverage at the usual rate; beyond it the oldest messages are dropped. */
const MAX_POSITIONS = MAX_POSITIONS_PER_MESSAGE;

/** Buttons pressed out of coverage; a watch that has more to say than this says the latest. */
const MAX_EVENTS = 200;

/** What a message of many fixes has beside them, and each fix beside its own text: session, place in it, comma. */
const ENVELOPE_BYTES = 64;

const URGENT: ReadonlySet<UplinkEventKind> = new Set(['sos', 'fall']);

export class Outbox {
  #birth = false;
  #events: EventItem[] = [];
  #positions: PositionItem[] = [];
  #battery: BatteryItem | null = null;
  /** Under which numbers items are kept; most watches have nothing to keep. */
  #kept: Map<KeptItem, number> | null = null;
  #numbers = 0;

  /** Some of it is kept, and has to be removed there once it is delivered. */
  get hasKept(): boolean {
    return this.#kept !== null && this.#kept.size > 0;
  }

  /** Something would be lost with the process: a charge is published anew at each connection. */
  get hasNews(): boolean {
    return this.#events.length + this.#positions.length > 0;
  }

  /** What is to be kept and was not, and what was and is no more; the answer is taken as done. */
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

  /** Nothing of it is to be kept any more; the numbers that were. */
  forget(): readonly number[] {
    const numbers = [...(this.#kept?.values() ?? [])];
    this.#kept = null;
    return numbers;
  }

  /** Goes on with what was kept, in the order of its numbers. */
  resume(items: readonly (readonly [number, KeptItem])[]): void {
    this.#kept = new Map();
    for (const [number, item] of items) {
      this.add(item);
      this.#kept.set(item, number);
      this.#numbers = Math.max(this.#numbers, number);
    }
  }

  /** The watch is connected anew: it says so before anything else. */
  beBorn(): void {
    this.#birth = true;
  }

  /** Answers what had to go to make room. */
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

  /** What is published next: birth, SOS and falls, other events in their order, positions with the oldest first, the battery. */
  next(): Parcel | null {
    if (this.#birth) return { is: 'birth' };
    if (this.#events.length > 0) {
      const urgent = this.#events.find(({ kind }) => URGENT.has(kind));
      return { is: 'event', item: urgent ?? this.#events[0]! };
    }
    if (this.#positions.length > 0) return { is: 'positions', items: this.#firstPositions() };
    return this.#battery === null ? null : { is: 'battery', item: this.#battery };
  }

  // As many as one message may carry, the oldest first.
  #firstPositions(): PositionItem[] {
    // Of one nobody asks how long it is.
    if (this.#positions.length === 1) return [this.#positions[0]!];
    let bytes = ENVELOPE_BYTES;
    const fitting = this.#positions.findIndex(({ fix }, index) => {
      bytes += Buffer.byteLength(JSON.stringify(fix)) + ENVELOPE_BYTES;
      return index > 0 && bytes > MAX_WATCH_PAYLOAD_BYTES;
    });
    return fitting < 0 ? [...this.#positions] : this.#positions.slice(0, fitting);
  }

  /** It was acknowledged, or sent as well as it could be. What came meanwhile stays. */
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
