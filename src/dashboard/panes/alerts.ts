/** The alerts of the site: open ones first, the newest at the top. */

import { formatInstant } from '../../base/instants.ts';
import type { Alert } from '../../contract/resources.ts';
import { type EventLine, subjectOf } from '../../watching/events.ts';
import { isOpen } from '../../watching/people.ts';
import { dayTime } from '../../watching/words.ts';
import type { Area, PaneLines } from '../layout.ts';
import { blank, cell, cut, row, scrolled, span, type TextLine, type TextSpan, widthOf } from '../lines.ts';
import type { Theme } from '../theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

const WORD = { low: 'LOW ', medium: 'MED ', high: 'HIGH', critical: 'CRIT' } as const;

/** A new critical alert is highlighted for this time; wall ms. */
export const FLASH_MS = 2_000;
/** Event rows that stay in view beside many alerts. */
const EVENT_ROWS = 3;
const MINUTE_MS = 60_000;
const BARS = 12;

export const alertsPaneLines = (scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): PaneLines => ({
  title: `4 Alerts ${scene.alerts.filter(isOpen).length} open`,
  hint: 'a acknowledge  r resolve',
  lines: alertLines(scene, view, theme, room),
});

export function alertLines(
  scene: DashboardScene,
  view: DashboardView,
  theme: Theme,
  { width, height }: Area,
): TextLine[] {
  const { alerts } = scene;
  const events = scene.world.events.filter(({ siteId }) => siteId === scene.site?.id);
  const foot = height >= 7 && width >= 60 ? 1 : 0;
  const list = height - foot;
  // While the pane has the focus, the alerts get all of its rows.
  const kept = view.pane === 'alerts' || list < 6 ? 0 : Math.min(EVENT_ROWS, events.length);
  const room = Math.max(1, Math.min(Math.max(1, alerts.length), list - kept));
  const lines = listLines(scene, view, theme, { width, height: room });
  const newest = events
    .slice(-Math.max(0, list - room))
    .reverse()
    .slice(0, list - room);
  lines.push(...newest.map((event) => eventRow(event, width, theme)));
  if (foot === 0) return lines;
  const gap = Array.from({ length: Math.max(0, list - lines.length) }, (): TextLine => [blank(width)]);
  return [...lines, ...gap, lastMinute(events, scene, theme)];
}

function eventRow({ at, type, text }: EventLine, width: number, { glyphs }: Theme): TextLine {
  const head = span(` ${dayTime(formatInstant(at))} ${glyphs.pending}    ${type.padEnd(22)} `, 'dim');
  return [head, span(cut(text, width - 1 - widthOf([head]), glyphs.dots), 'dim')];
}

/** Events of the last simulated minute, with a sparkline of when they occurred. */
function lastMinute(events: readonly EventLine[], { now }: DashboardScene, theme: Theme): TextLine {
  const recent = events.filter(({ at }) => at > now - MINUTE_MS);
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
  const text = ` ${recent.length} ${recent.length === 1 ? 'event' : 'events'} in the last minute `;
  return [span(text, 'dim'), span(line, 'pending')];
}

function listLines(scene: DashboardScene, view: DashboardView, theme: Theme, { width, height }: Area): TextLine[] {
  const { alerts } = scene;
  if (alerts.length === 0) return [[blank(1), span(blindTo(view, 'alerts:read') ?? 'No alert is open.', 'dim')]];
  const chosen = chosenOf(scene, view, 'alerts');
  const from = scrolled(alerts, chosen, height);
  return alerts.slice(from, from + height).map((alert) => {
    const isChosen = alert.id === chosen;
    const mark = isChosen ? span(theme.glyphs.mark, view.pane === 'alerts' ? 'focus' : 'dim') : blank(1);
    return alertLine(mark, alert, scene, width, theme);
  });
}

function alertLine(mark: TextSpan, alert: Alert, scene: DashboardScene, width: number, { glyphs }: Theme): TextLine {
  const isOver = alert.status === 'resolved';
  const isUrgent = alert.status === 'unacknowledged';
  const raisedAt = scene.world.raised.get(alert.id);
  const isNew = alert.severity === 'critical' && raisedAt !== undefined && scene.at - raisedAt < FLASH_MS;
  const typeWidth = width >= 60 ? 21 : width >= 54 ? 17 : 14;
  const who = subjectOf(alert);
  const left: TextSpan[] = [
    span(`${dayTime(alert.date_created)} `, 'dim'),
    span(`${WORD[alert.severity]} `, isOver ? 'dim' : alert.severity),
    cell(typeText(alert), typeWidth, isOver ? 'dim' : 'plain', ''),
    blank(1),
    cell(who, 10, isOver ? 'dim' : 'bold', glyphs.dots),
    blank(1),
  ];
  const room = width - 2 - widthOf(left);
  const state = cut(stateText(alert), Math.max(0, room), glyphs.dots);
  const zone = cut(alert.zone?.name ?? '', room - [...state].length - 1, glyphs.dots);
  if ([...zone].length >= 4) left.push(span(zone, 'dim'));
  const line = row(width - 2, left, [span(state, isUrgent ? alert.severity : 'dim')]);
  return [mark, ...(isNew && isUrgent ? line.map(({ text }) => span(text, 'selected')) : line), blank(1)];
}

function stateText({ status, resolved, acknowledged }: Alert): string {
  if (status === 'resolved' && resolved !== null) return `resolved ${resolved.by}`;
  return status === 'acknowledged' && acknowledged !== null ? `ack ${acknowledged.by}` : status;
}

/** With its one significant figure. */
function typeText({ type, details }: Alert): string {
  if (type === 'low_battery' && 'battery_pct' in details) return `${type} ${details.battery_pct} %`;
  if (type === 'device_offline' && 'minutes_silent' in details) return `${type} ${details.minutes_silent} m`;
  return type;
}
