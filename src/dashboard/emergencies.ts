/** Sites with an emergency: an active muster, or an open critical alert. */
import type { StreamSite } from '../contract/stream.ts';
import { byUrgency, isOpenCritical } from '../watching/state/people.ts';
import { musterOf, type StreamState, sitesOf } from '../watching/state/state.ts';

export interface SiteEmergency {
  readonly site: StreamSite;
  /** Open critical alerts. */
  readonly critical: number;
  readonly hasMuster: boolean;
}

/** The sites with an emergency, in the order of the sites. */
export function emergenciesOf(world: StreamState): SiteEmergency[] {
  const critical = new Map<string, number>();
  for (const alert of world.alerts.values())
    if (isOpenCritical(alert)) critical.set(alert.site.id, (critical.get(alert.site.id) ?? 0) + 1);
  return sitesOf(world)
    .map((site) => ({
      site,
      critical: critical.get(site.id) ?? 0,
      hasMuster: musterOf(world, site.id)?.status === 'active',
    }))
    .filter((one) => one.critical > 0 || one.hasMuster);
}

/**
 * The site that is shown if the viewer has chosen none: a site with an active muster, else the site of the most urgent
 * open critical alert, else the first site.
 */
export function firstSiteOf(world: StreamState): StreamSite | null {
  const emergencies = emergenciesOf(world);
  const mustering = emergencies.find(({ hasMuster }) => hasMuster);
  if (mustering !== undefined) return mustering.site;
  const [urgent] = [...world.alerts.values()]
    .filter((alert) => isOpenCritical(alert) && world.sites.has(alert.site.id))
    .sort(byUrgency);
  return (urgent === undefined ? undefined : world.sites.get(urgent.site.id)) ?? sitesOf(world)[0] ?? null;
}

/** Number of open critical alerts and active musters of these sites. */
export const emergencyCount = (emergencies: readonly SiteEmergency[]): number =>
  emergencies.reduce((sum, { critical, hasMuster }) => sum + critical + Number(hasMuster), 0);
