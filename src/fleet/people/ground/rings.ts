/** Rings and segments as flat numbers, for the geometric tests of a tick. They allocate nothing and use only operations that are exact on all machines. */
import type { Bounds, Point, Ring } from '../../../base/geometry/shapes.ts';
import { length } from '../../../base/random/portable-math.ts';

/** Corners x, y, x, y ... counter-clockwise, none repeated, with their axis-aligned bounding box. */
export interface FlatRing extends Bounds {
  readonly xy: Float64Array;
}

/** Segments that are nearer than this touch; metres. */
const TOUCH_M = 1e-6;

export function flatRing(ring: Ring): FlatRing {
  const corners = ring.filter(([x, y], i) => {
    const [nx, ny] = ring[(i + 1) % ring.length]!;
    return ring.length === 1 || x !== nx || y !== ny;
  });
  const turning = corners.reduce((sum, [x, y], i) => {
    const [nx, ny] = corners[(i + 1) % corners.length]!;
    return sum + x * ny - nx * y;
  }, 0);
  const ordered = turning < 0 ? [...corners].reverse() : corners;
  const xs = ordered.map(([x]) => x);
  const ys = ordered.map(([, y]) => y);
  return {
    xy: Float64Array.from(ordered.flat()),
    minX: Math.min(...xs),
    minY: Math.min(...ys),
    maxX: Math.max(...xs),
    maxY: Math.max(...ys),
  };
}

/** Returns true for a point inside. A point on the border may give either result. */
export function insideRing({ xy, minX, minY, maxX, maxY }: FlatRing, x: number, y: number): boolean {
  if (x < minX || x > maxX || y < minY || y > maxY) return false;
  let inside = false;
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [xy[j]!, xy[j + 1]!, xy[i]!, xy[i + 1]!];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Metres to the border; infinity if the bounding box alone shows that it is farther than `within`. */
export function borderDistance(ring: FlatRing, x: number, y: number, within = Number.POSITIVE_INFINITY): number {
  const { xy, minX, minY, maxX, maxY } = ring;
  if (x < minX - within || x > maxX + within || y < minY - within || y > maxY + within) return Number.POSITIVE_INFINITY;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    nearest = Math.min(nearest, pointToSegment(x, y, xy[j]!, xy[j + 1]!, xy[i]!, xy[i + 1]!));
  }
  return nearest;
}

/**
 * Metres outside the ring, 0 or negative inside; infinity if the bounding box shows that it is farther than `within`.
 */
export function clearance(ring: FlatRing, x: number, y: number, within?: number): number {
  const metres = borderDistance(ring, x, y, within);
  return insideRing(ring, x, y) ? -metres : metres;
}

function pointToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((px - ax) * dx + (py - ay) * dy) / square;
  const t = Math.min(Math.max(along, 0), 1);
  return length(px - ax - t * dx, py - ay - t * dy);
}

/** True if the segments a-b and c-d meet, also if they only touch at an end or overlap. */
export function segmentsMeet(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  const c = turn(ax, ay, bx, by, cx, cy);
  const d = turn(ax, ay, bx, by, dx, dy);
  if (c * d > TOUCH_M) return false;
  const a = turn(cx, cy, dx, dy, ax, ay);
  const b = turn(cx, cy, dx, dy, bx, by);
  return a * b <= TOUCH_M;
}

/** True if the segment comes nearer to the ring than `within` metres, or is inside. */
export function segmentNearRing(
  ring: FlatRing,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  within: number,
): boolean {
  const { xy, minX, minY, maxX, maxY } = ring;
  if (Math.max(ax, bx) < minX - within || Math.min(ax, bx) > maxX + within) return false;
  if (Math.max(ay, by) < minY - within || Math.min(ay, by) > maxY + within) return false;
  if (insideRing(ring, ax, ay)) return true;
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    const [cx, cy, dx, dy] = [xy[j]!, xy[j + 1]!, xy[i]!, xy[i + 1]!];
    if (segmentsMeet(ax, ay, bx, by, cx, cy, dx, dy)) return true;
    if (pointToSegment(ax, ay, cx, cy, dx, dy) < within || pointToSegment(bx, by, cx, cy, dx, dy) < within) return true;
    if (pointToSegment(cx, cy, ax, ay, bx, by) < within || pointToSegment(dx, dy, ax, ay, bx, by) < within) return true;
  }
  return false;
}

/** The nearest point of the border, and the outward direction there. */
export function nearestOnBorder({ xy }: FlatRing, x: number, y: number): { at: Point; outward: Point } {
  let best = Number.POSITIVE_INFINITY;
  let found: { at: Point; outward: Point } = { at: [x, y], outward: [0, 0] };
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [xy[j]!, xy[j + 1]!, xy[i]!, xy[i + 1]!];
    const [dx, dy] = [bx - ax, by - ay];
    const square = dx * dx + dy * dy;
    const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
    const at: Point = [ax + t * dx, ay + t * dy];
    const metres = length(x - at[0], y - at[1]);
    if (metres >= best) continue;
    best = metres;
    const side = Math.sqrt(square) || 1;
    found = { at, outward: [dy / side, -dx / side] };
  }
  return found;
}

/** Twice the area of the triangle; positive if its corners turn left. */
export function turn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}
