/** The tables of the SQLite store, and the frame for migrations that bring an older file up to date. */
import { type Generated, type GeneratedAlways, type Kysely, sql } from 'kysely';
import { Outage } from '../../../base/assert.ts';
import type { EventRecord } from '../../domain/world/documents.ts';
import type { EventQuery } from '../../engine/store-port.ts';
import { foreignDatabase } from './errors.ts';

/** `MSTR`: marks the file as a database of the sandbox, so that other databases are never modified. */
const APPLICATION_ID = 0x4d535452;

interface LogTable {
  /** The order in which rows were written. */
  seq: Generated<number>;
  organization_id: string | null;
  body: string;
}

/** The types of the tables for kysely. */
export interface StoreTables {
  documents: { kind: string; id: string; body: string };
  events: {
    seq: Generated<number>;
    id: string;
    type: string;
    organization_id: string;
    site_id: string;
    object_id: string;
    contractor: string | null;
    created_at: number;
    /** 0 or 1: binding a boolean aborts the process in libsql 0.5. */
    listed: number;
    body: string;
  };
  /** `event_type`: derived from the body; null for a damaged row. */
  attempts: LogTable & {
    event_id: string;
    destination_id: string;
    at: number;
    event_type: GeneratedAlways<string | null>;
  };
  requests: LogTable & { at: number };
  schema_version: { version: number };
  /**
   * The table has one row. `at`: wall time of the last commit, ms; `key_hash`: hash of the root key from which the
   * secrets are derived, null until it is known; `sandbox_id`: a random id that identifies this database among those at
   * one broker, null until it is created.
   */
  commit_count: { commits: number; at: number; key_hash: string | null; sandbox_id: string | null };
}

/** The values of the column `listed` of events: in no log, in the log of the client, in the log but hidden from the client. [decisions 1, 7] */
const LISTED = { not: 0, seen: 1, hidden: 2 } as const;

export const listedOf = ({ listed, hidden }: Pick<EventRecord, 'listed' | 'hidden'>): number =>
  !listed ? LISTED.not : hidden ? LISTED.hidden : LISTED.seen;

export const fromListed = (column: number): Pick<EventRecord, 'listed' | 'hidden'> => ({
  listed: column !== LISTED.not,
  hidden: column === LISTED.hidden,
});

/** The values of `listed` that a query matches. */
export const listedIn = ({ seen }: EventQuery): readonly number[] =>
  seen === true ? [LISTED.seen] : [LISTED.seen, LISTED.hidden];

/** Executed in every commit: its number, and the wall time, ms. */
export const COUNT_COMMIT = 'UPDATE commit_count SET commits = ?, at = ?';

/** One migration; `version` is the schema's number after it. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** The columns of `alerts` other than the id, and their paths in a document. */
export const ALERT_PATHS = {
  organization_id: ['organizationId'],
  created_at: ['createdAt'],
  modified_at: ['modifiedAt'],
  status: ['status'],
  site_id: ['site', 'id'],
  type: ['type'],
  severity: ['severity'],
  worker_id: ['worker', 'id'],
  contractor: ['worker', 'contractor'],
} as const;

/** The expression of a field of a stored document; it is null for a damaged row, which is reported later. */
function fieldOfNew(name: string): string {
  return `CASE WHEN json_valid(NEW.body) THEN NEW.body ->> '$.${name}' END`;
}

/**
 * The first one makes the tables; a file of an older schema is refused. After the first release, a migration is added for
 * each change, and no released one is edited. Until then, a change of what is stored raises this number and that of
 * Postgres.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 8,
    statements: [
      `PRAGMA application_id = ${APPLICATION_ID}`,
      'CREATE TABLE schema_version (version INTEGER NOT NULL)',
      'INSERT INTO schema_version (version) VALUES (0)',
      'CREATE TABLE commit_count (commits INTEGER NOT NULL, at INTEGER NOT NULL, key_hash TEXT, sandbox_id TEXT)',
      'INSERT INTO commit_count (commits, at) VALUES (0, 0)',
      `CREATE TABLE documents (kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id))
       WITHOUT ROWID`,
      // Only `heard` documents are removed by age, so only they have an entry in this index.
      `CREATE INDEX documents_heard ON documents (body ->> '$.at') WHERE kind = 'heard'`,
      `CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
       organization_id TEXT NOT NULL, site_id TEXT NOT NULL, object_id TEXT NOT NULL, contractor TEXT,
       created_at INTEGER NOT NULL, listed INTEGER NOT NULL, body TEXT NOT NULL)`,
      'CREATE INDEX events_walk ON events (organization_id, created_at, id)',
      'CREATE INDEX events_age ON events (created_at)',
      'CREATE INDEX events_object ON events (object_id)',
      // Lists of deliveries are queried by the type of the event.
      `CREATE TABLE attempts (seq INTEGER PRIMARY KEY, organization_id TEXT NOT NULL, event_id TEXT NOT NULL,
       destination_id TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, event_type TEXT GENERATED ALWAYS AS
       (CASE WHEN json_valid(body) THEN body ->> '$.eventType' END) VIRTUAL)`,
      // Each index entry ends with the row's seq, so each index also returns its rows newest first without a sort.
      'CREATE INDEX attempts_organization ON attempts (organization_id)',
      'CREATE INDEX attempts_event ON attempts (event_id)',
      'CREATE INDEX attempts_destination ON attempts (destination_id)',
      'CREATE INDEX attempts_age ON attempts (at)',
      'CREATE INDEX attempts_type ON attempts (event_type)',
      'CREATE TABLE requests (seq INTEGER PRIMARY KEY, organization_id TEXT, at INTEGER NOT NULL, body TEXT NOT NULL)',
      'CREATE INDEX requests_organization ON requests (organization_id)',
      'CREATE INDEX requests_age ON requests (at)',
      // The columns by which lists of alerts are queried, derived from the documents, because memory holds only the
      // newest. A damaged document is in no list.
      `CREATE TABLE alerts (id TEXT NOT NULL PRIMARY KEY, organization_id TEXT, created_at INTEGER,
       modified_at INTEGER, status TEXT, site_id TEXT, type TEXT, severity TEXT,
       worker_id TEXT, contractor TEXT) WITHOUT ROWID`,
      'CREATE INDEX alerts_walk ON alerts (organization_id, created_at, id)',
      ...['site_id', 'type', 'severity', 'worker_id', 'contractor'].map(
        (column) => `CREATE INDEX alerts_${column} ON alerts (organization_id, ${column}, created_at, id)`,
      ),
      'CREATE INDEX alerts_modified ON alerts (organization_id, modified_at)',
      "CREATE INDEX alerts_open ON alerts (id) WHERE status IS NOT 'resolved'",
      // Only these two columns of an alert change. A document is replaced by an insert, which fires no delete trigger.
      `CREATE TRIGGER alert_put AFTER INSERT ON documents WHEN NEW.kind = 'alert' BEGIN
       INSERT INTO alerts (id, ${Object.keys(ALERT_PATHS).join(', ')})
       SELECT NEW.id, ${Object.values(ALERT_PATHS)
         .map((path) => fieldOfNew(path.join('.')))
         .join(', ')} WHERE TRUE
       ON CONFLICT (id) DO UPDATE SET modified_at = excluded.modified_at, status = excluded.status; END`,
      `CREATE TRIGGER alert_gone AFTER DELETE ON documents WHEN OLD.kind = 'alert' BEGIN
       DELETE FROM alerts WHERE id = OLD.id; END`,
    ],
  },
];

/** The number of the newest schema. */
export const newestOf = (migrations: readonly Migration[]): number => migrations.at(-1)!.version;

/**
 * Returns the schema version of the file: 0 if it is new. Nothing is written.
 * Throws an `Outage` for a database of another program, for one that is older than the first of `migrations`, and for
 * one that is newer than the last.
 */
export async function schemaVersion(
  db: Kysely<StoreTables>,
  file: string,
  migrations: readonly Migration[],
): Promise<number> {
  const newest = newestOf(migrations);
  if (!(await isOurs(db))) {
    if (await isEmpty(db)) return 0;
    throw foreignDatabase(file);
  }
  const { version } = await db.selectFrom('schema_version').select('version').executeTakeFirstOrThrow();
  const oldest = migrations[0]!.version;
  if (version < oldest)
    throw new Outage({
      code: 'database_older',
      message: `${file} was written by an older version of the sandbox (schema ${version}; this version reads schema ${oldest}${newest > oldest ? ` to ${newest}` : ''}).`,
      fix: 'Use the version that wrote it. To start with a new world, name another folder with --data-dir, or delete this one (its data is lost).',
    });
  if (version <= newest) return version;
  throw new Outage({
    code: 'database_newer',
    message: `${file} was written by a newer version of the sandbox (schema ${version}; this version knows up to ${newest}).`,
    fix: 'Update muster-sandbox. To start with a new world, name another folder with --data-dir, or delete this one (its data is lost).',
  });
}

/**
 * Migrates the file from `version` to the newest in one transaction: all steps or none. Returns false if it already had
 * the newest version.
 */
export async function migrate(
  db: Kysely<StoreTables>,
  version: number,
  migrations: readonly Migration[],
): Promise<boolean> {
  const steps = migrations.filter((step) => step.version > version);
  if (steps.length === 0) return false;
  await db.connection().execute(async (connection) => {
    await sql`BEGIN IMMEDIATE`.execute(connection);
    try {
      for (const statement of steps.flatMap((step) => step.statements)) await sql.raw(statement).execute(connection);
      const { version: reached } = steps.at(-1)!;
      await connection.updateTable('schema_version').set({ version: reached }).execute();
      // The version in the file's header can be read without SQLite.
      await sql.raw(`PRAGMA user_version = ${reached}`).execute(connection);
      await sql`COMMIT`.execute(connection);
    } catch (error) {
      // After a full disk SQLite has already rolled back, and the error of a second rollback would hide the first
      // error.
      await sql`ROLLBACK`.execute(connection).catch(() => {});
      throw error;
    }
  });
  return true;
}

async function isOurs(db: Kysely<StoreTables>): Promise<boolean> {
  const { rows } = await sql<{ application_id: number }>`PRAGMA application_id`.execute(db);
  return rows[0]?.application_id === APPLICATION_ID;
}

async function isEmpty(db: Kysely<StoreTables>): Promise<boolean> {
  const { rows } = await sql`SELECT name FROM sqlite_master LIMIT 1`.execute(db);
  return rows.length === 0;
}
