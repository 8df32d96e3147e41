/** What the viewer has chosen: site, pane, rows, filter, zoom, and the open question; no state of the sandbox. */
import type { ActionBody } from '../contract/actions.ts';
import type { Scope } from '../contract/enumerations.ts';
import type { StreamState } from '../watching/state.ts';
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
