/** The store on a SQLite file (or in memory): documents as JSON by kind and id, and three append-only logs. */
import { Kysely, type Selectable, SqliteDialect, sql } from 'kysely';
import Database from 'libsql';
import { assert } from '../base/assert.ts';
import type { Instant } from '../base/clock.ts';
import { nextTurn } from '../base/timers.ts';
import { type Documents, type EventRecord, KINDS, type Kind } from '../domain/world/documents.ts';
import {
  type AttemptQuery,
  type AttemptRecord,
  type Batch,
  type EventQuery,
  type RequestQuery,
  type RequestRecord,
  StorageBroken,
  type Store,
} from '../engine/store-port.ts';
import { openingOutage, storageError } from './sqlite-errors.ts';
import { KEPT_KIND, type KeptTexts, KeptWriter } from './sqlite-kept.ts';
import { migrate, schemaVersion, type Tables } from './sqlite-schema.ts';
import { BatchWriter } from './sqlite-writer.ts';

/** Nobody else should hold the file; a reader that looks in (a database browser, a backup) gets this long to let go. */
const BUSY_TIMEOUT_MS = 250;

/** Rows that one transaction of a prune forgets: some milliseconds, so that turns get in between. */
const PRUNE_ROWS = 2_000;

export interface SqliteOptions {
  /** A path, or `:memory:`. The folder that it stands in is held by its `DataFolder`. */
  readonly file: string;
  /** The file may grow to this many pages of 4 KiB; then it counts as a full disk. */
  readonly pageLimit?: number;
}

/** The world's store, and beside it what the emulated fleet keeps. */
export interface SqliteStored extends Store {
  readonly kept: KeptTexts;
  /** When the newest event occurred, a simulated instant; null: there is none. */
  latestEventAt(): Promise<Instant | null>;
}

/** Opens the file, makes or migrates its tables; throws an `Outage` with a cure when it cannot. */
export async function openSqliteStore({ file, pageLimit }: SqliteOptions): Promise<SqliteStored> {
  let database: Database.Database | null = null;
  try {
    database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
    // Looked at before anything is set, so that a file that is refused stays as it was.
    const version = await schemaVersion(db, file);
    database.pragma('journal_mode = WAL');
    // A commit that was answered is on the disk: NORMAL would lose the last ones with the power.
    database.pragma('synchronous = FULL');
    if (pageLimit !== undefined) database.pragma(`max_page_count = ${pageLimit}`);
    await migrate(db, version);
    return new SqliteStore(database, db);
  } catch (error) {
    database?.close();
    throw openingOutage(file, error);
  }
}

class SqliteStore implements SqliteStored {
  readonly #database: Database.Database;
  readonly #db: Kysely<Tables>;
  readonly #writer: BatchWriter;
  readonly kept: KeptTexts = {
    load: () => this.#loadKept(),
    keep: async (changes) => this.#writing('the keeping of the fleet', () => this.#keptWriter.write(changes)),
  };
  readonly #keptWriter: KeptWriter;
  #broken: StorageBroken | null = null;
  #closed = false;

  constructor(database: Database.Database, db: Kysely<Tables>) {
    this.#database = database;
    this.#db = db;
    this.#writer = new BatchWriter(database);
    this.#keptWriter = new KeptWriter(database);
  }

  load(): ReturnType<Store['load']> {
    return this.#reading('the loading of the world', async () => {
      const kinds: { kind: Kind; documents: Documents[Kind][] }[] = [];
      for (const kind of KINDS) {
        const query = this.#db.selectFrom('documents').select(['id', 'body']).where('kind', '=', kind).orderBy('id');
        const rows = await query.execute();
        kinds.push({ kind, documents: rows.map(({ id, body }) => parseBody<Documents[Kind]>(body, `${kind} ${id}`)) });
      }
      return kinds;
    });
  }

  async commit(batch: Batch): Promise<void> {
    this.#writing('a commit', () => this.#writer.write(batch));
  }

  events(query: EventQuery): Promise<EventRecord[]> {
    return this.#reading('a walk over the events', async () => {
      const { organizationId, types, siteIds, contractors, createdAfter, createdBefore, after, limit } = query;
      let rows = this.#db
        .selectFrom('events')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('listed', '=', 1);
      if (types) rows = rows.where('type', 'in', types);
      if (siteIds) rows = rows.where('site_id', 'in', siteIds);
      if (contractors) {
        rows = rows.where((is) => is.or([is('contractor', 'is', null), is('contractor', 'in', contractors)]));
      }
      if (createdAfter !== undefined) rows = rows.where('created_at', '>=', createdAfter);
      if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore);
      // A row value, and not `a > x OR (a = x AND b > y)`: SQLite seeks the index by it.
      if (after) rows = rows.where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.id})`);
      return (await rows.orderBy('created_at').orderBy('id').limit(limit).execute()).map(eventOf);
    });
  }

  event(id: string): Promise<EventRecord | null> {
    return this.#reading('the reading of an event', async () => {
      const row = await this.#db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? eventOf(row) : null;
    });
  }

  latestEventAt(): Promise<Instant | null> {
    return this.#reading('the reading of the newest event', async () => {
      const { at } = await this.#db
        .selectFrom('events')
        .select(({ fn }) => fn.max('created_at').as('at'))
        .executeTakeFirstOrThrow();
      return at;
    });
  }

  attempts({ organizationId, eventId, destinationId, limit }: AttemptQuery): Promise<AttemptRecord[]> {
    return this.#reading('the reading of attempts', async () => {
      let rows = this.#db.selectFrom('attempts').select(['seq', 'body']);
      if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId);
      if (eventId !== undefined) rows = rows.where('event_id', '=', eventId);
      if (destinationId !== undefined) rows = rows.where('destination_id', '=', destinationId);
      const found = await rows.orderBy('seq', 'desc').limit(limit).execute();
      return found.map(({ seq, body }) => parseBody<AttemptRecord>(body, `attempt ${seq}`));
    });
  }

  requests({ organizationId, limit }: RequestQuery): Promise<RequestRecord[]> {
    return this.#reading('the reading of requests', async () => {
      let rows = this.#db.selectFrom('requests').select(['seq', 'body']);
      if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId);
      const found = await rows.orderBy('seq', 'desc').limit(limit).execute();
      return found.map(({ seq, body }) => parseBody<RequestRecord>(body, `request ${seq}`));
    });
  }

  async prune(bounds: Parameters<Store['prune']>[0]): Promise<number> {
    const olderThan = (table: string, column: string): string =>
      `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE ${column} < ? LIMIT ${PRUNE_ROWS})`;
    // Told, because the planner takes the primary key for better and would parse every heard message.
    const heard = 'documents INDEXED BY documents_heard';
    const oldHeard = `SELECT id FROM ${heard} WHERE kind = 'heard' AND body ->> '$.at' < ? LIMIT ${PRUNE_ROWS}`;
    return (
      (await this.#forget(olderThan('events', 'created_at'), bounds.eventsBefore)) +
      (await this.#forget(olderThan('attempts', 'at'), bounds.attemptsBefore)) +
      (await this.#forget(olderThan('requests', 'at'), bounds.requestsBefore)) +
      (await this.#forget(`DELETE FROM documents WHERE kind = 'heard' AND id IN (${oldHeard})`, bounds.heardBefore))
    );
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      // libsql keeps the connection until its statements are collected, so SQLite's own checkpoint at close may never come.
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // What stands in the -wal file is as durable, and is read at the next opening.
    }
    this.#database.close();
  }

  async #forget(statement: string, before: number): Promise<number> {
    for (let gone = 0; ; ) {
      // A store that is closed in the middle of a prune just stops it; the next prune goes on.
      if (this.#closed) return gone;
      const { changes } = this.#writing('a prune', () => this.#database.prepare(statement).run(before));
      gone += changes;
      if (changes < PRUNE_ROWS) return gone;
      await new Promise<void>((resolve) => nextTurn(resolve));
    }
  }

  #loadKept(): Promise<ReadonlyMap<string, string>> {
    return this.#reading('the loading of the fleet', async () => {
      const rows = await this.#db
        .selectFrom('documents')
        .select(['id', 'body'])
        .where('kind', '=', KEPT_KIND)
        .execute();
      return new Map(rows.map(({ id, body }) => [id, body]));
    });
  }

  #writing<T>(during: string, write: () => T): T {
    assert(!this.#closed, 'The store is closed.');
    // After a failed fsync the next one may succeed without the lost pages, so nothing is written once anything broke.
    if (this.#broken) throw this.#broken;
    try {
      return write();
    } catch (error) {
      const trouble = storageError(error, during);
      if (trouble instanceof StorageBroken) this.#broken = trouble;
      throw trouble;
    }
  }

  async #reading<T>(during: string, read: () => Promise<T>): Promise<T> {
    assert(!this.#closed, 'The store is closed.');
    try {
      return await read();
    } catch (error) {
      throw storageError(error, during);
    }
  }
}

function eventOf(row: Selectable<Tables['events']>): EventRecord {
  return {
    id: row.id,
    type: row.type as EventRecord['type'],
    organizationId: row.organization_id,
    siteId: row.site_id,
    objectId: row.object_id,
    contractor: row.contractor,
    createdAt: row.created_at,
    body: row.body,
    listed: row.listed === 1,
  };
}

function parseBody<T extends object>(body: string, row: string): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    throw new StorageBroken(`The stored row of ${row} is damaged: it is no JSON.`, { cause: error });
  }
  if (typeof parsed === 'object' && parsed !== null) return parsed as T;
  throw new StorageBroken(`The stored row of ${row} is damaged: it is no JSON object.`);
}
