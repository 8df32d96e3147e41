/** The cards of the sites, the clock, and the tab's title. */
import { Html, html } from '../../base/html.ts';
import { formatInstant } from '../../base/instants.ts';
import { locatedAmong } from '../../watching/people.ts';
import type { StreamState } from '../../watching/state.ts';
import { dayTime } from '../../watching/words.ts';
import { mapView } from './map.ts';
import { bannerView } from './muster.ts';
import { openAlerts, type PanelLook, type PanelScene } from './scene.ts';
import { many } from './words.ts';

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
  return html`<h3><a href="/panel/sites/${site.id}">${site.name}</a></h3><p class="dim">${site.location ?? ''}</p>${active === null ? new Html('') : bannerView({ muster: active, rows: siteRows, now }, false)}${mapView(scene, 'small')}<p>${many(siteRows.length, 'person', 'people')}, ${locatedAmong(siteRows)} on the map · positions ${mode} · <span class="${worst}">${alerts.length === 0 ? 'no open alert' : many(alerts.length, 'open alert')}</span></p>`;
}

export function tabTitle(world: StreamState, siteId: string | null, title: string): string {
  const muster = [...world.musters.values()].find(
    ({ status, site }) => status === 'active' && (siteId === null || site.id === siteId),
  );
  if (muster !== undefined) return `${muster.totals.safe}/${muster.totals.expected} safe · ${title}`;
  const open = openAlerts(world, siteId).length;
  return open === 0 ? title : `(${open}) ${title}`;
}
