/** The engine's requirements of a store: load a world, write one transaction, read the append-only logs. */

import type { Instant } from '../../base/time/clock.ts';
import type { EventType } from '../../contract/enumerations.ts';
import type { ProblemError } from '../../contract/problems.ts';
import type { Archive } from '../domain/world/archive.ts';
import type { Documents, EventRecord, Kind } from '../domain/world/documents.ts';
import type { MemoryBounds } from '../domain/world/residency.ts';

/**
 * One attempt to deliver one event to one destination, with its outcome. Times are simulated, except `wallAt` and
 * `tookMs`.
 */
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
  /** Why the attempt failed, in words; null if it succeeded. */
  readonly error: string | null;
  /** A defect in the body of a reply that counts as success; null if there is none. */
  readonly note: string | null;
  readonly requestUrl: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
  /** The headers with lower-case names; null if there was no reply. */
  readonly responseHeaders: Readonly<Record<string, string>> | null;
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
  /** The User-Agent of the request. Absent if it had none. */
  readonly agent?: string;
  /** The problem that was returned. Absent if there was none. */
  readonly problem?: RequestProblem;
}

/** The sentences of a problem, without secrets. */
export interface RequestProblem {
  readonly detail: string;
  readonly errors: readonly ProblemError[];
}

/** A row of a log with its position: a larger one was written later. A walk over the log continues from it. */
export type Logged<Row> = Row & { readonly seq: number };

interface Removal {
  readonly kind: Kind;
  readonly id: string;
  /**
   * The owner of an alert: another node that does not hold the alert can still announce its removal, to that company
   * only.
   */
  readonly organizationId?: string;
}

/** One transaction, to be written as a whole or not at all. */
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
  /** Exclusive: the walk continues after this record. */
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
  /** Exclusive: only rows that were written before the row with this `seq`. */
  readonly before?: number;
  readonly limit: number;
}

/**
 * The totals of the attempt log for one destination. `tookMs` contains the newest successful attempts, the oldest
 * first.
 */
export interface StoredTotals extends DeliveryTotals {
  readonly destinationId: string;
}

export interface RequestQuery {
  readonly organizationId?: string;
  /** Same as in `AttemptQuery`. */
  readonly before?: number;
  readonly limit: number;
}

/** A full disk: the transaction is rolled back, callers get 503, and the next transaction may succeed. */
export class StorageFull extends Error {
  override readonly name: string = 'StorageFull';
  /** True if it is unknown whether the transaction was written. */
  isUnknown = false;
}

/**
 * Another program locks the database for too long. As with a full disk, the transaction is rolled back, and the next
 * one may succeed.
 */
export class StorageLocked extends StorageFull {}

/** The disk is unreliable (a failed fsync, a corrupt file), so the engine stops. */
export class StorageBroken extends Error {
  override readonly name = 'StorageBroken';
  /** True if it is unknown whether the transaction was written: the error occurred during the write. */
  isUnknown = false;
}

/** True if the store may contain the transaction that failed with this error. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  (error instanceof StorageFull || error instanceof StorageBroken) && error.isUnknown;

export interface Store {
  /** Reads documents that are not in memory. Absent or null if the world must hold all documents. */
  readonly archive?: Archive | null;
  /**
   * The stored documents, by kind, each kind in the order of its ids. With `bounds`, only the newest of the old alerts
   * and received messages.
   */
  load(bounds?: MemoryBounds): Promise<{ readonly kind: Kind; readonly documents: readonly Documents[Kind][] }[]>;
  /** Writes one transaction. When it resolves, the batch is durable. Throws StorageFull or StorageBroken. */
  commit(batch: Batch): Promise<void>;
  /**
   * Called before a response that needs no commit. Checks that the storage is still in place, and calls `onBroken` if
   * it is not.
   */
  glance(): void;
  events(query: EventQuery): Promise<EventRecord[]>;
  /** Also returns unlisted (test) events. */
  event(id: string): Promise<EventRecord | null>;
  /** The existing events with these ids, in any order, including unlisted ones. */
  eventsById(ids: readonly string[]): Promise<EventRecord[]>;
  /** The newest first. */
  attempts(query: AttemptQuery): Promise<Logged<AttemptRecord>[]>;
  /** Totals of the stored attempts. `newest`: the most response times for each destination. */
  attemptTotals(newest: number): Promise<StoredTotals[]>;
  /** The newest first. */
  requests(query: RequestQuery): Promise<Logged<RequestRecord>[]>;
  /** Deletes log rows older than the bounds. Resolves with the number of deleted rows. */
  prune(bounds: {
    eventsBefore: Instant;
    attemptsBefore: Instant;
    requestsBefore: Instant;
    uplinksBefore: Instant;
  }): Promise<number>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** An empty batch for a new transaction. */
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
  /** Failed attempts, including the last one of a lost delivery. */
  readonly failed: number;
  readonly lost: number;
  /** Response times of the newest successful attempts, the oldest first; wall-clock ms. */
  readonly tookMs: readonly number[];
}
