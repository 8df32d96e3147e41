/** The sites by urgency, the totals of the sandbox, and the tab's title. */
import { Html, html } from '../../base/text/html.ts';
import { PERSON_TERMS, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import { emergenciesOf, sitesByUrgency, worstOf } from '../state/emergencies.ts';
import { notSafeRows } from '../state/not-safe.ts';
import { isOpenCritical, locatedAmong } from '../state/people.ts';
import type { StreamState } from '../state/state.ts';
import { NO_TALLY } from '../state/tallies.ts';
import { mapView } from './map.ts';
import { bannerView } from './muster.ts';
import { many, openAlerts, type PanelLook, type PanelScene, sceneOf } from './scene.ts';

/** `companies`: the names of the companies by the ids of their sites, as JSON. */
interface AboutSites {
  readonly companies?: string;
}

/** Sites with an emergency or an active muster, in the order of urgency. Empty if all are quiet. */
export function urgentSites(look: PanelLook, about: AboutSites): Html {
  const { urgent } = dividedSites(look);
  return html`${urgent.map((scene) => html`<article class="site" data-key="${scene.site.id}">${siteCard(scene, about)}</article>`)}`;
}

/** One line for each of the other sites. */
export function quietSites(look: PanelLook, about: AboutSites): Html {
  const { urgent, quiet } = dividedSites(look);
  if (quiet.length === 0) return new Html('');
  const rows = quiet.map((scene) => html`<li data-key="${scene.site.id}">${quietLine(scene, about)}</li>`);
  // Where people were left at the end of a muster, the list below says so: it is not quiet.
  const isQuiet = quiet.every(({ world, site }) => notSafeRows(world, site).length === 0);
  const title =
    urgent.length === 0 ? (isQuiet ? 'Sites, all quiet' : 'Sites') : isQuiet ? 'Quiet sites' : 'Other sites';
  return html`<h2>${title}</h2><ul class="quiet">${rows}</ul>`;
}

function dividedSites(look: PanelLook): {
  readonly urgent: readonly PanelScene[];
  readonly quiet: readonly PanelScene[];
} {
  const emergencies = new Set(emergenciesOf(look.world).map(({ site }) => site.id));
  const scenes = sitesByUrgency(look.world).flatMap(({ id }) => sceneOf(look, id) ?? []);
  const isUrgent = ({ site, active }: PanelScene): boolean => emergencies.has(site.id) || active !== null;
  const quiet = scenes.filter((scene) => !isUrgent(scene));
  // A muster that ended badly is what an operator has to see of a site without an emergency.
  const isBad = ({ world, site }: PanelScene): boolean => notSafeRows(world, site).length > 0;
  return {
    urgent: scenes.filter(isUrgent),
    quiet: [...quiet.filter(isBad), ...quiet.filter((scene) => !isBad(scene))],
  };
}

/** Where the site is and whose it is. */
function ownerText({ site }: PanelScene, { companies = '{}' }: AboutSites): string {
  const company = (JSON.parse(companies) as Record<string, string>)[site.id];
  return [site.location, company].filter((text) => text != null).join(' · ');
}

function siteCard(scene: PanelScene, about: AboutSites): Html {
  const { site, siteRows, active, alerts, now } = scene;
  const critical = alerts.filter(isOpenCritical);
  const people = new Set(critical.map(({ id, worker }) => worker?.id ?? id)).size;
  const whose = people < critical.length ? ` of ${many(people, 'person', 'people')}` : '';
  const unacknowledged = critical.filter(({ status }) => status === 'unacknowledged').length;
  const grave =
    critical.length === 0
      ? new Html('')
      : html`<p class="critical"><i aria-hidden="true">${SEVERITY_TERMS.critical.glyph}</i> ${many(critical.length, 'open critical alert')}${whose}, <b>${unacknowledged === 0 ? 'all acknowledged' : `${unacknowledged} unacknowledged`}</b></p>`;
  const link = html`<a href="/panel/sites/${site.id}">${site.name}</a>`;
  const head =
    active === null
      ? html`<h2>${link}</h2><p class="dim">${ownerText(scene, about)}</p>`
      : bannerView({ muster: active, rows: siteRows, now }, false);
  const last = active === null ? lastMusterView(scene) : new Html('');
  const outcome = last.text === '' ? null : html`<p>${last}</p>`;
  return html`${head}${grave}${mapView(scene, 'small')}${outcome}<p>${active === null ? null : html`${link}: `}${peopleText(scene)} · ${alertsText(scene)}</p>`;
}

function quietLine(scene: PanelScene, about: AboutSites): Html {
  const { site } = scene;
  return html`${mapView(scene, 'small')}<p><a href="/panel/sites/${site.id}">${site.name}</a> ${lastMusterView(scene)}<span class="owner dim">${ownerText(scene, about)}</span> <span>${peopleText(scene)}${scene.alerts.length === 0 ? null : html` · ${alertsText(scene)}`}</span></p>`;
}

function peopleText({ site, siteRows }: PanelScene): string {
  const mode = site.privacy_mode === 'on_demand' ? ', on demand' : '';
  return `${many(siteRows.length, 'person', 'people')}, ${locatedAmong(siteRows)} on the map${mode}`;
}

const alertsText = ({ alerts }: PanelScene): string =>
  alerts.length === 0 ? 'no open alert' : many(alerts.length, 'open alert');

/** How many were not safe at the end of the last muster, and of them how many had to be rescued; empty: all were safe. */
function lastMusterView({ world, site, muster }: PanelScene): Html {
  const rows = notSafeRows(world, site);
  if (muster === null || rows.length === 0) return new Html('');
  const rescue = rows.filter(({ rank }) => rank === 'rescue').length;
  const { glyph, word } = PERSON_TERMS.rescue;
  const urgent = rescue === 0 ? null : html` <i aria-hidden="true">${glyph}</i> ${rescue} ${word},`;
  return html`<a class="outcome" href="/panel/musters/${muster.id}"><b>${urgent} ${rows.length} of ${muster.totals.expected} not safe</b> at the end of the muster</a> `;
}

export function tabTitle(world: StreamState, siteId: string | null, title: string): string {
  const muster =
    (siteId === null ? worstOf(world)?.muster : null) ??
    [...world.musters.values()].find(
      ({ status, site }) => status === 'active' && (siteId === null || site.id === siteId),
    );
  if (muster !== undefined) return `${muster.totals.safe}/${muster.totals.expected} safe · ${title}`;
  const open = openAlerts(world, siteId).length;
  return open === 0 ? title : `(${open}) ${title}`;
}

/** Totals of the sandbox: people, alerts, musters, deliveries. */
export function countersView({ world }: PanelLook): Html {
  const open = openAlerts(world, null);
  const critical = open.filter(isOpenCritical).length;
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
