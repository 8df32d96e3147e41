/** The part of a site that the map shows: zones and people to rescue, without an empty perimeter. */
import { bounds, type Point } from '../base/geometry/shapes.ts';
import type { StreamSite } from '../contract/stream.ts';
import { isUrgentMark, markRankOf, type PersonRow } from '../watching/state/people.ts';
import { siteFrameOf } from '../watching/state/site-frame.ts';

/** Metres in the local frame of the site. */
export interface MapBox {
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

/** The box grows in steps of this fraction of the site, so that the map does not move whenever a person moves. */
const STEPS = 24;
/**
 * Positions farther outside than this fraction of the site are ignored: they are wrong, or not at the site. The list
 * still has these people.
 */
const OUTSIDE = 0.25;

/** The box of the whole boundary. Null if the site has no boundary. */
export function siteBox(site: StreamSite): MapBox | null {
  const { boundary } = siteFrameOf(site);
  return boundary.length === 0 ? null : bounds(boundary);
}

/**
 * The box of the zones and of the people to rescue, with a margin; the boundary may be cut. Others do not change it, so the
 * map stands still while they move.
 */
export function fitBox(site: StreamSite, rows: readonly PersonRow[]): MapBox | null {
  const whole = siteBox(site);
  if (whole === null) return null;
  const { flat, zones } = siteFrameOf(site);
  const [width, height] = [whole.maxX - whole.minX, whole.maxY - whole.minY];
  const isNear = ([x, y]: Point): boolean =>
    x >= whole.minX - width * OUTSIDE &&
    x <= whole.maxX + width * OUTSIDE &&
    y >= whole.minY - height * OUTSIDE &&
    y <= whole.maxY + height * OUTSIDE;
  let box: { -readonly [K in keyof MapBox]: number } | null = null;
  const include = ([x, y]: Point): void => {
    if (box === null) box = { minX: x, maxX: x, minY: y, maxY: y };
    else {
      box.minX = Math.min(box.minX, x);
      box.maxX = Math.max(box.maxX, x);
      box.minY = Math.min(box.minY, y);
      box.maxY = Math.max(box.maxY, y);
    }
  };
  for (const { ring } of zones) ring.filter(isNear).forEach(include);
  for (const row of rows) {
    const { location } = row.person;
    if (location === null || !isUrgentMark(markRankOf(row))) continue;
    const point = flat.toMetres(location);
    if (isNear(point)) include(point);
  }
  const fitted = box as MapBox | null;
  return fitted === null ? whole : snapped(fitted, whole, width / STEPS, height / STEPS);
}

/** Extends the box to the next step, and by half a step as a margin. */
function snapped(box: MapBox, whole: MapBox, stepX: number, stepY: number): MapBox {
  const down = (value: number, from: number, step: number): number =>
    from + (Math.floor((value - from) / step) - 0.5) * step;
  const up = (value: number, from: number, step: number): number =>
    from + (Math.ceil((value - from) / step) + 0.5) * step;
  return {
    minX: down(box.minX, whole.minX, stepX),
    maxX: up(box.maxX, whole.minX, stepX),
    minY: down(box.minY, whole.minY, stepY),
    maxY: up(box.maxY, whole.minY, stepY),
  };
}
