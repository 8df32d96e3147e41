/** What the viewer has chosen: site, pane, rows, filter, zoom, and what is asked of them; no fact of the world. */
import type { ActionBody } from '../contract/actions.ts';
import type { Scope } from '../contract/enumerations.ts';
import type { StreamState } from '../watching/state.ts';
import type { ThemeName } from './theme.ts';

export const PANES = ['map', 'points', 'people', 'alerts', 'webhooks'] as const;
export type Pane = (typeof PANES)[number];

/** What the dashboard asks of the sandbox. */
export type ViewOrder =
  | { readonly to: 'act'; readonly body: ActionBody; readonly said: string }
  | { readonly to: 'clock'; readonly body: Readonly<Record<string, number | true>>; readonly said: string }
  /** Shown in a browser where there is one, else only told; from `/` on it is of the sandbox. */
  | { readonly to: 'browser'; readonly url: string; readonly said: string }
  | { readonly to: 'clipboard'; readonly text: string; readonly said: string };

/** A question over the panes; what needs a decision or words of a person. */
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
  /** Null: the first site. */
  readonly siteId: string | null;
  readonly pane: Pane;
  /** The id of the chosen row by pane; null: none yet. */
  readonly chosen: Readonly<Record<Pane, string | null>>;
  readonly filter: string;
  readonly isFiltering: boolean;
  /** People by place, and not one by one. */
  readonly isGrouped: boolean;
  /** 1 is the whole site. */
  readonly zoom: number;
  /** Where the map looks, in parts of the site's width and height. */
  readonly centre: readonly [x: number, y: number];
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly isHelpOpen: boolean;
  /** From 0; the help of a small terminal has several. */
  readonly helpPage: number;
  /** All that is known of the chosen row. */
  readonly isDetailOpen: boolean;
  /** What is shown instead of the living world. */
  readonly frozen: StreamState | null;
  /** Monotonic ms at which it was frozen. */
  readonly frozenAt: number;
  readonly question: ViewQuestion | null;
  /** The last thing said at the foot. */
  readonly said: { readonly text: string; readonly isBad: boolean } | null;
  /** Whose name stands in actions. */
  readonly operator: string;
  /** Where everybody truly is, is on view too. */
  readonly truth: boolean;
  /** Through whose eyes; null: the sandbox's own, which see all. */
  readonly as: ViewedClient | null;
}

/** A client of the sandbox, as whoever looks through its eyes knows it. */
export interface ViewedClient {
  readonly clientId: string;
  readonly organization: string;
  readonly scopes: readonly string[];
}

/** Why nothing is seen, where the client through whose eyes we look may not see such things. */
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

/** How the stream is. */
export type Connection =
  | { readonly is: 'open' }
  | { readonly is: 'opening' }
  | { readonly is: 'broken'; readonly why: string; readonly tries: number };
