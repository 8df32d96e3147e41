/** Lists of alerts: from memory where memory has all that the list may contain, otherwise wholly from the store, so that a list is of one committed state. [decisions 1] */
import { timeKey } from '../../base/sorted-index.ts';
import type { Alert } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { type AlertQuery, fitsQuery } from './alert-query.ts';

/** The place of an alert in its organization's list. */
export const alertKey = ({ createdAt, id }: Pick<Alert, 'createdAt' | 'id'>): string => timeKey(createdAt, id);

/** The alert whose key this is. */
export function alertAt(key: string): Pick<Alert, 'createdAt' | 'id'> {
  const [at = '', id = ''] = key.split('/');
  return { createdAt: Number(at), id };
}

/** Throws `NotInMemory` where the store has to be read first; `Engine.read` fetches from it and reads again. */
export function alertsOf(world: World, query: AlertQuery): readonly Alert[] {
  const { organizationId, limit = Number.POSITIVE_INFINITY, createdAfter } = query;
  const list = world.indexes.alerts.of(organizationId);
  const floor = world.alertFloor(organizationId);
  // All open alerts are in memory, however old.
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

/** How many alerts the query finds, without regard to its `limit`. */
export function countAlerts(world: World, query: AlertQuery): number {
  const floor = world.alertFloor(query.organizationId);
  if (floor === null || query.statuses?.includes('resolved') === false) {
    const { limit: _, ...all } = query;
    return alertsOf(world, all).length;
  }
  return world.archivedCount(query);
}

/** By binary search: the hundredth page costs as much as the first. */
function startOf(world: World, { organizationId, after, createdBefore }: AlertQuery): number {
  const list = world.indexes.alerts.of(organizationId);
  const bounds = [list.length];
  if (after !== undefined) bounds.push(list.lowerBound(alertKey(after)));
  if (createdBefore !== undefined) bounds.push(list.lowerBound(timeKey(Math.max(0, createdBefore), '')));
  return Math.min(...bounds) - 1;
}
