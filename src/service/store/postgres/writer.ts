/** Writes one transaction to Postgres as one statement, which takes one round trip. */
import type { EventRecord } from '../../domain/world/documents.ts';
import type { AttemptRecord, Batch, RequestRecord } from '../../engine/store-port.ts';
import type { CommitCount } from '../sqlite/commit-ledger.ts';
import { listedOf } from '../sqlite/schema.ts';
import { STATE, type StoredRow } from '../state-rows.ts';
import type { PostgresLink } from './link.ts';
import { dayOf, PARTITIONED_LOGS, type PartitionedLog, partitionedDays, partitionStatement } from './schema.ts';

/** Documents as the rows of their table. */
interface TextRows {
  readonly puts: readonly { readonly kind: string; readonly id: string; readonly body: string }[];
  readonly removals: readonly { readonly kind: string; readonly id: string }[];
}

/** The rows of one transaction. */
export type TransactionRows = TextRows & Pick<Batch, 'events' | 'attempts' | 'requests'>;

/** Only accepted watch messages are removed by age, so only they have a time. */
const acceptedAt = ({ kind, body }: TextRows['puts'][number]): number | null =>
  kind === 'heard' ? (JSON.parse(body) as { at: number }).at : null;

export const rowsOf = (batch: Batch): TransactionRows => ({
  ...batch,
  puts: batch.puts.map(({ kind, id, document }) => ({ kind, id, body: JSON.stringify(document) })),
});

const EVENT_COLUMNS: readonly (readonly [column: string, type: string, value: (event: EventRecord) => unknown])[] = [
  ['id', 'text', ({ id }) => id],
  ['type', 'text', ({ type }) => type],
  ['organization_id', 'text', ({ organizationId }) => organizationId],
  ['site_id', 'text', ({ siteId }) => siteId],
  ['object_id', 'text', ({ objectId }) => objectId],
  ['contractor', 'text', ({ contractor }) => contractor],
  ['created_at', 'bigint', ({ createdAt }) => createdAt],
  ['listed', 'integer', listedOf],
  ['body', 'text', ({ body }) => body],
];
const ATTEMPT_COLUMNS: readonly (readonly [string, string, (attempt: AttemptRecord) => unknown])[] = [
  ['organization_id', 'text', ({ organizationId }) => organizationId],
  ['event_id', 'text', ({ eventId }) => eventId],
  ['destination_id', 'text', ({ destinationId }) => destinationId],
  ['at', 'bigint', ({ at }) => Math.floor(at)],
  ['outcome', 'text', ({ outcome }) => outcome],
  ['took_ms', 'float8', ({ tookMs }) => tookMs],
  ['body', 'text', (attempt) => JSON.stringify(attempt)],
];
const REQUEST_COLUMNS: readonly (readonly [string, string, (request: RequestRecord) => unknown])[] = [
  ['organization_id', 'text', ({ organizationId }) => organizationId],
  ['at', 'bigint', ({ at }) => Math.floor(at)],
  ['body', 'text', (request) => JSON.stringify(request)],
];

/** Columns that only Postgres has, and the key of the body from which each is derived. */
const DERIVED = {
  documents: [['at', 'at']],
  events: [],
  attempts: [
    ['outcome', 'outcome'],
    ['took_ms', 'tookMs'],
  ],
} as const;

/** Columns of the state that are not text. */
const COLUMN_TYPES: Readonly<Record<string, string | undefined>> = {
  created_at: 'bigint',
  at: 'bigint',
  listed: 'integer',
  took_ms: 'float8',
};

type WrittenColumns = readonly (readonly [column: string, type: string, value: (row: never) => unknown])[];

/** `from`: the number of its first parameter. */
function insert(table: string, columns: WrittenColumns, from: number, counts = true, after = ''): string {
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], i) => `$${from + i}::${type}[]`).join(', ');
  return `INSERT INTO ${table} (${counts ? 'seq, ' : ''}${names}) SELECT ${counts ? "nextval('log_seq'), " : ''}${names}
    FROM (SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS r(${names}, ord) ORDER BY ord) AS rows${after}`;
}

const valuesOf = <R>(rows: readonly R[], columns: readonly (readonly [string, string, (row: R) => unknown])[]) =>
  columns.map(([, , value]) => rows.map(value));

const [EVENTS_AT, ATTEMPTS_AT] = [9, 9 + EVENT_COLUMNS.length];
const REQUESTS_AT = ATTEMPTS_AT + ATTEMPT_COLUMNS.length;

/** How a commit is counted: the condition under which it is made, and the number that it gets. */
type Counting = 'alone' | 'node' | 'node, after any';

const [EPOCH, MARK, BODY] = [REQUESTS_AT + 3, REQUESTS_AT + 4, REQUESTS_AT + 5];

/** Locks the row of this node against removal: a removed node can no longer write. */
const ME = `me AS (SELECT 1 AS here FROM nodes WHERE epoch = $${EPOCH}::bigint FOR KEY SHARE),`;
const LOGGED = `logged AS (INSERT INTO turns (commit, epoch, mark, body)
      SELECT commits, $${EPOCH}::bigint, $${MARK}::bigint, $${BODY}::text FROM counted),`;
const ANNOUNCED = `, (SELECT pg_notify('muster_turns', $${EPOCH}::text) FROM counted)::text AS announced`;

const COUNTED: Readonly<Record<Counting, string>> = {
  alone: 'UPDATE sandbox SET commits = $6::bigint, at = $7::bigint WHERE commits = $6::bigint - 1 RETURNING commits',
  node: 'UPDATE sandbox SET commits = $6::bigint, at = $7::bigint FROM me WHERE commits = $6::bigint - 1 RETURNING commits',
  // Postgres can infer the type of a parameter only if it is used.
  'node, after any':
    'UPDATE sandbox SET commits = commits + 1 + $6::bigint * 0, at = $7::bigint FROM me RETURNING commits',
};

/**
 * A division by zero rolls back the whole statement in two cases: the number of commits is not the known one (another
 * process wrote), or an event's id already exists, which a partitioned table cannot enforce by itself. The row with the
 * number of commits is locked first, so that writers wait for each other there; if they locked documents first, they
 * could deadlock.
 */
const statement = (counting: Counting) => ({
  name: `muster-transaction-${counting}`,
  text: `WITH ${counting === 'alone' ? '' : ME} counted AS (${COUNTED[counting]}), ${counting === 'alone' ? '' : LOGGED}
    puts AS (
      INSERT INTO documents (kind, id, body, at)
      SELECT r.kind, r.id, r.body, r.at FROM counted, unnest($1::text[], $2::text[], $3::text[], $8::bigint[]) AS r(kind, id, body, at)
      ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, at = excluded.at),
    gone AS (DELETE FROM documents d USING counted, unnest($4::text[], $5::text[]) AS r(kind, id) WHERE (d.kind, d.id) = (r.kind, r.id)),
    new_events AS (${insert('events', EVENT_COLUMNS, EVENTS_AT, true, ', counted')}),
    new_attempts AS (${insert('attempts', ATTEMPT_COLUMNS, ATTEMPTS_AT, true, ', counted')}),
    new_requests AS (${insert('requests', REQUEST_COLUMNS, REQUESTS_AT, true, ', counted')}),
    known AS (SELECT 1 FROM events WHERE id = ANY ($${EVENTS_AT}::text[]) LIMIT 1)
    SELECT (SELECT commits FROM counted) AS commits, 1 / (SELECT count(*) FROM counted) AS counted,
      1 / (1 - (SELECT count(*) FROM known)) AS fresh${counting === 'alone' ? '' : ANNOUNCED}`,
});
const STATEMENTS = {
  alone: statement('alone'),
  node: statement('node'),
  'node, after any': statement('node, after any'),
} as const;

/** A commit of one of several nodes. */
interface NodeCommit {
  readonly epoch: number;
  /** The node's own number of the commit. */
  readonly mark: number;
  /** The text for the nodes that follow. */
  readonly body: string;
  /** The commit is made only directly after this one; null: after any commit. */
  readonly basis: number | null;
}

/**
 * Writes the rows with the number of the commit, or throws the server's error without having written anything. Removals
 * are applied after puts.
 */
export class PostgresWriter {
  readonly #link: PostgresLink;
  readonly #days: Record<PartitionedLog, Set<number>>;

  private constructor(link: PostgresLink, days: Record<PartitionedLog, Set<number>>) {
    this.#link = link;
    this.#days = days;
  }

  static async on(link: PostgresLink): Promise<PostgresWriter> {
    const days = { events: new Set<number>(), attempts: new Set<number>(), requests: new Set<number>() };
    for (const log of PARTITIONED_LOGS) for (const day of await partitionedDays(link.client, log)) days[log].add(day);
    return new PostgresWriter(link, days);
  }

  async write(rows: TransactionRows, count: CommitCount): Promise<void> {
    await this.#write(rows, 'alone', count, []);
  }

  /** Returns the number of the commit. */
  writeAsNode(rows: TransactionRows, { epoch, mark, body, basis }: NodeCommit, at: number): Promise<number> {
    const counting = basis === null ? 'node, after any' : 'node';
    return this.#write(rows, counting, { commits: (basis ?? 0) + 1, at }, [epoch, mark, body]);
  }

  /** Writes requests, which are not part of the world and belong to no commit. */
  async writeRequests(requests: TransactionRows['requests']): Promise<void> {
    await this.#makeDays(
      'requests',
      requests.map((one) => one.at),
    );
    await this.#link.client.query({
      name: 'muster-requests',
      text: insert('requests', REQUEST_COLUMNS, 1),
      values: valuesOf(requests, REQUEST_COLUMNS),
    });
  }

  async #write(
    rows: TransactionRows,
    counting: Counting,
    { commits, at }: CommitCount,
    rest: readonly unknown[],
  ): Promise<number> {
    const { events, attempts, requests } = rows;
    await this.#makeDays(
      'events',
      events.map(({ createdAt }) => createdAt),
    );
    await this.#makeDays(
      'attempts',
      attempts.map((one) => one.at),
    );
    await this.#makeDays(
      'requests',
      requests.map((one) => one.at),
    );
    if (new Set(events.map(({ id }) => id)).size < events.length)
      throw new Error('Two events of a transaction have one id.');
    const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }) => `${kind} ${id}`;
    const removed = new Set(rows.removals.map(keyOf));
    // One statement cannot write a row twice, so only the last put of a document is used.
    const puts = [...new Map(rows.puts.map((put) => [keyOf(put), put])).values()].filter(
      (put) => !removed.has(keyOf(put)),
    );
    const { rows: answers } = await this.#link.client.query<{ commits: string }>({
      ...STATEMENTS[counting],
      values: [
        ...[puts.map(({ kind }) => kind), puts.map(({ id }) => id), puts.map(({ body }) => body)],
        ...[
          rows.removals.map(({ kind }) => kind),
          rows.removals.map(({ id }) => id),
          commits,
          at,
          puts.map(acceptedAt),
        ],
        ...valuesOf(events, EVENT_COLUMNS),
        ...valuesOf(attempts, ATTEMPT_COLUMNS),
        ...valuesOf(requests, REQUEST_COLUMNS),
        ...rest,
      ],
    });
    return Number(answers[0]?.commits);
  }

  /**
   * Replaces the whole state by these rows in one transaction. `commits` null: uses a number that other nodes cannot
   * reach by following the log.
   */
  async replace(rows: readonly StoredRow[], commits: number | null, at: number): Promise<void> {
    const { client } = this.#link;
    await client.query('BEGIN');
    try {
      const { rows: counts } = await client.query<{ commits: string }>('SELECT commits FROM sandbox FOR UPDATE');
      const number = commits ?? Number(counts[0]?.commits) + 2;
      for (const [table, { only }] of Object.entries(STATE)) await client.query(`DELETE FROM ${table} WHERE ${only}`);
      await client.query('DELETE FROM requests');
      for (const [table, { columns }] of Object.entries(STATE)) {
        const own = rows.filter(([of]) => of === table).map(([, ...values]) => values);
        const derived = DERIVED[table as keyof typeof DERIVED];
        const names = [...columns, ...derived.map(([name]) => name)];
        const types = names.map((name) => [name, COLUMN_TYPES[name] ?? 'text', () => null] as const);
        const bodyAt = columns.length - 1;
        const full = own.map((row) => {
          const body = JSON.parse(String(row[bodyAt])) as Record<string, unknown>;
          return [
            ...row,
            ...derived.map(([, key]) => (table === 'documents' && row[0] !== 'heard' ? null : body[key])),
          ];
        });
        const timeAt = names.indexOf(table === 'events' ? 'created_at' : 'at');
        if (table !== 'documents') {
          const times = own.map((row) => Number(row[timeAt]));
          await this.#makeDays(table as PartitionedLog, times);
        }
        const values = names.map((_, i) => full.map((row) => row[i]));
        await client.query(insert(table, types, 1, table !== 'documents'), values);
      }
      await client.query('UPDATE sandbox SET commits = $1, at = $2', [number, at]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      // The rollback also removed the partitions that this transaction created.
      for (const days of Object.values(this.#days)) days.clear();
      throw error;
    }
  }

  /** Called when a prune has dropped the partition of this day. */
  forget(log: PartitionedLog, day: number): void {
    this.#days[log].delete(day);
  }

  async #makeDays(log: PartitionedLog, times: readonly number[]): Promise<void> {
    for (const day of new Set(times.map(dayOf))) {
      if (this.#days[log].has(day)) continue;
      await this.#link.client.query(partitionStatement(log, day)).catch((error: { code?: string }) => {
        // Two nodes may create the partition of a new day at the same time.
        if (!['42P07', '23505'].includes(error.code ?? '')) throw error;
      });
      this.#days[log].add(day);
    }
  }
}
