/** The store on a SQLite file (or in memory): documents as JSON by kind and id, and three append-only logs. */
import { Kysely, SqliteDialect } from 'kysely';
import type Database from 'libsql';
import { assert } from '../../../base/assert.ts';
import { later, monotonicMs, nextTurn, wallMs } from '../../../base/time/timers.ts';
import type { EventRecord } from '../../domain/world/documents.ts';
import type { MemoryBounds } from '../../domain/world/residency.ts';
import {
  type AttemptQuery,
  type AttemptRecord,
  type Batch,
  type EventQuery,
  type Logged,
  type RequestQuery,
  type RequestRecord,
  StorageBroken,
  type StorageFull,
  type Store,
  type StoredTotals,
} from '../../engine/store-port.ts';
import { readState, replaceState, type StoredRow } from '../state-rows.ts';
import { SqliteArchive } from './archive.ts';
import { readAttemptTotals } from './attempt-totals.ts';
import type { CommitCount } from './commit-ledger.ts';
import { connectionOf, makeDurable, type SqliteConnection } from './connection.ts';
import { isBusy, openingOutage, storageError } from './errors.ts';
import type { KeptTexts, KeptWriter } from './kept.ts';
import { openDatabase } from './libsql.ts';
import { readAttempts, readDocuments, readEvents, readEventsById, readKept, readRequests } from './reader.ts';
import { MIGRATIONS, type Migration, migrate, type StoreTables, schemaVersion } from './schema.ts';
import type { BatchWriter } from './writer.ts';

/** Time to wait for a lock of another program (a database browser, a backup); wall ms. */
const LOCKED_FOR_MS = 5_000;

/** SQLite blocks the process while it waits for a lock, so it waits only this long; then the lock is requested again; wall ms. */
const BUSY_TIMEOUT_MS = 10;
const ASK_AGAIN_MS = 40;

/** Rows that one transaction of a prune removes: a few milliseconds, so that other transactions can run in between. */
const PRUNE_ROWS = 2_000;

const IN_MEMORY = ':memory:';

interface SqliteOptions {
  /** A path, or `:memory:`. The folder of the file is locked by its `DataFolder`. */
  readonly file: string;
  /** The name of the database in messages; default: `file`. */
  readonly named?: string;
  /** Maximum size of the file in pages of 4 KiB; beyond that the disk counts as full. */
  readonly pageLimit?: number;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
}

/** The surroundings of a database in a data folder. */
interface StoreSurroundings {
  /** Throws if the files are not as this process left them; called before each write. */
  check(): void;
  /** The same check without an exception; a change calls `onBroken`. */
  glance(): void;
  /** Called after a write. */
  remember(): void;
  /** Counts a commit that is on the disk. */
  counted(count: CommitCount): void;
  /** Called at the close, after the last write. */
  close(): void;
  /** Called once when the storage cannot be trusted any more. */
  onBroken(error: StorageBroken): void;
}

export const NOTHING_AROUND: StoreSurroundings = {
  check: () => {},
  glance: () => {},
  remember: () => {},
  counted: () => {},
  close: () => {},
  onBroken: () => {},
};

/**
 * Opens the file, creates or migrates its tables; throws an `Outage` with a fix on failure. Waits for a foreign lock.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  return openingOutageOf(options.named ?? options.file, () => whileLocked(() => openOnce(options)));
}

async function openingOutageOf<T>(file: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw openingOutage(file, error);
  }
}

/** Retries while another program holds the lock, for at most `LOCKED_FOR_MS`. */
async function whileLocked<T>(work: () => T | Promise<T>): Promise<T> {
  const until = monotonicMs() + LOCKED_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() >= until) throw error;
      await new Promise<void>((resolve) => later(ASK_AGAIN_MS, resolve));
    }
  }
}

async function openOnce({
  file,
  named = file,
  pageLimit,
  migrations = MIGRATIONS,
}: SqliteOptions): Promise<SqliteStore> {
  let database: Database.Database | null = null;
  try {
    database = openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
    const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) });
    // The version is read before any setting is changed, so that a refused file stays unchanged.
    const version = await schemaVersion(db, named, migrations);
    // Only a file without tables accepts this setting, by which it returns the space of pruned rows.
    if (version === 0) database.pragma('auto_vacuum = INCREMENTAL');
    makeDurable(database);
    if (pageLimit !== undefined) database.pragma(`max_page_count = ${pageLimit}`);
    const isMigrated = await migrate(db, version, migrations);
    // After the checkpoint, the header with the version of the schema is in the file itself.
    if (isMigrated) database.pragma('wal_checkpoint(PASSIVE)');
    const { commits, at } = await db.selectFrom('commit_count').select(['commits', 'at']).executeTakeFirstOrThrow();
    const isFile = file !== IN_MEMORY;
    return new SqliteStore(connectionOf(database, isFile, db), { commits, at }, version, isFile);
  } catch (error) {
    database?.close();
    throw error;
  }
}

/** The store port on SQLite. The store's folder also uses its connection and its surroundings. */
export class SqliteStore implements Store {
  /** The schema of the file before it was opened; 0 for a new file. */
  readonly openedAs: number;
  #connection: SqliteConnection;
  /** Number of running reads. */
  #reads = 0;
  /** Pending while the file is exchanged: no reads and no writes then. */
  #exchange: Promise<void> | null = null;
  readonly archive: SqliteArchive | null;
  readonly nodes = null;
  /** The stored state of the emulated fleet, separate from the world. */
  readonly kept: KeptTexts = {
    load: () => this.#loadKept(),
    keep: (changes) => this.#counted('the keeping of the fleet', (count) => this.#keptWriter.write(changes, count)),
  };
  #count: CommitCount;
  #around = NOTHING_AROUND;
  #broken: StorageBroken | null = null;
  #closed = false;

  /** `isFile`: false for a database in memory, where removing documents from the world saves no memory. */
  constructor(connection: SqliteConnection, count: CommitCount, openedAs: number, isFile: boolean) {
    this.#connection = connection;
    this.archive = isFile
      ? new SqliteArchive(connection.database, (during, read) => this.#readingNow(during, read))
      : null;
    this.#count = count;
    this.openedAs = openedAs;
  }

  get database(): Database.Database {
    return this.#connection.database;
  }

  get #db(): Kysely<StoreTables> {
    return this.#connection.db;
  }

  get #writer(): BatchWriter {
    return this.#connection.writer;
  }

  get #keptWriter(): KeptWriter {
    return this.#connection.keptWriter;
  }

  /** Commits since the database was made. */
  get count(): CommitCount {
    return this.#count;
  }

  /** Installs the folder guard and the commit ledger, which each later commit consults. */
  surround(around: StoreSurroundings): void {
    this.#around = around;
  }

  /** Closes the file, calls `exchange` to move it, and continues with `file`; requests wait in the meantime. */
  async moveTo(file: string, exchange: () => void): Promise<void> {
    assert(this.#exchange === null, 'The file is exchanged once.');
    let done = (): void => {};
    this.#exchange = new Promise((resolve) => {
      done = resolve;
    });
    try {
      while (this.#reads > 0) await new Promise<void>((resolve) => nextTurn(resolve));
      const [checkpoint] = this.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      assert(checkpoint?.busy === 0, 'Nobody else has the draft open.');
      this.database.close();
      exchange();
      const database = openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
      makeDurable(database);
      this.#connection = connectionOf(database, true);
      this.archive?.attach(database);
    } finally {
      this.#exchange = null;
      done();
    }
  }

  load(bounds?: MemoryBounds): ReturnType<Store['load']> {
    return this.#reading('the loading of the world', () => readDocuments(this.#db, bounds));
  }

  commit(batch: Batch): Promise<void> {
    return this.#counted('a commit', (count) => this.#writer.write(batch, count));
  }

  /** Returns the last committed state. */
  readState(): Promise<StoredRow[]> {
    return this.#reading('the saving of a snapshot', async () => readState(this.database));
  }

  /** Replaces the state by these rows in one transaction; no rows: the store is as before the first start. */
  replaceState(rows: readonly StoredRow[]): Promise<void> {
    return this.#counted('a new beginning', (count) => replaceState(this.database, rows, count));
  }

  glance(): void {
    if (!this.#closed) this.#around.glance();
  }

  events(query: EventQuery): Promise<EventRecord[]> {
    return this.#reading('a walk over the events', () => readEvents(this.#db, query));
  }

  async event(id: string): Promise<EventRecord | null> {
    return (await this.eventsById([id]))[0] ?? null;
  }

  eventsById(ids: readonly string[]): Promise<EventRecord[]> {
    return this.#reading('the reading of events', () => readEventsById(this.#db, ids));
  }

  attempts(query: AttemptQuery): Promise<Logged<AttemptRecord>[]> {
    return this.#reading('the reading of attempts', () => readAttempts(this.#db, query));
  }

  attemptTotals(newest: number): Promise<StoredTotals[]> {
    return this.#reading('the totals of attempts', () => readAttemptTotals(this.#db, newest));
  }

  requests(query: RequestQuery): Promise<Logged<RequestRecord>[]> {
    return this.#reading('the reading of requests', () => readRequests(this.#db, query));
  }

  async prune(bounds: Parameters<Store['prune']>[0]): Promise<number> {
    const olderThan = (table: string, column: string): string =>
      `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE ${column} < ? LIMIT ${PRUNE_ROWS})`;
    // Named, because the planner prefers the primary key and would parse every accepted message.
    const uplinks = 'documents INDEXED BY documents_heard';
    const oldUplinks = `SELECT id FROM ${uplinks} WHERE kind = 'heard' AND body ->> '$.at' < ? LIMIT ${PRUNE_ROWS}`;
    const gone =
      (await this.#forget(olderThan('events', 'created_at'), bounds.eventsBefore)) +
      (await this.#forget(olderThan('attempts', 'at'), bounds.attemptsBefore)) +
      (await this.#forget(olderThan('requests', 'at'), bounds.requestsBefore)) +
      (await this.#forget(
        `DELETE FROM documents WHERE kind = 'heard' AND id IN (${oldUplinks})`,
        bounds.uplinksBefore,
      ));
    await this.#returnSpace();
    return gone;
  }

  /** Returns emptied pages to the file system, in steps, so that other transactions can run in between. */
  async #returnSpace(): Promise<void> {
    const free = () => (this.database.pragma('freelist_count') as { freelist_count: number }[])[0]?.freelist_count ?? 0;
    for (let left = Number.POSITIVE_INFINITY; !this.#closed; ) {
      const now = free();
      // A file without the setting keeps its free pages.
      if (now === 0 || now >= left) return;
      left = now;
      await this.#writing('a prune', () => this.database.pragma(`incremental_vacuum(${PRUNE_ROWS})`));
      await new Promise<void>((resolve) => nextTurn(resolve));
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      // libsql keeps the connection until its statements are collected, so SQLite's own checkpoint at close may never
      // happen.
      if (this.#broken === null) this.database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // The -wal file is equally durable, and is read at the next opening.
    }
    this.#around.close();
    this.database.close();
  }

  async #forget(statement: string, before: number): Promise<number> {
    for (let gone = 0; ; ) {
      // A store that is closed during a prune stops it; the next prune continues.
      if (this.#closed) return gone;
      const changes = await this.#writing('a prune', () => this.database.prepare(statement).run(before).changes);
      gone += changes;
      if (changes < PRUNE_ROWS) return gone;
      await new Promise<void>((resolve) => nextTurn(resolve));
    }
  }

  #loadKept(): Promise<ReadonlyMap<string, string>> {
    return this.#reading('the loading of the fleet', () => readKept(this.#db));
  }

  #counted(during: string, write: (count: CommitCount) => void): Promise<void> {
    return this.#writing(during, () => {
      const count = { commits: this.#count.commits + 1, at: wallMs() };
      write(count);
      this.#count = count;
      this.#around.counted(count);
    });
  }

  async #writing<T>(during: string, write: () => T): Promise<T> {
    if (this.#exchange !== null) await this.#exchange;
    assert(!this.#closed, 'The store is closed.');
    let isWriting = false;
    try {
      return await whileLocked(() => {
        isWriting = false;
        // After a failed fsync a later one may succeed without the lost pages, so stop writing after any error.
        if (this.#broken) throw new StorageBroken(this.#broken.message);
        this.#around.check();
        isWriting = true;
        try {
          return write();
        } finally {
          // A write that fails on a full disk has changed the files too: part of it is in the log.
          this.#around.remember();
        }
      });
    } catch (error) {
      const trouble = this.#trouble(error, during);
      // A disk error at the commit: the written data may still be there at the next opening.
      if (trouble instanceof StorageBroken && isWriting) trouble.isUnknown = true;
      throw trouble;
    }
  }

  async #reading<T>(during: string, read: () => Promise<T>): Promise<T> {
    if (this.#exchange !== null) await this.#exchange;
    assert(!this.#closed, 'The store is closed.');
    this.#reads += 1;
    try {
      return await whileLocked(read);
    } catch (error) {
      throw this.#trouble(error, during);
    } finally {
      this.#reads -= 1;
    }
  }

  #readingNow<T>(during: string, read: () => T): T {
    assert(!this.#closed, 'The store is closed.');
    try {
      return read();
    } catch (error) {
      throw this.#trouble(error, during);
    }
  }

  #trouble(error: unknown, during: string): StorageFull | StorageBroken {
    const trouble = storageError(error, during);
    if (!(trouble instanceof StorageBroken) || this.#broken !== null) return trouble;
    this.#broken = trouble;
    this.#around.onBroken(trouble);
    return trouble;
  }
}
