/** The reads of the SQLite store, through kysely; texts as bytes, so that a damaged row is reported, not decoded. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Documents, type EventRecord, KINDS, type Kind } from '../../domain/world/documents.ts';
import { type LoadedKind, type MemoryBounds, mustersIn, recordedMusters } from '../../domain/world/residency.ts';
import type {
  AttemptQuery,
  AttemptRecord,
  EventQuery,
  Logged,
  RequestQuery,
  RequestRecord,
  Store,
} from '../../engine/store-port.ts';
import { KEPT_KIND } from './kept.ts';
import { looseText, parseBody, strictText } from './row-text.ts';
import { fromListed, listedIn, type StoreTables } from './schema.ts';

type Db = Kysely<StoreTables>;

export async function readDocuments(db: Db, bounds?: MemoryBounds): ReturnType<Store['load']> {
  const kinds: LoadedKind[] = [];
  for (const kind of KINDS) {
    const columns = [bytesOf('id'), bytesOf('body')] as const;
    let query = db.selectFrom('documents').select(columns).where('kind', '=', kind).orderBy('id');
    const newest = bounds === undefined ? null : newestOf(kind, bounds, kinds);
    if (newest !== null) query = query.where(sql<boolean>`id IN (${newest})`);
    const documents = (await query.execute()).map(({ id, body }) =>
      parseBody<Documents[Kind]>(body, () => `${kind} ${looseText(id)}`),
    );
    kinds.push({ kind, documents });
  }
  return kinds;
}

export async function readEvents(db: Db, query: EventQuery): Promise<EventRecord[]> {
  const { organizationId, types, siteIds, contractors, createdAfter, createdBefore, after, limit } = query;
  let rows = db
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('listed', 'in', listedIn(query));
  if (types) rows = rows.where('type', 'in', types);
  if (siteIds) rows = rows.where('site_id', 'in', siteIds);
  if (contractors) {
    rows = rows.where((is) => is.or([is('contractor', 'is', null), is('contractor', 'in', contractors)]));
  }
  if (createdAfter !== undefined) rows = rows.where('created_at', '>=', createdAfter);
  if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore);
  // A row value instead of `a > x OR (a = x AND b > y)`, because SQLite can seek in the index with it.
  const [order, behind] = query.newestFirst === true ? (['desc', sql`<`] as const) : (['asc', sql`>`] as const);
  if (after) rows = rows.where(sql<boolean>`(created_at, id) ${behind} (${after.createdAt}, ${after.id})`);
  return (await rows.orderBy('created_at', order).orderBy('id', order).limit(limit).execute()).map(eventOf);
}

export async function readEventsById(db: Db, ids: readonly string[]): Promise<EventRecord[]> {
  if (ids.length === 0) return [];
  return (await db.selectFrom('events').select(EVENT_COLUMNS).where('id', 'in', ids).execute()).map(eventOf);
}

/** Returns the newest attempts first. */
export async function readAttempts(
  db: Db,
  { organizationId, eventId, destinationId, eventType, objectIds, before, limit }: AttemptQuery,
): Promise<Logged<AttemptRecord>[]> {
  let rows = db.selectFrom('attempts').select(['seq', bytesOf('body')]);
  if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId);
  if (eventId !== undefined) rows = rows.where('event_id', '=', eventId);
  if (destinationId !== undefined) rows = rows.where('destination_id', '=', destinationId);
  if (objectIds !== undefined) rows = rows.where(sql<boolean>`event_id IN (${eventsAbout(objectIds)})`);
  // An alert has few events, but a type has many: the plus sign disables the index on the type, so that SQLite uses the
  // objects.
  if (eventType !== undefined)
    rows = rows.where(sql.raw(objectIds === undefined ? 'event_type' : '+event_type'), '=', eventType);
  if (before !== undefined) rows = rows.where('seq', '<', before);
  const found = await rows.orderBy('seq', 'desc').limit(limit).execute();
  return found.map(({ seq, body }) => ({ ...parseBody<AttemptRecord>(body, () => `attempt ${seq}`), seq }));
}

const eventsAbout = (objectIds: readonly string[]): RawBuilder<unknown> =>
  sql`SELECT id FROM events WHERE object_id IN (SELECT value FROM json_each(${JSON.stringify(objectIds)}))`;

/** Returns the newest requests first. */
export async function readRequests(
  db: Db,
  { organizationId, before, limit }: RequestQuery,
): Promise<Logged<RequestRecord>[]> {
  let rows = db.selectFrom('requests').select(['seq', bytesOf('body')]);
  if (organizationId !== undefined) rows = rows.where('organization_id', '=', organizationId);
  if (before !== undefined) rows = rows.where('seq', '<', before);
  const found = await rows.orderBy('seq', 'desc').limit(limit).execute();
  return found.map(({ seq, body }) => ({ ...parseBody<RequestRecord>(body, () => `request ${seq}`), seq }));
}

export async function readKept(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('documents')
    .select([bytesOf('id'), bytesOf('body')])
    .where('kind', '=', KEPT_KIND)
    .execute();
  const name = (id: ArrayBuffer) => () => `${KEPT_KIND} ${looseText(id)}`;
  return new Map(rows.map(({ id, body }) => [strictText(id, name(id)), strictText(body, name(id))]));
}

/**
 * Selects a text column as bytes: libsql aborts the whole process on text that is not UTF-8 (0.5.29: a panic of its
 * native part), and a damaged row must not cause that.
 */
const bytesOf = <const C extends string>(column: C) => sql<ArrayBuffer>`CAST(${sql.ref(column)} AS BLOB)`.as(column);

/** Selects the ids of the documents of a kind that memory holds; null: all of them. */
function newestOf(kind: Kind, bounds: MemoryBounds, loaded: readonly LoadedKind[]): RawBuilder<unknown> | null {
  const { resolvedAlerts, acceptedUplinks } = bounds;
  if (!Number.isFinite(resolvedAlerts)) return null;
  if (kind === 'heard')
    return sql`SELECT id FROM documents INDEXED BY documents_heard WHERE kind = 'heard'
      ORDER BY body ->> '$.at' DESC LIMIT ${acceptedUplinks}`;
  if (kind === 'roll' || kind === 'course') {
    const musters = JSON.stringify([...recordedMusters(mustersIn(loaded), bounds)]);
    return sql`SELECT d.id FROM json_each(${musters}) m, documents d
      WHERE d.kind = ${kind} AND d.id >= m.value AND d.id < m.value || '0'`;
  }
  if (kind !== 'alert') return null;
  return sql`SELECT id FROM alerts WHERE status IS NOT 'resolved' UNION
    SELECT a.id FROM documents o, alerts a WHERE o.kind = 'organization' AND a.id IN (
      SELECT id FROM alerts WHERE organization_id = o.id AND status = 'resolved'
      ORDER BY created_at DESC, id DESC LIMIT ${resolvedAlerts})`;
}

const EVENT_COLUMNS = [
  'created_at',
  'listed',
  bytesOf('id'),
  bytesOf('type'),
  bytesOf('organization_id'),
  bytesOf('site_id'),
  bytesOf('object_id'),
  sql<ArrayBuffer | null>`CAST(contractor AS BLOB)`.as('contractor'),
  bytesOf('body'),
] as const;

interface EventRow {
  readonly created_at: number;
  readonly listed: number;
  readonly id: ArrayBuffer;
  readonly type: ArrayBuffer;
  readonly organization_id: ArrayBuffer;
  readonly site_id: ArrayBuffer;
  readonly object_id: ArrayBuffer;
  readonly contractor: ArrayBuffer | null;
  readonly body: ArrayBuffer;
}

function eventOf(row: EventRow): EventRecord {
  const text = (bytes: ArrayBuffer): string => strictText(bytes, () => `event ${looseText(row.id)}`);
  return {
    id: text(row.id),
    type: text(row.type) as EventRecord['type'],
    organizationId: text(row.organization_id),
    siteId: text(row.site_id),
    objectId: text(row.object_id),
    contractor: row.contractor === null ? null : text(row.contractor),
    createdAt: row.created_at,
    body: text(row.body),
    ...fromListed(row.listed),
  };
}
