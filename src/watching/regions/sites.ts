/** The cards of the sites, the totals of the sandbox, the clock, and the tab's title. */
import { Html, html } from '../../base/text/html.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { notSafeRows } from '../state/not-safe.ts';
import { locatedAmong } from '../state/people.ts';
import type { StreamState } from '../state/state.ts';
import { NO_TALLY } from '../state/tallies.ts';
import { dayTime } from '../state/words.ts';
import { mapView } from './map.ts';
import { bannerView } from './muster.ts';
import { many, openAlerts, type PanelLook, type PanelScene } from './scene.ts';

export const clockView = ({ world, now }: PanelLook): Html => {
  const iso = formatInstant(now);
  const { speed, paused } = world.clock ?? { speed: 1, paused: false };
  const pace = paused ? 'stands still' : speed === 1 ? '' : `× ${speed}`;
  return html`<time datetime="${iso}" title="Simulated time, UTC">${iso.slice(0, 10)} ${dayTime(iso)}</time> <span class="pace">${pace}</span>`;
};

export function siteCard(scene: PanelScene): Html {
  const { site, siteRows, active, alerts, now } = scene;
  const mode = site.privacy_mode === 'on_demand' ? 'on demand' : 'continuous';
  const worst = alerts.some(({ severity }) => severity === 'critical') ? 'critical' : '';
  return html`<h3><a href="/panel/sites/${site.id}">${site.name}</a></h3><p class="dim">${site.location ?? ''}</p>${active === null ? new Html('') : bannerView({ muster: active, rows: siteRows, now }, false)}${mapView(scene, 'small')}<p>${many(siteRows.length, 'person', 'people')}, ${locatedAmong(siteRows)} on the map · positions ${mode} · <span class="${worst}">${alerts.length === 0 ? 'no open alert' : many(alerts.length, 'open alert')}</span></p>${lastMusterView(scene)}`;
}

/** The number of people who were not safe at the end of the last muster. */
function lastMusterView(scene: PanelScene): Html {
  const { length } = notSafeRows(scene.world, scene.site);
  if (length === 0) return new Html('');
  return html`<p class="critical">${many(length, 'person was', 'people were')} not safe at the end of the <a href="/panel/sites/${scene.site.id}">last muster</a></p>`;
}

export function tabTitle(world: StreamState, siteId: string | null, title: string): string {
  const muster = [...world.musters.values()].find(
    ({ status, site }) => status === 'active' && (siteId === null || site.id === siteId),
  );
  if (muster !== undefined) return `${muster.totals.safe}/${muster.totals.expected} safe · ${title}`;
  const open = openAlerts(world, siteId).length;
  return open === 0 ? title : `(${open}) ${title}`;
}

/** Totals of the sandbox: people, alerts, musters, deliveries. */
export function countersView({ world }: PanelLook): Html {
  const open = openAlerts(world, null);
  const critical = open.filter(({ severity }) => severity === 'critical').length;
  const active = [...world.musters.values()].filter(({ status }) => status === 'active');
  const safe = active.reduce((sum, { totals }) => sum + totals.safe, 0);
  const expected = active.reduce((sum, { totals }) => sum + totals.expected, 0);
  const tallies = [...world.destinations.keys()].map((id) => world.tallies.get(id) ?? NO_TALLY);
  const sum = (of: 'delivered' | 'failed' | 'lost'): number => tallies.reduce((all, tally) => all + tally[of], 0);
  const waiting = [...world.deliveries.values()].filter(({ state }) => state === 'waiting').length;
  const workers = [...world.workers.values()].filter(({ is_active }) => is_active).length;
  const located = [...world.people.values()].filter(({ location }) => location !== null).length;
  const cells: [string, string, string, string][] = [
    ['people', String(workers), `${located} on the map`, ''],
    ['open alerts', String(open.length), `${critical} critical`, critical > 0 ? 'rescue' : ''],
    ['active musters', String(active.length), active.length === 0 ? '' : `${safe} of ${expected} safe`, ''],
    ['deliveries', String(sum('delivered')), `to ${world.destinations.size} destinations, ${waiting} wait`, ''],
    ['failed attempts', String(sum('failed')), `${sum('lost')} deliveries lost`, sum('lost') > 0 ? 'rescue' : ''],
  ];
  return html`<dl class="totals">${cells.map(([name, figure, more, rank]) => html`<div class="${rank}"><dt>${name}</dt><dd>${figure} <small>${more}</small></dd></div>`)}</dl>`;
}
