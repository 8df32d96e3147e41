/** Points, rings and distances in the metres of a site's frame. */
import { assert } from '../assert.ts';
import { atan2, length } from '../random/portable-math.ts';
import type { Stream } from '../random/streams.ts';

import type { Point } from './frame.ts';

export { type Coordinates, frame, type LocalFrame, type Point } from './frame.ts';
export { convexHull, grow, minimumWidth } from './hull.ts';

/** The corners of a polygon in either direction; the first may be repeated at the end. */
export type Ring = readonly Point[];

export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * A point nearer to an edge than this is on the edge. Far less than a centimetre, and far more than the rounding error
 * of doubles.
 */
const BORDER_M = 1e-6;

/** The number of random points tried before the representative point is used. */
const POINT_TRIES = 1000;

/** Metres between two points. */
export function distance(a: Point, b: Point): number {
  return length(b[0] - a[0], b[1] - a[1]);
}

/** The direction from a to b in degrees, clockwise from north, from 0 to less than 360; 0 if both points are equal. */
export function bearing(a: Point, b: Point): number {
  const degrees = (atan2(b[0] - a[0], b[1] - a[1]) * 180) / Math.PI;
  const positive = degrees < 0 ? degrees + 360 : degrees;
  return positive >= 360 ? 0 : positive;
}

/** True for a point inside the ring or on its border. */
export function pointInPolygon(point: Point, ring: Ring): boolean {
  return signedDistance(point, ring) >= 0;
}

/** Metres from the point to the nearest edge, inside or outside; never negative. */
export function distanceToBorder(point: Point, ring: Ring): number {
  return Math.abs(signedDistance(point, ring));
}

/**
 * Metres to the nearest edge: positive inside, negative outside, 0 on the border. It allocates nothing, since it runs
 * for every fix.
 */
export function signedDistance([x, y]: Point, ring: Ring): number {
  let nearest = Number.POSITIVE_INFINITY;
  let inside = false;
  let a = ring[ring.length - 1] as Point;
  for (const b of ring) {
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const square = dx * dx + dy * dy;
    if (square > 0) {
      const along = ((x - a[0]) * dx + (y - a[1]) * dy) / square;
      const t = along < 0 ? 0 : along > 1 ? 1 : along;
      const ex = x - a[0] - t * dx;
      const ey = y - a[1] - t * dy;
      const away = ex * ex + ey * ey;
      if (away < nearest) nearest = away;
      if (a[1] > y !== b[1] > y && a[0] + ((y - a[1]) / dy) * dx > x) inside = !inside;
    }
    a = b;
  }
  // A ring without length is a single point.
  const metres = nearest === Number.POSITIVE_INFINITY ? distance([x, y], a) : Math.sqrt(nearest);
  if (metres <= BORDER_M) return 0;
  return inside ? metres : -metres;
}

/** Square metres, for either orientation of the ring. */
export function polygonArea(ring: Ring): number {
  return Math.abs(doubleArea(ring)) / 2;
}

/**
 * A point strictly inside, always the same: the centroid, or otherwise the middle of the longest inner segment on a
 * west-east line.
 */
export function representativePoint(ring: Ring): Point {
  const centre = centroid(ring);
  if (centre && signedDistance(centre, ring) > 0) return centre;
  return widestStretch(ring);
}

/** The rectangle with the two given opposite corners, counter-clockwise from the south-west. */
export function boxRing(x1: number, y1: number, x2: number, y2: number): Point[] {
  const { minX, minY, maxX, maxY } = bounds([
    [x1, y1],
    [x2, y2],
  ]);
  return [
    [minX, minY],
    [maxX, minY],
    [maxX, maxY],
    [minX, maxY],
  ];
}

/** The smallest axis-aligned rectangle around the points. */
export function bounds(points: readonly Point[]): Bounds {
  assert(points.length > 0, 'No points have no bounds.');
  let [minX, minY] = points[0]!;
  let [maxX, maxY] = points[0]!;
  for (const [x, y] of points) {
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  return { minX, minY, maxX, maxY };
}

/** A uniformly distributed point inside. Each try makes two draws. */
export function randomPointIn(ring: Ring, stream: Stream): Point {
  const { minX, minY, maxX, maxY } = bounds(ring);
  for (let i = 0; i < POINT_TRIES; i++) {
    const x = minX + stream.float() * (maxX - minX);
    const y = minY + stream.float() * (maxY - minY);
    if (pointInPolygon([x, y], ring)) return [x, y];
  }
  return representativePoint(ring);
}

/** True for a ring of three or more corners whose edges meet only at its corners. */
export function isSimpleRing(ring: Ring): boolean {
  const sides = edges(ring);
  if (sides.length < 3) return false;
  for (let i = 0; i < sides.length; i++) {
    for (let j = i + 1; j < sides.length; j++) {
      const [a, b] = sides[i]!;
      const [c, d] = sides[j]!;
      const following = j === i + 1;
      const closing = i === 0 && j === sides.length - 1;
      // Adjacent edges share a corner. That is wrong only if one runs back along the other.
      if (following ? foldsBack(a, b, d) : closing ? foldsBack(c, d, b) : touch(a, b, c, d)) return false;
    }
  }
  return true;
}

function edges(ring: Ring): [Point, Point][] {
  const sides = ring.map((a, i): [Point, Point] => [a, ring[(i + 1) % ring.length]!]);
  // A repeated corner (also the closing one of GeoJSON) gives an edge of zero length.
  const real = sides.filter(([a, b]) => a[0] !== b[0] || a[1] !== b[1]);
  return real.length > 0 ? real : sides;
}

function crossingXs(y: number, ring: Ring): number[] {
  const xs: number[] = [];
  for (const [a, b] of edges(ring)) {
    if (a[1] > y !== b[1] > y) xs.push(a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]));
  }
  return xs;
}

// Measured from the first corner, since the products would lose digits far from the origin.
function doubleArea(ring: Ring): number {
  return edges(ring).reduce((sum, [a, b]) => sum + spanned(ring[0]!, a, b), 0);
}

function centroid(ring: Ring): Point | null {
  const area = doubleArea(ring);
  if (area === 0) return null;
  const [ox, oy] = ring[0]!;
  let x = 0;
  let y = 0;
  for (const [a, b] of edges(ring)) {
    const weight = spanned(ring[0]!, a, b);
    x += (a[0] + b[0] - 2 * ox) * weight;
    y += (a[1] + b[1] - 2 * oy) * weight;
  }
  return [ox + x / (3 * area), oy + y / (3 * area)];
}

function widestStretch(ring: Ring): Point {
  const ys = [...new Set(ring.map((corner) => corner[1]))].sort((a, b) => a - b);
  let widest = 0;
  let best = ring[0]!;
  for (let i = 0; i + 1 < ys.length; i++) {
    const y = (ys[i]! + ys[i + 1]!) / 2;
    const xs = crossingXs(y, ring).sort((a, b) => a - b);
    for (let j = 0; j + 1 < xs.length; j += 2) {
      const width = xs[j + 1]! - xs[j]!;
      if (width > widest) {
        widest = width;
        best = [(xs[j]! + xs[j + 1]!) / 2, y];
      }
    }
  }
  return best;
}

/** Twice the area of the triangle; positive if its corners turn left. */
function spanned(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function foldsBack(a: Point, corner: Point, b: Point): boolean {
  const forward = (corner[0] - a[0]) * (b[0] - corner[0]) + (corner[1] - a[1]) * (b[1] - corner[1]);
  return spanned(a, corner, b) === 0 && forward < 0;
}

function touch(a: Point, b: Point, c: Point, d: Point): boolean {
  const turns = [spanned(a, b, c), spanned(a, b, d), spanned(c, d, a), spanned(c, d, b)].map(Math.sign);
  if (turns[0] !== turns[1] && turns[2] !== turns[3]) return true;
  return turns.every((turn) => turn === 0) && overlap(a, b, c, d);
}

function overlap(a: Point, b: Point, c: Point, d: Point): boolean {
  const one = bounds([a, b]);
  const two = bounds([c, d]);
  return one.minX <= two.maxX && two.minX <= one.maxX && one.minY <= two.maxY && two.minY <= one.maxY;
}
