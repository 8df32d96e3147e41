/** Rows of the SQLite store as they are read. */
import { sql } from 'kysely';
import type { EventRecord } from '../domain/world/documents.ts';
import { looseText, strictText } from './row-text.ts';
import { fromListed } from './sqlite-schema.ts';

/**
 * A text column as its bytes: libsql ends the whole process at a text that is no UTF-8 (0.5.29: a panic of its native part),
 * and a damaged row must not do that.
 */
export const bytesOf = <const C extends string>(column: C) =>
  sql<ArrayBuffer>`CAST(${sql.ref(column)} AS BLOB)`.as(column);

export const EVENT_COLUMNS = [
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

export function eventOf(row: EventRow): EventRecord {
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
