/** The documents in memory: all open alerts, the newest resolved ones of each organization, and the newest received messages. */
import type { AlertQuery } from '../alerts/alert-query.ts';
import { type Archive, type ArchivedKind, FetchedArchive, isArchivedKind } from './archive.ts';
import type { Alert, Documents, Kind, Muster } from './documents.ts';
import { completed } from './stored-documents.ts';

export interface MemoryBounds {
  /** Resolved alerts per organization. */
  readonly resolvedAlerts: number;
  /** Received messages of all watches together, which are needed to recognise repeated ones. */
  readonly acceptedUplinks: number;
  /** Musters whose roll and course are in memory, besides the active ones and the last one of each site. */
  readonly recordedMusters: number;
  /** Older alerts that were read or changed last, so that a repeated request for a page reads nothing again. */
  readonly recent: number;
}

/** An alert with its texts takes about 4 KB. */
export const MEMORY_BOUNDS: MemoryBounds = {
  resolvedAlerts: 500,
  acceptedUplinks: 5_000,
  recordedMusters: 20,
  recent: 500,
};

/** Memory holds everything. */
export const UNBOUNDED: MemoryBounds = {
  resolvedAlerts: Number.POSITIVE_INFINITY,
  acceptedUplinks: Number.POSITIVE_INFINITY,
  recordedMusters: Number.POSITIVE_INFINITY,
  recent: 0,
};

/** The most ids that are remembered as absent. One transaction looks up fewer ids than this more than once. */
const MOST_ABSENT = 1_000;

export class Residency {
  readonly bounds: MemoryBounds;
  readonly #archive: Archive;
  /**
   * By organization: memory has every alert whose key is above this. Absent: memory has all alerts of the organization.
   */
  readonly #floors = new Map<string, string>();
  /**
   * Evicted alerts that were changed most recently, the oldest first. Listeners of a commit find here what the commit
   * evicted.
   */
  readonly #letGo = new Map<string, Alert>();
  /** Alerts that were read from the store most recently, the oldest first. */
  readonly #readBack = new Map<string, Alert>();
  /** Kinds of which memory lacks some documents. Alerts are not included, since they have their floors. */
  readonly #partial = new Set<Kind>();
  /** Ids that the store was found not to have, since a rule and its consequences look them up several times. */
  readonly #absent = new Set<string>();
  /** False for a store to which others write: what was read from it may be older than what memory learns next. */
  readonly #keepsRead: boolean;

  constructor(archive: Archive, bounds: MemoryBounds) {
    this.#archive = archive;
    this.bounds = bounds;
    this.#keepsRead = !(archive instanceof FetchedArchive);
  }

  /** Null if memory has all alerts of the organization. */
  floorOf(organizationId: string): string | null {
    return this.#floors.get(organizationId) ?? null;
  }

  /** Memory evicted the alert with this key, or never loaded it. */
  raiseFloor(organizationId: string, key: string): void {
    const floor = this.#floors.get(organizationId);
    if (floor === undefined || floor < key) this.#floors.set(organizationId, key);
  }

  letGo(alert: Alert, key: string): void {
    this.raiseFloor(alert.organizationId, key);
    this.#readBack.delete(alert.id);
    keep(this.#letGo, alert, this.bounds.recent);
  }

  /** Memory no longer has all documents of this kind, or never loaded them. */
  notePartial(kind: Exclude<ArchivedKind, 'alert'>): void {
    this.#partial.add(kind);
  }

  /** An evicted or re-read document, which memory holds outside of the tables. */
  recent(kind: Kind, id: string): Alert | undefined {
    return kind === 'alert' ? (this.#letGo.get(id) ?? this.#readBack.get(id)) : undefined;
  }

  get<K extends Kind>(kind: K, id: string): Documents[K] | undefined {
    if (!isArchivedKind(kind)) return undefined;
    if (kind === 'alert' ? this.#floors.size === 0 : !this.#partial.has(kind)) return undefined;
    const known = this.recent(kind, id);
    if (known !== undefined) return known as Documents[K];
    if (this.#absent.has(id)) return undefined;
    const stored = this.#archive.get(kind, id);
    const found = stored === undefined ? undefined : completed(kind, stored as Documents[K]);
    if (this.#keepsRead) this.#noteRead(kind, id, found);
    return found;
  }

  #noteRead(kind: Kind, id: string, found: Documents[Kind] | undefined): void {
    if (found !== undefined) {
      if (kind === 'alert') keep(this.#readBack, found as Alert, this.bounds.recent);
      return;
    }
    if (this.#absent.size >= MOST_ABSENT) this.#absent.clear();
    this.#absent.add(id);
  }

  /** The document changed or was removed. */
  forget(kind: Kind, id: string): void {
    if (!isArchivedKind(kind)) return;
    this.#absent.delete(id);
    this.#letGo.delete(id);
    this.#readBack.delete(id);
  }

  /** `held` returns a document of the tables. */
  alerts(query: AlertQuery, held: (id: string) => Alert | undefined): readonly Alert[] {
    const stored = this.#archive.alerts(query, (id) => held(id) ?? this.recent('alert', id));
    const found = stored.map((alert) => completed('alert', alert));
    if (!this.#keepsRead) return found;
    for (const alert of found) if (held(alert.id) === undefined) keep(this.#readBack, alert, this.bounds.recent);
    return found;
  }

  count(query: AlertQuery): number {
    return this.#archive.count(query);
  }
}

/** All documents of one kind with which a world starts. */
export interface LoadedKind {
  readonly kind: Kind;
  readonly documents: readonly Documents[Kind][];
}

export const mustersIn = (loaded: readonly LoadedKind[]): readonly Muster[] =>
  (loaded.find(({ kind }) => kind === 'muster')?.documents ?? []) as readonly Muster[];

/** The ids of the musters whose roll and course memory holds. */
export function recordedMusters(
  musters: Iterable<Muster>,
  { recordedMusters: most }: MemoryBounds,
): ReadonlySet<string> {
  const sites = new Set<string>();
  const newest = [...musters].sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
  const recorded = newest.filter(({ site, status }, place) => {
    const isLast = !sites.has(site.id);
    sites.add(site.id);
    return isLast || status === 'active' || place < most;
  });
  return new Set(recorded.map(({ id }) => id));
}

function keep(alerts: Map<string, Alert>, alert: Alert, most: number): void {
  alerts.delete(alert.id);
  alerts.set(alert.id, alert);
  if (alerts.size > most) alerts.delete(alerts.keys().next().value as string);
}
