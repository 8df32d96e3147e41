/** The events that a destination gets, and their priority. [spec 6.3, 6.8, decisions 7] */
import { type EventType, severityAtLeast } from '../../../contract/enumerations.ts';
import { ALERT_KINDS } from '../../../contract/resources/alert-kinds.ts';
import { seesAlert } from '../access/viewer.ts';
import type { Alert, Client, Destination, Muster } from '../world/documents.ts';

export function subscribes(destination: Pick<Destination, 'eventTypes'>, type: EventType): boolean {
  const group = type.startsWith('alert.') ? 'alert.*' : 'muster.*';
  return destination.eventTypes.some((wanted) => wanted === type || wanted === group);
}

type Contract = Pick<Client, 'organizationId' | 'scopes' | 'contractors'>;

/**
 * True if the destination gets an event of this alert. What the client cannot GET is not delivered. `contractors`: only
 * alerts of workers of those contractors, and site-wide alerts. `min_severity` applies to alerts. [decisions 7]
 */
export function getsAlert({ filters }: Destination, client: Contract, alert: Alert): boolean {
  if (!client.scopes.includes('alerts:read') || !seesAlert(client, alert)) return false;
  if (filters.siteIds !== undefined && !filters.siteIds.includes(alert.site.id)) return false;
  if (filters.minSeverity !== undefined && !severityAtLeast(alert.severity, filters.minSeverity)) return false;
  if (filters.contractors === undefined || alert.worker === null) return true;
  return alert.worker.contractor !== null && filters.contractors.includes(alert.worker.contractor);
}

/**
 * The same for a muster. `contractors`: only musters that expect a worker of at least one of those contractors. A
 * contractor outside of the client's contract matches nothing. `min_severity` does not restrict musters. [decisions 7]
 */
export function getsMuster(
  { filters }: Destination,
  client: Contract,
  muster: Pick<Muster, 'site' | 'contractors'>,
): boolean {
  if (!client.scopes.includes('musters:read')) return false;
  if (filters.siteIds !== undefined && !filters.siteIds.includes(muster.site.id)) return false;
  const named = filters.contractors?.filter((one) => client.contractors?.includes(one) ?? true);
  return named === undefined || muster.contractors.some((one) => named.includes(one));
}

/** Priority 0: SOS, falls and "cannot evacuate". Priority 1: musters. Priority 2: the rest. */
export function priorityOf(type: EventType, alert: Pick<Alert, 'type'> | null): 0 | 1 | 2 {
  if (type.startsWith('muster.')) return 1;
  return alert !== null && ALERT_KINDS[alert.type].urgent ? 0 : 2;
}
