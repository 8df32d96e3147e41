/** Routes round walls, fences and guarded zones: a visibility graph whose edges are found when they are first asked for. */
import type { Point } from '../../base/geometry.ts';
import { atan2, cos, length, sin } from '../../base/portable-math.ts';
import type { Ground } from './ground.ts';
import { clearance, type FlatRing, insideRing, nearestOnBorder, segmentNearRing, segmentsMeet } from './rings.ts';

/** Routes keep this far from zones that must not be entered, or as far as start and goal allow; metres. */
export const ROUTE_MARGIN_M = 25;

/** How near to a guarded zone a route may come, the widest berth that start and goal allow first; below 0: right through. */
const BERTHS_M = [ROUTE_MARGIN_M, 10, 4, 1, 0.2, -1] as const;

/** Corners are turned at this distance, doors are begun and ended at it; metres. */
const ELBOW_M = 0.7;

/** Nobody stands nearer to a wall; metres. */
const WALL_GAP_M = 0.3;

/** A turn round a zone is made of so many chords to a right angle: two. */
const CHORD_RADIANS = Math.PI / 4;

/** The chords keep a little more than the berth. */
const BERTH_SLACK = 1.001;

/** Graphs of one site: one for each set of berths. Beyond this, berths are so odd that the oldest graph is made anew. */
const MAX_GRAPHS = 64;

/** Who goes: guarded zones that they may enter (their places in `ground.guarded` as bits), and whether doors let them through. */
export interface Traveller {
  readonly permits: number;
  readonly onWheels: boolean;
}

/** Finds routes on one site; graphs and what they have learnt are kept. */
export class Routes {
  readonly #ground: Ground;
  readonly #graphs = new Map<string, Graph>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Corners x, y, x, y ... from the start (left out) to the goal; null: there is no way. */
  find(from: Point, to: Point, traveller: Traveller): Float64Array | null {
    const start = offTheWall(this.#ground, from);
    const goal = offTheWall(this.#ground, to);
    const graph = this.#graphFor(start, goal, traveller);
    const corners = graph.way(start, goal);
    if (corners === null) return null;
    const moved = start[0] !== from[0] || start[1] !== from[1];
    return Float64Array.from([...(moved ? [start] : []), ...corners].flat());
  }

  #graphFor(start: Point, goal: Point, { permits, onWheels }: Traveller): Graph {
    const { zones, guarded, fence } = this.#ground;
    const berths = guarded.map((zone, place) => {
      if ((permits & (1 << place)) !== 0) return -1;
      const { ring } = zones[zone]!;
      const room = Math.min(clearance(ring, ...start), clearance(ring, ...goal));
      return BERTHS_M.find((berth) => berth < room) ?? -1;
    });
    const fenced = fence !== null && insideRing(fence, ...start) && insideRing(fence, ...goal);
    const key = `${berths.join()}/${fenced}/${onWheels}`;
    const known = this.#graphs.get(key);
    if (known !== undefined) return known;
    const oldest = this.#graphs.keys().next().value;
    if (this.#graphs.size >= MAX_GRAPHS && oldest !== undefined) this.#graphs.delete(oldest);
    const graph = new Graph(this.#ground, berths, fenced, onWheels);
    this.#graphs.set(key, graph);
    return graph;
  }
}

/** A point that touches a wall is moved off it, to the side on which it is. */
function offTheWall({ zones, walled }: Ground, point: Point): Point {
  let [x, y] = point;
  for (const i of walled) {
    const { ring } = zones[i]!;
    const metres = clearance(ring, x, y, WALL_GAP_M);
    if (Math.abs(metres) >= WALL_GAP_M) continue;
    const { at, outward } = nearestOnBorder(ring, x, y);
    const side = insideRing(ring, x, y) ? -WALL_GAP_M : WALL_GAP_M;
    [x, y] = [at[0] + side * outward[0], at[1] + side * outward[1]];
  }
  return [x, y];
}

interface Edge {
  readonly to: number;
  readonly metres: number;
}

class Graph {
  readonly #nodes: Point[] = [];
  /** Through a door, whatever the wall says. */
  readonly #doors = new Map<number, number>();
  /** Found when first asked for. */
  readonly #edges: (Edge[] | undefined)[] = [];
  readonly #walls: FlatRing[];
  readonly #berths: { readonly ring: FlatRing; readonly metres: number }[] = [];

  constructor(
    { zones, walled, guarded, fence }: Ground,
    berths: readonly number[],
    fenced: boolean,
    onWheels: boolean,
  ) {
    this.#walls = walled.map((zone) => zones[zone]!.ring);
    if (fenced && fence !== null) {
      this.#walls.push(fence);
      this.#addElbows(fence, -1);
    }
    for (const zone of walled) {
      const { ring, doors } = zones[zone]!;
      this.#addElbows(ring, 1);
      this.#addElbows(ring, -1);
      for (const { at, outward } of onWheels ? [] : doors) {
        const [outside, inside] = [ELBOW_M, -ELBOW_M].map(
          (off): Point => [at[0] + off * outward[0], at[1] + off * outward[1]],
        );
        this.#doors.set(this.#nodes.length, this.#nodes.length + 1);
        this.#doors.set(this.#nodes.length + 1, this.#nodes.length);
        this.#nodes.push(outside!, inside!);
      }
    }
    for (const [place, metres] of berths.entries()) {
      if (metres < 0) continue;
      const { ring } = zones[guarded[place]!]!;
      this.#berths.push({ ring, metres });
      this.#nodes.push(...arcs(ring, metres * BERTH_SLACK));
    }
  }

  /** Corners from the start (left out) to the goal, the shortest way; null: there is none. */
  way(start: Point, goal: Point): Point[] | null {
    if (this.#sees(start, goal)) return [goal];
    const { length: goalNode } = this.#nodes;
    const costs = new Map<number, number>();
    const before = new Map<number, number>();
    const open = new Set<number>();
    const toGoal = this.#nodes.map((node) => this.#sees(node, goal));
    const reach = (node: number, metres: number, from: number): void => {
      if (metres >= (costs.get(node) ?? Number.POSITIVE_INFINITY)) return;
      costs.set(node, metres);
      before.set(node, from);
      open.add(node);
    };
    for (const [node, at] of this.#nodes.entries()) if (this.#sees(start, at)) reach(node, apart(start, at), -1);
    while (open.size > 0) {
      const node = this.#nearest(open, costs, goal);
      if (node === goalNode) return this.#trace(before, goalNode, goal);
      open.delete(node);
      const metres = costs.get(node)!;
      for (const edge of this.#edgesOf(node)) reach(edge.to, metres + edge.metres, node);
      if (toGoal[node] === true) reach(goalNode, metres + apart(this.#nodes[node]!, goal), node);
    }
    return null;
  }

  // By the way gone and the way left at least (A*). A site has some hundred corners: a heap would not be faster.
  #nearest(open: ReadonlySet<number>, costs: ReadonlyMap<number, number>, goal: Point): number {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const node of open) {
      const metres = costs.get(node)! + (node === this.#nodes.length ? 0 : apart(this.#nodes[node]!, goal));
      if (metres < least) [best, least] = [node, metres];
    }
    return best;
  }

  #trace(before: ReadonlyMap<number, number>, goalNode: number, goal: Point): Point[] {
    const corners = [goal];
    for (let node = before.get(goalNode)!; node >= 0; node = before.get(node)!) corners.unshift(this.#nodes[node]!);
    return corners;
  }

  #edgesOf(node: number): Edge[] {
    const at = this.#nodes[node]!;
    this.#edges[node] ??= this.#nodes.flatMap((other, to) => {
      const open = to !== node && (this.#doors.get(node) === to || this.#sees(at, other));
      return open ? [{ to, metres: apart(at, other) }] : [];
    });
    return this.#edges[node]!;
  }

  #sees(from: Point, to: Point): boolean {
    const [ax, ay] = from;
    const [bx, by] = to;
    for (const { ring, metres } of this.#berths) if (segmentNearRing(ring, ax, ay, bx, by, metres)) return false;
    for (const ring of this.#walls) if (crosses(ring, ax, ay, bx, by)) return false;
    return true;
  }

  // `side` 1: the corners that are turned from outside; -1: those that are turned from inside.
  #addElbows({ xy }: FlatRing, side: 1 | -1): void {
    for (const { x, y, outward, convex } of cornersOf(xy)) {
      if (convex !== side > 0) continue;
      this.#nodes.push([x + side * ELBOW_M * outward[0], y + side * ELBOW_M * outward[1]]);
    }
  }
}

function crosses({ xy, minX, minY, maxX, maxY }: FlatRing, ax: number, ay: number, bx: number, by: number): boolean {
  if (Math.max(ax, bx) < minX || Math.min(ax, bx) > maxX) return false;
  if (Math.max(ay, by) < minY || Math.min(ay, by) > maxY) return false;
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    if (segmentsMeet(ax, ay, bx, by, xy[j]!, xy[j + 1]!, xy[i]!, xy[i + 1]!)) return true;
  }
  return false;
}

interface Corner {
  readonly x: number;
  readonly y: number;
  /** The middle of the two ways out, of length 1. */
  readonly outward: Point;
  readonly convex: boolean;
  /** Directions out of the edges before and after, radians. */
  readonly from: number;
  readonly to: number;
}

function cornersOf(xy: Float64Array): Corner[] {
  const count = xy.length / 2;
  return Array.from({ length: count }, (_, n): Corner => {
    const [i, h, j] = [2 * n, 2 * ((n + count - 1) % count), 2 * ((n + 1) % count)];
    const [x, y] = [xy[i]!, xy[i + 1]!];
    const [inX, inY] = unit(x - xy[h]!, y - xy[h + 1]!);
    const [outX, outY] = unit(xy[j]! - x, xy[j + 1]! - y);
    // Counter-clockwise, the outside is to the right of an edge.
    const outward = unit(inY + outY, -inX - outX);
    return { x, y, outward, convex: inX * outY - inY * outX > 0, from: atan2(-inX, inY), to: atan2(-outX, outY) };
  });
}

/** Points around the convex corners of a ring, so that the way from one to the next keeps the berth. */
function arcs({ xy }: FlatRing, metres: number): Point[] {
  return cornersOf(xy).flatMap(({ x, y, convex, from, to }) => {
    if (!convex) return [];
    const sweep = to < from ? to - from + 2 * Math.PI : to - from;
    const steps = Math.max(1, Math.ceil(sweep / CHORD_RADIANS - 1e-9));
    const radius = metres / cos(sweep / steps / 2);
    return Array.from({ length: steps }, (_, n): Point => {
      const angle = from + ((n + 0.5) * sweep) / steps;
      return [x + radius * cos(angle), y + radius * sin(angle)];
    });
  });
}

function unit(x: number, y: number): Point {
  const metres = length(x, y);
  return metres === 0 ? [0, 0] : [x / metres, y / metres];
}

const apart = (a: Point, b: Point): number => length(b[0] - a[0], b[1] - a[1]);
