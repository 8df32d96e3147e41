/** What the engine asks of a store: load a world, write one transaction, read the append-only logs. */

import type { Instant } from '../base/time/clock.ts';
import type { EventType } from '../contract/enumerations.ts';
import type { ProblemError } from '../contract/problems.ts';
import type { Archive } from '../domain/world/archive.ts';
import type { Documents, EventRecord, Kind } from '../domain/world/documents.ts';
import type { MemoryBounds } from '../domain/world/residency.ts';

/** One attempt to deliver one event to one destination, as it went. Times are simulated but `wallAt` and `tookMs`. */
export interface AttemptRecord {
  readonly id: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly destinationId: string;
  readonly organizationId: string;
  /** Counts from 1. */
  readonly tryNumber: number;
  readonly at: Instant;
  readonly wallAt: number;
  /** Milliseconds from the event's `created_at` to the attempt. */
  readonly offsetMs: number;
  readonly tookMs: number;
  readonly outcome: 'delivered' | 'failed' | 'lost';
  readonly status: number | null;
  /** Why it failed, in words; null when it was delivered. */
  readonly error: string | null;
  /** What was wrong with the body of an answer that counts. Absent in data of older versions. */
  readonly note?: string | null;
  readonly requestUrl: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
  /** Lower-case names; null where no answer came. Absent in data of older versions. */
  readonly responseHeaders?: Readonly<Record<string, string>> | null;
}

/** One HTTP request to the API, without secrets. [spec 5: every request is recorded in an audit log] */
export interface RequestRecord {
  readonly id: string;
  readonly at: Instant;
  readonly wallAt: number;
  readonly clientId: string | null;
  readonly organizationId: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly code: string | null;
  readonly tookMs: number;
  readonly note: string | null;
  readonly warnings: readonly string[];
  /** What the answer said, if it was a problem. Absent: no problem, or data of older versions. */
  readonly problem?: RequestProblem;
}

/** The sentences of a problem, without secrets. */
export interface RequestProblem {
  readonly detail: string;
  readonly errors: readonly ProblemError[];
}

/** A row of a log with its place in it: a larger one was written later. A walk over the log goes on from it. */
export type Logged<Row> = Row & { readonly seq: number };

interface Removal {
  readonly kind: Kind;
  readonly id: string;
  /** The owner of an alert: another node, which may not hold it, announces its removal to that company alone. */
  readonly organizationId?: string;
}

/** One transaction, to be written whole or not at all. */
export interface Batch {
  readonly puts: readonly { readonly kind: Kind; readonly id: string; readonly document: Documents[Kind] }[];
  readonly removals: readonly Removal[];
  readonly events: readonly EventRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly requests: readonly RequestRecord[];
}

/** A walk over the event log, by (createdAt, id). */
export interface EventQuery {
  readonly organizationId: string;
  readonly types?: readonly EventType[];
  /** Only events of these sites; an empty list finds nothing. */
  readonly siteIds?: readonly string[];
  /** Only events whose object the client could see when they occurred. [decisions 1] */
  readonly seen?: true;
  /** Contractors that the reader may see; undefined: all. Records with a null contractor are always seen. */
  readonly contractors?: readonly string[];
  /** Inclusive. */
  readonly createdAfter?: Instant;
  /** Exclusive. */
  readonly createdBefore?: Instant;
  /** Default: oldest first. */
  readonly newestFirst?: true;
  /** Exclusive: the walk goes on behind this record. */
  readonly after?: { readonly createdAt: Instant; readonly id: string };
  readonly limit: number;
}

export interface AttemptQuery {
  readonly organizationId?: string;
  readonly eventId?: string;
  readonly destinationId?: string;
  readonly eventType?: EventType;
  /** Only attempts to deliver events about these alerts and musters; an empty list finds nothing. */
  readonly objectIds?: readonly string[];
  /** Exclusive: only what was written earlier than the row with this `seq`. */
  readonly before?: number;
  readonly limit: number;
}

/** What the attempt log holds of one destination, in figures. `tookMs`: of the newest successful attempts, oldest first. */
export interface StoredTotals extends DeliveryTotals {
  readonly destinationId: string;
}

export interface RequestQuery {
  readonly organizationId?: string;
  /** As in `AttemptQuery`. */
  readonly before?: number;
  readonly limit: number;
}

/** A full disk: the transaction is taken back, callers get 503, and the next transaction may succeed. */
export class StorageFull extends Error {
  override readonly name: string = 'StorageFull';
  /** It is not known whether the transaction was written. */
  isUnknown = false;
}

/** Another program holds the database locked for too long: as with a full disk, the transaction is taken back and the next may succeed. */
export class StorageLocked extends StorageFull {}

/** The disk lied or broke (a failed fsync, a corrupt file): the engine stops rather than go on. */
export class StorageBroken extends Error {
  override readonly name = 'StorageBroken';
  /** It is not known whether the transaction was written: the error came while it was. */
  isUnknown = false;
}

/** Whether the store may have the transaction that failed with this error. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  (error instanceof StorageFull || error instanceof StorageBroken) && error.isUnknown;

export interface Store {
  /** For documents that memory does not hold. Absent or null: the world must hold them all. */
  readonly archive?: Archive | null;
  /**
   * The stored documents, kind by kind, each kind in the order of its ids. With `bounds`: of old alerts and received messages only the
   * newest.
   */
  load(bounds?: MemoryBounds): Promise<{ readonly kind: Kind; readonly documents: readonly Documents[Kind][] }[]>;
  /** One transaction. When it resolves the batch is durable. Throws StorageFull or StorageBroken. */
  commit(batch: Batch): Promise<void>;
  /** Called before a response that needs no commit: checks that the storage is still in place, and calls `onBroken` if not. */
  glance(): void;
  events(query: EventQuery): Promise<EventRecord[]>;
  /** Also unlisted (test) events. */
  event(id: string): Promise<EventRecord | null>;
  /** Those of these ids that there are, in any order; also unlisted ones. */
  eventsById(ids: readonly string[]): Promise<EventRecord[]>;
  /** The newest first. */
  attempts(query: AttemptQuery): Promise<Logged<AttemptRecord>[]>;
  /** Totals of the attempts that are kept; `newest`: response times of each destination at most. */
  attemptTotals(newest: number): Promise<StoredTotals[]>;
  /** The newest first. */
  requests(query: RequestQuery): Promise<Logged<RequestRecord>[]>;
  /** Forgets log rows older than the bounds; resolves with how many went. */
  prune(bounds: {
    eventsBefore: Instant;
    attemptsBefore: Instant;
    requestsBefore: Instant;
    uplinksBefore: Instant;
  }): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** An empty batch to begin a transaction with. */
export const emptyBatch = (): {
  puts: { kind: Kind; id: string; document: Documents[Kind] }[];
  removals: Removal[];
  events: EventRecord[];
  attempts: AttemptRecord[];
  requests: RequestRecord[];
} => ({ puts: [], removals: [], events: [], attempts: [], requests: [] });

/** Delivery attempts to one destination, by their outcome. */
export interface DeliveryTotals {
  readonly delivered: number;
  /** Attempts that failed, the last one of a lost delivery included. */
  readonly failed: number;
  readonly lost: number;
  /** Response times of the newest successful attempts, oldest first; wall ms. */
  readonly tookMs: readonly number[];
}
