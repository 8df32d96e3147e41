/** Routes round walls, fences and guarded zones: chooses the graph for a traveller, and finds the way in it. */
import type { Point } from '../../../base/geometry/shapes.ts';
import { length } from '../../../base/random/portable-math.ts';
import { Graph } from './graph.ts';
import type { Door, Ground } from './ground.ts';
import { clearance, insideRing, nearestOnBorder } from './rings.ts';

/** Routes keep this far from zones that must not be entered, or as far as start and goal allow; metres. */
export const ROUTE_MARGIN_M = 25;

/**
 * Berths: the least distance of a route from a guarded zone; metres. The widest that start and goal allow is used;
 * below 0, the route may cross the zone.
 */
const BERTHS_M = [ROUTE_MARGIN_M, 10, 4, 1, 0.2, -1] as const;

/** The least distance of a start or goal from a wall; metres. */
const WALL_GAP_M = 0.3;

/**
 * The most graphs of one site: one for each combination of berths and constraints. Beyond this, the oldest is
 * discarded.
 */
const MAX_GRAPHS = 64;

/**
 * A traveller: the guarded zones that they may enter (bits by position in `ground.guarded`), and whether they are in a
 * vehicle, which doors do not admit.
 */
export interface Traveller {
  readonly permits: number;
  readonly onWheels: boolean;
}

/** A place that is the goal of many people. */
interface Gathering {
  /** A point of the place, always the same. */
  readonly centre: Point;
}

/** The distance to a gathering place, and the route to a spot in it. */
export interface Toward {
  readonly metres: number;
  routeTo(spot: Point): Float64Array;
}

/** Finds routes on one site. Graphs and their edges are cached. */
export class Routes {
  readonly #ground: Ground;
  readonly #graphs = new Map<string, Graph>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Corners x, y, x, y ... from the start (left out) to the goal; null if there is no way. */
  find(from: Point, to: Point, traveller: Traveller): Float64Array | null {
    const start = offTheWall(this.#ground, from);
    const goal = offTheWall(this.#ground, to);
    const graph = this.#graphFor(start, goal, traveller);
    const corners = graph.way(start, goal);
    if (corners === null) return null;
    const moved = start[0] !== from[0] || start[1] !== from[1];
    return Float64Array.from([...(moved ? [start] : []), ...corners].flat());
  }

  /**
   * The way to a place that is the goal of many people: to its middle, and from there to the spot. One tree of shortest
   * ways serves all of them, so that a whole site can set out at once. Returns null if every way passes a closed door.
   */
  toward(from: Point, to: Gathering, traveller: Traveller, closed?: readonly Door[]): Toward | null {
    const start = offTheWall(this.#ground, from);
    const graph = this.#graphFor(start, to.centre, traveller);
    const found = graph.wayToward(start, to.centre, closed);
    if (found === null) return null;
    const moved = start[0] !== from[0] || start[1] !== from[1];
    return {
      metres: found.metres,
      routeTo: (spot) => {
        const last = found.corners.at(-1) ?? start;
        const end = graph.sees(last, spot) ? [spot] : [to.centre, ...(graph.sees(to.centre, spot) ? [spot] : [])];
        return Float64Array.from([...(moved ? [start] : []), ...found.corners, ...end].flat());
      },
    };
  }

  #graphFor(start: Point, goal: Point, { permits, onWheels }: Traveller): Graph {
    const { zones, guarded, fence, water } = this.#ground;
    const berths = guarded.map((zone, place) => {
      if ((permits & (1 << place)) !== 0) return -1;
      const { ring } = zones[zone]!;
      const room = Math.min(clearance(ring, ...start), clearance(ring, ...goal));
      return BERTHS_M.find((berth) => berth < room) ?? -1;
    });
    const fenced = fence !== null && insideRing(fence, ...start) && insideRing(fence, ...goal);
    const dry = !water.some((ring) => insideRing(ring, ...start) || insideRing(ring, ...goal));
    const key = `${berths.join()}/${fenced}/${dry}/${onWheels}`;
    const known = this.#graphs.get(key);
    if (known !== undefined) return known;
    const oldest = this.#graphs.keys().next().value;
    if (this.#graphs.size >= MAX_GRAPHS && oldest !== undefined) this.#graphs.delete(oldest);
    const graph = new Graph(this.#ground, berths, { fenced, dry, onWheels });
    this.#graphs.set(key, graph);
    return graph;
  }
}

/** Moves a point that touches a wall or the shore away from it, on the side where it is. */
function offTheWall({ zones, walled, water }: Ground, point: Point): Point {
  let [x, y] = point;
  for (const ring of [...walled.map((zone) => zones[zone]!.ring), ...water]) {
    const metres = clearance(ring, x, y, WALL_GAP_M);
    if (Math.abs(metres) >= WALL_GAP_M) continue;
    const { at, outward } = nearestOnBorder(ring, x, y);
    const side = insideRing(ring, x, y) ? -WALL_GAP_M : WALL_GAP_M;
    [x, y] = [at[0] + side * outward[0], at[1] + side * outward[1]];
  }
  return [x, y];
}

/** The route without its last metres; null if it is not longer than that. */
export function cutShort([x, y]: Point, route: Float64Array, metres: number): Float64Array | null {
  let left = metres;
  for (let end = route.length - 2; end >= 0; end -= 2) {
    const [ax, ay] = end >= 2 ? [route[end - 2]!, route[end - 1]!] : [x, y];
    const [dx, dy] = [ax - route[end]!, ay - route[end + 1]!];
    const long = length(dx, dy);
    if (long > left) {
      const share = left / long;
      return Float64Array.of(...route.subarray(0, end), route[end]! + share * dx, route[end + 1]! + share * dy);
    }
    left -= long;
  }
  return null;
}
