/** Alerts as a table, and the actions on one. [spec 2 Alert, spec 3, decisions 5] */

import { Html, html } from '../../base/text/html.ts';
import { shellWord } from '../../base/text/printable.ts';
import { ALERT_TERMS, PERSON_TERMS, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import type { Alert } from '../../contract/resources.ts';
import { codeOf } from '../state/events.ts';
import { type FoldedRow, foldedAlerts, severalText, whatText, whereNow, whomText } from '../state/happened.ts';
import { isHelperAlert, isOpen } from '../state/people.ts';
import type { StreamState } from '../state/state.ts';
import { capital } from '../state/words.ts';
import { actButton, actForm, onDemand, textField } from './forms.ts';
import { ageOf, hint, many, momentOf, type PanelReader, timeOf } from './scene.ts';

export const severitySign = ({ severity }: Pick<Alert, 'severity'>): Html =>
  html`<span class="severity ${severity}"><i aria-hidden="true">${SEVERITY_TERMS[severity].glyph}</i> ${SEVERITY_TERMS[severity].word}</span>`;

/** Actions that the alert's status allows. */
export function alertActions(
  alert: Pick<Alert, 'id' | 'status' | 'title' | 'type' | 'details'>,
  reader: PanelReader,
  isPage = false,
): Html {
  if (!reader.acts) return new Html('');
  const { id, status, title } = alert;
  const of = isPage ? '' : title;
  if (status === 'resolved') return actButton(reader, { action: 'reopen', alert: id }, 'Reopen', of);
  const acknowledge =
    status === 'acknowledged'
      ? new Html('')
      : actButton(reader, { action: 'acknowledge', alert: id }, 'Acknowledge', of, !isHelperAlert(alert));
  const resolve = onDemand(
    reader,
    'resolve',
    'Resolve',
    actForm(
      reader,
      { action: 'resolve', alert: id },
      html`${textField('reason', 'Reason', { most: 200, hint: 'Worker attended' })}${textField('note', 'Note', { most: 500 })}<button class="primary">Resolve</button>`,
    ),
    of,
  );
  if (!isPage) return html`${acknowledge}${resolve}`;
  const assign = onDemand(
    reader,
    'assign',
    'Assign',
    actForm(
      reader,
      { action: 'assign', alert: id },
      html`${textField('to', 'To', { most: 120, required: true, hint: 'Control desk 2' })}<button class="primary">Assign</button>`,
    ),
  );
  return html`${acknowledge}${resolve}${assign}`;
}

/** `hasSites`: the rows are of several sites. `isOfDay`: the time of a row may be on another day. */
interface RowForm {
  readonly hasSites: boolean;
  readonly isOfDay: boolean;
}

/** The parts of the title have columns of their own; the name of the row for screen readers is the title. */
function rowView(row: FoldedRow<Alert>, looking: Looking, { hasSites, isOfDay }: RowForm): Html {
  const { item: alert, members } = row;
  const { reader, now } = looking;
  const { id, title, status, assigned_to, date_created, worker } = alert;
  const whom = worker === null ? '' : whomText(alert);
  const code = worker === null || codeOf(worker) === whom ? null : html` <span class="code">${codeOf(worker)}</span>`;
  const also = members.slice(1).map((one) => alsoLink(one, reader.links));
  const several = also.length === 0 ? null : html` <span class="dim">${severalText(row)},</span>${also}`;
  const age = status === 'resolved' ? null : html` <span class="dim">· ${ageOf(date_created, now)}</span>`;
  const to = `${reader.links}/alerts/${id}`;
  return html`<tr data-key="${id}" aria-label="${title}"><td class="glyph">${severityGlyph(alert)}</td><th scope="row"><a href="${to}" title="${title}"><i aria-hidden="true">${ALERT_TERMS[alert.type].glyph}</i> ${whatText(alert)}</a>${several}</th><td class="whom">${whom}${code}</td><td class="where">${placeView(alert, looking, hasSites)}</td><td class="state ${status}">${status}${assigned_to === null ? '' : ` · ${assigned_to}`}</td><td class="when">${isOfDay ? momentOf(date_created) : timeOf(date_created)}${age}</td><td class="do">${alertActions(alert, reader)}</td></tr>`;
}

/** A further alert of the person of a row. */
export const alsoLink = (alert: Alert, links: string): Html =>
  html` <a class="also" href="${links}/alerts/${alert.id}" title="${alert.title}">${whatText(alert)}</a>`;

/** The sign alone: its column has no room for the word, which screen readers and the tooltip have. */
const severityGlyph = ({ severity }: Pick<Alert, 'severity'>): Html => {
  const { glyph, word } = SEVERITY_TERMS[severity];
  return html`<span class="severity ${severity}" title="${word}"><i aria-hidden="true">${glyph}</i><span class="hidden">${word}</span></span>`;
};

/** `point`: where the worker is safe; null: the worker is not. */
const safeView = (point: string | null, place: string): Html | null =>
  point === null
    ? null
    : html` <span class="fare safe"><i aria-hidden="true">${PERSON_TERMS.safe.glyph}</i> now ${PERSON_TERMS.safe.word}${place.startsWith(point) ? '' : ` at ${point}`}</span>`;

/** The browser updates the place with each report, from the attribute. */
const whereView = (alert: Alert, where: string): Html =>
  alert.worker === null || !isOpen(alert) ? html`${where}` : html`<span data-whose="${alert.id}">${where}</span>`;

function placeView(alert: Alert, { world, safeAt }: Looking, hasSite: boolean): Html {
  const where = whereNow(world, alert);
  if (where === '') return html`${alert.site.name}`;
  const site = hasSite ? html` <span class="dim">· ${alert.site.name}</span>` : null;
  return html`${whereView(alert, where)}${site}${safeView(safeAt?.get(alert.worker?.id ?? '') ?? null, where)}`;
}

/** With more helpers in a row, only the page of each alert has its buttons: they would be most of a page. */
const MOST_WITH_ACTIONS = 20;

/** The open alerts, the helpers of each site and status as one line, and the resolved alerts. */
function linesOf(alerts: readonly Alert[]): readonly FoldedRow<Alert>[] {
  const inOrder = [...alerts.filter(isOpen), ...alerts.filter((alert) => !isOpen(alert))];
  return foldedAlerts(
    inOrder,
    (alert) => (isFolded(alert) ? foldOf(alert) : null),
    (alert) => (isOpen(alert) ? 'open' : 'resolved'),
    1,
  );
}

const isFolded = (alert: Alert): boolean => isHelperAlert(alert) && isOpen(alert);

const foldOf = ({ site, status }: Alert): string => `helping ${site.id} ${status}`;

/** One row, which opens to the alerts in it. */
function groupView(alerts: readonly Alert[], looking: Looking): Html {
  const [first] = alerts as readonly [Alert];
  const { glyph } = PERSON_TERMS.helping;
  const rows = alerts.map(
    (alert) =>
      html`<li data-key="${alert.id}"><a href="${looking.reader.links}/alerts/${alert.id}" title="${alert.title}">${whomText(alert)}</a> <span class="dim">${whereView(alert, whereNow(looking.world, alert))}</span> ${alerts.length > MOST_WITH_ACTIONS ? null : alertActions(alert, looking.reader)}</li>`,
  );
  const who = alerts.length === 1 ? whomText(first) : many(alerts.length, 'person', 'people');
  const text = `${capital(PERSON_TERMS.helping.word)}: ${who}`;
  return html`<tr data-key="${foldOf(first)}" class="fold"><td class="glyph fare helping"><i aria-hidden="true">${glyph}</i></td><td colspan="6"><details data-key="${foldOf(first)}"><summary><b>${text}</b> <span class="dim">${first.site.name} · ${first.status}</span></summary><ul>${rows}</ul></details></td></tr>`;
}

/** `now`: simulated ms. `safeAt`: where the workers of alerts are safe now, by their ids. */
export interface Looking {
  readonly world: StreamState;
  readonly reader: PanelReader;
  readonly now: number;
  readonly safeAt?: ReadonlyMap<string, string>;
}

/** Maximum number of rows; the number of the others is shown. */
const MOST = 50;

export function alertTable(alerts: readonly Alert[], looking: Looking, isOfDay = false, most = MOST): Html {
  const lines = linesOf(alerts);
  const shown = lines.slice(0, isOfDay ? lines.length : most);
  const rest = alerts.length - shown.reduce((sum, { count }) => sum + count, 0);
  const form = { hasSites: new Set(alerts.map(({ site }) => site.id)).size > 1, isOfDay };
  const rows = shown.map((row) => (isFolded(row.item) ? groupView(row.members, looking) : rowView(row, looking, form)));
  return html`<div class="scroll"><table class="alerts"><thead><tr><th scope="col"><span class="hidden">Severity</span></th><th scope="col">What</th><th scope="col">Who</th><th scope="col">Where</th><th scope="col">Status</th><th scope="col">Raised · age</th><th scope="col"><span class="hidden">Do</span></th></tr></thead><tbody>${rows}</tbody></table></div>${rest > 0 ? html`<p>And ${many(rest, 'more open alert')}: <a href="${looking.reader.links}/alerts">all alerts</a>.</p>` : new Html('')}`;
}

/** `exampleWorker`: code of a worker for the example command. */
export function openAlertsView(alerts: readonly Alert[], looking: Looking, exampleWorker: string, most = MOST): Html {
  const title = html`<h2>${alerts.length === 0 ? 'Alerts' : many(alerts.length, 'open alert')}</h2>`;
  return alerts.length === 0
    ? html`${title}<p class="dim">No alert is open.${hint(looking.reader, 'SOS, falls and entries appear here', `trigger fall --who ${shellWord(exampleWorker)}`)}</p>`
    : html`${title}${alertTable(alerts, looking, false, most)}`;
}

/** The open alerts of a site in an active muster that no row of its list of people shows: those of the site, and of others. */
export function otherAlertsView(alerts: readonly Alert[], looking: Looking, most = MOST): Html {
  return alerts.length === 0
    ? new Html('')
    : html`<h2>${many(alerts.length, 'other open alert')}</h2>${alertTable(alerts, looking, false, most)}`;
}
