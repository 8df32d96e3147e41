/** What the viewer has chosen (site, pane, rows, filter, zoom, the open question), and the rows that a frame shows by it. */

import type { ActionBody } from '../contract/actions.ts';
import type { Scope } from '../contract/enumerations.ts';
import type { Alert, AssemblyPoint, Muster, WebhookDestination } from '../contract/resources.ts';
import type { StreamSite } from '../contract/stream.ts';
import {
  byUrgency,
  groupsOf,
  isOpen,
  listedPeople,
  type PersonRow,
  type PlaceGroup,
  rowsOf,
} from '../watching/people.ts';
import { type DatedDelivery, musterOf, nowOf, type StreamState } from '../watching/state.ts';
import type { ThemeName } from './theme.ts';

export const PANES = ['map', 'points', 'people', 'alerts', 'webhooks'] as const;
export type Pane = (typeof PANES)[number];

/** A request of a key to the sandbox or the desktop; `said` is the reply to show. */
export type ViewOrder =
  | { readonly to: 'act'; readonly body: ActionBody; readonly said: string }
  | { readonly to: 'clock'; readonly body: Readonly<Record<string, number | true>>; readonly said: string }
  /** A path is one of the sandbox. */
  | { readonly to: 'browser'; readonly url: string; readonly said: string }
  | { readonly to: 'clipboard'; readonly text: string; readonly said: string };

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
  /** Null: not chosen. */
  readonly siteId: string | null;
  readonly pane: Pane;
  /** Id of the chosen row by pane. */
  readonly chosen: Readonly<Record<Pane, string | null>>;
  readonly filter: string;
  readonly isFiltering: boolean;
  /** People are grouped by place. */
  readonly isGrouped: boolean;
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
  readonly said: { readonly text: string; readonly isBad: boolean } | null;
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
  said: null,
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

/** In the order of `GET /v1/sites`, whatever changed last. */
export const sitesOf = (world: StreamState): StreamSite[] =>
  [...world.sites.values()].sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

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
  // Only open ones: a dashboard that was open for long shows what a new one shows. [decisions 4]
  const alerts = [...world.alerts.values()].filter((alert) => isOpen(alert) && alert.site.id === site?.id);
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
