/** Reads documents that memory does not hold from Postgres: all requests of one call are read in one snapshot of the database. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AlertQuery } from '../../domain/alerts/alert-query.ts';
import type { ArchiveRequest } from '../../domain/world/archive.ts';
import type { Alert, Documents, Kind } from '../../domain/world/documents.ts';
import type { MemoryBounds } from '../../domain/world/residency.ts';
import { StorageBroken } from '../../engine/store-port.ts';
import type { StoreTables } from '../sqlite/schema.ts';

/** Results are in the order of the requests. */
export async function readArchived(
  db: Kysely<StoreTables>,
  requests: readonly ArchiveRequest[],
): Promise<readonly unknown[]> {
  const gets = requests.flatMap((request) => (request.what === 'get' ? [request] : []));
  const lists = requests.length - gets.length;
  // A single statement already has a consistent snapshot.
  if (Number(gets.length > 0) + lists === 1) return answers(db, requests, gets);
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute((at) => answers(at, requests, gets));
}

type GetRequest = Extract<ArchiveRequest, { what: 'get' }>;

async function answers(
  db: Kysely<StoreTables>,
  requests: readonly ArchiveRequest[],
  gets: readonly GetRequest[],
): Promise<unknown[]> {
  const documents = gets.length === 0 ? new Map<string, unknown>() : await documentsOf(db, gets);
  const found: unknown[] = [];
  for (const request of requests) {
    switch (request.what) {
      case 'get':
        found.push(documents.get(`${request.kind} ${request.id}`));
        break;
      case 'alerts':
        found.push(await alertsOf(db, request.query));
        break;
      case 'count':
        found.push(await countOf(db, request.query));
        break;
    }
  }
  return found;
}

async function documentsOf(db: Kysely<StoreTables>, gets: readonly GetRequest[]): Promise<Map<string, unknown>> {
  const [kinds, ids] = [gets.map(({ kind }) => kind as string), gets.map(({ id }) => id)];
  const { rows } = await sql<{ kind: string; id: string; body: string }>`
    SELECT kind, id, body FROM documents
    WHERE (kind, id) IN (SELECT * FROM unnest(${kinds}::text[], ${ids}::text[]))`.execute(db);
  return new Map(
    rows.map(({ kind, id, body }) => [`${kind} ${id}`, parsed<Documents[Kind]>(body, () => `${kind} ${id}`)]),
  );
}

async function alertsOf(db: Kysely<StoreTables>, query: AlertQuery): Promise<Alert[]> {
  const limit = query.limit === undefined ? sql`` : sql`LIMIT ${query.limit}`;
  const { rows } = await sql<{ id: string; body: string }>`
    SELECT id, body FROM alerts WHERE ${where(query)} ORDER BY created_at DESC, id DESC ${limit}`.execute(db);
  return rows.map(({ id, body }) => parsed<Alert>(body, () => `alert ${id}`));
}

async function countOf(db: Kysely<StoreTables>, query: AlertQuery): Promise<number> {
  const all = { ...query, after: undefined };
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM alerts WHERE ${where(all)}`.execute(db);
  return Number(rows[0]?.n);
}

function where(query: AlertQuery): RawBuilder<unknown> {
  const terms = [sql`organization_id = ${query.organizationId}`];
  const list = (column: string, items: readonly string[] | undefined): void => {
    if (items !== undefined) terms.push(sql`${sql.ref(column)} = ANY(${items}::text[])`);
  };
  list('site_id', query.siteIds);
  list('status', query.statuses);
  list('type', query.types);
  list('severity', query.severities);
  list('worker_id', query.workerIds);
  list('contractor', query.contractors);
  if (query.seenBy !== undefined) terms.push(sql`(worker_id IS NULL OR contractor = ANY(${query.seenBy}::text[]))`);
  if (query.createdAfter !== undefined) terms.push(sql`created_at >= ${query.createdAfter}`);
  if (query.createdBefore !== undefined) terms.push(sql`created_at < ${query.createdBefore}`);
  if (query.modifiedSince !== undefined) terms.push(sql`modified_at >= ${query.modifiedSince}`);
  const { after } = query;
  if (after !== undefined) terms.push(sql`(created_at, id) < (${after.createdAt}::bigint, ${after.id})`);
  return sql.join(terms, sql` AND `);
}

/** Selects the documents that a world with these bounds loads at the start. */
export const residentRows = ({ resolvedAlerts, acceptedUplinks }: MemoryBounds): RawBuilder<boolean> => sql<boolean>`(
  kind NOT IN ('alert', 'heard', 'course', 'roll')
  OR (kind = 'heard' AND id IN (
    SELECT id FROM documents WHERE kind = 'heard' AND at IS NOT NULL ORDER BY at DESC LIMIT ${acceptedUplinks}))
  OR (kind = 'alert' AND id IN (
    SELECT id FROM alerts WHERE status IS DISTINCT FROM 'resolved'
    UNION ALL
    SELECT a.id FROM documents o CROSS JOIN LATERAL (
      SELECT id FROM alerts WHERE organization_id = o.id AND status = 'resolved'
      ORDER BY created_at DESC, id DESC LIMIT ${resolvedAlerts}) a
    WHERE o.kind = 'organization')))`;

export const parsed = <T extends object>(body: string, row: () => string): T => {
  try {
    return JSON.parse(body) as T;
  } catch (error) {
    throw new StorageBroken(`The stored row of ${row()} is damaged: it is not JSON.`, { cause: error });
  }
};
