/** The regions of the panel in a report: the sites at one instant, drawn by the server first, and then by the script of the page. */
import { type Html, html } from '../../../base/text/html.ts';
import { musterTitle } from '../../../watching/regions/muster.ts';
import { type Region, type RegionSubject, regionSection } from '../../../watching/regions/regions.ts';
import type { PanelLook, PanelReader } from '../../../watching/regions/scene.ts';
import { musterOf, type StreamState, sitesOf } from '../../../watching/state/state.ts';
import type { ReportTruth } from '../seen/truth.ts';
import { truthLayer } from './truth-layer.ts';

/** A report acts on nothing, runs no command, and links to its own parts only. */
export const READER: PanelReader = {
  acts: false,
  operator: '',
  filter: '',
  all: false,
  by: 'person',
  cli: '',
  links: '#',
};

/** `t`: ms from the start. */
export const lookAt = (
  world: StreamState,
  { startMs, t, truth }: { readonly startMs: number; readonly t: number; readonly truth: ReportTruth | null },
  reader: PanelReader = READER,
): PanelLook => ({
  world,
  now: startMs + t,
  reader,
  ...(truth === null ? {} : { layer: (site) => truthLayer(site, truth, t) }),
});

/** In the order of the page. */
const REGIONS: readonly Region[] = ['banner', 'map', 'not-safe', 'people', 'points', 'other-alerts', 'curve'];

/** Regions about the newest muster of the site, also when it is over. Of the points nothing is known then. */
const OF_MUSTER: readonly Region[] = ['banner', 'not-safe', 'curve'];

export function subjectOf(region: Region, world: StreamState, site: string): RegionSubject {
  if (region === 'map') return { site, size: 'large' };
  const muster = musterOf(world, site)?.id;
  return muster !== undefined && OF_MUSTER.includes(region) ? { site, muster } : { site };
}

/** `ids`: those of the sites that the page has. A site that is not there at this instant is empty. */
export const regionsView = (look: PanelLook, ids: readonly string[]): Html =>
  html`${ids.map((id) => {
    const parts = REGIONS.map((region) => regionSection(region, look, subjectOf(region, look.world, id)));
    return html`<section class="at-site" data-at="${id}" aria-label="${look.world.sites.get(id)?.name ?? 'A site'}"><h3>${siteTitle(look.world, id)}</h3>${parts}</section>`;
  })}`;

/** The site, and its newest muster. */
export function siteTitle(world: StreamState, id: string): string {
  const muster = musterOf(world, id);
  return muster === null ? (world.sites.get(id)?.name ?? '') : musterTitle(muster);
}

/** The sites where people are seen in any of these states. */
export const shownSites = (worlds: readonly StreamState[]): string[] => {
  const ids = new Set(worlds.flatMap(({ workers }) => [...workers.values()].map(({ site_id }) => site_id)));
  const known = worlds.flatMap((world) => sitesOf(world).map(({ id }) => id));
  return [...new Set(known)].filter((id) => ids.has(id));
};
