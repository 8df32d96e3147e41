/** What is urgent: an active muster with anyone not safe, or an open critical alert. Panel and dashboard rank sites by it. */
import { compareText } from '../../base/text/order.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { byUrgency } from './alert-order.ts';
import { isOpenCritical } from './people.ts';
import { exampleWorkerIn, musterOf, type StreamState, sitesOf } from './state.ts';

export interface SiteEmergency {
  readonly site: StreamSite;
  /** The active muster, if anyone is not safe. */
  readonly muster: Muster | null;
  /** Number of people to rescue. */
  readonly rescue: number;
  /** Open critical alerts, most urgent first. */
  readonly alerts: readonly Alert[];
}

/** The sites with an emergency, worst first. */
export function emergenciesOf(world: StreamState): SiteEmergency[] {
  const order = byUrgency(world);
  const critical = [...world.alerts.values()].filter(isOpenCritical).sort(order);
  const rescues = rescuesOf(world);
  return sitesOf(world)
    .map((site): SiteEmergency => {
      const muster = musterOf(world, site.id);
      return {
        site,
        muster: muster?.status === 'active' && muster.totals.safe < muster.totals.expected ? muster : null,
        rescue: rescues.get(site.id) ?? 0,
        alerts: critical.filter((alert) => alert.site.id === site.id),
      };
    })
    .filter((one) => one.muster !== null || one.alerts.length > 0)
    .sort((a, b) => byGravity(a, b, order));
}

/** By the site's id. */
function rescuesOf({ people, workers }: StreamState): Map<string, number> {
  const rescues = new Map<string, number>();
  for (const { rescue, worker_id } of people.values()) {
    const worker = rescue ? workers.get(worker_id) : undefined;
    if (worker?.is_active === true) rescues.set(worker.site_id, (rescues.get(worker.site_id) ?? 0) + 1);
  }
  return rescues;
}

/**
 * A muster ranks before alerts. The muster with more people to rescue comes first, then the one with the earlier deadline,
 * then the older one; the number of safe people is not compared, because the order would change at every count. Alerts rank
 * by the most urgent one. The sort is stable, so equal sites stay in their order.
 */
function byGravity(a: SiteEmergency, b: SiteEmergency, order: (a: Alert, b: Alert) => number): number {
  if (a.muster === null || b.muster === null) {
    const [first, second] = [a.alerts[0], b.alerts[0]];
    const both = Number(a.muster === null) - Number(b.muster === null);
    return both !== 0 || first === undefined || second === undefined ? both : order(first, second);
  }
  return (
    b.rescue - a.rescue ||
    compareText(a.muster.deadline?.at ?? NEVER, b.muster.deadline?.at ?? NEVER) ||
    compareText(a.muster.started_at, b.muster.started_at)
  );
}

/** Sorts behind every instant. */
const NEVER = '~';

/** All sites: those with an emergency, worst first; those with an active muster in which all are safe; the quiet ones. */
export function sitesByUrgency(world: StreamState): StreamSite[] {
  const urgent = emergenciesOf(world).map(({ site }) => site);
  const rest = sitesOf(world).filter((site) => !urgent.includes(site));
  const isMustering = ({ id }: StreamSite): boolean => musterOf(world, id)?.status === 'active';
  return [...urgent, ...rest.filter(isMustering), ...rest.filter((site) => !isMustering(site))];
}

/** The site that a screen opens on: the most urgent one, and in a quiet world that of the example worker. */
export function siteToOpenOn(world: StreamState): StreamSite | null {
  const [first] = sitesByUrgency(world);
  if (first === undefined || musterOf(world, first.id)?.status === 'active' || emergenciesOf(world).length > 0)
    return first ?? null;
  return world.sites.get(exampleWorkerIn(world)?.site_id ?? '') ?? first;
}

/** A deadline is near when at most this time is left; simulated ms. */
const SOON_MS = 300_000;

/** Whether the deadline of an active muster is past or near. Null: it is neither, or everybody is safe, so nobody has to hurry. */
export function hurryOf({ deadline, totals }: Muster, now: number): 'over' | 'soon' | null {
  const left = deadline === null || totals.safe >= totals.expected ? SOON_MS + 1 : Date.parse(deadline.at) - now;
  return left < 0 ? 'over' : left <= SOON_MS ? 'soon' : null;
}

/** The worst emergency, and the numbers of the other musters and alerts. */
export interface WorstEmergency extends SiteEmergency {
  readonly more: { readonly musters: number; readonly alerts: number };
}

/** Null if nothing is urgent. */
export function worstOf(world: StreamState): WorstEmergency | null {
  const emergencies = emergenciesOf(world);
  const [worst] = emergencies;
  if (worst === undefined) return null;
  const musters = emergencies.filter(({ muster }) => muster !== null).length;
  const alerts = emergencies.reduce((sum, one) => sum + apartIn(world, one), 0);
  const isOfMuster = worst.muster !== null;
  return { ...worst, more: { musters: musters - Number(isOfMuster), alerts: alerts - Number(!isOfMuster) } };
}

/**
 * The number of critical alerts that no muster covers. It covers the alerts of the whole site, which is why people
 * evacuate, the calls of people who cannot evacuate, and the alerts of people who are counted as to rescue.
 */
function apartIn({ people }: StreamState, { muster, alerts }: SiteEmergency): number {
  if (muster === null) return alerts.length;
  const isApart = ({ type, worker }: Alert): boolean =>
    type !== 'evacuation_help' && worker !== null && people.get(worker.id)?.rescue !== true;
  return alerts.filter(isApart).length;
}

/** Number of open critical alerts and active musters of these sites. */
export const emergencyCount = (emergencies: readonly SiteEmergency[]): number =>
  emergencies.reduce((sum, { alerts, muster }) => sum + alerts.length + Number(muster !== null), 0);
