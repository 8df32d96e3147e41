/** The plan of a site: metres to the units of a drawing, its areas, and its scale bar. */
import type { Bounds, Point } from '../../base/geometry/shapes.ts';
import { type Html, html } from '../../base/text/html.ts';
import { tenth } from './round.ts';

/** Where a point of the site is on the drawing; north is up. */
interface Placing {
  place(point: Point): Point;
}

export interface Sheet extends Placing {
  readonly width: number;
  readonly height: number;
  /** Units of the drawing for one metre. */
  readonly scale: number;
}

/** `longest` is the longer side with its two margins; both in units of the drawing. */
export function sheetFor(
  { minX, maxX, minY, maxY }: Bounds,
  { longest, margin }: { readonly longest: number; readonly margin: number },
): Sheet {
  const scale = (longest - 2 * margin) / Math.max(1, maxX - minX, maxY - minY);
  return {
    width: Math.ceil((maxX - minX) * scale + 2 * margin),
    height: Math.ceil((maxY - minY) * scale + 2 * margin),
    scale,
    place: ([x, y]) => [tenth(margin + (x - minX) * scale), tenth(margin + (maxY - y) * scale)],
  };
}

/** A zone, the boundary, water. A title is what a pointer is shown. */
export function areaShape(sheet: Placing, ring: readonly Point[], classes: string, title: string | null = null): Html {
  const points = ring.map((corner) => sheet.place(corner).join(',')).join(' ');
  const titled = title === null ? null : html`<title>${title}</title>`;
  return html`<polygon class="${classes}" points="${points}">${titled}</polygon>`;
}

/** The line of a scale bar, from its left end: a tick up at both ends. */
export const scaleLine = ([x, y]: Point, length: number, tick: number): Html =>
  html`<path d="M${x},${y - tick}v${tick}h${length}v${-tick}"></path>`;
