/** What of a map stands still between two changes of the site or the muster: boundary, zones with their names, origin, scale. [spec 2 Zone] */
import type { Point } from '../../base/geometry.ts';
import { Html, html } from '../../base/html.ts';
import type { Zone } from '../../contract/resources.ts';
import type { Scene } from './scene.ts';
import { deci, frameOf, overlap, ringOf, type Window } from './window.ts';

export interface Ground {
  readonly view: Html;
  /** Where names stand: labels of people avoid them. */
  readonly taken: readonly Window[];
}

const pathOf = (points: readonly Point[]): string =>
  `${points.map(([x, y], place) => `${place === 0 ? 'M' : 'L'}${deci(x)} ${deci(-y)}`).join('')}Z`;

/** `hasScale`: a small map has none. */
export function groundOf(scene: Scene, window: Window, metresPerPx: number, hasScale: boolean): Ground {
  const { site, active } = scene;
  const { flat } = frameOf(site);
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
  const scale = hasScale ? scaleView(window, metresPerPx) : null;
  const taken: Window[] = scale === null ? [] : [scale.box];
  const names = namesOf(scene, zones, window, metresPerPx, taken);
  return {
    view: html`<path class="boundary" d="${pathOf(ringOf(flat, site.boundary))}"><title>${site.name}</title></path>${shapes}${circle}${names}${scale?.view ?? new Html('')}`,
    taken,
  };
}

const originView = ([x, y]: Point, radiusM: number, label: string, metresPerPx: number): Html =>
  html`<g class="origin"><circle cx="${deci(x)}" cy="${deci(-y)}" r="${deci(Math.max(radiusM, 4 * metresPerPx))}"><title>${label}, ${radiusM} m</title></circle><text x="${deci(x)}" y="${deci(-y)}">✸ ${label}</text></g>`;

/** How a muster uses an assembly point. */
function pointState({ active }: Scene, zone: Zone): string {
  if (zone.type !== 'assembly_point' || active === null) return '';
  const point = active.assembly_points.find(({ id }) => id === zone.id);
  return point === undefined ? 'unused' : point.excluded === null ? 'target' : 'excluded';
}

/** Targets first: where to go matters more than what a yard is called. A name that would cover another is left out. */
function namesOf(scene: Scene, zones: readonly Zone[], window: Window, metresPerPx: number, taken: Window[]): Html[] {
  const { flat } = frameOf(scene.site);
  const names: Html[] = [];
  for (const zone of [...zones].reverse()) {
    if (zone.geometry === null) continue;
    const ring = ringOf(flat, zone.geometry);
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => -y)];
    const isPoint = zone.type === 'assembly_point';
    const count = isPoint ? countAt(scene, zone) : { text: '', isOver: false };
    const text = `${zone.name}${count.text}`;
    const [width, height] = [text.length * 6.4 * metresPerPx, 13 * metresPerPx];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const x = within((left + right) / 2, window.x + width / 2, window.x + window.width - width / 2);
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    // Above or below a point, within the top of any other zone.
    const lines = isPoint ? [top - 4 * metresPerPx, bottom + 12 * metresPerPx] : [top + 12 * metresPerPx];
    const y = lines.find((line) => {
      const box = { x: x - width / 2, y: line - height, width, height };
      return box.y > window.y && !taken.some((other) => overlap(box, other));
    });
    const isRoom = isPoint || width < right - left + 40 * metresPerPx;
    if (!isRoom || y === undefined) continue;
    taken.push({ x: x - width / 2, y: y - height, width, height });
    names.push(
      html`<text class="name ${zone.type} ${pointState(scene, zone)}${count.isOver ? ' over' : ''}" x="${deci(x)}" y="${deci(y)}">${text}</text>`,
    );
  }
  return names;
}

// What is seen in part has its name where it is seen.
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** `382/90` where more are safe than the point holds. */
function countAt({ active }: Scene, { id, assembly_point }: Zone): { text: string; isOver: boolean } {
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

function scaleView({ x, y, height }: Window, metresPerPx: number): { view: Html; box: Window } {
  const power = 10 ** Math.floor(Math.log10(SCALE_PX * metresPerPx));
  const metres = ([5, 2, 1].find((times) => times * power <= SCALE_PX * metresPerPx) ?? 1) * power;
  const [left, bottom] = [x + 10 * metresPerPx, y + height - 10 * metresPerPx];
  const tick = 5 * metresPerPx;
  const text = metres >= 1_000 ? `${metres / 1_000} km` : `${metres} m`;
  const view = html`<g class="scale"><path d="M${deci(left)} ${deci(bottom - tick)}V${deci(bottom)}H${deci(left + metres)}V${deci(bottom - tick)}"></path><text x="${deci(left + metres + tick)}" y="${deci(bottom)}">${text}</text></g>`;
  const box = { x: left, y: bottom - 14 * metresPerPx, width: metres + 50 * metresPerPx, height: 14 * metresPerPx };
  return { view, box };
}
