/** Lists of alerts: from memory if it has all that the list may contain, else wholly from the store, so that a list shows one committed state. [decisions 1] */
import { timeKey } from '../../../base/sorted-index.ts';
import type { Alert } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { type AlertQuery, fitsQuery } from './alert-query.ts';

/** The sort key of an alert in its organization's list. */
export const alertKey = ({ createdAt, id }: Pick<Alert, 'createdAt' | 'id'>): string => timeKey(createdAt, id);

/** The alert's fields that a key contains. */
export function alertAt(key: string): Pick<Alert, 'createdAt' | 'id'> {
  const [at = '', id = ''] = key.split('/');
  return { createdAt: Number(at), id };
}

/** Throws `NotInMemory` if the store must be read first. `Engine.read` then fetches from it and reads again. */
export function alertsOf(world: World, query: AlertQuery): readonly Alert[] {
  const { organizationId, limit = Number.POSITIVE_INFINITY, createdAfter } = query;
  const list = world.indexes.alerts.of(organizationId);
  const floor = world.alertFloor(organizationId);
  // All open alerts are in memory, whatever their age.
  const isComplete =
    floor === null ||
    query.statuses?.includes('resolved') === false ||
    (createdAfter !== undefined && timeKey(createdAfter, '') > floor);
  const found: Alert[] = [];
  for (let place = startOf(world, query); place >= 0 && found.length < limit; place--) {
    const alert = list.at(place) as Alert;
    if (createdAfter !== undefined && alert.createdAt < createdAfter) break;
    if (!isComplete && alertKey(alert) <= floor) break;
    if (fitsQuery(query, alert)) found.push(alert);
  }
  return isComplete || found.length === limit ? found : world.archivedAlerts(query);
}

/** The number of alerts that match the query, without its `limit`. */
export function countAlerts(world: World, query: AlertQuery): number {
  const floor = world.alertFloor(query.organizationId);
  if (floor === null || query.statuses?.includes('resolved') === false) {
    const { limit: _, ...all } = query;
    return alertsOf(world, all).length;
  }
  return world.archivedCount(query);
}

/** A binary search: the hundredth page costs the same as the first. */
function startOf(world: World, { organizationId, after, createdBefore }: AlertQuery): number {
  const list = world.indexes.alerts.of(organizationId);
  const bounds = [list.length];
  if (after !== undefined) bounds.push(list.lowerBound(alertKey(after)));
  if (createdBefore !== undefined) bounds.push(list.lowerBound(timeKey(Math.max(0, createdBefore), '')));
  return Math.min(...bounds) - 1;
}
