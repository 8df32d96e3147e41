/** An open SQLite file with what holds statements of it; it is exchanged as one when the file moves. */
import { Kysely, SqliteDialect } from 'kysely';
import type Database from 'libsql';
import { KeptWriter } from './kept.ts';
import type { StoreTables } from './schema.ts';
import { BatchWriter } from './writer.ts';

/** A commit that was answered is on the disk. */
export function makeDurable(database: Database.Database): void {
  database.pragma('journal_mode = WAL');
  // NORMAL would lose the last ones with the power.
  database.pragma('synchronous = FULL');
}

/** An open file, and what holds statements of it. */
export interface SqliteConnection {
  readonly database: Database.Database;
  readonly db: Kysely<StoreTables>;
  readonly writer: BatchWriter;
  readonly keptWriter: KeptWriter;
}

/** `db`: where there is one for this file already. */
export function connectionOf(database: Database.Database, db?: Kysely<StoreTables>): SqliteConnection {
  return {
    database,
    db: db ?? new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) }),
    writer: new BatchWriter(database),
    keptWriter: new KeptWriter(database),
  };
}
