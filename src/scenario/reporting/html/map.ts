/** The plan of each site with the people on it: as seen at the end of the run; the script shows other instants. */
import { bounds, type Point } from '../../../base/geometry/shapes.ts';
import { Html, html } from '../../../base/text/html.ts';
import { FreeRoom, textBox } from '../../../watching/drawing/labels.ts';
import { areaShape, type Sheet, sheetFor } from '../../../watching/drawing/plan.ts';
import { tenth } from '../../../watching/drawing/round.ts';
import type { ReportPerson, ReportSite, RunReport } from '../report-data.ts';
import { PERSON_STATUSES, type PersonStatus, shapeDefinitions, statusLegend, wordOf } from './person-status.ts';

/** Size of the map, in its own units. */
const SHEET = { longest: 1_000, margin: 40 } as const;

/** Font sizes in map units, for wide pages and phones; the style uses the same sizes. */
const FONT = { wide: 17, narrow: 32 } as const;

/** Draws the sites with at least one person. */
export function mapsOf(report: RunReport): Html {
  const sites = report.sites.filter(({ name }) => report.persons.some(({ site }) => site === name));
  // The legend has the statuses of the run, but the script may need any shape.
  return html`<svg class="definitions" aria-hidden="true"><defs>${new Html(shapeDefinitions(new Set(PERSON_STATUSES)))}</defs></svg>${sites.map((site) => siteMap(site, report))}`;
}

const statusesOf = (persons: readonly ReportPerson[]): ReadonlySet<PersonStatus> =>
  new Set(persons.flatMap(({ statuses }) => statuses.map(({ status }) => status)));

/** Positions in metres. */
const placesOf = ({ moments, truth }: ReportPerson): Point[] => [
  ...moments.flatMap(({ at }) => (at === null ? [] : [[at[0] / 10, at[1] / 10] as const])),
  ...(truth ?? []).flatMap((x, place) => (place % 3 === 1 ? [[x / 10, (truth?.[place + 1] ?? 0) / 10] as const] : [])),
];

/** The scale fits zones and people; a distant boundary is clipped. */
function sheetOf({ boundary, zones }: ReportSite, persons: readonly ReportPerson[]): Sheet {
  const near = [...zones.flatMap(({ ring }) => ring), ...persons.flatMap(placesOf)];
  return sheetFor(bounds(zones.length === 0 ? [...boundary, ...near] : near), SHEET);
}

function siteMap(site: ReportSite, { persons, hasTruth }: RunReport): Html {
  const here = persons.filter((person) => person.site === site.name);
  const sheet = sheetOf(site, here);
  const shapes = site.zones.map(({ name, type, ring }) => areaShape(sheet, ring, `zone ${type}`, `${name} (${type})`));
  const labels = zoneLabels(site, sheet);
  const people = here.map((one) => person(one, persons.indexOf(one), sheet));
  const truths = hasTruth ? here.map((one) => truthMark(one, persons.indexOf(one), sheet)) : null;
  const [left, top] = sheet.place([0, 0]);
  const count = here.length === 1 ? 'one person' : `${here.length} people`;
  return html`<figure class="map"><figcaption><b>${site.name}</b>, ${count}<span class="shown"></span></figcaption>
<svg class="plant" viewBox="0 0 ${sheet.width} ${sheet.height}" data-left="${left}" data-top="${top}" data-scale="${sheet.scale}" role="img" aria-label="Plan of ${site.name}; the table of people has it in words">
${areaShape(sheet, site.boundary, 'boundary')}${shapes}${labels}${truths}${people}</svg>${statusLegend(statusesOf(here))}${hasTruth ? html`<p class="dim">✛ ground truth: where a person really is.</p>` : null}</figure>`;
}

function person({ who, moments, statuses }: ReportPerson, index: number, sheet: Sheet): Html {
  const at = moments.at(-1)?.at ?? null;
  const status = statuses.at(-1)?.status ?? 'calm';
  const [x, y] = at === null ? [0, 0] : sheet.place([at[0] / 10, at[1] / 10]);
  return html`<g class="person ${status}${at === null ? ' unseen-person' : ''}" data-person="${index}" transform="translate(${x} ${y})"><use href="#is-${status}"/><text class="label">${who}</text><title>${who}: ${wordOf(status)}</title></g>`;
}

function truthMark({ who, truth }: ReportPerson, index: number, sheet: Sheet): Html {
  const [x, y] = sheet.place([(truth?.at(-2) ?? 0) / 10, (truth?.at(-1) ?? 0) / 10]);
  return html`<g class="true-place${truth === null ? ' unseen-person' : ''}" data-truth="${index}" transform="translate(${x} ${y})"><path d="M-15 0H15M0-15V15"/><title>${who}: ground truth</title></g>`;
}

/**
 * Draws zone names at the upper edge. If two names overlap, the name of the larger zone is kept, and the other zone has
 * only a tooltip.
 */
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

/** Position of the name: top centre of the bounding box. */
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
