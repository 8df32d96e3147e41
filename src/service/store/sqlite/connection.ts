/** An open SQLite file with the objects that hold its statements; all are exchanged together when the file moves. */
import { Kysely, SqliteDialect } from 'kysely';
import type Database from 'libsql';
import { KeptWriter } from './kept.ts';
import type { StoreTables } from './schema.ts';
import { BatchWriter } from './writer.ts';

/**
 * The newest rows of the request log that a database in memory keeps: about 10 MB. A file has those of 30 days. Without
 * a bound, a client at the limit of 600 requests a minute would add 430 MB a day.
 */
export const MOST_REQUESTS_IN_MEMORY = 20_000;

/** Ensures that a commit is on the disk before it is acknowledged. */
export function makeDurable(database: Database.Database): void {
  database.pragma('journal_mode = WAL');
  // NORMAL would lose the last commits in a power failure.
  database.pragma('synchronous = FULL');
}

/** An open file, and the objects that hold its statements. */
export interface SqliteConnection {
  readonly database: Database.Database;
  readonly db: Kysely<StoreTables>;
  readonly writer: BatchWriter;
  readonly keptWriter: KeptWriter;
}

/** `isFile`: false for a database in memory. `db`: an existing instance for this database. */
export function connectionOf(database: Database.Database, isFile: boolean, db?: Kysely<StoreTables>): SqliteConnection {
  return {
    database,
    db: db ?? new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) }),
    writer: new BatchWriter(database, isFile ? null : MOST_REQUESTS_IN_MEMORY),
    keptWriter: new KeptWriter(database),
  };
}
