/** What the viewer has chosen (site, pane, rows, filter, zoom, the open question), and the rows that a frame shows by it. */

import type { ActionBody } from '../contract/actions.ts';
import type { Scope } from '../contract/enumerations.ts';
import type { Alert, AssemblyPoint, Muster, WebhookDestination } from '../contract/resources.ts';
import type { StreamSite } from '../contract/stream.ts';
import { type NotSafeRow, notSafeRows } from '../watching/not-safe.ts';
import {
  byUrgency,
  filterOf,
  groupsOf,
  isOpen,
  isOpenCritical,
  listedPeople,
  type PersonRow,
  type PlaceGroup,
  rowsOf,
} from '../watching/people.ts';
import { type DatedDelivery, musterOf, nowOf, type StreamState } from '../watching/state.ts';
import { type Codes, siteCodes } from './codes.ts';
import { emergenciesOf, firstSiteOf, type SiteEmergency } from './emergencies.ts';
import { inOrder, type PeopleOrder } from './people-order.ts';
import type { Theme, ThemeName } from './terminal/theme.ts';

export const PANES = ['map', 'points', 'people', 'alerts', 'webhooks'] as const;
export type Pane = (typeof PANES)[number];

/** A request of a key to the sandbox or the desktop; `reply` is shown when it succeeds. */
export type ViewOrder =
  | { readonly to: 'act'; readonly body: ActionBody; readonly reply: string }
  | { readonly to: 'clock'; readonly body: Readonly<Record<string, number | true>>; readonly reply: string }
  /** A path is one of the sandbox. */
  | { readonly to: 'browser'; readonly url: string; readonly reply: string }
  | { readonly to: 'clipboard'; readonly text: string; readonly reply: string };

/** A question over the panes: a choice, or a text to type. */
export type ViewQuestion =
  | {
      readonly kind: 'choice';
      readonly title: string;
      readonly lines: readonly string[];
      readonly choices: readonly { readonly key: string; readonly label: string; readonly order: ViewOrder | null }[];
    }
  | {
      readonly kind: 'text';
      readonly title: string;
      readonly label: string;
      readonly text: string;
      /** Characters. */
      readonly most: number;
      readonly required: boolean;
      readonly orderOf: (text: string) => ViewOrder;
    };

export interface DashboardView {
  /** Null until the first snapshot; from then on only a key changes it. */
  readonly siteId: string | null;
  readonly pane: Pane;
  /** Id of the chosen row by pane. */
  readonly chosen: Readonly<Record<Pane, string | null>>;
  readonly filter: string;
  readonly isFiltering: boolean;
  /** People are grouped by place. */
  readonly isGrouped: boolean;
  readonly order: PeopleOrder;
  /** 1 is the whole site. */
  readonly zoom: number;
  /** Centre of the map, in parts of the site's width and height. */
  readonly centre: readonly [x: number, y: number];
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly isHelpOpen: boolean;
  /** From 0; a small terminal has several pages of help. */
  readonly helpPage: number;
  /** The details of the chosen row are open. */
  readonly isDetailOpen: boolean;
  /** A frozen state, shown instead of the current one. */
  readonly frozen: StreamState | null;
  /** Monotonic ms. */
  readonly frozenAt: number;
  readonly question: ViewQuestion | null;
  /** The reply in the last row. */
  readonly reply: { readonly text: string; readonly isBad: boolean } | null;
  /** Named as the actor in actions. */
  readonly operator: string;
  /** Ground truth is shown. */
  readonly truth: boolean;
  /** The client whose view is shown; null: the control token's. */
  readonly as: ViewedClient | null;
}

export interface ViewedClient {
  readonly clientId: string;
  readonly organization: string;
  readonly scopes: readonly string[];
}

/** The reason why a pane is empty: the watched client lacks every one of these scopes. */
export const blindTo = ({ as }: DashboardView, ...scopes: Scope[]): string | null =>
  as === null || scopes.some((scope) => as.scopes.includes(scope))
    ? null
    : `${as.organization} has no ${scopes.join(' or ')}.`;

export const firstView = (options: {
  theme: ThemeName;
  ascii: boolean;
  operator: string;
  site?: string | null;
  as?: ViewedClient | null;
}): DashboardView => ({
  siteId: options.site ?? null,
  pane: 'people',
  chosen: { map: null, points: null, people: null, alerts: null, webhooks: null },
  filter: '',
  isFiltering: false,
  isGrouped: false,
  order: 'risk',
  zoom: 1,
  centre: [0.5, 0.5],
  theme: options.theme,
  ascii: options.ascii,
  isHelpOpen: false,
  helpPage: 0,
  isDetailOpen: false,
  frozen: null,
  frozenAt: 0,
  question: null,
  reply: null,
  operator: options.operator,
  truth: false,
  as: options.as ?? null,
});

export type Connection =
  | { readonly is: 'open' }
  | { readonly is: 'opening' }
  | { readonly is: 'broken'; readonly why: string; readonly tries: number };

/** Derived once per frame. */
export interface DashboardScene {
  readonly world: StreamState;
  /** False before the first snapshot: nothing may be claimed then. */
  readonly isKnown: boolean;
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
  /** People of the site to rescue, whatever the filter leaves. */
  readonly rescue: number;
  /** Other sites with an emergency, also while the frame is frozen. */
  readonly elsewhere: readonly SiteEmergency[];
  /** Open critical alerts, and a muster, that began at the site since the frame was frozen. */
  readonly unseen: number;
  /** Who was not safe when the last muster ended; after filtering. */
  readonly notSafe: readonly NotSafeRow[];
  /** Rows of the people pane: the missing during a muster, otherwise everyone by risk; after filtering. */
  readonly people: readonly PersonRow[];
  /** `people` by place; null unless grouped. */
  readonly groups: readonly PlaceGroup[] | null;
  readonly points: readonly AssemblyPoint[];
  /** Those that are open, the most urgent first. */
  readonly alerts: readonly Alert[];
  readonly destinations: readonly WebhookDestination[];
  readonly deliveries: readonly DatedDelivery[];
  /** The ids of the workers as a theme can write them. */
  readonly codes: (theme: Theme) => Codes;
}

/** The chosen site while it exists, else the one that is shown first. */
export const siteOf = (world: StreamState, { siteId }: DashboardView): StreamSite | null =>
  (siteId === null ? undefined : world.sites.get(siteId)) ?? firstSiteOf(world);

/** The view with its site chosen, from the first snapshot on, so that no later message moves it. */
export function withSite(view: DashboardView, world: StreamState): DashboardView {
  if (view.siteId !== null && world.sites.has(view.siteId)) return view;
  const first = firstSiteOf(world);
  return first === null ? view : { ...view, siteId: first.id };
}

export function sceneOf(living: StreamState, view: DashboardView, monotonicMs: number): DashboardScene {
  const world = view.frozen ?? living;
  const now = nowOf(world, view.frozen === null ? monotonicMs : view.frozenAt) ?? 0;
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  const active = muster?.status === 'active' ? muster : null;
  const alerts = [...world.alerts.values()].filter((alert) => alert.site.id === site?.id && isOpen(alert));
  const siteRows = site === null ? [] : rowsOf(world, site, active, alerts);
  const listed = listedPeople(siteRows, active, view.filter, now);
  const fits = filterOf(view.filter);
  const notSafe = site === null || active !== null ? [] : notSafeRows(world, site);
  return {
    world,
    isKnown: world.clock !== null,
    site,
    muster,
    active,
    now,
    at: monotonicMs,
    siteRows,
    rescue: siteRows.filter(({ rescue }) => rescue).length,
    elsewhere: emergenciesOf(living).filter((one) => one.site.id !== site?.id),
    unseen: view.frozen === null || site === null ? 0 : begunSince(world, living, site.id),
    notSafe: fits === null ? notSafe : notSafe.filter((row) => fits(notSafeText(row))),
    people: inOrder(listed, view.order),
    groups: view.isGrouped ? groupsOf(listed) : null,
    points: active?.assembly_points ?? [],
    alerts: alerts.sort(byUrgency),
    destinations: [...world.destinations.values()].sort(
      (a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id),
    ),
    deliveries: [...world.deliveries.values()].sort(byAttempt),
    codes: ({ isAscii, glyphs: { dots } }) =>
      siteCodes(world.workers, site?.id ?? null, othersOf(alerts, notSafe), { isAscii, dots }),
  };
}

const notSafeText = ({ worker, status, word, place }: NotSafeRow): string =>
  [worker?.external_id, worker?.name, worker?.contractor, status, word, place].filter((text) => text != null).join(' ');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Those that wait for their next attempt come first, the next one at the top; then what is over, the newest at the top. */
function byAttempt(a: DatedDelivery, b: DatedDelivery): number {
  const [waitsA, waitsB] = [isRetry(a), isRetry(b)];
  if (waitsA !== waitsB) return waitsA ? -1 : 1;
  const order = waitsA ? compare(a.next_attempt_at ?? '', b.next_attempt_at ?? '') : compare(b.at, a.at);
  return order || compare(a.id, b.id);
}

/** An attempt failed, and another is due. */
export const isRetry = ({ state, tries }: DatedDelivery): boolean => state === 'waiting' && tries > 0;

/** Workers whom the list of workers may lack. */
const othersOf = (alerts: readonly Alert[], notSafe: readonly NotSafeRow[]) => [
  ...alerts.flatMap(({ worker }) => (worker === null ? [] : [worker])),
  ...notSafe.map(({ workerId, worker }) => ({ id: workerId, external_id: worker?.external_id ?? null })),
];

function begunSince(frozen: StreamState, living: StreamState, siteId: string): number {
  const begun = [...living.alerts.values()].filter(
    (alert) => alert.site.id === siteId && isOpenCritical(alert) && !frozen.alerts.has(alert.id),
  );
  const muster = musterOf(living, siteId);
  const isNew = muster?.status === 'active' && frozen.musters.get(muster.id)?.status !== 'active';
  return begun.length + Number(isNew);
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
      return [...ids(scene.notSafe), ...ids(scene.groups ?? scene.people)];
  }
}

/** The worker of the chosen row of the people, also in the list of who was not safe; null: a place, or nobody. */
export function chosenWorkerOf(scene: DashboardScene, view: DashboardView): string | null {
  const id = chosenOf(scene, view, 'people');
  return scene.notSafe.find((row) => row.id === id)?.workerId ?? id;
}

/** The chosen row while it exists, else the first. */
export function chosenOf(scene: DashboardScene, view: DashboardView, pane: Pane): string | null {
  const ids = idsOf(scene, pane);
  const id = view.chosen[pane];
  return id !== null && ids.includes(id) ? id : (ids[0] ?? null);
}
