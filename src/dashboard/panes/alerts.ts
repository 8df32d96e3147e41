/** The alerts of the site: open ones first, the newest at the top. */

import { dayTime } from '../../watching/people.ts';
import { type Area, box, scrolled } from '../box.ts';
import { cut, type Paper } from '../paper.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';

const WORD = { low: 'LOW ', medium: 'MED ', high: 'HIGH', critical: 'CRIT' } as const;

export function alertsPane(paper: Paper, area: Area, scene: Scene, view: View, theme: Theme): void {
  const open = scene.alerts.filter(({ status }) => status !== 'resolved').length;
  const inner = box(paper, area, theme, {
    title: `4 Alerts ${open} open`,
    hint: 'a acknowledge  r resolve',
    focused: view.pane === 'alerts',
  });
  alertRows(paper, inner, scene, view, theme);
}

export function alertRows(paper: Paper, inner: Area, scene: Scene, view: View, theme: Theme): void {
  const { alerts } = scene;
  const { x, width } = inner;
  const end = x + width;
  if (alerts.length === 0) {
    paper.write(x + 1, inner.y, blindTo(view, 'alerts:read') ?? 'No alert is open.', 'dim', end);
    return;
  }
  const chosen = chosenOf(scene, view, 'alerts');
  const from = scrolled(
    alerts.findIndex(({ id }) => id === chosen),
    alerts.length,
    inner.height,
  );
  for (const [n, alert] of alerts.slice(from, from + inner.height).entries()) {
    const y = inner.y + n;
    const isOver = alert.status === 'resolved';
    if (alert.id === chosen) paper.write(x, y, theme.glyphs.mark, view.pane === 'alerts' ? 'focus' : 'dim');
    let column = paper.write(x + 1, y, `${dayTime(alert.date_created)} `, 'dim', end);
    column = paper.write(column, y, `${WORD[alert.severity]} `, isOver ? 'dim' : alert.severity, end);
    column = paper.write(
      column,
      y,
      `${alert.type.padEnd(width >= 60 ? 21 : 14).slice(0, width >= 60 ? 21 : 14)} `,
      isOver ? 'dim' : 'plain',
      end,
    );
    column = paper.write(
      column,
      y,
      `${cut(alert.worker === null ? 'whole site' : (alert.worker.external_id ?? alert.worker.id.slice(0, 8)), 10, theme.glyphs.dots).padEnd(10)} `,
      isOver ? 'dim' : 'bold',
      end,
    );
    const state =
      alert.resolved !== null && isOver
        ? `resolved ${alert.resolved.by}`
        : alert.acknowledged !== null && alert.status === 'acknowledged'
          ? `ack ${alert.acknowledged.by}`
          : alert.status;
    const room = end - 1 - column;
    const stateWidth = Math.min([...state].length, room);
    const zone = cut(alert.zone?.name ?? '', room - stateWidth - 1, theme.glyphs.dots);
    if ([...zone].length >= 4) paper.write(column, y, zone, 'dim', end);
    const isUrgent = alert.status === 'unacknowledged';
    paper.write(
      end - 1 - stateWidth,
      y,
      cut(state, stateWidth, theme.glyphs.dots),
      isUrgent ? alert.severity : 'dim',
      end,
    );
  }
}
