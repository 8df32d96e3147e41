/** The heap of due entries, ordered by instant, lane, actor and insertion. */
import type { Cancel, DueKey, Instant } from './clock.ts';

/** Below this size, removing cancelled entries has no benefit. */
const SWEEP_FROM = 64;

/** One due task. `task` is null after it ran or was cancelled. `queued` is true while the heap contains it. */
interface HeapEntry {
  readonly due: Instant;
  /** The instant from which it could run: its due instant, or later if it was added after that. */
  readonly from: Instant;
  readonly lane: number;
  readonly actor: string;
  readonly n: number;
  task: (() => void) | null;
  queued: boolean;
}

/** A binary heap. Cancelling only marks an entry. Marked entries are removed when they are the majority. */
export class DueHeap {
  #entries: HeapEntry[] = [];
  #n = 0;
  #cancelled = 0;

  /** The number of waiting entries, without cancelled ones. */
  get size(): number {
    return this.#entries.length - this.#cancelled;
  }

  /** Adds a task. The returned function cancels it, also while its batch is already running. */
  add(due: Instant, key: DueKey, task: () => void, from: Instant = due): Cancel {
    const entry: HeapEntry = { due, from, lane: key.lane, actor: key.actor, n: this.#n++, task, queued: false };
    this.put(entry);
    return () => this.#cancel(entry);
  }

  /** Puts an entry in, or back in with its original rank among equal entries. */
  put(entry: HeapEntry): void {
    entry.queued = true;
    this.#entries.push(entry);
    this.#rise(this.#entries.length - 1);
  }

  /** The first entry; undefined if there is none. */
  peek(): HeapEntry | undefined {
    while (this.#entries[0]?.task === null) {
      this.#take();
      this.#cancelled--;
    }
    return this.#entries[0];
  }

  /** Removes and returns the first entry. */
  pop(): HeapEntry | undefined {
    return this.peek() && this.#take();
  }

  /** Removes and returns all entries of the first (instant, lane), in key order. */
  popBatch(): HeapEntry[] {
    const first = this.pop();
    if (!first) return [];
    const batch = [first];
    for (let next = this.peek(); next?.due === first.due && next.lane === first.lane; next = this.peek()) {
      batch.push(this.#take());
    }
    return batch;
  }

  /** Removes everything. */
  clear(): void {
    for (const entry of this.#entries) {
      entry.task = null;
      entry.queued = false;
    }
    this.#entries = [];
    this.#cancelled = 0;
  }

  #cancel(entry: HeapEntry): void {
    if (entry.task === null) return;
    entry.task = null;
    if (!entry.queued) return;
    this.#cancelled++;
    if (this.#entries.length >= SWEEP_FROM && this.#cancelled * 2 > this.#entries.length) this.#sweep();
  }

  #sweep(): void {
    this.#entries = this.#entries.filter((entry) => entry.task !== null);
    this.#cancelled = 0;
    for (let i = (this.#entries.length >> 1) - 1; i >= 0; i--) this.#sink(i);
  }

  #take(): HeapEntry {
    const entries = this.#entries;
    const first = entries[0]!;
    const last = entries.pop()!;
    if (entries.length > 0) {
      entries[0] = last;
      this.#sink(0);
    }
    first.queued = false;
    return first;
  }

  #rise(from: number): void {
    const entries = this.#entries;
    const entry = entries[from]!;
    let i = from;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!before(entry, entries[parent]!)) break;
      entries[i] = entries[parent]!;
      i = parent;
    }
    entries[i] = entry;
  }

  #sink(from: number): void {
    const entries = this.#entries;
    const entry = entries[from]!;
    let i = from;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && before(entries[child + 1]!, entries[child]!)) child++;
      if (!before(entries[child]!, entry)) break;
      entries[i] = entries[child]!;
      i = child;
    }
    entries[i] = entry;
  }
}

// Strings are compared by code units, since the order of a locale differs between machines.
function before(a: HeapEntry, b: HeapEntry): boolean {
  if (a.due !== b.due) return a.due < b.due;
  if (a.lane !== b.lane) return a.lane < b.lane;
  if (a.actor !== b.actor) return a.actor < b.actor;
  return a.n < b.n;
}
