/** Which events a destination gets, and which go first. [spec 6.3, 6.8, decisions 7] */
import { type EventType, severityAtLeast } from '../../contract/enumerations.ts';
import { ALERT_KINDS } from '../alerts/catalogue.ts';
import type { Alert, Client, Destination, Muster } from '../world/documents.ts';

export function subscribes(destination: Destination, type: EventType): boolean {
  const group = type.startsWith('alert.') ? 'alert.*' : 'muster.*';
  return destination.eventTypes.some((wanted) => wanted === type || wanted === group);
}

/** `contractors`: alerts of those contractors' workers, and site-wide ones. `min_severity` is for alerts. */
export function passesFilters({ filters }: Destination, alert: Alert): boolean {
  if (filters.siteIds !== undefined && !filters.siteIds.includes(alert.site.id)) return false;
  if (filters.minSeverity !== undefined && !severityAtLeast(alert.severity, filters.minSeverity)) return false;
  if (filters.contractors === undefined || alert.worker === null) return true;
  return alert.worker.contractor !== null && filters.contractors.includes(alert.worker.contractor);
}

/** `contractors`: musters that expect at least one of their workers. `min_severity` does not restrict them. [decisions 7] */
export function passesMusterFilters({ filters }: Destination, muster: Pick<Muster, 'site' | 'contractors'>): boolean {
  if (filters.siteIds !== undefined && !filters.siteIds.includes(muster.site.id)) return false;
  return filters.contractors === undefined || muster.contractors.some((one) => filters.contractors?.includes(one));
}

/** What the client cannot GET is not delivered. [decisions 7] */
export function clientSees({ contractors }: Client, alert: Pick<Alert, 'worker'>): boolean {
  if (contractors === null || alert.worker === null) return true;
  return alert.worker.contractor !== null && contractors.includes(alert.worker.contractor);
}

/** SOS, falls and "cannot evacuate", then musters, then the rest. */
export function priorityOf(type: EventType, alert: Alert | null): 0 | 1 | 2 {
  if (type.startsWith('muster.')) return 1;
  return alert !== null && ALERT_KINDS[alert.type].urgent ? 0 : 2;
}
