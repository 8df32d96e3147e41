/** The static part of a map, which changes with the site or the muster only: boundary, zones with their names, origin, scale. [spec 2 Zone] */
import { type Box, overlap } from '../../base/geometry/boxes.ts';
import { bounds, type Point } from '../../base/geometry/shapes.ts';
import { Html, html } from '../../base/text/html.ts';
import type { Zone } from '../../contract/resources.ts';
import { type SiteFrame, siteFrameOf } from '../../watching/site-frame.ts';
import { plainWords } from '../../watching/words.ts';
import type { PanelScene } from './scene.ts';
import { deci } from './window.ts';

interface MapGround {
  readonly view: Html;
  /** Boxes of the names: labels of people avoid them. */
  readonly taken: readonly Box[];
}

const pathOf = (points: readonly Point[]): string =>
  `${points.map(([x, y], place) => `${place === 0 ? 'M' : 'L'}${deci(x)} ${deci(-y)}`).join('')}Z`;

/** `hasScale`: a small map has no scale bar. */
export function mapGroundOf(scene: PanelScene, window: Box, metresPerPx: number, hasScale: boolean): MapGround {
  const { site, active } = scene;
  const { flat, boundary, zones: inOrder } = siteFrameOf(site);
  const zones = inOrder.toSorted(
    (a, b) => Number(a.zone.type === 'assembly_point') - Number(b.zone.type === 'assembly_point'),
  );
  const shapes = zones.map(
    ({ zone, ring }) =>
      html`<path class="zone ${zone.type} ${pointState(scene, zone)}" d="${pathOf(ring)}"><title>${zone.name} (${plainWords(zone.type)})</title></path>`,
  );
  const origin = active?.origin ?? null;
  const circle =
    origin === null
      ? new Html('')
      : originView(flat.toMetres(origin), origin.radius_m, origin.label ?? origin.zone?.name ?? 'origin', metresPerPx);
  const scale = hasScale ? scaleView(window, metresPerPx) : null;
  const taken: Box[] = scale === null ? [] : [scale.box];
  const names = namesOf(scene, zones, window, metresPerPx, taken);
  return {
    view: html`<path class="boundary" d="${pathOf(boundary)}"><title>${site.name}</title></path>${shapes}${circle}${names}${scale?.view ?? new Html('')}`,
    taken,
  };
}

const originView = ([x, y]: Point, radiusM: number, label: string, metresPerPx: number): Html =>
  html`<g class="origin"><circle cx="${deci(x)}" cy="${deci(-y)}" r="${deci(Math.max(radiusM, 4 * metresPerPx))}"><title>${label}, ${radiusM} m</title></circle><text x="${deci(x)}" y="${deci(-y)}">✸ ${label}</text></g>`;

/** How the active muster uses an assembly point. */
function pointState({ active }: PanelScene, zone: Zone): string {
  if (zone.type !== 'assembly_point' || active === null) return '';
  const point = active.assembly_points.find(({ id }) => id === zone.id);
  return point === undefined ? 'unused' : point.excluded === null ? 'target' : 'excluded';
}

/** Targets first: where to go matters most. A name that would cover another is left out. */
function namesOf(scene: PanelScene, zones: SiteFrame['zones'], window: Box, metresPerPx: number, taken: Box[]): Html[] {
  const names: Html[] = [];
  for (const { zone, ring } of zones.toReversed()) {
    const { minX, maxX, minY, maxY } = bounds(ring);
    const isPoint = zone.type === 'assembly_point';
    const count = isPoint ? countAt(scene, zone) : { text: '', isOver: false };
    const text = `${zone.name}${count.text}`;
    const [width, height] = [text.length * 6.4 * metresPerPx, 13 * metresPerPx];
    const x = within((minX + maxX) / 2, window.x + width / 2, window.x + window.width - width / 2);
    const [top, bottom] = [-maxY, -minY];
    // Above or below an assembly point, inside the top edge of any other zone.
    const lines = isPoint ? [top - 4 * metresPerPx, bottom + 12 * metresPerPx] : [top + 12 * metresPerPx];
    const y = lines.find((line) => {
      const box = { x: x - width / 2, y: line - height, width, height };
      return box.y > window.y && !taken.some((other) => overlap(box, other));
    });
    const isRoom = isPoint || width < maxX - minX + 40 * metresPerPx;
    if (!isRoom || y === undefined) continue;
    taken.push({ x: x - width / 2, y: y - height, width, height });
    names.push(
      html`<text class="name ${zone.type} ${pointState(scene, zone)}${count.isOver ? ' over' : ''}" x="${deci(x)}" y="${deci(y)}">${text}</text>`,
    );
  }
  return names;
}

// The name of a zone that is partly out of view stays in view.
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** `382/90` if more people are safe there than it holds. */
function countAt({ active }: PanelScene, { id, assembly_point }: Zone): { text: string; isOver: boolean } {
  const point = active?.assembly_points.find((one) => one.id === id);
  if (point === undefined) return { text: '', isOver: false };
  if (point.excluded !== null) return { text: ' ✕', isOver: false };
  const count = point.count ?? 0;
  const capacity = assembly_point?.capacity ?? null;
  return capacity !== null && count > capacity
    ? { text: ` ${count}/${capacity} full`, isOver: true }
    : { text: ` ${count}`, isOver: false };
}

/** Target length of the scale bar; CSS pixels. */
const SCALE_PX = 90;

function scaleView({ x, y, height }: Box, metresPerPx: number): { view: Html; box: Box } {
  const power = 10 ** Math.floor(Math.log10(SCALE_PX * metresPerPx));
  const metres = ([5, 2, 1].find((times) => times * power <= SCALE_PX * metresPerPx) ?? 1) * power;
  const [left, bottom] = [x + 10 * metresPerPx, y + height - 10 * metresPerPx];
  const tick = 5 * metresPerPx;
  const text = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`;
  const view = html`<g class="scale"><path d="M${deci(left)} ${deci(bottom - tick)}V${deci(bottom)}H${deci(left + metres)}V${deci(bottom - tick)}"></path><text x="${deci(left + metres + tick)}" y="${deci(bottom)}">${text}</text></g>`;
  const box = { x: left, y: bottom - 14 * metresPerPx, width: metres + 50 * metresPerPx, height: 14 * metresPerPx };
  return { view, box };
}
