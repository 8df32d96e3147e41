/** The page of one alert: facts, location, people nearby, timeline. [spec 2 panel_url, decisions 5] */
import { Html, html } from '../../base/html.ts';
import { formatInstant } from '../../base/instants.ts';
import { alertView } from '../../domain/views/alert.ts';
import type { Alert, TimelineEntry } from '../../domain/world/documents.ts';
import type { PanelPage } from '../document.ts';
import { alertDeeds, severitySign } from '../view/alerts.ts';
import { regionSection } from '../view/regions.ts';
import type { PanelLook } from '../view/scene.ts';
import { ageOf, inWords, momentOf } from '../view/words.ts';
import { panelUser } from './overview.ts';

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
    deeds: html`<div class="deeds" data-changes="alert ${id}" data-part="deeds">${alertPart(look, alert, 'deeds')}</div>`,
    main: html`<div class="split"><div id="alert" data-changes="alert ${id}">${alertPart(look, alert)}</div>${map}</div>`,
  };
}

/** Fetched again when the alert changes. */
export function alertPart({ reader, now }: PanelLook, alert: Alert, part = ''): Html {
  const { location, worker, device, details } = alert;
  const view = alertView(alert, panelUser(alert.organizationId), { panelUrl: '/panel' });
  if (part === 'deeds') return alertDeeds(view, reader, true);
  const where =
    location === null
      ? html`${alert.locationWithheld ? 'kept back by the on-demand veil' : 'not known'}`
      : html`${location.latitude}, ${location.longitude}${location.uncertaintyM === null ? '' : ` ± ${location.uncertaintyM} m`}${location.masked ? ' (a privacy zone: its point, not the person’s)' : ''}`;
  const facts: [string, Html][] = [
    ['Severity', severitySign(alert)],
    ['Status', html`<b>${alert.status}</b>`],
    ['Raised', html`${momentOf(view.date_created)}, ${ageOf(view.date_created, now)} ago`],
    ['Site', html`<a href="/panel/sites/${alert.site.id}">${alert.site.name}</a>`],
    ['Zone', html`${alert.zone?.name ?? '-'}`],
    [
      'Worker',
      worker === null
        ? html`-`
        : html`<a href="/panel/people/${worker.id}">${worker.name}</a> (${worker.externalId ?? 'no code'})${worker.contractor === null ? '' : `, ${worker.contractor}`}`,
    ],
    ['Watch', html`${device === null ? '-' : `${device.serial}, battery ${device.batteryPct ?? '?'} %`}`],
    ['Position', where],
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
  ];
  const near = alert.nearby.map(
    ({ worker: person, distanceM, vehicleType }) =>
      html`<li><a href="/panel/people/${person.id}">${person.name}</a>, ${distanceM} m${vehicleType === null ? '' : ` (${vehicleType})`}</li>`,
  );
  const warned = alert.vehicleWarnings.map(
    ({ at, vehicleType, distanceM }) =>
      html`<li>${momentOf(formatInstant(at))} ${vehicleType ?? 'vehicle'} at ${distanceM} m</li>`,
  );
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${near.length === 0 ? new Html('') : html`<h2>Nearby</h2><ul>${near}</ul>`}${warned.length === 0 ? new Html('') : html`<h2>Vehicle notices</h2><ul>${warned}</ul>`}<h2>Timeline</h2>${timelineView(alert.timeline)}<details><summary>As the API tells it</summary><pre>${JSON.stringify({ ...view, panel_url: undefined }, null, 2)}</pre><p class="dim"><code>GET /v1/alerts/${alert.id}</code></p></details>`;
}

const detail = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));

/** The timeline of an alert or muster; the API does not have it. [spec 3, decisions 5] */
export function timelineView(timeline: readonly TimelineEntry[]): Html {
  const lines = timeline.map(({ at, what, by, reason, note }) => {
    const said = [reason === null ? null : `Reason: ${reason}`, note === null ? null : `Note: ${note}`].filter(
      (one) => one !== null,
    );
    return html`<li>${momentOf(formatInstant(at))} <b>${what}</b>${by === null ? '' : ` by ${by}`}${said.map((one) => html`<p>${one}</p>`)}</li>`;
  });
  return html`<ol class="timeline">${lines}</ol>`;
}
