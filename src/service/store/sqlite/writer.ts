/**
 * Writes one transaction of the engine to SQLite as one transaction, with prepared statements.
 *
 * kysely serves the reads and the migrations; here it would cost more than the disk does. Measured side by side (2
 * cores, ext4, libsql 0.5.29, WAL, synchronous=FULL; one alert, one event, two deliveries, one accepted uplink, one
 * site clock): 3,100 and 4,100 commits a second with kysely, which builds and prepares each statement again, 8,600 and
 * 8,450 with these.
 */
import type Database from 'libsql';
import type { EventRecord } from '../../domain/world/documents.ts';
import type { AttemptRecord, Batch, RequestRecord } from '../../engine/store-port.ts';
import type { CommitCount } from './commit-ledger.ts';
import { COUNT_COMMIT, listedOf } from './schema.ts';

/** Booleans are excluded: libsql 0.5 aborts the whole process when one is bound. */
type Value = string | number | null;

/**
 * Rows of one statement in a large batch. A typical transaction has fewer rows per table, and single-row statements are
 * as fast then.
 */
const CHUNK_ROWS = 64;

export class BatchWriter {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #remove: Database.Statement;
  readonly #documents: RowInserter;
  readonly #events: RowInserter;
  readonly #attempts: RowInserter;
  readonly #requests: RowInserter;
  readonly #count: Database.Statement;
  /** Removes the requests before the newest ones. Null if all are kept. */
  readonly #forgetRequests: Database.Statement | null;

  /** `mostRequests`: the number of requests that are kept; null for all. */
  constructor(database: Database.Database, mostRequests: number | null) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#remove = database.prepare('DELETE FROM documents WHERE kind = ? AND id = ?');
    this.#documents = new RowInserter(database, 'INSERT OR REPLACE INTO documents', ['kind', 'id', 'body']);
    this.#events = new RowInserter(database, 'INSERT INTO events', [
      'id',
      'type',
      'organization_id',
      'site_id',
      'object_id',
      'contractor',
      'created_at',
      'listed',
      'body',
    ]);
    this.#attempts = new RowInserter(database, 'INSERT INTO attempts', [
      'organization_id',
      'event_id',
      'destination_id',
      'at',
      'body',
    ]);
    this.#requests = new RowInserter(database, 'INSERT INTO requests', ['organization_id', 'at', 'body']);
    this.#count = database.prepare(COUNT_COMMIT);
    this.#forgetRequests =
      mostRequests === null
        ? null
        : database.prepare(`DELETE FROM requests WHERE seq <= (SELECT MAX(seq) FROM requests) - ${mostRequests}`);
  }

  /**
   * Writes the whole batch with the number of the commit, or throws SQLite's error without having written anything.
   * Removals are applied after puts.
   */
  write(batch: Batch, { commits, at }: CommitCount): void {
    this.#begin.run();
    try {
      this.#documents.insert(batch.puts.map(({ kind, id, document }) => [kind, id, JSON.stringify(document)]));
      for (const { kind, id } of batch.removals) this.#remove.run(kind, id);
      this.#events.insert(batch.events.map(eventRow));
      this.#attempts.insert(batch.attempts.map(attemptRow));
      if (batch.requests.length > 0) {
        this.#requests.insert(batch.requests.map(requestRow));
        this.#forgetRequests?.run();
      }
      this.#count.run(commits, at);
      this.#commit.run();
    } catch (error) {
      // After a full disk and some I/O errors SQLite has already rolled back, and a second rollback is an error.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/**
 * Inserts rows of one table, in chunks of a fixed size and the rest one by one, so that two prepared statements
 * suffice.
 */
class RowInserter {
  readonly #database: Database.Database;
  readonly #single: Database.Statement;
  readonly #chunkSql: string;
  #chunk: Database.Statement | null = null;

  constructor(database: Database.Database, insertInto: string, columns: readonly string[]) {
    const head = `${insertInto} (${columns.join(', ')}) VALUES `;
    const row = `(${columns.map(() => '?').join(', ')})`;
    this.#database = database;
    this.#single = database.prepare(head + row);
    this.#chunkSql = head + Array(CHUNK_ROWS).fill(row).join(', ');
  }

  insert(rows: readonly Value[][]): void {
    let done = 0;
    for (; rows.length - done >= CHUNK_ROWS; done += CHUNK_ROWS) {
      this.#chunk ??= this.#database.prepare(this.#chunkSql);
      this.#chunk.run(rows.slice(done, done + CHUNK_ROWS).flat());
    }
    for (; done < rows.length; done++) this.#single.run(rows[done]);
  }
}

function eventRow(event: EventRecord): Value[] {
  const { id, type, organizationId, siteId, objectId, contractor, createdAt, body } = event;
  return [id, type, organizationId, siteId, objectId, contractor, createdAt, listedOf(event), body];
}

function attemptRow(attempt: AttemptRecord): Value[] {
  const { organizationId, eventId, destinationId, at } = attempt;
  return [organizationId, eventId, destinationId, at, JSON.stringify(attempt)];
}

function requestRow(request: RequestRecord): Value[] {
  return [request.organizationId, request.at, JSON.stringify(request)];
}
