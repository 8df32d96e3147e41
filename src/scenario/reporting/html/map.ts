/** The map of a report: the plant and the reported positions of people, with a time slider. */
import { type Box, overlap } from '../../../base/geometry/boxes.ts';
import { bounds, type Point } from '../../../base/geometry/shapes.ts';
import { Html, html } from '../../../base/text/html.ts';
import type { ReportSite, ReportTrack, RunReport } from '../report-data.ts';
import { round } from './axis.ts';
import { type PersonStatus, shapeDefinitions, statusLegend, wordOf } from './person-status.ts';

const SIZE = 1_000;
const MARGIN = 40;

/** Maximum number of legible names; further people are shapes with a title. */
const MOST_NAMES = 16;

/** Font sizes in map units, for wide pages and phones; as in the style. */
const FONT = { wide: 17, narrow: 32 } as const;

/** Sites with at least one track. */
export function mapsOf(report: RunReport): Html {
  const seen = report.sites.filter(({ name }) => report.tracks.some(({ site }) => site === name));
  const known = statusesOf(report.tracks);
  return html`<svg class="definitions" aria-hidden="true"><defs>${new Html(shapeDefinitions(known))}</defs></svg>${seen.map((site) => siteMap(site, report))}`;
}

const statusesOf = (tracks: readonly ReportTrack[]): ReadonlySet<PersonStatus> =>
  new Set(tracks.flatMap(({ standing }) => standing.map(({ status }) => status)));

interface Sheet {
  readonly width: number;
  readonly height: number;
  /** Pixels per metre. */
  readonly scale: number;
  place(point: Point): Point;
}

/** Scaled to zones and tracks; a distant boundary is clipped. */
function sheetOf({ boundary, zones }: ReportSite, tracks: readonly ReportTrack[]): Sheet {
  const near = [...zones.flatMap(({ ring }) => ring), ...tracks.flatMap(({ points }) => placesOf(points))];
  const shown = zones.length === 0 ? [...boundary, ...near] : near;
  const { minX: left, maxX: right, minY: bottom, maxY: top } = bounds(shown);
  const scale = (SIZE - 2 * MARGIN) / Math.max(1, right - left, top - bottom);
  return {
    width: Math.ceil((right - left) * scale + 2 * MARGIN),
    height: Math.ceil((top - bottom) * scale + 2 * MARGIN),
    scale,
    // North is up.
    place: ([x, y]) => [round(MARGIN + (x - left) * scale), round(MARGIN + (top - y) * scale)],
  };
}

/** From flattened `t, x, y` triples. */
const placesOf = (points: readonly number[]): Point[] =>
  points.flatMap((x, index) => (index % 3 === 1 ? [[x, points[index + 1] ?? 0] as const] : []));

function siteMap(site: ReportSite, { tracks }: RunReport): Html {
  const here = tracks.filter((track) => track.site === site.name);
  const sheet = sheetOf(site, here);
  const polygon = (ring: readonly Point[]): string => ring.map((point) => sheet.place(point).join(',')).join(' ');
  const shapes = site.zones.map(
    ({ name, type, ring }) =>
      html`<polygon class="zone ${type}" points="${polygon(ring)}"><title>${name} (${type})</title></polygon>`,
  );
  const labels = zoneLabels(site, sheet);
  const people = here.map((track) => person(track, tracks.indexOf(track), sheet, here.length <= MOST_NAMES));
  const [left, top] = sheet.place([0, 0]);
  return html`<figure class="map"><figcaption><b>${site.name}</b>, as the watches reported it; ${here.length === 1 ? 'one person' : `${here.length} people`}</figcaption>
<svg class="plant" viewBox="0 0 ${sheet.width} ${sheet.height}" data-left="${left}" data-top="${top}" data-scale="${sheet.scale}" role="img" aria-label="Map of ${site.name}">
<polygon class="boundary" points="${polygon(site.boundary)}"/>${shapes}${labels}${people}</svg>${statusLegend(statusesOf(here))}</figure>`;
}

/** The person at the end of the run; the script moves them through time and places names. */
function person({ who, points, standing }: ReportTrack, index: number, sheet: Sheet, named: boolean): Html {
  const [x, y] = sheet.place([points.at(-2) ?? 0, points.at(-1) ?? 0]);
  const status = standing.at(-1)?.status ?? 'calm';
  const name = named ? html`<text class="label">${who}</text>` : null;
  return html`<g class="person ${status}" data-track="${index}" transform="translate(${x} ${y})"><use href="#is-${status}"/>${name}<title>${who}: ${wordOf(status)}</title></g>`;
}

/** Zone names at the upper edge, clear of people; of two overlapping names the larger zone's is kept, the other zone has its title only. */
function zoneLabels({ zones }: ReportSite, sheet: Sheet): Html[] {
  const placed = zones
    .map(({ name, ring }) => ({ name, at: topOf(ring, sheet), area: areaOf(ring) }))
    .sort((a, b) => b.area - a.area);
  const taken: { readonly [K in keyof typeof FONT]: Box[] } = { wide: [], narrow: [] };
  const fits = (name: string, at: Point, page: keyof typeof FONT): boolean => {
    const box = boxOf(name, at, FONT[page]);
    const free = box.x >= 0 && box.x + box.width <= sheet.width && !taken[page].some((other) => overlap(box, other));
    if (free) taken[page].push(box);
    return free;
  };
  return placed.flatMap(({ name, at }) => {
    const [wide, narrow] = [fits(name, at, 'wide'), fits(name, at, 'narrow')];
    if (!wide && !narrow) return [];
    const only = wide && narrow ? '' : wide ? ' wide-only' : ' narrow-only';
    return [html`<text class="zone${only}" x="${at[0]}" y="${at[1]}">${name}</text>`];
  });
}

/** Anchor of the name: top centre of the bounding box. */
function topOf(ring: readonly Point[], sheet: Sheet): Point {
  const { minX, maxX, maxY } = bounds(ring);
  const [x, y] = sheet.place([(minX + maxX) / 2, maxY]);
  return [x, round(y + 4)];
}

/** Area of the bounding box, to compare sizes. */
function areaOf(ring: readonly Point[]): number {
  const { minX, maxX, minY, maxY } = bounds(ring);
  return (maxX - minX) * (maxY - minY);
}

/** Average character width of a sans serif font in em, rounded up. */
const CHARACTER = 0.6;

/** Bounding box of a text whose top centre is `at`. */
function boxOf(text: string, [x, y]: Point, font: number): Box {
  const width = text.length * font * CHARACTER;
  return { x: x - width / 2, y, width, height: font * 1.2 };
}
