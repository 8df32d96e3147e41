/** Converts boxes, polygons and GeoJSON of a file to rings in metres, and reports wrong shapes. */

import {
  convexHull,
  distance,
  isSimpleRing,
  type LocalFrame,
  type Point,
  polygonArea,
  type Ring,
} from '../base/geometry/shapes.ts';
import type { FilePlace } from './mistakes.ts';
import { FARTHEST_M } from './section-words.ts';

/** A ring with a smaller area counts as empty, whatever its corners are; square metres. */
const LEAST_AREA_M2 = 0.01;

/**
 * The ring without repeated corners. Returns null and reports a mistake if the ring encloses no area or crosses itself.
 */
export function soundRing(corners: Ring, noun: string, at: FilePlace): Point[] | null {
  const ring = corners.filter((corner, i) => !same(corner, corners[(i + 1) % corners.length]!) || corners.length === 1);
  if (ring.length < 3 || polygonArea(convexHull(ring)) < LEAST_AREA_M2)
    return at.mistake(`${noun} has no area. Write corners that do not lie on one line.`);
  if (!isSimpleRing(ring))
    return at.mistake(
      `The outline of ${noun} crosses or touches itself. Write the corners in the order of a walk around it.`,
    );
  return ring;
}

/**
 * The corners of a GeoJSON ring in metres. Returns null and reports the wrong position if one is not on the globe or
 * too far from the site.
 */
export function cornersOf(positions: readonly (readonly number[])[], frame: LocalFrame, at: FilePlace): Point[] | null {
  const corners: Point[] = [];
  for (const [i, [longitude = 0, latitude = 0]] of positions.entries()) {
    if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90)
      return at
        .of(i)
        .mistake(`[${longitude}, ${latitude}] is not on the globe. Write [longitude, latitude] in degrees.`);
    const corner = frame.toMetres({ latitude, longitude });
    if (Math.max(Math.abs(corner[0]), Math.abs(corner[1])) > FARTHEST_M) {
      const place = `[${longitude}, ${latitude}]`;
      const farthestKm = FARTHEST_M / 1000;
      return at
        .of(i)
        .mistake(
          `${place} is more than ${farthestKm} km from the origin of the site. GeoJSON has the longitude first.`,
        );
    }
    corners.push(corner);
  }
  return corners;
}

/** The nearest point on the ring's border. */
export function nearestOnRing(point: Point, ring: Ring): Point {
  const candidates = ring.map((a, i) => nearestOnEdge(point, a, ring[(i + 1) % ring.length]!));
  return candidates.reduce((best, candidate) =>
    distance(point, candidate) < distance(point, best) ? candidate : best,
  );
}

function nearestOnEdge(p: Point, a: Point, b: Point): Point {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square));
  return [a[0] + t * dx, a[1] + t * dy];
}

function same(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
