/** The on-demand veil: when a person's position may be seen at all. [spec 2 Site, decisions 4] */
import type { Instant } from '../../base/clock.ts';
import { type Severity, severityAtLeast } from '../../contract/enumerations.ts';
import type { Site } from '../world/documents.ts';
import type { World } from '../world/world.ts';

/** Whether an alert of this severity unveils the person on this site. */
export const unveils = (site: Site, severity: Severity): boolean =>
  site.privacyMode === 'continuous' || severityAtLeast(severity, site.unveilMinSeverity);

/** Whether the person's position is visible now: an evacuation of the site, an approved request, or an open alert at or above its severity, lifts the veil. */
export function positionVisible(world: World, site: Site, workerId: string, now: Instant): boolean {
  if (site.privacyMode === 'continuous' || world.indexes.activeMuster(site.id) !== undefined) return true;
  if ((world.get('unveiling', workerId)?.until ?? now) > now) return true;
  return world.indexes.openAlertsOfWorker
    .of(workerId)
    .values()
    .some((alert) => alert.site.id === site.id && severityAtLeast(alert.severity, site.unveilMinSeverity));
}
