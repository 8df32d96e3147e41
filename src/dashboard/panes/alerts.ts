/** The content of the alerts pane: the open alerts, the most urgent first, and below them the newest events. */
import type { Alert } from '../../contract/resources.ts';
import type { EventLine } from '../../watching/state/events.ts';
import { isOpenCritical } from '../../watching/state/people.ts';
import type { Area } from '../terminal/layout.ts';
import { scrolled } from '../terminal/lines.ts';
import type { Role } from '../terminal/theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

/** A new critical alert is highlighted for this time; wall ms. */
export const FLASH_MS = 2_000;
/** Rows that events keep even if more alerts need them, unless these alerts are critical. */
const EVENT_ROWS = 3;
const MINUTE_MS = 60_000;
const BARS = 12;

/** One row of the screen. `id`: the id of the alert that a click chooses; null: none. */
export type AlertEntry =
  | { readonly kind: 'alert'; readonly id: string; readonly alert: Alert }
  | { readonly kind: 'event'; readonly id: null; readonly event: EventLine }
  | { readonly kind: 'text'; readonly id: null; readonly text: string; readonly role: Role }
  | { readonly kind: 'minute'; readonly id: null; readonly events: readonly EventLine[] };

const text = (words: string, role: Role = 'plain'): AlertEntry => ({ kind: 'text', id: null, text: words, role });

export const alertsTitle = ({ isKnown, alerts }: DashboardScene, view: DashboardView): string =>
  isKnown && blindTo(view, 'alerts:read') === null ? `4 Alerts ${alerts.length} open` : '4 Alerts';

export function alertEntries(
  scene: DashboardScene,
  view: DashboardView,
  { width, height }: Area,
  dots: string,
): AlertEntry[] {
  if (!scene.isKnown) return [];
  const { alerts } = scene;
  const events = scene.world.events.filter(({ siteId }) => siteId === scene.site?.id);
  const foot = height >= 7 && width >= 60 ? 1 : 0;
  const list = height - foot;
  const critical = alerts.filter(isOpenCritical).length;
  // While the pane has the focus, alerts use all of its rows; critical alerts always do.
  const kept = view.pane === 'alerts' || list < 6 ? 0 : Math.max(0, Math.min(EVENT_ROWS, list - critical - 1));
  const listed = listedAlerts(scene, view, list - kept, dots);
  const newest = events.slice(-Math.max(1, list - listed.length)).toReversed();
  const shown = newest.slice(0, list - listed.length).map((event): AlertEntry => ({ kind: 'event', id: null, event }));
  if (foot === 0) return [...listed, ...shown];
  const gap = Array.from({ length: Math.max(0, list - listed.length - shown.length) }, () => text(''));
  return [...listed, ...shown, ...gap, { kind: 'minute', id: null, events }];
}

/** The alerts that fit, and the number of the others. */
function listedAlerts(scene: DashboardScene, view: DashboardView, height: number, dots: string): AlertEntry[] {
  const { alerts } = scene;
  if (alerts.length === 0) return [text(blindTo(view, 'alerts:read') ?? 'No alert is open.', 'dim')];
  const rows = alerts.map((alert): AlertEntry & { kind: 'alert' } => ({ kind: 'alert', id: alert.id, alert }));
  if (rows.length <= height) return rows;
  const room = Math.max(1, height - 1);
  const from = scrolled(rows, chosenOf(scene, view, 'alerts'), room);
  const shown = rows.slice(from, from + room);
  if (height < 2) return shown;
  const hidden = alerts.filter(isOpenCritical).length - shown.filter(({ alert }) => isOpenCritical(alert)).length;
  const most = hidden > 0 ? ` (${hidden} critical)` : '';
  const below = rows.length - from - room;
  const more = below > 0 ? `${below} more${most}` : `end of ${rows.length}${most}`;
  return [...shown, text(`${dots} ${more}`, hidden > 0 ? 'critical' : 'dim')];
}

/** Events of the last simulated minute: their number, and their distribution over time, the oldest first. */
export function lastMinute(events: readonly EventLine[], now: number): { count: number; bars: readonly number[] } {
  const recent = events.filter(({ at }) => at > now - MINUTE_MS);
  const bars = new Array<number>(BARS).fill(0);
  for (const { at } of recent) {
    const bar = Math.min(BARS - 1, Math.max(0, Math.floor(((at - now + MINUTE_MS) * BARS) / MINUTE_MS)));
    bars[bar] = (bars[bar] ?? 0) + 1;
  }
  return { count: recent.length, bars };
}

/** Below this width a shorter word is used, so that the zone has space. */
const LONG_WORDS = 66;

export function stateText({ status, acknowledged }: Alert, width: number): string {
  if (status === 'unacknowledged' && width < LONG_WORDS) return 'unack';
  return status === 'acknowledged' && acknowledged !== null ? `ack ${acknowledged.by}` : status;
}

/** The type of the alert with its most important figure. */
export function typeText({ type, details }: Alert): string {
  if (type === 'low_battery' && 'battery_pct' in details) return `${type} ${details.battery_pct} %`;
  if (type === 'device_offline' && 'minutes_silent' in details) return `${type} ${details.minutes_silent} m`;
  return type;
}
