/** The tables of the Postgres store, in a schema of their own, and its migrations. */
import type { ClientBase } from 'pg';
import { Outage } from '../../../base/assert.ts';
import { ALERT_PATHS } from '../sqlite/schema.ts';

/** All tables of the sandbox are in this schema, so that other programs can share the database. */
export const SCHEMA = 'muster_sandbox';

const DAY_MS = 24 * 3_600_000;

/** The logs are partitioned by day of simulated time, so that old rows are removed by dropping a partition. */
const PARTITIONED = { events: 'created_at', attempts: 'at', requests: 'at' } as const;
export type PartitionedLog = keyof typeof PARTITIONED;
export const PARTITIONED_LOGS = Object.keys(PARTITIONED) as PartitionedLog[];
export const timeColumn = (log: PartitionedLog): string => PARTITIONED[log];

/** One migration; `version` is the schema's number after it. */
interface PostgresMigration {
  readonly version: number;
  readonly statements: readonly string[];
}

type AlertColumn = keyof typeof ALERT_PATHS;
const ALERT_COLUMNS = Object.keys(ALERT_PATHS) as AlertColumn[];

/** The expression of a column of `alerts`. */
function alertColumn(column: AlertColumn): string {
  const text = `(facts #>> '{${ALERT_PATHS[column].join(',')}}')`;
  if (column === 'created_at' || column === 'modified_at') return `(${text}::bigint)`;
  // Ids are compared by bytes.
  return `(${text} COLLATE "C")`;
}

/** As in SQLite: the first one makes the tables. Ids are compared by bytes. */
const MIGRATIONS: readonly PostgresMigration[] = [
  {
    version: 7,
    statements: [
      // The columns by which lists of alerts are queried, derived from the documents, because memory holds only the
      // newest. Each index is on an expression of the view. The type jsonb accepts no NUL and no lone surrogate, which
      // texts of an alert may contain; no list is queried by these texts.
      `CREATE TABLE documents (kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, body text NOT NULL, at bigint,
       facts jsonb GENERATED ALWAYS AS (CASE WHEN kind = 'alert' THEN
       regexp_replace(body, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\u003f', 'gi')::jsonb
       - ARRAY['timeline', 'nearby', 'vehicleWarnings', 'details', 'location', 'device', 'zone', 'resolved', 'acknowledged']
       END) STORED, PRIMARY KEY (kind, id))`,
      // Only `heard` documents are removed by age, so only they have a time and an entry in this index.
      'CREATE INDEX documents_heard ON documents (at) WHERE at IS NOT NULL',
      `CREATE VIEW alerts AS SELECT id, body, ${ALERT_COLUMNS.map((column) => `${alertColumn(column)} AS ${column}`).join(', ')}
       FROM documents WHERE kind = 'alert'`,
      ...['', 'site_id', 'type', 'severity', 'worker_id', 'contractor'].map(
        (column) =>
          `CREATE INDEX alerts_${column || 'walk'} ON documents (${alertColumn('organization_id')}, ${
            column === '' ? '' : `${alertColumn(column as AlertColumn)}, `
          }${alertColumn('created_at')}, id) WHERE kind = 'alert'`,
      ),
      `CREATE INDEX alerts_modified ON documents (${alertColumn('organization_id')}, ${alertColumn('modified_at')}) WHERE kind = 'alert'`,
      `CREATE INDEX alerts_open ON documents (id) WHERE kind = 'alert' AND ${alertColumn('status')} IS DISTINCT FROM 'resolved'`,
      'CREATE SEQUENCE log_seq',
      `CREATE TABLE events (seq bigint NOT NULL, id text COLLATE "C" NOT NULL, type text NOT NULL,
       organization_id text COLLATE "C" NOT NULL, site_id text NOT NULL, object_id text NOT NULL, contractor text,
       created_at bigint NOT NULL, listed integer NOT NULL, body text NOT NULL) PARTITION BY RANGE (created_at)`,
      'CREATE INDEX events_id ON events (id)',
      'CREATE INDEX events_walk ON events (organization_id, created_at, id)',
      'CREATE INDEX events_object ON events (object_id)',
      // Lists of deliveries are queried by the type of the event. In the body the type comes before any text that jsonb
      // may not accept, so a pattern can extract it.
      `CREATE TABLE attempts (seq bigint NOT NULL, organization_id text NOT NULL, event_id text NOT NULL,
       destination_id text NOT NULL, at bigint NOT NULL, outcome text NOT NULL, took_ms float8 NOT NULL, body text NOT NULL,
       event_type text GENERATED ALWAYS AS (substring(body from '"eventType":"([a-z_.]+)"')) STORED) PARTITION BY RANGE (at)`,
      'CREATE INDEX attempts_organization ON attempts (organization_id, seq)',
      'CREATE INDEX attempts_event ON attempts (event_id, seq)',
      'CREATE INDEX attempts_destination ON attempts (destination_id, seq)',
      'CREATE INDEX attempts_type ON attempts (event_type, seq)',
      `CREATE TABLE requests (seq bigint NOT NULL, organization_id text, at bigint NOT NULL, body text NOT NULL) PARTITION BY RANGE (at)`,
      'CREATE INDEX requests_organization ON requests (organization_id, seq)',
      // The table has one row. `at`: wall time of the last commit, ms; `root_key`: the key from which all secrets of
      // this world are derived; `id`: a random id that identifies this database among other sandboxes at one broker.
      'CREATE TABLE sandbox (version integer NOT NULL, commits bigint NOT NULL, at bigint NOT NULL, root_key text, id text)',
      'INSERT INTO sandbox (version, commits, at) VALUES (0, 0, 0)',
      // The living nodes; `seen`: the database's time of the last heartbeat; `hears`: the node can reach the broker;
      // `ahead_ms`: how far the clock of the node's machine is ahead of the database's; `steady`: the difference is small
      // enough for the node to accept changes. Removing a row fences its node.
      `CREATE TABLE nodes (epoch bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, seen timestamptz NOT NULL, address text NOT NULL,
       hears boolean NOT NULL DEFAULT true, ahead_ms integer NOT NULL DEFAULT 0, steady boolean NOT NULL DEFAULT true)`,
      'CREATE SEQUENCE node_epoch',
      // Sites and destinations, each with the node that works for it; null: free.
      `CREATE TABLE claims (kind text NOT NULL, id text COLLATE "C" NOT NULL, node bigint, PRIMARY KEY (kind, id))`,
      // The changes of each commit, which the other nodes follow. `mark` finds a commit whose reply was lost.
      `CREATE TABLE turns (commit bigint PRIMARY KEY, epoch bigint NOT NULL, mark bigint NOT NULL,
       at timestamptz NOT NULL DEFAULT clock_timestamp(), body text NOT NULL)`,
    ],
  },
];

/**
 * Makes or migrates the tables in one transaction: all steps or none. Throws an `Outage` for tables of an older or newer
 * version, or of another program.
 */
export async function migratePostgres(client: ClientBase, named: string): Promise<void> {
  const [oldest = 0, newest = 0] = [MIGRATIONS[0]?.version, MIGRATIONS.at(-1)?.version];
  const version = await versionIn(client, named);
  if (version > 0 && version < oldest)
    throw new Outage({
      code: 'database_older',
      message: `${named} was written by an older version of the sandbox (schema ${version}; this version reads schema ${oldest}).`,
      fix: `Use the version that wrote it. To start with a new world, use another database, or drop the schema ${SCHEMA} of this one (its data is lost).`,
    });
  if (version > newest)
    throw new Outage({
      code: 'database_newer',
      message: `${named} was written by a newer version of the sandbox (schema ${version}; this version knows up to ${newest}).`,
      fix: `Update muster-sandbox. To start with a new world, use another database, or drop the schema ${SCHEMA} of this one (its data is lost).`,
    });
  const steps = MIGRATIONS.filter((step) => step.version > version);
  if (steps.length === 0) return;
  await client.query('BEGIN');
  try {
    if (version === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    for (const statement of steps.flatMap(({ statements }) => statements)) await client.query(statement);
    await client.query('UPDATE sandbox SET version = $1', [newest]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function versionIn(client: ClientBase, named: string): Promise<number> {
  const tables = await client.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [SCHEMA],
  );
  if (tables.rows.length === 0) return 0;
  if (!tables.rows.some(({ name }) => name === 'sandbox'))
    throw new Outage({
      code: 'database_foreign',
      message: `${named} has a schema ${SCHEMA} that is not the sandbox’s.`,
      fix: 'Use another database. This one was not changed.',
    });
  const { rows } = await client.query<{ version: number }>('SELECT version FROM sandbox');
  return rows[0]?.version ?? 0;
}

/** The day of a time, as the number that identifies its partition. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

export const partitionName = (log: PartitionedLog, day: number): string => `${log}_d${day < 0 ? `m${-day}` : day}`;

/** Creates the partition of a day if it is missing. */
export const partitionStatement = (log: PartitionedLog, day: number): string =>
  `CREATE TABLE IF NOT EXISTS ${partitionName(log, day)} PARTITION OF ${log} FOR VALUES FROM (${day * DAY_MS}) TO (${(day + 1) * DAY_MS})`;

/** The days that have a partition. */
export async function partitionedDays(client: ClientBase, log: PartitionedLog): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass`,
    [`${SCHEMA}.${log}`],
  );
  return rows.flatMap(({ name }) => {
    const [, minus, digits] = /_d(m?)(\d+)$/.exec(name) ?? [];
    return digits === undefined ? [] : [minus === 'm' ? -Number(digits) : Number(digits)];
  });
}
