/** Texts by key, stored as documents of a separate kind that the world never loads: the state of the emulated fleet. */
import type Database from 'libsql';
import type { CommitCount } from './commit-ledger.ts';
import { COUNT_COMMIT } from './schema.ts';

/** Changes that are stored completely or not at all. */
interface KeptChanges {
  readonly puts: readonly { readonly key: string; readonly body: string }[];
  readonly removals: readonly string[];
}

export interface KeptTexts {
  /** Returns all texts. */
  load(): Promise<ReadonlyMap<string, string>>;
  /** Stores the changes in one transaction, durably when it resolves. Throws StorageFull or StorageBroken. */
  keep(changes: KeptChanges): Promise<void>;
}

/** Rows of one statement in a large batch. */
const CHUNK_ROWS = 64;

/** The kind of these documents; the world has no such kind. */
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

  /** Writes all changes, or throws SQLite's error without having written anything. Removals are applied after puts. */
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
      // After a full disk and some I/O errors SQLite has already rolled back, and a second rollback is an error.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
