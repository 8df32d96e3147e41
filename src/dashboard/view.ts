/** The choices of the viewer (site, pane, rows, filter, zoom, the open question), and the rows that a frame therefore shows. */

import { compareText } from '../base/text/order.ts';
import type { ActionBody } from '../contract/actions.ts';
import type { Scope } from '../contract/enumerations.ts';
import type { Alert, AssemblyPoint, Muster, WebhookDestination } from '../contract/resources.ts';
import type { StreamSite } from '../contract/stream.ts';
import { byUrgency } from '../watching/state/alert-order.ts';
import { emergenciesOf, type SiteEmergency, siteToOpenOn } from '../watching/state/emergencies.ts';
import {
  type FoldedRow,
  foldedAlerts,
  foldedHelpers,
  rowAlone,
  whatText,
  whereNow,
  whomText,
} from '../watching/state/happened.ts';
import { type NotSafeRow, notSafeRows } from '../watching/state/not-safe.ts';
import {
  filterOf,
  groupsOf,
  isHelperAlert,
  isOpen,
  isOpenCritical,
  listedPeople,
  markRankOf,
  type PersonRow,
  type PlaceGroup,
  rowsOf,
  searchText,
} from '../watching/state/people.ts';
import { type DatedDelivery, musterOf, nowOf, type StreamState } from '../watching/state/state.ts';
import { type Codes, siteCodes } from './codes.ts';
import { inOrder, type PeopleOrder } from './people-order.ts';
import type { Theme, ThemeName } from './terminal/theme.ts';

export const PANES = ['map', 'points', 'people', 'alerts', 'webhooks'] as const;
export type Pane = (typeof PANES)[number];

/** A request that a key sends to the sandbox or the desktop; `reply` is shown on success. */
export type ViewOrder =
  | { readonly to: 'act'; readonly body: ActionBody; readonly reply: string }
  | { readonly to: 'clock'; readonly body: Readonly<Record<string, number | true>>; readonly reply: string }
  /** A URL without a host is a path of the sandbox. */
  | { readonly to: 'browser'; readonly url: string; readonly reply: string }
  | { readonly to: 'clipboard'; readonly text: string; readonly reply: string };

/** A question over the panes: a choice, or a text input. */
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
      /** Maximum number of characters of the text. */
      readonly most: number;
      readonly required: boolean;
      readonly orderOf: (text: string) => ViewOrder;
    };

export interface DashboardView {
  /** Null until the first snapshot; after that only a key changes it. */
  readonly siteId: string | null;
  readonly pane: Pane;
  /** Id of the chosen row by pane. */
  readonly chosen: Readonly<Record<Pane, string | null>>;
  readonly filter: string;
  readonly isFiltering: boolean;
  /** True if people are grouped by place. */
  readonly isGrouped: boolean;
  readonly order: PeopleOrder;
  /** Zoom factor; 1 shows the whole site. */
  readonly zoom: number;
  /** Centre of the map, as fractions of the site's width and height. */
  readonly centre: readonly [x: number, y: number];
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly isHelpOpen: boolean;
  /** Counted from 0; on a small terminal the help has several pages. */
  readonly helpPage: number;
  /** True if the details of the chosen row are open. */
  readonly isDetailOpen: boolean;
  /** A frozen state, shown instead of the current one. */
  readonly frozen: StreamState | null;
  /** Time of the frozen state, monotonic ms. */
  readonly frozenAt: number;
  readonly question: ViewQuestion | null;
  /** The reply in the last row. */
  readonly reply: { readonly text: string; readonly isBad: boolean } | null;
  /** Named as the actor in actions. */
  readonly operator: string;
  /** True if ground truth is shown. */
  readonly truth: boolean;
  /** The client whose view is shown; null: the view of the control token. */
  readonly as: ViewedClient | null;
}

export interface ViewedClient {
  readonly clientId: string;
  readonly organization: string;
  readonly scopes: readonly string[];
}

/** Returns the reason why a pane is empty: the client has none of these scopes. Null if the pane may have content. */
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

/** Values that are derived once per frame. */
export interface DashboardScene {
  readonly world: StreamState;
  /** False before the first snapshot: no statement about the site is possible then. */
  readonly isKnown: boolean;
  readonly site: StreamSite | null;
  readonly muster: Muster | null;
  /** The muster, if active. */
  readonly active: Muster | null;
  /** Simulated ms since the epoch. */
  readonly now: number;
  /** Monotonic ms. */
  readonly at: number;
  /** All people of the site. */
  readonly siteRows: readonly PersonRow[];
  /** Number of people of the site to rescue, independent of the filter. */
  readonly rescue: number;
  /** Other sites with an emergency, also while the frame is frozen. */
  readonly elsewhere: readonly SiteEmergency[];
  /** Number of open critical alerts and musters that began at the site after the frame was frozen. */
  readonly unseen: number;
  /** People who were not safe when the last muster ended; filtered. */
  readonly notSafe: readonly NotSafeRow[];
  /** Rows of the people pane: the missing people during a muster, otherwise all people by risk; filtered. */
  readonly people: readonly PersonRow[];
  /** The rows of `people`: helpers of one place in the order by risk are one row. */
  readonly peopleRows: readonly FoldedRow<PersonRow>[];
  /** `people` by place; null unless grouped. */
  readonly groups: readonly PlaceGroup[] | null;
  readonly points: readonly AssemblyPoint[];
  /** The open alerts, the most urgent first. */
  readonly alerts: readonly Alert[];
  /** The rows of `alerts` that the filter accepts: helpers are one row. */
  readonly alertRows: readonly FoldedRow<Alert>[];
  /** The people on the map: those of the site, filtered. */
  readonly mapRows: readonly PersonRow[];
  readonly destinations: readonly WebhookDestination[];
  readonly deliveries: readonly DatedDelivery[];
  /** The ids of the workers in the form that a theme can display. */
  readonly codes: (theme: Theme) => Codes;
}

/** Returns the chosen site while it exists, else the default site. */
export const siteOf = (world: StreamState, { siteId }: DashboardView): StreamSite | null =>
  (siteId === null ? undefined : world.sites.get(siteId)) ?? siteToOpenOn(world);

/** Returns the view with a chosen site, from the first snapshot on, so that later messages do not change the site. */
export function withSite(view: DashboardView, world: StreamState): DashboardView {
  if (view.siteId !== null && world.sites.has(view.siteId)) return view;
  const first = siteToOpenOn(world);
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
  const people = inOrder(listed, view.order);
  alerts.sort(byUrgency(world));
  const isHelper = (row: PersonRow): boolean => markRankOf(row) === 'helping';
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
    people,
    peopleRows:
      view.order === 'risk' && fits === null
        ? foldedHelpers(people, (row) => (isHelper(row) ? 'helping' : null), markRankOf)
        : people.map(rowAlone),
    groups: view.isGrouped ? groupsOf(listed) : null,
    points: active?.assembly_points ?? [],
    alerts,
    alertRows:
      fits === null
        ? foldedAlerts(alerts, (alert) => (isHelperAlert(alert) ? groupOfAlert(alert) : null), groupOfAlert)
        : alerts.filter((alert) => fits(alertText(alert, world))).map(rowAlone),
    mapRows: fits === null ? siteRows : siteRows.filter((row) => fits(searchText(row))),
    destinations: [...world.destinations.values()].sort(
      (a, b) => compareText(a.created_at, b.created_at) || compareText(a.id, b.id),
    ),
    deliveries: [...world.deliveries.values()].sort(byAttempt),
    codes: ({ isAscii, glyphs: { dots } }) =>
      siteCodes(world.workers, site?.id ?? null, othersOf(alerts, notSafe), { isAscii, dots }),
  };
}

/** Helpers are a group of their own, which stays behind all other alerts. */
const groupOfAlert = (alert: Alert): string => `${isHelperAlert(alert) ? 'helping' : alert.severity} ${alert.status}`;

/** What the filter finds an alert by. */
const alertText = (alert: Alert, world: StreamState): string =>
  [
    ...[whatText(alert), whomText(alert), whereNow(world, alert), alert.type, alert.severity, alert.status],
    ...[alert.worker?.external_id, alert.worker?.contractor],
  ]
    .filter((word) => word != null)
    .join(' ');

const notSafeText = ({ worker, status, word, place }: NotSafeRow): string =>
  [worker?.external_id, worker?.name, worker?.contractor, status, word, place].filter((text) => text != null).join(' ');

/**
 * Deliveries that wait for their next attempt come first, the next one at the top; then completed ones, newest at the
 * top.
 */
function byAttempt(a: DatedDelivery, b: DatedDelivery): number {
  const [waitsA, waitsB] = [isRetry(a), isRetry(b)];
  if (waitsA !== waitsB) return waitsA ? -1 : 1;
  const order = waitsA ? compareText(a.next_attempt_at ?? '', b.next_attempt_at ?? '') : compareText(b.at, a.at);
  return order || compareText(a.id, b.id);
}

/** Returns true if an attempt failed and another one is due. */
export const isRetry = ({ state, tries }: DatedDelivery): boolean => state === 'waiting' && tries > 0;

/** Workers who may be missing in the list of workers. */
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
      return ids(scene.alertRows);
    case 'webhooks':
      return [...ids(scene.destinations), ...ids(scene.deliveries)];
    default:
      return [...ids(scene.notSafe), ...ids(scene.groups ?? scene.peopleRows)];
  }
}

/**
 * Returns the worker of the chosen row in the people pane, including the list of people who were not safe; null for a
 * place, or without a chosen row.
 */
export function chosenWorkerOf(scene: DashboardScene, view: DashboardView): string | null {
  const id = chosenOf(scene, view, 'people');
  return scene.notSafe.find((row) => row.id === id)?.workerId ?? id;
}

/** Returns the chosen row while it exists, else the first row. */
export function chosenOf(scene: DashboardScene, view: DashboardView, pane: Pane): string | null {
  const ids = idsOf(scene, pane);
  const id = view.chosen[pane];
  return id !== null && ids.includes(id) ? id : (ids[0] ?? null);
}
