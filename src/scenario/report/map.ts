/** The map of a report: the plant, and where the watches said people were; a slider moves through time. */

import type { Point } from '../../base/geometry.ts';
import { type Html, html } from '../../base/html.ts';
import { round } from './axis.ts';
import type { RunReport, ToldSite } from './report-data.ts';

const SIZE = 1_000;
const MARGIN = 24;

/** Names of so many people can be read; more are dots with a title. */
const MOST_NAMES = 16;

/** Sites where somebody was seen; where nobody was, there is nothing to look at. */
export function mapsOf(report: RunReport): Html {
  const seen = report.sites.filter(({ name }) => report.tracks.some(({ site }) => site === name));
  return html`${seen.map((site) => siteMap(site, report))}`;
}

interface Sheet {
  readonly width: number;
  readonly height: number;
  /** Pixels a metre. */
  readonly scale: number;
  place(point: Point): Point;
}

function sheetOf({ boundary }: ToldSite): Sheet {
  const xs = boundary.map(([x]) => x);
  const ys = boundary.map(([, y]) => y);
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = (SIZE - 2 * MARGIN) / Math.max(1, right - left, top - bottom);
  return {
    width: Math.ceil((right - left) * scale + 2 * MARGIN),
    height: Math.ceil((top - bottom) * scale + 2 * MARGIN),
    scale,
    // North is up.
    place: ([x, y]) => [round(MARGIN + (x - left) * scale), round(MARGIN + (top - y) * scale)],
  };
}

function siteMap(site: ToldSite, { tracks }: RunReport): Html {
  const sheet = sheetOf(site);
  const here = tracks.filter((track) => track.site === site.name);
  const named = here.length <= MOST_NAMES;
  const polygon = (ring: readonly Point[]): string => ring.map((point) => sheet.place(point).join(',')).join(' ');
  const zones = site.zones.map(({ name, type, ring }) => {
    const [x, y] = sheet.place(middle(ring));
    return html`<polygon class="zone ${type}" points="${polygon(ring)}"><title>${name} (${type})</title></polygon><text class="zone" x="${x}" y="${y}">${name}</text>`;
  });
  const people = here.map(({ who, points }) => {
    const [x, y] = sheet.place([points.at(-2) ?? 0, points.at(-1) ?? 0]);
    const name = named ? html`<text x="9" y="6">${who}</text>` : null;
    return html`<g class="person" data-track="${tracks.findIndex((track) => track.site === site.name && track.who === who)}" transform="translate(${x} ${y})"><circle r="6"/>${name}<title>${who}</title></g>`;
  });
  const [left, top] = sheet.place([0, 0]);
  return html`<figure class="map"><figcaption><b>${site.name}</b>, as the watches reported it; ${here.length} people</figcaption>
<svg class="plant" viewBox="0 0 ${sheet.width} ${sheet.height}" data-left="${left}" data-top="${top}" data-scale="${sheet.scale}" role="img" aria-label="Map of ${site.name}">
<polygon class="boundary" points="${polygon(site.boundary)}"/>${zones}${people}</svg></figure>`;
}

const middle = (ring: readonly Point[]): Point => [
  ring.reduce((sum, [x]) => sum + x, 0) / ring.length,
  ring.reduce((sum, [, y]) => sum + y, 0) / ring.length,
];
