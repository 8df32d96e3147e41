/** The reads of the Postgres store, through kysely on separate connections. */
import { type Kysely, type Selectable, sql } from 'kysely';
import { type Documents, type EventRecord, KINDS, type Kind, type Muster } from '../../domain/world/documents.ts';
import { type MemoryBounds, recordedMusters } from '../../domain/world/residency.ts';
import type {
  AttemptQuery,
  AttemptRecord,
  EventQuery,
  Logged,
  RequestQuery,
  RequestRecord,
  Store,
  StoredTotals,
} from '../../engine/store-port.ts';
import { KEPT_KIND } from '../sqlite/kept.ts';
import { fromListed, listedIn, type StoreTables } from '../sqlite/schema.ts';
import { STATE, type StoredRow } from '../state-rows.ts';
import { parsed, residentRows } from './archive.ts';

/** Response times are taken from this many of the newest attempts of all destinations. */
const RECENT = 2_000;

interface DocumentRow {
  readonly kind: string;
  readonly id: string;
  readonly body: string;
}

export class PostgresReader {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async load(bounds?: MemoryBounds): ReturnType<Store['load']> {
    let query = this.#db.selectFrom('documents').select(['kind', 'id', 'body']).orderBy('kind').orderBy('id');
    if (bounds !== undefined && Number.isFinite(bounds.resolvedAlerts)) query = query.where(residentRows(bounds));
    const rows = await query.execute();
    if (bounds !== undefined && Number.isFinite(bounds.resolvedAlerts))
      rows.push(...(await this.#records(rows, bounds)));
    const kinds = new Map(KINDS.map((kind) => [kind as string, [] as Documents[Kind][]]));
    for (const { kind, id, body } of rows) kinds.get(kind)?.push(parsed<Documents[Kind]>(body, () => `${kind} ${id}`));
    return KINDS.map((kind) => ({ kind, documents: kinds.get(kind) ?? [] }));
  }

  /** Reads the rolls and courses of the musters whose records memory holds. */
  async #records(rows: readonly DocumentRow[], bounds: MemoryBounds): Promise<DocumentRow[]> {
    const musters = rows.filter(({ kind }) => kind === 'muster');
    const ids = recordedMusters(
      musters.map(({ id, body }) => parsed<Muster>(body, () => `muster ${id}`)),
      bounds,
    );
    const query = this.#db.selectFrom('documents').select(['kind', 'id', 'body']).orderBy('kind').orderBy('id');
    return query
      .where('kind', 'in', ['course', 'roll'])
      .where(sql<boolean>`split_part(id, '/', 1) = ANY(${[...ids]}::text[])`)
      .execute();
  }

  async kept(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#db.selectFrom('documents').select(['id', 'body']).where('kind', '=', KEPT_KIND).execute();
    return new Map(rows.map(({ id, body }) => [id, body]));
  }

  async state(): Promise<StoredRow[]> {
    const tables = Object.entries(STATE).map(async ([table, { columns, order, only }]) => {
      const query = sql.raw<Record<string, string | number | null>>(
        `SELECT ${columns.join(', ')} FROM ${table} WHERE ${only} ORDER BY ${order}`,
      );
      const { rows } = await query.execute(this.#db);
      return rows.map((row): StoredRow => [table, ...columns.map((column) => row[column] ?? null)]);
    });
    return (await Promise.all(tables)).flat();
  }

  async events(query: EventQuery): Promise<EventRecord[]> {
    const { organizationId, types: kinds, siteIds, contractors, createdAfter, createdBefore, after, limit } = query;
    // An empty list matches nothing, and is invalid SQL in Postgres.
    if (kinds?.length === 0 || siteIds?.length === 0) return [];
    let rows = this.#db
      .selectFrom('events')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('listed', 'in', listedIn(query));
    if (kinds) rows = rows.where('type', 'in', kinds);
    if (siteIds) rows = rows.where('site_id', 'in', siteIds);
    if (contractors)
      rows = rows.where((is) =>
        is.or([
          is('contractor', 'is', null),
          ...(contractors.length === 0 ? [] : [is('contractor', 'in', contractors)]),
        ]),
      );
    if (createdAfter !== undefined) rows = rows.where('created_at', '>=', createdAfter);
    if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore);
    // The bound on `created_at` alone lets Postgres skip the partitions outside of it.
    const isNewestFirst = query.newestFirst === true;
    const order = isNewestFirst ? 'desc' : 'asc';
    if (after)
      rows = rows
        .where('created_at', isNewestFirst ? '<=' : '>=', after.createdAt)
        .where(sql<boolean>`(created_at, id) ${isNewestFirst ? sql`<` : sql`>`} (${after.createdAt}, ${after.id})`);
    return (await rows.orderBy('created_at', order).orderBy('id', order).limit(limit).execute()).map(eventOf);
  }

  async event(id: string): Promise<EventRecord | null> {
    const row = await this.#db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : eventOf(row);
  }

  async eventsById(ids: readonly string[]): Promise<EventRecord[]> {
    if (ids.length === 0) return [];
    return (await this.#db.selectFrom('events').selectAll().where('id', 'in', ids).execute()).map(eventOf);
  }

  async attempts(query: AttemptQuery): Promise<Logged<AttemptRecord>[]> {
    const { organizationId, eventId, destinationId, eventType, objectIds, before, limit } = query;
    let rows = this.#db.selectFrom('attempts').select(['seq', 'body']);
    if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId);
    if (eventId !== undefined) rows = rows.where('event_id', '=', eventId);
    if (destinationId !== undefined) rows = rows.where('destination_id', '=', destinationId);
    if (eventType !== undefined) rows = rows.where('event_type', '=', eventType);
    if (objectIds !== undefined)
      rows = rows.where(
        sql<boolean>`event_id IN (SELECT id FROM events WHERE object_id = ANY(${[...objectIds]}::text[]))`,
      );
    if (before !== undefined) rows = rows.where('seq', '<', before);
    const found = await rows.orderBy('seq', 'desc').limit(limit).execute();
    return found.map(({ seq, body }) => ({ ...parsed<AttemptRecord>(body, () => `attempt ${seq}`), seq }));
  }

  async attemptTotals(newest: number): Promise<StoredTotals[]> {
    const { rows: counts } = await sql<{ destination: string; delivered: number; lost: number; all: number }>`
      SELECT destination_id AS destination, count(*) FILTER (WHERE outcome = 'delivered') AS delivered,
        count(*) FILTER (WHERE outcome = 'lost') AS lost, count(*) AS "all"
      FROM attempts GROUP BY destination_id ORDER BY destination_id`.execute(this.#db);
    const { rows: times } = await sql<{ destination: string; took: number }>`
      SELECT destination_id AS destination, took_ms AS took
      FROM (SELECT * FROM attempts ORDER BY seq DESC LIMIT ${RECENT}) AS newest
      WHERE outcome = 'delivered' ORDER BY seq`.execute(this.#db);
    return counts.map(({ destination, delivered, lost, all }) => {
      const took = times.filter((one) => one.destination === destination).map((one) => one.took);
      return { destinationId: destination, delivered, failed: all - delivered, lost, tookMs: took.slice(-newest) };
    });
  }

  async requests({ organizationId, before, limit }: RequestQuery): Promise<Logged<RequestRecord>[]> {
    let rows = this.#db.selectFrom('requests').select(['seq', 'body']);
    if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId);
    if (before !== undefined) rows = rows.where('seq', '<', before);
    const found = await rows.orderBy('seq', 'desc').limit(limit).execute();
    return found.map(({ seq, body }) => ({ ...parsed<RequestRecord>(body, () => `request ${seq}`), seq }));
  }
}

function eventOf(row: Selectable<StoreTables['events']>): EventRecord {
  return {
    id: row.id,
    type: row.type as EventRecord['type'],
    organizationId: row.organization_id,
    siteId: row.site_id,
    objectId: row.object_id,
    contractor: row.contractor,
    createdAt: row.created_at,
    body: row.body,
    ...fromListed(row.listed),
  };
}
