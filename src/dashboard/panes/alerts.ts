/** The alerts of the site: open ones first, the newest at the top. */

import { formatInstant } from '../../base/instants.ts';
import type { Alert } from '../../contract/resources.ts';
import type { Happening } from '../../watching/happenings.ts';
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

/** So long a critical alert that is new stands out; wall ms. */
export const FLASH_MS = 2_000;
/** Rows of what occurred that stay in view beside many alerts. */
const HAPPENINGS = 3;
const MINUTE_MS = 60_000;
const BARS = 12;

export function alertRows(paper: Paper, inner: Area, scene: Scene, view: View, theme: Theme): void {
  const { alerts } = scene;
  const happenings = scene.world.happenings.filter(({ siteId }) => siteId === scene.site?.id);
  const foot = inner.height >= 7 && inner.width >= 60 ? 1 : 0;
  const height = inner.height - foot;
  // While somebody goes through the alerts, they have all the room.
  const kept = view.pane === 'alerts' || height < 6 ? 0 : Math.min(HAPPENINGS, happenings.length);
  const room = Math.max(1, Math.min(Math.max(1, alerts.length), height - kept));
  rows(paper, { ...inner, height: room }, scene, view, theme);
  const newest = happenings.slice(-Math.max(0, height - room)).reverse();
  for (const [n, happening] of newest.slice(0, height - room).entries())
    occurred(paper, inner, inner.y + room + n, happening, theme);
  if (foot > 0) lastMinute(paper, inner, happenings, scene, theme);
}

function occurred(paper: Paper, { x, width }: Area, y: number, { at, type, text }: Happening, { glyphs }: Theme): void {
  const end = x + width - 1;
  let column = paper.write(x + 1, y, `${dayTime(formatInstant(at))} ${glyphs.pending}    `, 'dim', end);
  column = paper.write(column, y, `${type.padEnd(22)} `, 'dim', end);
  paper.write(column, y, cut(text, end - column, glyphs.dots), 'dim', end);
}

/** How much goes on: the events of the last simulated minute, and when in it they came. */
function lastMinute(
  paper: Paper,
  { x, y, width, height }: Area,
  happenings: readonly Happening[],
  { now }: Scene,
  theme: Theme,
): void {
  const recent = happenings.filter(({ at }) => at > now - MINUTE_MS);
  const counts = new Array<number>(BARS).fill(0);
  for (const { at } of recent) {
    const bar = Math.min(BARS - 1, Math.max(0, Math.floor(((at - now + MINUTE_MS) * BARS) / MINUTE_MS)));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  const steps = [...theme.glyphs.spark];
  const line = counts
    .map((count) => (count === 0 ? ' ' : steps[Math.round((count / most) * (steps.length - 1))]))
    .join('');
  const text = `${recent.length} ${recent.length === 1 ? 'event' : 'events'} in the last minute `;
  const after = paper.write(x + 1, y + height - 1, text, 'dim', x + width);
  paper.write(after, y + height - 1, line, 'pending', x + width);
}

function rows(paper: Paper, inner: Area, scene: Scene, view: View, theme: Theme): void {
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
    const raisedAt = scene.world.raised.get(alert.id);
    const isNew = alert.severity === 'critical' && raisedAt !== undefined && scene.at - raisedAt < FLASH_MS;
    if (alert.id === chosen) paper.write(x, y, theme.glyphs.mark, view.pane === 'alerts' ? 'focus' : 'dim');
    let column = paper.write(x + 1, y, `${dayTime(alert.date_created)} `, 'dim', end);
    column = paper.write(column, y, `${WORD[alert.severity]} `, isOver ? 'dim' : alert.severity, end);
    column = paper.write(
      column,
      y,
      `${typeText(alert)
        .padEnd(width >= 60 ? 21 : 14)
        .slice(0, width >= 60 ? 21 : 14)} `,
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
    if (isNew && isUrgent) paper.paint(x + 1, y, end - 1, 'selected');
  }
}

/** With the one figure that matters. */
function typeText({ type, details }: Alert): string {
  if (type === 'low_battery' && 'battery_pct' in details) return `${type} ${details.battery_pct} %`;
  if (type === 'device_offline' && 'minutes_silent' in details) return `${type} ${details.minutes_silent} m`;
  return type;
}
