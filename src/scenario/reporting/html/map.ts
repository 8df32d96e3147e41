/** The map of a report: the plant and the reported positions of people, with a time slider. */
import { bounds, type Point } from '../../../base/geometry/shapes.ts';
import { Html, html } from '../../../base/text/html.ts';
import { FreeRoom, textBox } from '../../../drawing/labels.ts';
import { areaShape, type Sheet, sheetFor } from '../../../drawing/plan.ts';
import { tenth } from '../../../drawing/round.ts';
import type { ReportSite, ReportTrack, RunReport } from '../report-data.ts';
import { type PersonStatus, shapeDefinitions, statusLegend, wordOf } from './person-status.ts';

/** In units of the map. */
const SHEET = { longest: 1_000, margin: 40 } as const;

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

/** Scaled to zones and tracks; a distant boundary is clipped. */
function sheetOf({ boundary, zones }: ReportSite, tracks: readonly ReportTrack[]): Sheet {
  const near = [...zones.flatMap(({ ring }) => ring), ...tracks.flatMap(({ points }) => placesOf(points))];
  const shown = zones.length === 0 ? [...boundary, ...near] : near;
  return sheetFor(bounds(shown), SHEET);
}

/** From flattened `t, x, y` triples. */
const placesOf = (points: readonly number[]): Point[] =>
  points.flatMap((x, index) => (index % 3 === 1 ? [[x, points[index + 1] ?? 0] as const] : []));

function siteMap(site: ReportSite, { tracks }: RunReport): Html {
  const here = tracks.filter((track) => track.site === site.name);
  const sheet = sheetOf(site, here);
  const shapes = site.zones.map(({ name, type, ring }) => areaShape(sheet, ring, `zone ${type}`, `${name} (${type})`));
  const labels = zoneLabels(site, sheet);
  const people = here.map((track) => person(track, tracks.indexOf(track), sheet, here.length <= MOST_NAMES));
  const [left, top] = sheet.place([0, 0]);
  return html`<figure class="map"><figcaption><b>${site.name}</b>, as the watches reported it; ${here.length === 1 ? 'one person' : `${here.length} people`}</figcaption>
<svg class="plant" viewBox="0 0 ${sheet.width} ${sheet.height}" data-left="${left}" data-top="${top}" data-scale="${sheet.scale}" role="img" aria-label="Map of ${site.name}">
${areaShape(sheet, site.boundary, 'boundary')}${shapes}${labels}${people}</svg>${statusLegend(statusesOf(here))}</figure>`;
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
  const room = { wide: new FreeRoom(), narrow: new FreeRoom() };
  const fits = (name: string, at: Point, page: keyof typeof FONT): boolean => {
    const box = textBox(name, at, FONT[page]);
    return box.x >= 0 && box.x + box.width <= sheet.width && room[page].take(box);
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
  return [x, tenth(y + 4)];
}

/** Area of the bounding box, to compare sizes. */
function areaOf(ring: readonly Point[]): number {
  const { minX, maxX, minY, maxY } = bounds(ring);
  return (maxX - minX) * (maxY - minY);
}
