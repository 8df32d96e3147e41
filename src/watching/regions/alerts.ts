/** Alerts as a table, and the actions on one. [spec 2 Alert, spec 3, decisions 5] */
import { Html, html } from '../../base/text/html.ts';
import type { Alert } from '../../contract/resources.ts';
import { actButton, actForm, onDemand, textField } from './forms.ts';
import { ageOf, many, momentOf, type PanelReader, timeOf } from './scene.ts';

const SIGN = { critical: '▲', high: '◆', medium: '■', low: '·' } as const;

export const severitySign = ({ severity }: Pick<Alert, 'severity'>): Html =>
  html`<span class="severity ${severity}"><i aria-hidden="true">${SIGN[severity]}</i> ${severity}</span>`;

/** Actions that the alert's status allows. */
export function alertActions(alert: Pick<Alert, 'id' | 'status' | 'title'>, reader: PanelReader, isPage = false): Html {
  if (!reader.acts) return new Html('');
  const { id, status, title } = alert;
  const of = isPage ? '' : title;
  if (status === 'resolved') return actButton(reader, { action: 'reopen', alert: id }, 'Reopen', of);
  const acknowledge =
    status === 'acknowledged'
      ? new Html('')
      : actButton(reader, { action: 'acknowledge', alert: id }, 'Acknowledge', of);
  const resolve = onDemand(
    reader,
    `resolve-${id}`,
    'Resolve',
    actForm(
      reader,
      { action: 'resolve', alert: id },
      html`${textField('reason', 'Reason', { most: 200, hint: 'Worker attended' })}${textField('note', 'Note', { most: 500 })}<button>Resolve</button>`,
    ),
    of,
  );
  if (!isPage) return html`${acknowledge}${resolve}`;
  const assign = onDemand(
    reader,
    `assign-${id}`,
    'Assign',
    actForm(
      reader,
      { action: 'assign', alert: id },
      html`${textField('to', 'To', { most: 120, required: true, hint: 'Control desk 2' })}<button>Assign</button>`,
    ),
  );
  return html`${acknowledge}${resolve}${assign}`;
}

const rowView = (alert: Alert, { reader, now }: Looking, isOfDay: boolean): Html =>
  html`<tr data-key="${alert.id}"><td>${severitySign(alert)}</td><th scope="row"><a href="/panel/alerts/${alert.id}">${alert.title}</a></th><td>${alert.status}${alert.assigned_to === null ? '' : ` · ${alert.assigned_to}`}</td><td>${isOfDay ? momentOf(alert.date_created) : timeOf(alert.date_created)}${alert.status === 'resolved' ? new Html('') : html` <span class="dim">· ${ageOf(alert.date_created, now)}</span>`}</td><td class="do">${alertActions(alert, reader)}</td></tr>`;

/** `now`: simulated ms. */
export interface Looking {
  readonly reader: PanelReader;
  readonly now: number;
}

/** Maximum number of rows; the number of the others is shown. */
const MOST = 50;

export function alertTable(alerts: readonly Alert[], looking: Looking, isOfDay = false, most = MOST): Html {
  const rest = alerts.length - most;
  const rows = alerts.slice(0, isOfDay ? alerts.length : most);
  return html`<div class="scroll"><table class="alerts"><thead><tr><th scope="col">Severity</th><th scope="col">Alert</th><th scope="col">Status</th><th scope="col">Raised · age</th><th scope="col"><span class="hidden">Do</span></th></tr></thead><tbody>${rows.map((alert) => rowView(alert, looking, isOfDay))}</tbody></table></div>${rest > 0 && !isOfDay ? html`<p>And ${rest} more open ones: <a href="/panel/alerts">all alerts</a>.</p>` : new Html('')}`;
}

/** `exampleWorker`: code of a worker for the example command. */
export function openAlertsView(alerts: readonly Alert[], looking: Looking, exampleWorker: string, most = MOST): Html {
  const title = html`<h2>${alerts.length === 0 ? 'Alerts' : many(alerts.length, 'open alert')}</h2>`;
  return alerts.length === 0
    ? html`${title}<p class="dim">No alert is open. SOS, falls and entries appear here: <code>${looking.reader.cli} trigger fall --who ${exampleWorker}</code></p>`
    : html`${title}${alertTable(alerts, looking, false, most)}`;
}
