/** What stands in the lists of the panes, in which order, and which row is chosen. */
import type { Alert, AssemblyPoint, Muster, WebhookDestination } from '../contract/resources.ts';
import type { FeedPerson, FeedSite, FeedWorker, MusterStatusOf } from './feed.ts';
import type { Role } from './theme.ts';
import type { Pane, View } from './view.ts';
import { musterOf, nowOf, type ToldDelivery, type World } from './world.ts';

/** How somebody is shown: how they fare in the muster, or what their watch says outside of one. */
export type Fare = MusterStatusOf | 'person';

export interface PersonRow {
  readonly id: string;
  readonly worker: FeedWorker;
  readonly person: FeedPerson;
  readonly fare: Fare;
  readonly needsRescue: boolean;
  /** The gravest open alert about them. */
  readonly alert: Alert | null;
  /** Code of the staff system, else the beginning of the id. */
  readonly code: string;
}

/** All that a frame needs, derived once. */
export interface Scene {
  readonly world: World;
  readonly site: FeedSite | null;
  readonly muster: Muster | null;
  /** The muster, where it is under way. */
  readonly active: Muster | null;
  /** Simulated ms since the epoch. */
  readonly now: number;
  /** All of the site. */
  readonly everybody: readonly PersonRow[];
  /** Who is missing, or outside of a muster about whom something is to be said first; the filter applied. */
  readonly people: readonly PersonRow[];
  readonly points: readonly AssemblyPoint[];
  readonly alerts: readonly Alert[];
  readonly destinations: readonly WebhookDestination[];
  readonly deliveries: readonly ToldDelivery[];
}

const RISK: Record<Fare, number> = {
  help: 1,
  wrong_point: 2,
  no_signal: 3,
  not_worn: 4,
  pending: 5,
  person: 6,
  safe: 7,
};
const GRAVITY = { low: 1, medium: 2, high: 3, critical: 4 } as const;

export const sitesOf = (world: World): FeedSite[] => [...world.sites.values()];

/** The site that is looked at: the chosen one, else where a muster is under way, else the first. */
export function siteOf(world: World, view: View): FeedSite | null {
  const chosen = view.siteId === null ? undefined : world.sites.get(view.siteId);
  if (chosen !== undefined) return chosen;
  const sites = sitesOf(world);
  return sites.find(({ id }) => musterOf(world, id)?.status === 'active') ?? sites[0] ?? null;
}

export function sceneOf(living: World, view: View, monotonicMs: number): Scene {
  const world = view.frozen ?? living;
  const now = nowOf(world, view.frozen === null ? monotonicMs : view.frozenAt) ?? 0;
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  const active = muster?.status === 'active' ? muster : null;
  const alerts = [...world.alerts.values()].filter((alert) => alert.site.id === site?.id);
  const everybody = site === null ? [] : rowsOf(world, site.id, active, alerts);
  const people = everybody.filter((row) => (active === null || row.person.muster !== null) && row.fare !== 'safe');
  const wanted = matcher(view.filter);
  return {
    world,
    site,
    muster,
    active,
    now,
    everybody,
    people: people.filter((row) => wanted(wordsOf(row))).sort(byRisk(now)),
    points: active?.assembly_points ?? [],
    alerts: alerts.sort(byUrgency),
    destinations: [...world.destinations.values()],
    deliveries: [...world.deliveries.values()].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
  };
}

function rowsOf(world: World, siteId: string, active: Muster | null, alerts: readonly Alert[]): PersonRow[] {
  const gravest = new Map<string, Alert>();
  for (const alert of alerts) {
    const id = alert.worker?.id;
    if (alert.status === 'resolved' || id === undefined) continue;
    const known = gravest.get(id);
    if (known === undefined || GRAVITY[alert.severity] > GRAVITY[known.severity]) gravest.set(id, alert);
  }
  const rows: PersonRow[] = [];
  for (const worker of world.workers.values()) {
    const person = world.people.get(worker.id);
    if (worker.site_id !== siteId || !worker.is_active || person === undefined) continue;
    const fares = active !== null && person.muster?.id === active.id ? person.muster : null;
    const alert = gravest.get(worker.id) ?? null;
    rows.push({
      id: worker.id,
      worker,
      person,
      fare: fares?.status ?? (person.worn === false && active === null ? 'not_worn' : 'person'),
      needsRescue: fares?.needs_rescue ?? false,
      // Of whoever is safe in a muster, an alert that nobody closed says nothing about the muster.
      alert: fares?.status === 'safe' ? null : alert,
      code: worker.external_id ?? worker.id.slice(0, 8),
    });
  }
  return rows;
}

/** Who needs somebody first stands first; among equals who was silent for more minutes, as seconds would make rows jump. */
const byRisk =
  (now: number) =>
  (a: PersonRow, b: PersonRow): number =>
    Number(b.needsRescue) - Number(a.needsRescue) ||
    gravityOf(b) - gravityOf(a) ||
    RISK[a.fare] - RISK[b.fare] ||
    silentMinutes(b, now) - silentMinutes(a, now) ||
    compare(a.code, b.code);

const silentMinutes = ({ person: { date_last_seen } }: PersonRow, now: number): number =>
  date_last_seen === null ? 1e9 : Math.floor((now - Date.parse(date_last_seen)) / 60_000);

// In a muster the status says it; outside of one the open alert does.
const gravityOf = ({ fare, alert }: PersonRow): number =>
  fare === 'person' || fare === 'not_worn' ? (alert === null ? 0 : GRAVITY[alert.severity]) : 0;

/** Open ones before those that are over, the newest first. */
function byUrgency(a: Alert, b: Alert): number {
  return (
    Number(a.status === 'resolved') - Number(b.status === 'resolved') ||
    compare(b.date_created, a.date_created) ||
    compare(a.id, b.id)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Part of the text; `!` before it turns it around. */
function matcher(filter: string): (words: string) => boolean {
  const isInverse = filter.startsWith('!');
  const part = (isInverse ? filter.slice(1) : filter).trim().toLowerCase();
  if (part === '') return () => true;
  return (words) => words.toLowerCase().includes(part) !== isInverse;
}

const wordsOf = ({ code, worker, fare, person, alert }: PersonRow): string =>
  [code, worker.name, worker.contractor, worker.role, fare, person.muster?.help_reason, alert?.type]
    .filter((word) => word !== null && word !== undefined)
    .join(' ');

/** The ids of a pane's rows, in their order. */
export function idsOf(scene: Scene, pane: Pane): string[] {
  const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
  switch (pane) {
    case 'points':
      return ids(scene.points);
    case 'alerts':
      return ids(scene.alerts);
    case 'webhooks':
      return ids(scene.destinations);
    default:
      return ids(scene.people);
  }
}

/** The chosen row of a pane: the one that was chosen while it is there, else the first. */
export function chosenOf(scene: Scene, view: View, pane: Pane): string | null {
  const ids = idsOf(scene, pane);
  const id = view.chosen[pane];
  return id !== null && ids.includes(id) ? id : (ids[0] ?? null);
}

export const roleOfFare = (fare: Fare): Role => fare;

/** `m:ss`, `h:mm:ss` from an hour on; ms. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The time of day of a simulated time, UTC. */
export const dayTime = (iso: string): string => iso.slice(11, 19);
