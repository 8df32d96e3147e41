/** Writes one turn to Postgres as one statement, which is one round trip and one transaction. */
import type { EventRecord } from '../domain/world/documents.ts';
import type { AttemptRecord, Batch, RequestRecord } from '../engine/store-port.ts';
import type { CommitCount } from './commit-ledger.ts';
import type { PostgresLink } from './postgres-link.ts';
import {
  dayOf,
  PARTITIONED_LOGS,
  type PartitionedLog,
  partitionedDays,
  partitionStatement,
} from './postgres-schema.ts';
import { STATE, type StoredRow } from './state-rows.ts';

/** Documents as they stand in their table. */
export interface TextRows {
  readonly puts: readonly { readonly kind: string; readonly id: string; readonly body: string }[];
  readonly removals: readonly { readonly kind: string; readonly id: string }[];
}

/** The rows of one turn. */
export type TurnRows = TextRows & Pick<Batch, 'events' | 'attempts' | 'requests'>;

/** Only what watches said is forgotten by age. */
const heardAt = ({ kind, body }: TextRows['puts'][number]): number | null =>
  kind === 'heard' ? (JSON.parse(body) as { at: number }).at : null;

export const rowsOf = (batch: Batch): TurnRows => ({
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
  ['listed', 'integer', ({ listed }) => (listed ? 1 : 0)],
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

/** WrittenColumns that only Postgres has, and the key of the body from which each follows. */
const DERIVED = {
  documents: [['at', 'at']],
  events: [],
  attempts: [
    ['outcome', 'outcome'],
    ['took_ms', 'tookMs'],
  ],
} as const;

/** WrittenColumns of the state that are no text. */
const COLUMN_TYPES: Readonly<Record<string, string | undefined>> = {
  created_at: 'bigint',
  at: 'bigint',
  listed: 'integer',
  took_ms: 'float8',
};

type WrittenColumns = readonly (readonly [column: string, type: string, value: (row: never) => unknown])[];

/** `from`: the number of its first parameter. */
function insert(table: string, columns: WrittenColumns, from: number, counts = true): string {
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], i) => `$${from + i}::${type}[]`).join(', ');
  return `INSERT INTO ${table} (${counts ? 'seq, ' : ''}${names}) SELECT ${counts ? "nextval('log_seq'), " : ''}${names}
    FROM (SELECT * FROM unnest(${arrays}) WITH ORDINALITY AS r(${names}, ord) ORDER BY ord) AS rows`;
}

const valuesOf = <R>(rows: readonly R[], columns: readonly (readonly [string, string, (row: R) => unknown])[]) =>
  columns.map(([, , value]) => rows.map(value));

const [EVENTS_AT, ATTEMPTS_AT] = [9, 9 + EVENT_COLUMNS.length];
const REQUESTS_AT = ATTEMPTS_AT + ATTEMPT_COLUMNS.length;

/**
 * A division by zero takes the whole statement back: where the count of commits is not the one that is known here (another
 * process wrote), and where an event's id is there already, which partitions cannot keep unique by themselves.
 */
const WRITE = {
  name: 'muster-turn',
  text: `WITH puts AS (
      INSERT INTO documents (kind, id, body, at) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $8::bigint[])
      ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, at = excluded.at),
    gone AS (DELETE FROM documents d USING unnest($4::text[], $5::text[]) AS r(kind, id) WHERE (d.kind, d.id) = (r.kind, r.id)),
    new_events AS (${insert('events', EVENT_COLUMNS, EVENTS_AT)}),
    new_attempts AS (${insert('attempts', ATTEMPT_COLUMNS, ATTEMPTS_AT)}),
    new_requests AS (${insert('requests', REQUEST_COLUMNS, REQUESTS_AT)}),
    counted AS (UPDATE sandbox SET commits = $6::bigint, at = $7::bigint WHERE commits = $6::bigint - 1 RETURNING 1),
    known AS (SELECT 1 FROM events WHERE id = ANY ($${EVENTS_AT}::text[]) LIMIT 1)
    SELECT 1 / (SELECT count(*) FROM counted) AS counted, 1 / (1 - (SELECT count(*) FROM known)) AS fresh`,
};

/** Writes the rows with the number of the commit, or throws the server's error and has written nothing. Removals come after puts. */
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

  async write(rows: TurnRows, { commits, at }: CommitCount): Promise<void> {
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
    if (new Set(events.map(({ id }) => id)).size < events.length) throw new Error('Two events of a turn have one id.');
    const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }) => `${kind} ${id}`;
    const removed = new Set(rows.removals.map(keyOf));
    // One statement cannot write a row twice: the last word about a document counts.
    const puts = [...new Map(rows.puts.map((put) => [keyOf(put), put])).values()].filter(
      (put) => !removed.has(keyOf(put)),
    );
    await this.#link.client.query({
      ...WRITE,
      values: [
        ...[puts.map(({ kind }) => kind), puts.map(({ id }) => id), puts.map(({ body }) => body)],
        ...[rows.removals.map(({ kind }) => kind), rows.removals.map(({ id }) => id), commits, at, puts.map(heardAt)],
        ...valuesOf(events, EVENT_COLUMNS),
        ...valuesOf(attempts, ATTEMPT_COLUMNS),
        ...valuesOf(requests, REQUEST_COLUMNS),
      ],
    });
  }

  /** The whole state is these rows from now on. One transaction. */
  async replace(rows: readonly StoredRow[], { commits, at }: CommitCount): Promise<void> {
    const { client } = this.#link;
    await client.query('BEGIN');
    try {
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
      await client.query('UPDATE sandbox SET commits = $1, at = $2', [commits, at]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      // Its partitions were taken back too.
      for (const days of Object.values(this.#days)) days.clear();
      throw error;
    }
  }

  /** A prune has dropped these. */
  forget(log: PartitionedLog, day: number): void {
    this.#days[log].delete(day);
  }

  async #makeDays(log: PartitionedLog, times: readonly number[]): Promise<void> {
    for (const day of new Set(times.map(dayOf))) {
      if (this.#days[log].has(day)) continue;
      await this.#link.client.query(partitionStatement(log, day));
      this.#days[log].add(day);
    }
  }
}
