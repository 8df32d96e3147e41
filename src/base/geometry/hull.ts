/** Convex shapes: the hull of points, the hull enlarged by a margin, and the width of a shape. */
import { assert } from '../assert.ts';
import { atan2, cos, length, sin } from '../random/portable-math.ts';
import type { Point } from './frame.ts';

/**
 * The largest turn at one vertex of an enlarged corner. With 45 degrees the vertices exceed the margin by 8 % at most.
 */
const CORNER_STEP = Math.PI / 4;

/**
 * The smallest convex ring around the points, counter-clockwise from the westernmost one, without the points on its
 * edges.
 */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const unique = sorted.filter((p, i) => i === 0 || p[0] !== sorted[i - 1]![0] || p[1] !== sorted[i - 1]![1]);
  if (unique.length < 3) return unique;
  const lower = halfHull(unique);
  const upper = halfHull(unique.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

/**
 * The enlarged convex ring: everything within `metres` of the hull of the points is inside. A point becomes an octagon.
 */
export function grow(hull: readonly Point[], metres: number): Point[] {
  assert(metres >= 0, () => `A hull cannot be grown by ${metres} m.`);
  const ring = convexHull(hull);
  if (metres === 0) return ring;
  return ring.flatMap((corner, i) => {
    const before = ring[(i + ring.length - 1) % ring.length]!;
    const after = ring[(i + 1) % ring.length]!;
    return grownCorner(before, corner, after, metres);
  });
}

/** The width, in metres, of the narrowest straight corridor through which the shape's hull fits. */
export function minimumWidth(ring: readonly Point[]): number {
  const hull = convexHull(ring);
  if (hull.length < 3) return 0;
  const widths = hull.map((a, i) => {
    const b = hull[(i + 1) % hull.length]!;
    const edge = length(b[0] - a[0], b[1] - a[1]);
    return hull.reduce((widest, p) => Math.max(widest, cross(a, b, p) / edge), 0);
  });
  return Math.min(...widths);
}

function halfHull(points: readonly Point[]): Point[] {
  const half: Point[] = [];
  for (const point of points) {
    while (half.length >= 2 && cross(half[half.length - 2]!, half[half.length - 1]!, point) <= 0) half.pop();
    half.push(point);
  }
  return half;
}

// The vertices of a polygon around the arc at distance `metres` from the corner.
function grownCorner(before: Point, corner: Point, after: Point, metres: number): Point[] {
  const alone = before === corner;
  const from = alone ? 0 : outwardAngle(before, corner);
  const turn = alone ? 2 * Math.PI : positiveTurn(outwardAngle(corner, after) - from);
  const steps = Math.max(1, Math.ceil(turn / CORNER_STEP - 1e-9));
  const radius = metres / cos(turn / steps / 2);
  return Array.from({ length: steps }, (_, i): Point => {
    const angle = from + ((i + 0.5) * turn) / steps;
    return [corner[0] + radius * cos(angle), corner[1] + radius * sin(angle)];
  });
}

// In a counter-clockwise ring, the outside is to the right of an edge.
function outwardAngle(a: Point, b: Point): number {
  return atan2(a[0] - b[0], b[1] - a[1]);
}

function positiveTurn(angle: number): number {
  return angle < 0 ? angle + 2 * Math.PI : angle;
}

/** Twice the area of the triangle; positive if its corners turn left. */
function cross(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
