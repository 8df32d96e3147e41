/** The control room, one site, one alert, and the lists of alerts and musters. */

import { CLI } from '../../../base/text/command-form.ts';
import { Html, html } from '../../../base/text/html.ts';
import { shellWord } from '../../../base/text/printable.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { ALERT_STATUSES, SCOPES } from '../../../contract/enumerations.ts';
import { alertActions, alertTable, severitySign } from '../../../watching/regions/alerts.ts';
import { musterRow } from '../../../watching/regions/muster.ts';
import { regionSection } from '../../../watching/regions/regions.ts';
import { ageOf, inWords, many, momentOf, type PanelLook } from '../../../watching/regions/scene.ts';
import { exampleCodeOf, sitesOf } from '../../../watching/state/state.ts';
import type { TokenViewer } from '../../domain/access/viewer.ts';
import type { AlertQuery } from '../../domain/alerts/alert-query.ts';
import { alertsOf, countAlerts } from '../../domain/alerts/alerts-of.ts';
import { alertView } from '../../domain/views/alert.ts';
import { musterView } from '../../domain/views/muster.ts';
import type { Alert } from '../../domain/world/documents.ts';
import type { TimelineEntry } from '../../domain/world/embedded.ts';
import type { CourseStretch } from '../../domain/world/muster-documents.ts';
import type { World as Plant } from '../../domain/world/world.ts';
import type { PanelPage } from '../document.ts';
import { siteParts } from './site-parts.ts';

/** Maximum number of rows of a list. */
const MOST = 200;

/** The panel has the view of a panel user, so it shows names. [decisions 4] */
export const panelUser = (organizationId: string): TokenViewer => ({
  organizationId,
  names: true,
  contractors: null,
  scopes: SCOPES,
});

export function overviewPage(look: PanelLook, plant: Plant): PanelPage {
  const organizations = [...plant.all('organization')];
  const companies = Object.fromEntries(
    [...plant.all('site')].map(({ id, organizationId }) => [
      id,
      organizations.find((one) => one.id === organizationId)?.name ?? '',
    ]),
  );
  // With one company, its name on every site would say nothing.
  const about = organizations.length > 1 ? { companies: JSON.stringify(companies) } : {};
  return {
    title: 'Control room',
    follows: 'site',
    main: html`<div class="home">${regionSection('urgent-sites', look, about, 'div')}${regionSection('alerts', look)}${regionSection('quiet-sites', look, about)}</div>`,
  };
}

/** `course`: of the site's active muster, empty without one. */
export function sitePage(look: PanelLook, siteId: string, course: readonly CourseStretch[]): PanelPage | null {
  const site = look.world.sites.get(siteId);
  if (site === undefined) return null;
  const about = { site: siteId };
  return {
    title: site.name,
    actions: regionSection('steer', look, about),
    main: siteParts(look, siteId, { course }),
    site: siteId,
  };
}

/** Unacknowledged critical alerts first, then the newest; filtered by the query's `status` and `site`. */
export function alertsPage(look: PanelLook, plant: Plant, query: URLSearchParams): PanelPage {
  const [status, site] = [query.get('status') ?? '', query.get('site') ?? ''];
  const statuses = status === '' ? undefined : ALERT_STATUSES.filter((one) => one === status);
  const siteIds = site === '' ? undefined : [site];
  const queries = [...plant.all('organization')].map(({ id }) => ({
    organizationId: id,
    statuses,
    siteIds,
    limit: MOST,
  }));
  const all = queries.reduce((sum, query) => sum + countAlerts(plant, query), 0);
  const newestOf = (wanted: readonly AlertQuery[]): readonly Alert[] =>
    wanted.flatMap((one) => alertsOf(plant, one)).sort((a, b) => b.createdAt - a.createdAt);
  const isAnyUrgent = status === '' || status === 'unacknowledged';
  const urgent = isAnyUrgent ? newestOf(queries.map((one) => ({ ...one, ...UNANSWERED_CRITICAL }))) : [];
  const known = new Set(urgent.map(({ id }) => id));
  const alerts = [...urgent, ...newestOf(queries).filter(({ id }) => !known.has(id))]
    .slice(0, MOST)
    .map((alert) => alertView(alert, panelUser(alert.organizationId), { panelUrl: '/panel' }));
  const option = (value: string, text: string, chosen: string): Html =>
    html`<option value="${value}"${new Html(value === chosen ? ' selected' : '')}>${text}</option>`;
  const sites = sitesOf(look.world).map(({ id, name }) => option(id, name, site));
  const filter = html`<form class="filter" method="get" data-at-once><label>Status <select name="status">${option('', 'any', status)}${ALERT_STATUSES.map((one) => option(one, one, status))}</select></label><label>Site <select name="site">${option('', 'any', site)}${sites}</select></label><button>Show</button> <span class="dim" role="status">${all === 0 ? '' : many(all, 'alert')}</span></form>`;
  const list =
    alerts.length === 0
      ? html`<p class="dim">No alert ${status === '' && site === '' ? 'was ever raised' : 'fits this filter'}. <code>${CLI} trigger fall --who ${shellWord(exampleCodeOf(look.world))}</code> raises one.</p>`
      : html`${alertTable(alerts, look, true)}${all > MOST ? html`<p>${MOST} of ${many(all, 'alert')}, unacknowledged critical ones first.</p>` : new Html('')}`;
  return { title: 'Alerts', follows: 'alert', main: html`${filter}${list}` };
}

const UNANSWERED_CRITICAL = { statuses: ['unacknowledged'], severities: ['critical'] } as const;

export function mustersPage(plant: Plant): PanelPage {
  const all = [...plant.all('muster')].sort((a, b) => b.startedAt - a.startedAt);
  const rows = all.slice(0, MOST).map((muster) => musterRow(musterView(muster)));
  const [first] = plant.all('site');
  const siteName = first?.name ?? 'Harbour';
  const list =
    rows.length === 0
      ? html`<p class="dim">No muster was ever started. A site’s page starts one, or <code>${CLI} trigger start_muster --site ${shellWord(siteName)} --kind general --by 'Shift lead'</code></p>`
      : html`<div class="scroll"><table class="musters"><thead><tr><th scope="col">Muster</th><th scope="col">State</th><th scope="col">Started</th><th scope="col">Ended</th><th scope="col">Safe</th></tr></thead><tbody>${rows}</tbody></table></div>${restOf(all.length)}`;
  return { title: 'Musters', follows: 'muster', main: list };
}

const restOf = (all: number): Html =>
  all > MOST ? html`<p>The newest ${MOST} of ${many(all, 'item')}.</p>` : new Html('');

/** The page of one alert: facts, location, people nearby, timeline. [spec 2 panel_url, decisions 5] */
export function alertPage(look: PanelLook, alert: Alert): PanelPage {
  const { id, location, site, worker } = alert;
  const pin = location === null ? {} : { pin: `${location.latitude},${location.longitude}` };
  const who = worker === null ? {} : { worker: worker.id };
  const map = look.world.sites.has(site.id)
    ? regionSection('map', look, { site: site.id, size: 'large', ...pin, ...who })
    : new Html('');
  const title = alertView(alert, panelUser(alert.organizationId), { panelUrl: '/panel' }).title;
  return {
    title,
    site: site.id,
    actions: html`<div class="actions" data-changes="alert ${id}" data-part="actions">${alertPart(look, alert, 'actions')}</div>`,
    main: html`<div class="split"><div id="alert" data-changes="alert ${id}">${alertPart(look, alert)}</div>${map}</div>`,
  };
}

/** Maximum number of people nearby, the nearest first: at an assembly point there are thousands. */
const MOST_NEARBY = 20;

/** Fetched again when the alert changes. */
export function alertPart({ reader, now }: PanelLook, alert: Alert, part = ''): Html {
  const { location, worker, device, details } = alert;
  const view = alertView(alert, panelUser(alert.organizationId), { panelUrl: '/panel' });
  if (part === 'actions') return alertActions(view, reader, true);
  const where =
    location === null
      ? html`${alert.locationWithheld ? 'kept back by the on-demand veil' : 'not known'}`
      : html`${location.latitude}, ${location.longitude}${location.uncertaintyM === null ? '' : ` ± ${location.uncertaintyM} m`}${location.masked ? ' (a privacy zone: its point, not the person’s)' : ''}`;
  const facts: [string, Html][] = [
    ['Severity', severitySign(alert)],
    ['Status', html`<b>${alert.status}</b>`],
    ['Raised', html`${momentOf(view.date_created)}, ${ageOf(view.date_created, now)} ago`],
    ['Site', html`<a href="/panel/sites/${alert.site.id}">${alert.site.name}</a>`],
    ['Raised in', html`${alert.zone?.name ?? '-'}`],
    [
      'Worker',
      worker === null
        ? html`-`
        : html`<a href="/panel/people/${worker.id}">${worker.name}</a> (${worker.externalId ?? 'no code'})${worker.contractor === null ? '' : `, ${worker.contractor}`}`,
    ],
    ['Watch', html`${device === null ? '-' : `${device.serial}, battery ${device.batteryPct ?? '?'} %`}`],
    ['Raised at', where],
    ...Object.entries(details)
      .filter(([, value]) => value !== null && typeof value !== 'object')
      .map(([name, value]): [string, Html] =>
        name === 'muster_id'
          ? ['Muster', html`<a href="/panel/musters/${String(value)}">the evacuation</a>`]
          : [inWords(name), html`${detail(value)}`],
      ),
    [
      'Acknowledged',
      view.acknowledged === null ? html`-` : html`${momentOf(view.acknowledged.at)} by ${view.acknowledged.by}`,
    ],
    ['Resolved', view.resolved === null ? html`-` : html`${momentOf(view.resolved.at)} by ${view.resolved.by}`],
    [
      'On the watch',
      alert.workerAcknowledgedAt === null
        ? html`not acknowledged`
        : html`acknowledged ${momentOf(formatInstant(alert.workerAcknowledgedAt))}`,
    ],
    ['Assigned to', html`${alert.assignedTo ?? '-'}`],
    ['Webhooks', html`<a href="/panel/deliveries?about=${alert.id}">Its deliveries</a>`],
  ];
  const beyond = Math.max(0, alert.nearby.length - MOST_NEARBY);
  const near = alert.nearby
    .slice(0, MOST_NEARBY)
    .map(
      ({ worker: person, distanceM, vehicleType }) =>
        html`<li><a href="/panel/people/${person.id}">${person.name}</a>, ${distanceM} m${vehicleType === null ? '' : ` (${vehicleType})`}</li>`,
    );
  const warned = alert.vehicleWarnings.map(
    ({ at, vehicleType, distanceM }) =>
      html`<li>${momentOf(formatInstant(at))} ${vehicleType ?? 'vehicle'} at ${distanceM} m</li>`,
  );
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${near.length === 0 ? new Html('') : html`<h2>Nearby</h2><ul>${near}${beyond === 0 ? null : html`<li>and ${beyond} more</li>`}</ul>`}${warned.length === 0 ? new Html('') : html`<h2>Vehicle notices</h2><ul>${warned}</ul>`}<h2>Timeline</h2>${timelineView(alert.timeline)}<details><summary>As the API tells it</summary><pre>${JSON.stringify({ ...view, nearby: view.nearby.slice(0, MOST_NEARBY), panel_url: undefined }, null, 2)}</pre><p class="dim"><code>GET /v1/alerts/${alert.id}</code>${beyond === 0 ? null : html` has all ${alert.nearby.length} people nearby`}</p></details>`;
}

const detail = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));

/** The timeline of an alert or muster; the API does not have it. [spec 3, decisions 5] */
export function timelineView(timeline: readonly TimelineEntry[]): Html {
  const lines = timeline.map(({ at, what, by, reason, note }) => {
    const remarks = [reason === null ? null : `Reason: ${reason}`, note === null ? null : `Note: ${note}`].filter(
      (one) => one !== null,
    );
    return html`<li>${momentOf(formatInstant(at))} <b>${what}</b>${by === null ? '' : ` by ${by}`}${remarks.map((one) => html`<p>${one}</p>`)}</li>`;
  });
  return html`<ol class="timeline">${lines}</ol>`;
}
