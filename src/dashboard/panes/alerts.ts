/** The rows of the alerts pane: the open alerts, the most urgent first, the newest events, and how many came in the last minute. */
import { PERSON_TERMS, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Alert } from '../../contract/resources.ts';
import { codeOf, eventText, type KeptEvent } from '../../watching/state/events.ts';
import {
  alertPlace,
  type FoldedRow,
  type KnownPlaces,
  severalText,
  whatForms,
  whomText,
} from '../../watching/state/happened.ts';
import { isHelperAlert, isOpenCritical } from '../../watching/state/people.ts';
import { capital, plainWords, shortAge } from '../../watching/state/words.ts';
import type { Codes } from '../codes.ts';
import { type Column, cellsFor, type PaneRow, textRow, windowOf } from '../table.ts';
import type { Area } from '../terminal/layout.ts';
import type { Theme } from '../terminal/theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';
import { placeForms } from './people.ts';

/** A new critical alert is highlighted for this time; wall ms. */
export const FLASH_MS = 2_000;
/** Rows that events keep where not all alerts of medium and low severity fit, in a high and in a low pane. */
const EVENT_ROWS = [2, 1] as const;
/** A pane of this height is high. */
const HIGH = 8;
const MINUTE_MS = 60_000;
const BARS = 12;

export function alertsTitle({ isKnown, alerts, alertRows }: DashboardScene, view: DashboardView): string {
  if (!isKnown || blindTo(view, 'alerts:read') !== null) return '4 Alerts';
  const shown = alertRows.reduce((sum, { count }) => sum + count, 0);
  return `4 Alerts ${shown === alerts.length ? '' : `${shown} of `}${alerts.length} open`;
}

interface AlertContext {
  /** Simulated ms since the epoch. */
  readonly now: number;
  readonly world: KnownPlaces;
  readonly theme: Theme;
  readonly codes: Codes;
}

const contextOf = ({ now, world, codes }: DashboardScene, theme: Theme): AlertContext => ({
  now,
  world,
  theme,
  codes: codes(theme),
});

/** The words of the status, the longest form first. */
const stateForms = ({ status, acknowledged }: Alert): readonly string[] =>
  status === 'unacknowledged'
    ? [status, 'unack']
    : status === 'acknowledged'
      ? [`ack ${acknowledged?.by ?? ''}`.trim(), 'ack']
      : [status];

function byText({ status, acknowledged, resolved }: Alert): string {
  const by = status === 'resolved' ? resolved?.by : acknowledged?.by;
  return by == null ? '' : ` by ${by}`;
}

/** A row of several helpers; one of several alerts of a person has the columns of the first. */
const isFold = ({ item, count }: FoldedRow<Alert>): boolean => count > 1 && isHelperAlert(item);

const COLUMNS: readonly Column<FoldedRow<Alert>, AlertContext>[] = [
  {
    priority: 10,
    cell: ({ item, item: { severity } }, { theme }) =>
      isHelperAlert(item)
        ? [theme.glyphs.helping, 'helping', '']
        : [
            SEVERITY_TERMS[severity][theme.isAscii ? 'ascii' : 'glyph'],
            severity,
            capital(SEVERITY_TERMS[severity].spoken),
          ],
  },
  {
    priority: 8,
    cell: (row, { theme }) => {
      const { item, count } = row;
      const several = severalText(row);
      return isFold(row)
        ? [
            `${capital(PERSON_TERMS.helping.word)} ${theme.glyphs.by}${count}`,
            'plain',
            `${count} ${PERSON_TERMS.helping.spoken}`,
          ]
        : [whatForms(item).map((what) => [what, several].filter(Boolean).join(', ')), 'plain'];
    },
  },
  {
    priority: 9,
    least: 8,
    grows: true,
    cell: (row) => {
      const { item } = row;
      return isFold(row)
        ? ['', 'plain']
        : item.worker === null
          ? [whomText(item), 'plain', `the whole of ${item.site.name}`]
          : [whomText(item), 'bold'];
    },
  },
  {
    priority: 5,
    cell: (row, { codes }) => {
      const { worker } = row.item;
      return worker === null || worker.name === undefined || isFold(row)
        ? ['', 'dim']
        : [codes.of(worker.id), 'dim', codeOf(worker)];
    },
  },
  {
    priority: 4,
    least: 8,
    grows: true,
    cell: (row, { world }) => {
      if (isFold(row)) return ['', 'dim'];
      const { place, placeAt } = alertPlace(world, row.item);
      return placeAt === null
        ? [placeForms(place), 'dim']
        : [placeForms(place, ` @${placeAt}`), 'dim', `${place} at ${placeAt}`];
    },
  },
  {
    priority: 6,
    part: 'state',
    cell: ({ item }) => [
      stateForms(item),
      item.status === 'unacknowledged' && !isHelperAlert(item) ? item.severity : 'dim',
      `${plainWords(item.status)}${byText(item)}`,
    ],
  },
  {
    priority: 7,
    isRight: true,
    part: 'age',
    cell: (row, { now }) => {
      const age = shortAge(now - Date.parse(row.item.date_created));
      return isFold(row) ? ['', 'dim'] : [age, 'dim', `${age} ago`];
    },
  },
];

export const alertRow = (row: FoldedRow<Alert>, context: AlertContext): PaneRow => ({
  id: row.id,
  kind: 'alert',
  cells: cellsFor(COLUMNS, row, context),
});

/** All rows, for the screen reader: how many there are, and each. */
export function allAlertRows(scene: DashboardScene, view: DashboardView, theme: Theme): PaneRow[] {
  const many = scene.alerts.length;
  if (scene.alertRows.length === 0) return [noneRow(scene, view)];
  const context = contextOf(scene, theme);
  return [
    textRow(`${many} open ${many === 1 ? 'alert' : 'alerts'}`),
    ...scene.alertRows.map((row) => alertRow(row, context)),
  ];
}

const noneRow = ({ alerts }: DashboardScene, view: DashboardView): PaneRow =>
  textRow(
    alerts.length === 0 ? (blindTo(view, 'alerts:read') ?? 'No alert is open.') : `No alert matches "${view.filter}".`,
  );

export function alertPaneRows(scene: DashboardScene, view: DashboardView, { height }: Area, theme: Theme): PaneRow[] {
  if (!scene.isKnown) return [];
  const { alertRows, site, now } = scene;
  const events = scene.world.events.filter(({ event }) => event.site_id === site?.id);
  const minute = height >= 6 ? [minuteRow(events, now, theme)] : [];
  const isUrgent = ({ item }: FoldedRow<Alert>): boolean => isOpenCritical(item) || item.severity === 'high';
  const needed = Math.max(1, alertRows.findLastIndex(isUrgent) + 1);
  // Events never hide a critical or high alert; while the pane has the focus, no alert at all.
  const wanted = view.pane === 'alerts' ? alertRows.length : needed + Number(alertRows.length > needed);
  const free = Math.max(0, height - Math.min(height, wanted));
  const foot = minute.slice(0, free);
  // Alerts that all fit are all listed.
  const least = EVENT_ROWS[height >= HIGH ? 0 : 1];
  const room = height - foot.length;
  const kept = Math.min(alertRows.length <= room ? room - alertRows.length : least, events.length, free - foot.length);
  const listed = listedAlerts(scene, view, room - kept, theme);
  const shown = newestOf(events, room - listed.length).map((event) => eventRow(event, now, theme));
  return [...listed, ...shown, ...foot];
}

const newestOf = (events: readonly KeptEvent[], many: number): KeptEvent[] =>
  many <= 0 ? [] : events.slice(-many).toReversed();

/** The alerts that fit, and the number of the others. */
function listedAlerts(scene: DashboardScene, view: DashboardView, height: number, theme: Theme): PaneRow[] {
  const { alertRows } = scene;
  if (alertRows.length === 0) return [noneRow(scene, view)];
  const context = contextOf(scene, theme);
  const { shown, more } = windowOf(alertRows, chosenOf(scene, view, 'alerts'), height, ({ count }) => count);
  const rows = shown.map((row) => ({
    ...alertRow(row, context),
    isNew: row.members.some((alert) => isNew(alert, scene)),
  }));
  if (more === null) return rows;
  const ids = new Set(shown.map(({ id }) => id));
  const hidden = alertRows
    .filter(({ id, item }) => !ids.has(id) && isOpenCritical(item))
    .reduce((sum, { count }) => sum + count, 0);
  const most = hidden > 0 ? ` (${hidden} critical)` : '';
  return [...rows, textRow(`${theme.glyphs.dots} ${more}${most}`, hidden > 0 ? 'critical' : 'dim')];
}

function isNew(alert: Alert, { world, at }: DashboardScene): boolean {
  const raisedAt = world.raised.get(alert.id);
  const isUrgent = isOpenCritical(alert) && alert.status === 'unacknowledged';
  return isUrgent && raisedAt !== undefined && at - raisedAt < FLASH_MS;
}

const EVENT_COLUMNS: readonly Column<KeptEvent, Pick<AlertContext, 'now' | 'theme'>>[] = [
  { priority: 5, cell: (_event, { theme }) => [theme.glyphs.empty, 'dim', ''] },
  { priority: 3, least: 8, grows: true, cell: (one) => [eventText(one), 'dim'] },
  { priority: 1, cell: ({ event }) => [event.type, 'dim'] },
  { priority: 4, isRight: true, part: 'age', cell: ({ at }, { now }) => [shortAge(now - at), 'dim', ''] },
];

const eventRow = (event: KeptEvent, now: number, theme: Theme): PaneRow => ({
  id: null,
  kind: 'event',
  cells: cellsFor(EVENT_COLUMNS, event, { now, theme }),
});

/** The number of events in the last simulated minute, with a chart of their times. */
function minuteRow(events: readonly KeptEvent[], now: number, { glyphs }: Theme): PaneRow {
  const { count, bars } = lastMinute(events, now);
  const most = Math.max(1, ...bars);
  const steps = [...glyphs.spark];
  const line = bars.map((bar) => (bar === 0 ? ' ' : steps[Math.round((bar / most) * (steps.length - 1))])).join('');
  const words = `${count} ${count === 1 ? 'event' : 'events'} in the last minute`;
  return {
    id: null,
    kind: 'minute',
    cells: [
      { text: [words], spoken: words, token: 'dim', priority: 2 },
      { text: [line.trimEnd()], spoken: '', token: 'pending', priority: 1 },
    ],
  };
}

/** Events of the last simulated minute: their number, and their distribution over time, the oldest first. */
function lastMinute(events: readonly KeptEvent[], now: number): { count: number; bars: readonly number[] } {
  const recent = events.filter(({ at }) => at > now - MINUTE_MS);
  const bars = new Array<number>(BARS).fill(0);
  for (const { at } of recent) {
    const bar = Math.min(BARS - 1, Math.max(0, Math.floor(((at - now + MINUTE_MS) * BARS) / MINUTE_MS)));
    bars[bar] = (bars[bar] ?? 0) + 1;
  }
  return { count: recent.length, bars };
}

/** The text for the title of the tabs: the number of open alerts, and of critical ones. */
export function alertsTab({ isKnown, alerts }: DashboardScene, { glyphs }: Theme): string {
  const critical = alerts.filter(isOpenCritical).length;
  return isKnown ? `4 Alerts ${alerts.length}${critical > 0 ? ` ${glyphs.critical}${critical}` : ''}` : '4 Alerts';
}
