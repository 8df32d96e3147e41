/** The world: every document in memory, one way to change it, and a journal so that a turn can be taken back whole. */

import { type Documents, KINDS, type Kind, type Telemetry } from './documents.ts';
import { Indexes } from './indexes.ts';

type Tables = { readonly [K in Kind]: Map<string, Documents[K]> };

/** What one turn did to one document; `before` undefined: it was new; `after` undefined: it was removed. */
export interface Touched<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
  readonly before: Documents[K] | undefined;
  after: Documents[K] | undefined;
}

export class World {
  readonly #tables: Tables;
  readonly #journal = new Map<string, Touched>();
  readonly #telemetryTouched = new Set<string>();
  readonly indexes = new Indexes();

  constructor() {
    this.#tables = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as unknown as Tables;
  }

  get<K extends Kind>(kind: K, id: string): Documents[K] | undefined {
    return this.#tables[kind].get(id) as Documents[K] | undefined;
  }

  /** For an id that another document names: its absence is a bug. */
  need<K extends Kind>(kind: K, id: string): Documents[K] {
    const document = this.get(kind, id);
    if (document === undefined) throw new Error(`no ${kind} ${id} in the world`);
    return document;
  }

  all<K extends Kind>(kind: K): IterableIterator<Documents[K]> {
    return this.#tables[kind].values() as IterableIterator<Documents[K]>;
  }

  count(kind: Kind): number {
    return this.#tables[kind].size;
  }

  put<K extends Kind>(kind: K, document: Documents[K]): void {
    this.#write(kind, document.id, document);
  }

  remove<K extends Kind>(kind: K, id: string): void {
    if (this.#tables[kind].has(id)) this.#write(kind, id, undefined);
  }

  /** Telemetry is not journalled: it is written behind, and a turn that is taken back does not unhear a position. */
  putTelemetry(telemetry: Telemetry): void {
    (this.#tables.telemetry as Map<string, Telemetry>).set(telemetry.id, telemetry);
    this.#telemetryTouched.add(telemetry.id);
  }

  telemetry(deviceId: string): Telemetry {
    return this.#tables.telemetry.get(deviceId) ?? { ...SILENT, id: deviceId };
  }

  /** Telemetry changed since the last call, for the write-behind. */
  takeTelemetry(): Telemetry[] {
    // Of a watch that has left the world there is nothing to keep.
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
    this.indexes.update(kind, before, document);
  }

  /** Messages heard before then are forgotten; the store forgets them by itself. */
  forgetHeard(before: number): void {
    const table = this.#tables.heard;
    for (const { id, at } of table.values()) if (at < before) table.delete(id);
  }

  /** What the turn has touched so far, each document once. */
  touched(): Touched[] {
    return [...this.#journal.values()];
  }

  /** The turn is on disk: its changes stand. */
  commit(): void {
    this.#journal.clear();
  }

  /** The turn could not be written: every document is again what it was before. */
  rollback(): void {
    for (const { kind, id, before, after } of [...this.#journal.values()].reverse()) this.#set(kind, id, after, before);
    this.#journal.clear();
  }

  #write<K extends Kind>(kind: K, id: string, after: Documents[K] | undefined): void {
    const before = this.get(kind, id);
    this.#set(kind, id, before, after);
    const key = `${kind}/${id}`;
    const known = this.#journal.get(key);
    if (known === undefined) this.#journal.set(key, { kind, id, before, after } as Touched);
    else (known as { after: unknown }).after = after;
  }

  #set(kind: Kind, id: string, before: Documents[Kind] | undefined, after: Documents[Kind] | undefined): void {
    const table = this.#tables[kind] as Map<string, unknown>;
    if (after === undefined) table.delete(id);
    else table.set(id, after);
    this.indexes.update(kind, before, after);
  }
}

/** A watch that has never been heard. */
const SILENT: Omit<Telemetry, 'id'> = {
  fix: null,
  batteryPct: null,
  charging: false,
  worn: null,
  session: 0,
  firmware: null,
  lastContactAt: null,
  entering: [],
  sun: [],
  inSun: false,
  stays: [],
};
