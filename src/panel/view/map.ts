/** The map of a site as SVG: where it ends, its zones, everybody as a dot, and by code those who need somebody. [spec 2 Zone, Location] */
import type { Frame, Point } from '../../base/geometry.ts';
import { Html, html } from '../../base/html.ts';
import type { Location, Zone } from '../../contract/resources.ts';
import type { FeedSite } from '../../watching/feed.ts';
import type { Fare, PersonRow } from '../../watching/people.ts';
import { flatOf, ringOf } from './places.ts';
import type { Scene } from './scene.ts';
import { fareWord, GLYPH } from './words.ts';

/** The ground that is shown, in metres; y grows to the south as in SVG. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How wide a map is taken to be where nobody can measure it; CSS pixels. */
const SIZE_PX = { large: [700, 480], small: [380, 240] } as const;
export type MapSize = keyof typeof SIZE_PX;

/** So many are named at most; beyond that a name would cover its neighbour. */
const MOST_NAMED = 40;

interface Ground {
  readonly flat: Frame;
  /** As far as the boundary. */
  readonly whole: Window;
  /** As far as the zones: where people are. */
  readonly zones: Window;
}

const grounds = new WeakMap<FeedSite, Ground>();

function groundOf(site: FeedSite): Ground {
  let ground = grounds.get(site);
  if (ground === undefined) {
    const flat = flatOf(site);
    const whole = around(ringOf(flat, site.boundary));
    const corners = site.zones.flatMap(({ geometry }) => (geometry === null ? [] : ringOf(flat, geometry)));
    ground = { flat, whole, zones: corners.length === 0 ? whole : around(corners) };
    grounds.set(site, ground);
  }
  return ground;
}

/** With a margin, in the form of a screen: no sliver of a long quay. */
function around(points: readonly Point[]): Window {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => -y)];
  const [west, north, east, south] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const margin = Math.max(east - west, south - north, 50) * 0.05;
  const height = Math.max(south - north + 2 * margin, (east - west) * 0.45);
  const width = Math.max(east - west + 2 * margin, height * 1.3);
  return { x: (west + east - width) / 2, y: (north + south - height) / 2, width, height };
}

/** All of the site, as far out as one can look. */
export const wholeOf = (site: FeedSite): Window => groundOf(site).whole;
/** What a map shows first. */
export const firstOf = (site: FeedSite): Window => groundOf(site).zones;

/** Metres of a CSS pixel in a box of that size. */
export const scaleOf = ({ width, height }: Window, widthPx: number, heightPx: number): number =>
  Math.max(width / Math.max(1, widthPx), height / Math.max(1, heightPx));

/** A map is drawn in whole decimetres: digits of a fraction cost more to write and to read than the map is worth. */
const deci = (metres: number): number => Math.round(metres * 10);

const pathOf = (points: readonly Point[]): string =>
  `${points.map(([x, y], place) => `${place === 0 ? 'M' : 'L'}${deci(x)} ${deci(-y)}`).join('')}Z`;

/** What stands still between two changes of the site or the muster. */
export function groundView(scene: Scene, window: Window, metresPerPx: number): Html {
  const { site, active } = scene;
  const { flat } = groundOf(site);
  const zones = [...site.zones].sort(
    (a, b) => Number(a.type === 'assembly_point') - Number(b.type === 'assembly_point'),
  );
  const shapes = zones.flatMap((zone) =>
    zone.geometry === null
      ? []
      : [
          html`<path class="zone ${zone.type} ${pointState(scene, zone)}" d="${pathOf(ringOf(flat, zone.geometry))}"><title>${zone.name} (${zone.type.replaceAll('_', ' ')})</title></path>`,
        ],
  );
  const origin = active?.origin ?? null;
  const circle =
    origin === null
      ? new Html('')
      : originView(flat.toMetres(origin), origin.radius_m, origin.label ?? origin.zone?.name ?? 'origin', metresPerPx);
  return html`<path class="boundary" d="${pathOf(ringOf(flat, site.boundary))}"><title>${site.name}</title></path>${shapes}${circle}${namesOf(scene, zones, window, metresPerPx)}`;
}

const originView = ([x, y]: Point, radiusM: number, label: string, metresPerPx: number): Html =>
  html`<g class="origin"><circle cx="${deci(x)}" cy="${deci(-y)}" r="${deci(Math.max(radiusM, 4 * metresPerPx))}"><title>${label}, ${radiusM} m</title></circle><text x="${deci(x)}" y="${deci(-y)}">✸ ${label}</text></g>`;

/** How a muster uses an assembly point. */
function pointState({ active }: Scene, zone: Zone): string {
  if (zone.type !== 'assembly_point' || active === null) return '';
  const point = active.assembly_points.find(({ id }) => id === zone.id);
  return point === undefined ? 'unused' : point.excluded === null ? 'target' : 'excluded';
}

/** Targets first: where to go matters more than what a yard is called. What would cover another name is left out. */
function namesOf(scene: Scene, zones: readonly Zone[], window: Window, metresPerPx: number): Html[] {
  const { flat } = groundOf(scene.site);
  const taken: Window[] = [];
  const names: Html[] = [];
  for (const zone of [...zones].reverse()) {
    if (zone.geometry === null) continue;
    const ring = ringOf(flat, zone.geometry);
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => -y)];
    const isPoint = zone.type === 'assembly_point';
    const text = isPoint ? `${zone.name}${countAt(scene, zone.id)}` : zone.name;
    const [width, height] = [text.length * 6.4 * metresPerPx, 13 * metresPerPx];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const x = within((left + right) / 2, window.x + width / 2, window.x + window.width - width / 2);
    const top = Math.min(...ys);
    const y = isPoint ? top - 4 * metresPerPx : top + 12 * metresPerPx;
    const place = { x: x - width / 2, y: y - height, width, height };
    const isRoom = isPoint || width < right - left + 40 * metresPerPx;
    if (!isRoom || taken.some((other) => overlap(place, other))) continue;
    taken.push(place);
    names.push(
      html`<text class="name ${zone.type} ${pointState(scene, zone)}" x="${deci(x)}" y="${deci(y)}">${text}</text>`,
    );
  }
  return names;
}

// What is seen in part has its name where it is seen.
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

const overlap = (a: Window, b: Window): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function countAt({ active }: Scene, id: string): string {
  const point = active?.assembly_points.find((one) => one.id === id);
  if (point === undefined) return '';
  return point.excluded === null ? ` ${point.count ?? 0}` : ' ✕';
}

export const isException = ({ fare, needsRescue, alert }: PersonRow): boolean =>
  needsRescue || (fare !== 'safe' && fare !== 'pending' && fare !== 'person') || alert?.severity === 'critical';

export const isGrave = ({ fare, needsRescue, alert }: PersonRow): boolean =>
  needsRescue || fare === 'help' || alert?.severity === 'critical';

const DOT_FARES = ['safe', 'pending', 'person'] as const satisfies readonly Fare[];
export type DotFare = (typeof DOT_FARES)[number];
/** Everybody of whom nothing is to be said: one path for each status, a dot a person. */
export function dotsOf({ site, everybody }: Scene): Record<DotFare, string> {
  const { flat } = groundOf(site);
  const parts: Record<DotFare, string[]> = { safe: [], pending: [], person: [] };
  for (const row of everybody) {
    const { location } = row.person;
    if (location === null || isException(row)) continue;
    const [x, y] = flat.toMetres(location);
    parts[row.fare as DotFare].push(`M${deci(x)} ${deci(-y)}h0`);
  }
  return { safe: parts.safe.join(''), pending: parts.pending.join(''), person: parts.person.join('') };
}

/** Somebody about whom something is to be said. Where they are stands apart: they walk, and nothing else of them is other. */
export interface Mark {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** Equal where nothing but the place is other. */
  readonly identity: string;
  readonly view: () => Html;
}

/** The gravest on top; each leads to their page. */
export function marksOf({ site, everybody }: Scene): Mark[] {
  const { flat } = groundOf(site);
  const rows = everybody.filter((row) => row.person.location !== null && isException(row));
  rows.sort((a, b) => Number(isGrave(a)) - Number(isGrave(b)));
  return rows.map((row, place) => {
    const [east, north] = flat.toMetres(row.person.location as Location);
    const [x, y] = [deci(east), deci(-north)];
    const isNamed = isGrave(row) && rows.length - place <= MOST_NAMED;
    const fare = isGrave(row) ? 'help' : row.fare;
    const why = row.alert === null ? fareWord(row.fare) : row.alert.title;
    const view = (): Html => {
      const code = isNamed ? html`<tspan class="code" dx=".2em">${row.code}</tspan>` : new Html('');
      return html`<a href="/panel/people/${row.id}" data-key="${row.id}" class="mark ${fare}"><title>${row.code} ${row.worker.name ?? ''}: ${why}</title><text x="${x}" y="${y}">${GLYPH[fare]}${code}</text></a>`;
    };
    return { key: row.id, x, y, identity: `${fare} ${isNamed} ${row.code} ${row.worker.name} ${why}`, view };
  });
}

/** A pin where something happened. */
const pinView = (site: FeedSite, pin: { readonly latitude: number; readonly longitude: number }): Html => {
  const [x, y] = groundOf(site).flat.toMetres(pin);
  return html`<g class="pin"><circle cx="${deci(x)}" cy="${deci(-y)}" r="30"></circle><text x="${deci(x)}" y="${deci(-y)}">✛</text></g>`;
};

export const viewBoxOf = ({ x, y, width, height }: Window): string => [x, y, width, height].map(deci).join(' ');

/** The whole map. `pin`: where an alert fired. The list beside it says in words what it shows. */
export function mapView(
  scene: Scene,
  size: MapSize,
  pin: { readonly latitude: number; readonly longitude: number } | null = null,
): Html {
  const { site, everybody } = scene;
  const window = firstOf(site);
  const [widthPx, heightPx] = SIZE_PX[size];
  const scale = scaleOf(window, widthPx, heightPx);
  const dots = dotsOf(scene);
  const located = everybody.filter(({ person }) => person.location !== null).length;
  const paths = DOT_FARES.map((fare) => html`<path class="dots ${fare}" d="${dots[fare]}"></path>`);
  const buttons =
    size === 'large'
      ? html`<div class="zoom" hidden><button type="button" data-zoom="in" aria-label="Nearer">+</button><button type="button" data-zoom="out" aria-label="Farther">−</button><button type="button" data-zoom="all" aria-label="The whole site">⤢</button></div>`
      : new Html('');
  return html`<div class="map ${size}" data-map="${site.id}"${new Html(size === 'large' ? ' tabindex="0" role="group"' : '')} aria-label="Map of ${site.name}; arrow keys move it, plus and minus zoom"><svg viewBox="${viewBoxOf(window)}" style="--m:${10 * scale}" role="group" aria-label="Map of ${site.name}: ${located} of ${everybody.length} people are on it"><g class="ground">${groundView(scene, window, scale)}</g>${paths}<g class="marks">${marksOf(scene).map(({ view }) => view())}</g>${pin === null ? new Html('') : pinView(site, pin)}</svg>${buttons}</div>`;
}
