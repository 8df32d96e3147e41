/** The world: every document in memory, one method that changes it, and a journal to roll back a transaction or one command of it. */

import { timeKey } from '../../../base/sorted-index.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type { AlertQuery } from '../alerts/alert-query.ts';
import { NotInMemory } from './archive.ts';
import { type Alert, type Documents, KINDS, type Kind, type Telemetry } from './documents.ts';
import { Indexes } from './indexes.ts';
import { type Residency, recordedMusters } from './residency.ts';

/**
 * A key without a document is a tombstone: the document was removed in this transaction. A rollback restores it in the
 * same place of the order.
 */
type WorldTables = { readonly [K in Kind]: Map<string, Documents[K] | undefined> };

/** The change of one document in a transaction. `before` is undefined if it was new, `after` if it was removed. */
export interface Touched<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
  readonly before: Documents[K] | undefined;
  after: Documents[K] | undefined;
}

/** A position in the transaction's log of writes, to which it can be rolled back. */
export type Savepoint = number;

/** One write, and what it replaced in the tables and in the journal. */
interface Write {
  readonly kind: Kind;
  readonly id: string;
  readonly before: Documents[Kind] | undefined;
  /** The journal entry; null for telemetry, which is written behind. */
  readonly touched: {
    readonly key: string;
    readonly isFirst: boolean;
    readonly after: Documents[Kind] | undefined;
  } | null;
}

export class World {
  readonly #tables: WorldTables;
  readonly #journal = new Map<string, Touched>();
  /**
   * Every write of the transaction in order. They are undone one by one, so that indexes are updated exactly in
   * reverse.
   */
  readonly #writes: Write[] = [];
  readonly #tombstones = new Map<Kind, Set<string>>();
  readonly #telemetryTouched = new Set<string>();
  /** Contacts since the last commit, which survive the rollback of a transaction. */
  readonly #contacts = new Map<string, Instant>();
  readonly indexes = new Indexes();
  /** Null if memory holds every document. */
  readonly #residency: Residency | null;
  /** The number of rolls that the last trim left. */
  #rollsKept = 0;

  constructor(residency: Residency | null = null) {
    this.#residency = residency;
    this.#tables = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as unknown as WorldTables;
  }

  /** Also returns an evicted document. Throws `NotInMemory` if the store must be read first. */
  get<K extends Kind>(kind: K, id: string): Documents[K] | undefined {
    const found = this.#tables[kind].get(id) as Documents[K] | undefined;
    if (found !== undefined || this.#residency === null || this.#tables[kind].has(id)) return found;
    return this.#residency.get(kind, id);
  }

  /** Like `get`, for a listener that cannot wait: returns undefined if the store would have to be read first. */
  known<K extends Kind>(kind: K, id: string): Documents[K] | undefined {
    try {
      return this.get(kind, id);
    } catch (error) {
      if (error instanceof NotInMemory) return undefined;
      throw error;
    }
  }

  /** Like `get`, but never reads the store. */
  held<K extends Kind>(kind: K, id: string): Documents[K] | undefined {
    const found = this.#tables[kind].get(id) as Documents[K] | undefined;
    if (found !== undefined || this.#tables[kind].has(id)) return found;
    return this.#residency?.recent(kind, id) as Documents[K] | undefined;
  }

  /** For an id that another document refers to. Its absence is a bug, so this throws. */
  need<K extends Kind>(kind: K, id: string): Documents[K] {
    const document = this.get(kind, id);
    if (document === undefined) throw new Error(`no ${kind} ${id} in the world`);
    return document;
  }

  /** The documents in memory, in the order in which they were added. A rollback restores that order. */
  all<K extends Kind>(kind: K): IterableIterator<Documents[K]> {
    const documents = this.#tables[kind].values() as IterableIterator<Documents[K]>;
    return this.#tombstones.has(kind) ? present(documents) : documents;
  }

  count(kind: Kind): number {
    return this.#tables[kind].size - (this.#tombstones.get(kind)?.size ?? 0);
  }

  put<K extends Kind>(kind: K, document: Documents[K]): void {
    this.#write(kind, document.id, document);
  }

  remove<K extends Kind>(kind: K, id: string): void {
    if (this.get(kind, id) !== undefined) this.#write(kind, id, undefined);
  }

  /** Telemetry is not written with the transaction but behind it. A rollback restores it. */
  putTelemetry(telemetry: Telemetry): void {
    const { id } = telemetry;
    this.#writes.push({ kind: 'telemetry', id, before: this.#tables.telemetry.get(id), touched: null });
    this.#setTelemetry(telemetry);
  }

  /**
   * Any packet of a watch counts as contact. It is not part of the transaction, so a rollback keeps it.
   * [watch-protocol]
   */
  contact(deviceId: string, at: Instant): void {
    this.#contacts.set(deviceId, at);
    const telemetry = this.telemetry(deviceId);
    if (telemetry.lastContactAt !== at) this.#setTelemetry({ ...telemetry, lastContactAt: at });
  }

  /** Marks telemetry that could not be written, so that the next write includes it. */
  keepTelemetry(deviceIds: Iterable<string>): void {
    for (const id of deviceIds) this.#telemetryTouched.add(id);
  }

  telemetry(deviceId: string): Telemetry {
    return this.#tables.telemetry.get(deviceId) ?? { ...SILENT, id: deviceId };
  }

  /** Telemetry changed since the last call, for the write-behind. */
  takeTelemetry(): Telemetry[] {
    // A watch that has left the world has no telemetry to write.
    const there = [...this.#telemetryTouched].filter((id) => this.#tables.telemetry.has(id));
    const taken = there.map((id) => this.telemetry(id));
    this.#telemetryTouched.clear();
    return taken;
  }

  /** Loads a stored document without journalling it. */
  load<K extends Kind>(kind: K, document: Documents[K]): void {
    const table = this.#tables[kind] as Map<string, Documents[K]>;
    const before = table.get(document.id);
    table.set(document.id, document);
    this.#residency?.forget(kind, document.id);
    this.indexes.update(kind, before, document);
  }

  /** Removes a document without journalling it. */
  unload<K extends Kind>(kind: K, id: string): void {
    const table = this.#tables[kind] as Map<string, Documents[K]>;
    const before = table.get(id);
    this.#residency?.forget(kind, id);
    if (before === undefined) return;
    table.delete(id);
    this.indexes.update(kind, before, undefined);
  }

  /** Forgets messages that were accepted before then. The store removes them itself. */
  forgetUplinks(before: number): void {
    const table = this.#tables.heard;
    for (const uplink of table.values()) if (uplink !== undefined && uplink.at < before) table.delete(uplink.id);
  }

  /**
   * Null if memory has all alerts of the organization. Otherwise memory has all open ones, and the resolved ones above
   * this key.
   */
  alertFloor(organizationId: string): string | null {
    return this.#residency?.floorOf(organizationId) ?? null;
  }

  /** Matching alerts from the store, as of the last commit, including those in memory. */
  archivedAlerts(query: AlertQuery): readonly Alert[] {
    return this.#residency?.alerts(query, (id) => this.#tables.alert.get(id)) ?? [];
  }

  /** The number of matching alerts in the store. */
  archivedCount(query: AlertQuery): number {
    return this.#residency?.count(query) ?? 0;
  }

  /**
   * Called after the newest documents were loaded: a kind that reached its bound may have older documents in the store.
   */
  noteOlder(): void {
    const residency = this.#residency;
    if (residency === null) return;
    const { resolvedAlerts, acceptedUplinks, recordedMusters: most } = residency.bounds;
    for (const organizationId of this.indexes.resolvedAlerts.keys()) {
      const alerts = this.indexes.resolvedAlerts.of(organizationId);
      const oldest = alerts.at(0);
      if (oldest !== undefined && alerts.length >= resolvedAlerts)
        residency.raiseFloor(organizationId, timeKey(oldest.createdAt, oldest.id));
    }
    if (this.#tables.heard.size >= acceptedUplinks) residency.notePartial('heard');
    if (this.#tables.muster.size > most) for (const kind of ['course', 'roll'] as const) residency.notePartial(kind);
  }

  /** Evicts committed documents above the bounds. Readers cannot notice it, so it is not part of a transaction. */
  trim(): void {
    const residency = this.#residency;
    if (residency === null) return;
    const { resolvedAlerts, acceptedUplinks } = residency.bounds;
    for (const alerts of this.indexes.resolvedAlerts.values())
      while (alerts.length > resolvedAlerts) {
        const alert = alerts.at(0) as Alert;
        this.#tables.alert.delete(alert.id);
        this.indexes.update('alert', alert, undefined);
        residency.letGo(alert, timeKey(alert.createdAt, alert.id));
      }
    this.#trimRecords(residency);
    const messages = this.#tables.heard;
    for (const id of messages.keys()) {
      if (messages.size <= acceptedUplinks) return;
      messages.delete(id);
      residency.notePartial('heard');
    }
  }

  #trimRecords(residency: Residency): void {
    const rolls = this.#tables.roll;
    if (rolls.size <= residency.bounds.recordedMusters || rolls.size === this.#rollsKept) return;
    const kept = recordedMusters(this.all('muster'), residency.bounds);
    for (const id of [...rolls.keys()].filter((one) => !kept.has(one))) {
      rolls.delete(id);
      for (const stretch of [...this.indexes.courseOfMuster.of(id).values()]) {
        this.#tables.course.delete(stretch.id);
        this.indexes.update('course', stretch, undefined);
      }
      for (const kind of ['course', 'roll'] as const) residency.notePartial(kind);
    }
    this.#rollsKept = rolls.size;
  }

  /** The documents that the transaction has changed so far, each once. */
  touched(): Touched[] {
    return [...this.#journal.values()];
  }

  /** The transaction is on disk, so its changes are final. */
  commit(): void {
    this.#journal.clear();
    this.#writes.length = 0;
    this.#contacts.clear();
    for (const [kind, ids] of this.#tombstones) for (const id of ids) this.#tables[kind].delete(id);
    this.#tombstones.clear();
    this.trim();
  }

  /** The current position in the log of writes, for a later rollback of what follows. */
  savepoint(): Savepoint {
    return this.#writes.length;
  }

  /** Undoes every write since the savepoint: documents, their order, indexes, journal and telemetry are restored. */
  rollbackTo(savepoint: Savepoint): void {
    while (this.#writes.length > savepoint) this.#undo(this.#writes.pop() as Write);
  }

  /** The transaction could not be written: every document is restored. */
  rollback(): void {
    this.rollbackTo(0);
  }

  #write<K extends Kind>(kind: K, id: string, after: Documents[K] | undefined): void {
    const before = this.get(kind, id);
    const key = `${kind}/${id}`;
    const known = this.#journal.get(key);
    this.#writes.push({ kind, id, before, touched: { key, isFirst: known === undefined, after: known?.after } });
    if (known === undefined) this.#journal.set(key, { kind, id, before, after } as Touched);
    else (known as { after: unknown }).after = after;
    this.#set(kind, id, before, after);
  }

  #undo({ kind, id, before, touched }: Write): void {
    if (touched === null) return this.#unhear(id, before as Telemetry | undefined);
    this.#set(kind, id, this.get(kind, id), before);
    if (touched.isFirst) {
      // The document did not exist before the transaction, so it must not leave a tombstone.
      if (before === undefined) this.#bury(kind, id);
      this.#journal.delete(touched.key);
    } else (this.#journal.get(touched.key) as { after: unknown }).after = touched.after;
  }

  #unhear(id: string, before: Telemetry | undefined): void {
    const contactAt = this.#contacts.get(id);
    if (contactAt !== undefined) {
      const restored = before ?? { ...SILENT, id };
      this.#setTelemetry({ ...restored, lastContactAt: Math.max(contactAt, restored.lastContactAt ?? contactAt) });
    } else if (before !== undefined) this.#setTelemetry(before);
    else this.#tables.telemetry.delete(id);
  }

  #setTelemetry(telemetry: Telemetry): void {
    (this.#tables.telemetry as Map<string, Telemetry>).set(telemetry.id, telemetry);
    if (this.#tombstones.get('telemetry')?.delete(telemetry.id) === true) this.#swept('telemetry');
    this.#telemetryTouched.add(telemetry.id);
  }

  #set(kind: Kind, id: string, before: Documents[Kind] | undefined, after: Documents[Kind] | undefined): void {
    const table = this.#tables[kind] as Map<string, unknown>;
    // An evicted document also leaves a tombstone, since the store still has it until the commit.
    if (after !== undefined || before !== undefined || table.has(id)) table.set(id, after);
    this.#residency?.forget(kind, id);
    if (after === undefined && before !== undefined) this.#tombstonesOf(kind).add(id);
    else if (after !== undefined && this.#tombstones.get(kind)?.delete(id) === true) this.#swept(kind);
    this.indexes.update(kind, before, after);
  }

  #tombstonesOf(kind: Kind): Set<string> {
    let ids = this.#tombstones.get(kind);
    if (ids === undefined) {
      ids = new Set();
      this.#tombstones.set(kind, ids);
    }
    return ids;
  }

  #bury(kind: Kind, id: string): void {
    this.#tables[kind].delete(id);
    if (this.#tombstones.get(kind)?.delete(id) === true) this.#swept(kind);
  }

  #swept(kind: Kind): void {
    if (this.#tombstones.get(kind)?.size === 0) this.#tombstones.delete(kind);
  }
}

function* present<T>(documents: Iterable<T | undefined>): IterableIterator<T> {
  for (const document of documents) if (document !== undefined) yield document;
}

/** The telemetry of a watch that has never been in contact. */
const SILENT: Omit<Telemetry, 'id'> = {
  fix: null,
  batteryPct: null,
  charging: false,
  worn: null,
  session: 0,
  batteryPlace: null,
  firmware: null,
  lastContactAt: null,
  entering: [],
  sun: [],
  inSun: false,
  stays: [],
};
