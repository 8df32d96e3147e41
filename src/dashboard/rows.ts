/** What a frame shows, derived from the stream's state and the view: rows of the panes, their order, the chosen ones. */
import type { Alert, AssemblyPoint, Muster, WebhookDestination } from '../contract/resources.ts';
import type { StreamSite } from '../contract/stream.ts';
import { byUrgency, groupsOf, listedPeople, type PersonRow, type PlaceGroup, rowsOf } from '../watching/people.ts';
import { type DatedDelivery, musterOf, nowOf, type StreamState } from '../watching/state.ts';
import type { DashboardView, Pane } from './view.ts';

/** Derived once per frame. */
export interface DashboardScene {
  readonly world: StreamState;
  readonly site: StreamSite | null;
  readonly muster: Muster | null;
  /** The muster, if active. */
  readonly active: Muster | null;
  /** Simulated ms since the epoch. */
  readonly now: number;
  /** Monotonic ms. */
  readonly at: number;
  /** All of the site. */
  readonly siteRows: readonly PersonRow[];
  /** Rows of the people pane: the missing during a muster, otherwise everyone by risk; after filtering. */
  readonly people: readonly PersonRow[];
  /** `people` by place; null unless grouped. */
  readonly groups: readonly PlaceGroup[] | null;
  readonly points: readonly AssemblyPoint[];
  readonly alerts: readonly Alert[];
  readonly destinations: readonly WebhookDestination[];
  readonly deliveries: readonly DatedDelivery[];
}

export const sitesOf = (world: StreamState): StreamSite[] => [...world.sites.values()];

/** The chosen site, else one with an active muster, else the first. */
export function siteOf(world: StreamState, view: DashboardView): StreamSite | null {
  const chosen = view.siteId === null ? undefined : world.sites.get(view.siteId);
  if (chosen !== undefined) return chosen;
  const sites = sitesOf(world);
  return sites.find(({ id }) => musterOf(world, id)?.status === 'active') ?? sites[0] ?? null;
}

export function sceneOf(living: StreamState, view: DashboardView, monotonicMs: number): DashboardScene {
  const world = view.frozen ?? living;
  const now = nowOf(world, view.frozen === null ? monotonicMs : view.frozenAt) ?? 0;
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  const active = muster?.status === 'active' ? muster : null;
  const alerts = [...world.alerts.values()].filter((alert) => alert.site.id === site?.id);
  const siteRows = site === null ? [] : rowsOf(world, site, active, alerts);
  const listed = listedPeople(siteRows, active, view.filter, now);
  return {
    world,
    site,
    muster,
    active,
    now,
    at: monotonicMs,
    siteRows,
    people: listed,
    groups: view.isGrouped ? groupsOf(listed) : null,
    points: active?.assembly_points ?? [],
    alerts: alerts.sort(byUrgency),
    destinations: [...world.destinations.values()],
    deliveries: [...world.deliveries.values()].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
  };
}

export function idsOf(scene: DashboardScene, pane: Pane): string[] {
  const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
  switch (pane) {
    case 'points':
      return ids(scene.points);
    case 'alerts':
      return ids(scene.alerts);
    case 'webhooks':
      return ids(scene.destinations);
    default:
      return ids(scene.groups ?? scene.people);
  }
}

/** The chosen row while it exists, else the first. */
export function chosenOf(scene: DashboardScene, view: DashboardView, pane: Pane): string | null {
  const ids = idsOf(scene, pane);
  const id = view.chosen[pane];
  return id !== null && ids.includes(id) ? id : (ids[0] ?? null);
}
