/** An open SQLite file with the objects that hold its statements; all are exchanged together when the file moves. */
import { Kysely, SqliteDialect } from 'kysely';
import type Database from 'libsql';
import { KeptWriter } from './kept.ts';
import type { StoreTables } from './schema.ts';
import { BatchWriter } from './writer.ts';

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

/** `db`: an existing instance for this file. */
export function connectionOf(database: Database.Database, db?: Kysely<StoreTables>): SqliteConnection {
  return {
    database,
    db: db ?? new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) }),
    writer: new BatchWriter(database),
    keptWriter: new KeptWriter(database),
  };
}
