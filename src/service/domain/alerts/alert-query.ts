/** A query for alerts: one description that the memory and every store evaluate in the same way. [decisions 1] */
import type { Instant } from '../../../base/time/clock.ts';
import type { AlertStatus, AlertType, Severity } from '../../../contract/enumerations.ts';
import type { Alert } from '../world/documents.ts';

/** Newest first, by `createdAt`, then by id. An empty list finds nothing. */
export interface AlertQuery {
  readonly organizationId: string;
  readonly siteIds?: readonly string[] | undefined;
  readonly statuses?: readonly AlertStatus[] | undefined;
  readonly types?: readonly AlertType[] | undefined;
  readonly severities?: readonly Severity[] | undefined;
  readonly workerIds?: readonly string[] | undefined;
  /** Only alerts of workers of these contractors. */
  readonly contractors?: readonly string[] | undefined;
  /** Like `contractors`, and also alerts without a worker: what a client with a limited contract sees. [decisions 4] */
  readonly seenBy?: readonly string[] | undefined;
  /** Inclusive. */
  readonly createdAfter?: Instant | undefined;
  /** Exclusive. */
  readonly createdBefore?: Instant | undefined;
  /** Inclusive. */
  readonly modifiedSince?: Instant | undefined;
  /** Exclusive: the list continues with the alerts that are older than this one. */
  readonly after?: Pick<Alert, 'createdAt' | 'id'> | undefined;
  /** Default: all of them. */
  readonly limit?: number | undefined;
}

const has = <T>(list: readonly T[] | undefined, value: T | null): boolean =>
  list === undefined || (value !== null && list.includes(value));

/** True if the alert matches the query. The caller applies `organizationId`, `after` and `limit`. */
export function fitsQuery(query: AlertQuery, alert: Alert): boolean {
  const { worker, createdAt } = alert;
  return (
    has(query.siteIds, alert.site.id) &&
    has(query.statuses, alert.status) &&
    has(query.types, alert.type) &&
    has(query.severities, alert.severity) &&
    has(query.workerIds, worker?.id ?? null) &&
    has(query.contractors, worker?.contractor ?? null) &&
    (worker === null || has(query.seenBy, worker.contractor)) &&
    (query.createdAfter === undefined || createdAt >= query.createdAfter) &&
    (query.createdBefore === undefined || createdAt < query.createdBefore) &&
    (query.modifiedSince === undefined || alert.modifiedAt >= query.modifiedSince)
  );
}
