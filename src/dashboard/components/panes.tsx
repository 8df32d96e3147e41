/** The five panes, and the one with tabs for small terminals. */
import type { ReactNode } from 'react';
import { isOpen } from '../../watching/people.ts';
import type { Area, PaneLines } from '../layout.ts';

import { alertLines, alertsPaneLines } from '../panes/alerts.ts';
import { mapPaneLines } from '../panes/map.ts';
import { peopleLines } from '../panes/people.ts';
import { pointLines, pointsPaneLines } from '../panes/points.ts';
import { webhookLines, webhooksPaneLines } from '../panes/webhooks.ts';
import type { DashboardScene } from '../rows.ts';
import type { Theme } from '../theme.ts';
import type { DashboardView, Pane as PaneName } from '../view.ts';
import { insideOf, Pane } from './pane.tsx';

export interface ScenePaneProps {
  readonly area: Area;
  readonly scene: DashboardScene;
  readonly view: DashboardView;
  readonly theme: Theme;
}

type LinesOf = (scene: DashboardScene, view: DashboardView, theme: Theme, room: Area) => PaneLines;

const paneOf =
  (name: PaneName, linesOf: LinesOf) =>
  ({ area, scene, view, theme }: ScenePaneProps): ReactNode => (
    <Pane area={area} focused={view.pane === name} theme={theme} {...linesOf(scene, view, theme, insideOf(area))} />
  );

export const MapPane = paneOf('map', mapPaneLines);
export const PointsPane = paneOf('points', pointsPaneLines);
export const PeoplePane = paneOf('people', peopleLines);
export const AlertsPane = paneOf('alerts', alertsPaneLines);
export const WebhooksPane = paneOf('webhooks', webhooksPaneLines);

/** Alerts, webhooks or points. */
export function TabsPane({ area, scene, view, theme }: ScenePaneProps): ReactNode {
  const open = scene.alerts.filter(isOpen).length;
  const failing = scene.destinations.filter(({ failing_since }) => failing_since !== null).length;
  const shown = view.pane === 'points' || view.pane === 'webhooks' ? view.pane : 'alerts';
  const name = (pane: PaneName, text: string): string => (pane === shown ? `[${text}]` : text);
  const title = [
    name('alerts', `4 Alerts ${open}`),
    name('webhooks', `5 Webhooks${failing > 0 ? ` ${theme.glyphs.rescue}${failing}` : ''}`),
    name('points', '2 Points'),
  ].join(` ${theme.glyphs.box[5]} `);
  const linesOf = { points: pointLines, webhooks: webhookLines, alerts: alertLines }[shown];
  const lines = linesOf(scene, view, theme, insideOf(area));
  return <Pane area={area} title={title} hint="Tab next" focused={view.pane === shown} lines={lines} theme={theme} />;
}
