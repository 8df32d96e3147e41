/** Texts by key, as documents of a kind of their own that the world never loads: what the emulated fleet keeps of itself. */
import type Database from 'libsql';
import type { CommitCount } from './commit-ledger.ts';
import { COUNT_COMMIT } from './schema.ts';

/** To be kept whole or not at all. */
interface KeptChanges {
  readonly puts: readonly { readonly key: string; readonly body: string }[];
  readonly removals: readonly string[];
}

export interface KeptTexts {
  /** All of them. */
  load(): Promise<ReadonlyMap<string, string>>;
  /** One transaction. When it resolves the changes are durable. Throws StorageFull or StorageBroken. */
  keep(changes: KeptChanges): Promise<void>;
}

/** Rows of one statement in a large batch. */
const CHUNK_ROWS = 64;

/** The kind under which they stand; none of the world's. */
export const KEPT_KIND = 'fleet';

/** Prepared statements for those documents. */
export class KeptWriter {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #put: Database.Statement;
  readonly #putMany: Database.Statement;
  readonly #remove: Database.Statement;
  readonly #count: Database.Statement;

  constructor(database: Database.Database) {
    const insert = 'INSERT OR REPLACE INTO documents (kind, id, body) VALUES ';
    const row = `('${KEPT_KIND}', ?, ?)`;
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#put = database.prepare(`${insert}${row}`);
    this.#putMany = database.prepare(insert + Array(CHUNK_ROWS).fill(row).join(', '));
    this.#remove = database.prepare(`DELETE FROM documents WHERE kind = '${KEPT_KIND}' AND id = ?`);
    this.#count = database.prepare(COUNT_COMMIT);
  }

  /** Writes all of it, or throws SQLite's error and has written nothing. Removals come after puts. */
  write({ puts, removals }: KeptChanges, { commits, at }: CommitCount): void {
    this.#begin.run();
    try {
      let done = 0;
      for (; puts.length - done >= CHUNK_ROWS; done += CHUNK_ROWS)
        this.#putMany.run(puts.slice(done, done + CHUNK_ROWS).flatMap(({ key, body }) => [key, body]));
      for (const { key, body } of puts.slice(done)) this.#put.run([key, body]);
      for (const key of removals) this.#remove.run([key]);
      this.#count.run(commits, at);
      this.#commit.run();
    } catch (error) {
      // After a full disk and some I/O errors SQLite has rolled back by itself, and a second time is an error.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
