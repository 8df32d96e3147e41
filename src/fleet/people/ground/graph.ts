/** The visibility graph of one site for one kind of traveller: nodes at corners and doors, edges found on first use. */
import type { Point } from '../../../base/geometry/shapes.ts';
import { atan2, cos, length, sin } from '../../../base/random/portable-math.ts';
import { type Door, ELBOW_M, type Ground } from './ground.ts';
import { type FlatRing, segmentNearRing, segmentsMeet } from './rings.ts';

/** Chords per right angle of a path around a zone. */
const CHORD_RADIANS = Math.PI / 4;

/** The chords keep a little more distance than the berth. */
const BERTH_SLACK = 1.001;

/** The most trees of one graph: a site has few assembly points. */
const MAX_TREES = 32;

interface Edge {
  readonly to: number;
  readonly metres: number;
}

/** The shortest ways to one goal. For each node: the remaining metres, and the next node; -1 is the goal. */
interface Tree {
  readonly metres: Float64Array;
  readonly next: Int32Array;
}

/** The constraints of a way. */
interface Way {
  /** The way stays within the fence. */
  readonly fenced: boolean;
  /** The way keeps out of the water. */
  readonly dry: boolean;
  /** The way uses no doors. */
  readonly onWheels: boolean;
}

export class Graph {
  readonly #nodes: Point[] = [];
  /** For each door node, the node on the other side: the two are joined although the wall is between them. */
  readonly #doors = new Map<number, number>();
  /** The edges of each node, computed on first use. */
  readonly #edges: (Edge[] | undefined)[] = [];
  readonly #trees = new Map<string, Tree>();
  /** Scratch array of one search, by node. It is reused, since a whole site may set out in one second. */
  readonly #bounds: Float64Array;
  readonly #walls: FlatRing[];
  readonly #berths: { readonly ring: FlatRing; readonly metres: number }[] = [];

  constructor({ zones, walled, guarded, fence, water }: Ground, berths: readonly number[], how: Way) {
    const { fenced, dry, onWheels } = how;
    this.#walls = walled.map((zone) => zones[zone]!.ring);
    if (fenced && fence !== null) {
      this.#walls.push(fence);
      this.#addElbows(fence, -1);
    }
    for (const ring of dry ? water : []) {
      this.#walls.push(ring);
      this.#addElbows(ring, 1);
    }
    for (const zone of walled) {
      const { ring, doors } = zones[zone]!;
      this.#addElbows(ring, 1);
      this.#addElbows(ring, -1);
      for (const { outside, inside } of onWheels ? [] : doors) {
        this.#doors.set(this.#nodes.length, this.#nodes.length + 1);
        this.#doors.set(this.#nodes.length + 1, this.#nodes.length);
        this.#nodes.push(outside, inside);
      }
    }
    for (const [place, metres] of berths.entries()) {
      if (metres < 0) continue;
      const { ring } = zones[guarded[place]!]!;
      this.#berths.push({ ring, metres });
      this.#nodes.push(...arcs(ring, metres * BERTH_SLACK));
    }
    this.#bounds = new Float64Array(this.#nodes.length);
  }

  /** The shortest way from the start (left out) to the goal, as corners; null if there is none. */
  way(start: Point, goal: Point): Point[] | null {
    if (this.sees(start, goal)) return [goal];
    const { length: goalNode } = this.#nodes;
    const costs = new Map<number, number>();
    const before = new Map<number, number>();
    const open = new Set<number>();
    const toGoal = this.#nodes.map((node) => this.sees(node, goal));
    const reach = (node: number, metres: number, from: number): void => {
      if (metres >= (costs.get(node) ?? Number.POSITIVE_INFINITY)) return;
      costs.set(node, metres);
      before.set(node, from);
      open.add(node);
    };
    for (const [node, at] of this.#nodes.entries()) if (this.sees(start, at)) reach(node, apart(start, at), -1);
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

  /**
   * The shortest way to a goal that many people share: its corners without start and goal; null if there is none. The
   * way must not pass the `closed` doors. Then it is the shortest of the known ways, which need not be the shortest of
   * all.
   */
  wayToward(
    start: Point,
    goal: Point,
    closed: readonly Door[] = [],
  ): { readonly corners: Point[]; readonly metres: number } | null {
    if (this.sees(start, goal)) return { corners: [], metres: apart(start, goal) };
    const { metres, next } = this.#treeOf(goal);
    const bounds = this.#bounds;
    for (let i = 0; i < bounds.length; i++) bounds[i] = metres[i]! + apart(start, this.#nodes[i]!);
    // Nodes are tried in the order of the total length through them. The first visible one is on the shortest way.
    for (;;) {
      let best = -1;
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < bounds.length; i++) if (bounds[i]! < least) [best, least] = [i, bounds[i]!];
      if (best < 0) return null;
      if (this.sees(start, this.#nodes[best]!)) {
        const corners = this.#cornersFrom(best, next);
        if (!corners.some((at) => closed.some(({ inside }) => inside === at))) return { corners, metres: least };
      }
      bounds[best] = Number.POSITIVE_INFINITY;
    }
  }

  #cornersFrom(first: number, next: Int32Array): Point[] {
    const corners: Point[] = [];
    for (let node = first; node >= 0; node = next[node]!) corners.push(this.#nodes[node]!);
    return corners;
  }

  #treeOf(goal: Point): Tree {
    const key = goal.join();
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const oldest = this.#trees.keys().next().value;
    if (this.#trees.size >= MAX_TREES && oldest !== undefined) this.#trees.delete(oldest);
    const tree = this.#grow(goal);
    this.#trees.set(key, tree);
    return tree;
  }

  #grow(goal: Point): Tree {
    const metres = new Float64Array(this.#nodes.length).fill(Number.POSITIVE_INFINITY);
    const next = new Int32Array(this.#nodes.length).fill(-1);
    const open = new Set<number>();
    for (const [node, at] of this.#nodes.entries()) {
      if (!this.sees(at, goal)) continue;
      metres[node] = apart(at, goal);
      open.add(node);
    }
    while (open.size > 0) {
      let nearest = -1;
      for (const node of open) if (nearest < 0 || metres[node]! < metres[nearest]!) nearest = node;
      open.delete(nearest);
      for (const edge of this.#edgesOf(nearest)) {
        const through = metres[nearest]! + edge.metres;
        if (through >= metres[edge.to]!) continue;
        metres[edge.to] = through;
        next[edge.to] = nearest;
        open.add(edge.to);
      }
    }
    return { metres, next };
  }

  // A* order: the distance so far plus the straight line to the goal. A site has a few hundred corners, so a heap would
  // not be faster.
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
      const open = to !== node && (this.#doors.get(node) === to || this.sees(at, other));
      return open ? [{ to, metres: apart(at, other) }] : [];
    });
    return this.#edges[node]!;
  }

  /** True if the straight line between the two is walkable. */
  sees(from: Point, to: Point): boolean {
    const [ax, ay] = from;
    const [bx, by] = to;
    for (const { ring, metres } of this.#berths) if (segmentNearRing(ring, ax, ay, bx, by, metres)) return false;
    for (const ring of this.#walls) if (crosses(ring, ax, ay, bx, by)) return false;
    return true;
  }

  // `side` is 1 for the corners that people go round on the outside, and -1 for those on the inside.
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
  /** The bisector of the outward normals of the two edges, of length 1. */
  readonly outward: Point;
  readonly convex: boolean;
  /** Outward directions of the edges before and after the corner, radians. */
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
    // In a counter-clockwise ring, the outside is to the right of an edge.
    const outward = unit(inY + outY, -inX - outX);
    return { x, y, outward, convex: inX * outY - inY * outX > 0, from: atan2(-inX, inY), to: atan2(-outX, outY) };
  });
}

/** Points around the convex corners of a ring, so that the straight line from one to the next keeps the berth. */
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
