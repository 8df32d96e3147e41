/** What each pane with a list is: its title, its hint, its rows in the room that there is, and all of them for the screen reader. */
import type { PaneRow } from '../table.ts';
import type { Area } from '../terminal/layout.ts';
import type { Theme } from '../terminal/theme.ts';
import type { DashboardScene, DashboardView, Pane } from '../view.ts';
import { alertPaneRows, alertsTitle, allAlertRows } from './alerts.ts';
import { allPeopleRows, peopleHint, peoplePaneRows, peopleTitle } from './people.ts';
import { allPointRows, pointPaneRows, pointsHint } from './points.ts';
import { allWebhookRows, webhookPaneRows, webhooksHint } from './webhooks.ts';

export type ListPaneName = Exclude<Pane, 'map'>;

interface ListedPane {
  readonly title: (scene: DashboardScene, view: DashboardView) => string;
  readonly hint: (scene: DashboardScene, view: DashboardView) => string;
  readonly rows: (scene: DashboardScene, view: DashboardView, room: Area, theme: Theme) => PaneRow[];
  readonly all: (scene: DashboardScene, view: DashboardView, theme: Theme) => PaneRow[];
}

export const LISTED_PANES: Readonly<Record<ListPaneName, ListedPane>> = {
  points: { title: () => '2 Assembly points', hint: pointsHint, rows: pointPaneRows, all: allPointRows },
  people: {
    title: peopleTitle,
    hint: peopleHint,
    rows: peoplePaneRows,
    all: allPeopleRows,
  },
  alerts: {
    title: alertsTitle,
    hint: () => 'a acknowledge  r resolve',
    rows: alertPaneRows,
    all: allAlertRows,
  },
  webhooks: { title: () => '5 Webhooks', hint: webhooksHint, rows: webhookPaneRows, all: allWebhookRows },
};
