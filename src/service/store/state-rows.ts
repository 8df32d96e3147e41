/** The state of a sandbox as rows: all documents and logs except access tokens and the request log. A snapshot stores them, a reset removes them. [decisions 9] */
import type Database from 'libsql';
import type { CommitCount } from './sqlite/commit-ledger.ts';
import { COUNT_COMMIT } from './sqlite/schema.ts';

type StoredValue = string | number | null;

/** The name of the table, and the values of its columns. */
export type StoredRow = readonly [table: string, ...values: StoredValue[]];

/**
 * The stored state, in an order that is the same for equal states. Tokens do not change in a reset or a load: they
 * belong to the clients, which have them in their caches.
 */
export const STATE = {
  documents: { columns: ['kind', 'id', 'body'], order: 'kind, id', only: "kind <> 'token'" },
  events: {
    columns: [
      ...['id', 'type', 'organization_id', 'site_id', 'object_id'],
      ...['contractor', 'created_at', 'listed', 'body'],
    ],
    order: 'seq',
    only: 'TRUE',
  },
  attempts: {
    columns: ['organization_id', 'event_id', 'destination_id', 'at', 'body'],
    order: 'seq',
    only: 'TRUE',
  },
} as const;

/** Returns the number of values that a row of the table has; null if there is no such table. */
export const columnsOf = (table: string): number | null =>
  Object.hasOwn(STATE, table) ? STATE[table as keyof typeof STATE].columns.length : null;

export function readState(database: Database.Database): StoredRow[] {
  return Object.entries(STATE).flatMap(([table, { columns, order, only }]) => {
    const query = `SELECT ${columns.join(', ')} FROM ${table} WHERE ${only} ORDER BY ${order}`;
    return (database.prepare(query).raw().all() as StoredValue[][]).map((values): StoredRow => [table, ...values]);
  });
}

/** Replaces the state by these rows in one transaction, or throws SQLite's error without having changed anything. */
export function replaceState(
  database: Database.Database,
  rows: readonly StoredRow[],
  { commits, at }: CommitCount,
): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const [table, { only }] of Object.entries(STATE)) database.exec(`DELETE FROM ${table} WHERE ${only}`);
    database.exec('DELETE FROM requests');
    const inserts = new Map(
      Object.entries(STATE).map(([table, { columns }]) => [
        table,
        database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`),
      ]),
    );
    for (const [table, ...values] of rows) inserts.get(table)?.run(values);
    database.prepare(COUNT_COMMIT).run(commits, at);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
