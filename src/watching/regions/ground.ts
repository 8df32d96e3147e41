/** The static part of a map, which changes with the site or the muster only: boundary, zones with their names, origin, scale. [spec 2 Zone] */
import { type Box, overlap } from '../../base/geometry/boxes.ts';
import { bounds, type Point } from '../../base/geometry/shapes.ts';
import { Html, html } from '../../base/text/html.ts';
import type { Zone } from '../../contract/resources.ts';
import { FreeRoom } from '../drawing/labels.ts';
import { areaShape, scaleLine } from '../drawing/plan.ts';
import { roundLength, within } from '../drawing/round.ts';
import { type SiteFrame, siteFrameOf } from '../state/site-frame.ts';
import { plainWords } from '../state/words.ts';
import { glyphsOf, type PlaceName } from './marks.ts';
import type { PanelScene } from './scene.ts';
import { deci } from './window.ts';

interface MapGround {
  readonly view: Html;
  /** The names of zones and assembly points, which stand above people who need nothing. */
  readonly names: readonly PlaceName[];
  /** Boxes of the names, which labels of people must avoid. */
  readonly taken: readonly Box[];
  /** Of these, the names of zones that are no assembly points. */
  readonly coverable: readonly Box[];
}

const SHEET = { place: ([x, y]: Point): Point => [deci(x), deci(-y)] };

/** `hasScale`: false for a small map, which has no scale bar and no capacities. */
export function mapGroundOf(scene: PanelScene, window: Box, metresPerPx: number, hasScale: boolean): MapGround {
  const { site, active } = scene;
  const { flat, boundary, zones: inOrder } = siteFrameOf(site);
  // The names of the last ones are placed first: those of points, and of these the ones that serve the muster.
  const rankOf = ({ zone }: { readonly zone: Zone }): number =>
    zone.type !== 'assembly_point' ? 0 : pointState(scene, zone) === 'unused' ? 1 : 2;
  const zones = inOrder.toSorted((a, b) => rankOf(a) - rankOf(b));
  const shapes = zones.map(({ zone, ring }) => {
    const title = `${zone.name} (${plainWords(zone.type)})`;
    return areaShape(SHEET, ring, `zone ${zone.type} ${pointState(scene, zone)}`, title);
  });
  const origin = active?.origin ?? null;
  const circle =
    origin === null
      ? new Html('')
      : originView(flat.toMetres(origin), origin.radius_m, origin.label ?? origin.zone?.name ?? 'origin', metresPerPx);
  const scale = hasScale ? scaleView(window, metresPerPx) : null;
  const room = new FreeRoom(scale === null ? [] : [scale.box]);
  const names = namesOf(scene, zones, window, metresPerPx, room, hasScale);
  return {
    view: html`${areaShape(SHEET, boundary, 'boundary', site.name)}${shapes}${circle}${scale?.view ?? new Html('')}`,
    names,
    taken: room.taken,
    coverable: names.filter(({ isPoint }) => !isPoint).map(({ box }) => box),
  };
}

const originView = ([x, y]: Point, radiusM: number, label: string, metresPerPx: number): Html =>
  html`<g class="origin"><circle cx="${deci(x)}" cy="${deci(-y)}" r="${deci(Math.max(radiusM, 4 * metresPerPx))}"><title>${label}, ${radiusM} m</title></circle><text x="${deci(x)}" y="${deci(-y)}">✸ ${label}</text></g>`;

/** The role of an assembly point in the active muster. */
function pointState({ active }: PanelScene, zone: Zone): string {
  if (zone.type !== 'assembly_point' || active === null) return '';
  const point = active.assembly_points.find(({ id }) => id === zone.id);
  return point === undefined ? 'unused' : point.excluded === null ? 'target' : 'excluded';
}

/**
 * Names of assembly points are placed first, because they matter most during an evacuation. A name that would cover
 * another one is omitted.
 */
function namesOf(
  scene: PanelScene,
  zones: SiteFrame['zones'],
  window: Box,
  metresPerPx: number,
  room: FreeRoom,
  hasCapacity: boolean,
): readonly (PlaceName & { readonly isPoint: boolean })[] {
  const names: (PlaceName & { readonly isPoint: boolean })[] = [];
  const { all, urgent } = glyphsOf(scene, metresPerPx);
  for (const { zone, ring } of zones.toReversed()) {
    const { minX, maxX, minY, maxY } = bounds(ring);
    const isPoint = zone.type === 'assembly_point';
    const count = isPoint ? countAt(scene, zone, hasCapacity) : { text: '', isFull: false };
    const text = `${zone.name}${count.text}`;
    // Names of points are bold.
    const [width, height] = [text.length * (isPoint ? 7.3 : 6.4) * metresPerPx, 13 * metresPerPx];
    // The name of a zone that is partly out of view is moved into the view.
    const x = within((minX + maxX) / 2, window.x + width / 2, window.x + window.width - width / 2);
    const [top, bottom] = [-maxY, -minY];
    // A name is above or below an assembly point; for any other zone it is inside an edge, where there is room.
    const [above, below] = [top - 4 * metresPerPx, bottom + 12 * metresPerPx];
    const inside = [top + 12 * metresPerPx, bottom - 4 * metresPerPx];
    const lines = isPoint ? [above, below] : [...inside, above, below];
    const boxOf = (line: number): Box => ({ x: x - width / 2, y: line - height, width, height });
    const isInView = (line: number): boolean => line - height > window.y && line < window.y + window.height;
    const free = lines.filter((line) => isInView(line) && room.isFree(boxOf(line)));
    // A name covers a mark where it has no other place; that of somebody to rescue only if it is the name of a point.
    const isClear = (line: number, marks: readonly Box[]): boolean => !marks.some((mark) => overlap(mark, boxOf(line)));
    const clear = free.filter((line) => isClear(line, urgent));
    const y = clear.find((line) => isClear(line, all)) ?? clear[0] ?? (isPoint ? free[0] : undefined);
    const isRoom = isPoint || width < maxX - minX + 40 * metresPerPx;
    if (!isRoom || y === undefined) continue;
    room.take(boxOf(y));
    const view = html`<text class="name ${zone.type} ${pointState(scene, zone)}${count.isFull ? ' full' : ''}" x="${deci(x)}" y="${deci(y)}">${text}</text>`;
    names.push({ isPoint, box: boxOf(y), view });
  }
  return names;
}

/** For example `12/90`, on a small map `12`, and `90/90 full` once as many people are safe at the point as it holds. */
function countAt(
  { active }: PanelScene,
  { id, assembly_point }: Zone,
  hasCapacity: boolean,
): { text: string; isFull: boolean } {
  const point = active?.assembly_points.find((one) => one.id === id);
  if (point === undefined) return { text: '', isFull: false };
  if (point.excluded !== null) return { text: ' ✕', isFull: false };
  const count = point.count ?? 0;
  const capacity = assembly_point?.capacity ?? null;
  if (capacity === null) return { text: ` ${count}`, isFull: false };
  const isFull = count >= capacity;
  const text = isFull ? ` ${count}/${capacity} full` : hasCapacity ? ` ${count}/${capacity}` : ` ${count}`;
  return { text, isFull };
}

/** Target length of the scale bar; CSS pixels. */
const SCALE_PX = 90;

function scaleView({ x, y, height }: Box, metresPerPx: number): { view: Html; box: Box } {
  const metres = roundLength(SCALE_PX * metresPerPx);
  const [left, bottom] = [x + 10 * metresPerPx, y + height - 10 * metresPerPx];
  const tick = 5 * metresPerPx;
  const text = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`;
  const view = html`<g class="scale">${scaleLine([deci(left), deci(bottom)], deci(metres), deci(tick))}<text x="${deci(left + metres + tick)}" y="${deci(bottom)}">${text}</text></g>`;
  const box = { x: left, y: bottom - 14 * metresPerPx, width: metres + 50 * metresPerPx, height: 14 * metresPerPx };
  return { view, box };
}
