/** The pages behind `panel_url`: what a person in the control room sees of the sites and of one alert, with its timeline. [spec 2 panel_url, decisions 10] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Html, html } from '../base/html.ts';
import { formatInstant } from '../base/instants.ts';
import type { Viewer } from '../domain/access/viewer.ts';
import { titleOf } from '../domain/views/alert.ts';
import type { Alert } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import type { Engine } from '../engine/engine.ts';
import { musterPage, titleOfMuster } from './muster-page.ts';

export interface PanelParts {
  readonly engine: Engine;
  /** The Host headers by which a page may be asked for: none else, so that no foreign page reaches it by DNS rebinding. */
  readonly hostAllowed: (host: string | undefined) => boolean;
}

/** The panel is a panel user's view: it shows names. [decisions 4] */
const panelUser = (organizationId: string): Viewer => ({ organizationId, names: true, contractors: null });

export const panelPages =
  ({ engine, hostAllowed }: PanelParts) =>
  (app: FastifyInstance): void => {
    const guarded =
      (show: (request: FastifyRequest) => Promise<Html | null>) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        reply
          .type('text/html; charset=utf-8')
          .headers({ 'cache-control': 'no-store', 'content-security-policy': POLICY });
        if (!hostAllowed(request.headers.host))
          return reply
            .status(403)
            .send(page('Not here', html`<p>The panel can be read from this machine only, by its own address.</p>`));
        const body = await show(request);
        return body === null
          ? reply.status(404).send(page('Not found', html`<p>There is no such page.</p>`))
          : body.text;
      };
    app.get(
      '/panel',
      guarded(async () => new Html(page('Control room', await engine.read(overview)))),
    );
    app.get(
      '/panel/musters/:id',
      guarded(async (request) => {
        const { id } = request.params as { id: string };
        return engine.read((world, now) => {
          const muster = world.get('muster', id.toLowerCase());
          return muster === undefined ? null : new Html(page(titleOfMuster(muster), musterPage(world, muster, now)));
        });
      }),
    );
    app.get(
      '/panel/alerts/:id',
      guarded(async (request) => {
        const { id } = request.params as { id: string };
        return engine.read((world) => {
          const alert = world.get('alert', id.toLowerCase());
          return alert === undefined
            ? null
            : new Html(page(titleOf(alert, panelUser(alert.organizationId)), alertPage(alert)));
        });
      }),
    );
  };

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function overview(world: World): Html {
  const companies = [...world.all('organization')].map((organization) => {
    const open = world.indexes.alerts
      .of(organization.id)
      .values()
      .filter((alert) => alert.status !== 'resolved');
    const rows = [...open]
      .reverse()
      .slice(0, 200)
      .map((alert) => row(alert));
    const sites = [...world.all('site')].filter((site) => site.organizationId === organization.id);
    const list = sites.map(
      (site) =>
        html`<li>${site.name} (${site.privacyMode}): ${world.indexes.workersOfSite.of(site.id).length} workers</li>`,
    );
    const alerts =
      rows.length === 0
        ? html`<p>No open alert.</p>`
        : html`<table><tr><th>Alert<th>Severity<th>Status<th>Since</tr>${rows}</table>`;
    const musters = [...world.indexes.activeMusters()]
      .filter(({ organizationId }) => organizationId === organization.id)
      .map(
        (muster) => html`<p class="critical"><a href="/panel/musters/${muster.id}">${titleOfMuster(muster)}</a></p>`,
      );
    return html`<section><h2>${organization.name}</h2>${musters}<ul>${list}</ul>${alerts}</section>`;
  });
  return html`${companies}`;
}

const row = (alert: Alert): Html =>
  html`<tr><td><a href="/panel/alerts/${alert.id}">${titleOf(alert, panelUser(alert.organizationId))}</a><td class="${alert.severity}">${alert.severity}<td>${alert.status}<td>${formatInstant(alert.createdAt)}</tr>`;

function alertPage(alert: Alert): Html {
  const { location, worker, device } = alert;
  const where =
    location === null
      ? alert.locationWithheld
        ? 'withheld by the on-demand veil'
        : 'not known'
      : `${location.latitude}, ${location.longitude}${location.masked ? ' (privacy zone: its point, not the person’s)' : ''}`;
  const facts: [string, string][] = [
    ['Severity', alert.severity],
    ['Status', alert.status],
    ['Site', alert.site.name],
    ['Zone', alert.zone?.name ?? '-'],
    [
      'Worker',
      worker === null
        ? '-'
        : `${worker.name} (${worker.externalId ?? 'no code'})${worker.contractor === null ? '' : `, ${worker.contractor}`}`,
    ],
    ['Watch', device === null ? '-' : `${device.serial}, battery ${device.batteryPct ?? '?'} %`],
    ['Position', where],
    ['Details', JSON.stringify(alert.details)],
    [
      'Acknowledged on the watch',
      alert.workerAcknowledgedAt === null ? '-' : formatInstant(alert.workerAcknowledgedAt),
    ],
    ['Assigned to', alert.assignedTo ?? '-'],
  ];
  const near = alert.nearby.map(
    ({ worker: person, distanceM, vehicleType }) =>
      html`<li>${person.name}, ${distanceM} m${vehicleType === null ? '' : ` (${vehicleType})`}</li>`,
  );
  const lines = alert.timeline.map(
    ({ at, what, by, reason, note }) =>
      html`<tr><td>${formatInstant(at)}<td>${what}<td>${by ?? ''}<td>${reason ?? ''}<td>${note ?? ''}</tr>`,
  );
  return html`<p><a href="/panel">Control room</a></p>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<h2>Nearby</h2>${near.length === 0 ? html`<p>Nobody.</p>` : html`<ul>${near}</ul>`}
<h2>Timeline</h2><table><tr><th>Time<th>What<th>Who<th>Reason<th>Note</tr>${lines}</table>`;
}

const page = (title: string, body: Html): string =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${new Html(STYLE)}</style>
<header>Sandbox: a simulation. No real watch, no real person.</header><main><h1>${title}</h1>${body}</main></html>`
    .text;

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}header{background:#b45309;color:#fff;padding:.4rem 1rem}
main{max-width:60rem;margin:1rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{opacity:.7}dd{margin:0}.critical{color:#dc2626;font-weight:600}.high{color:#ea580c}`;
