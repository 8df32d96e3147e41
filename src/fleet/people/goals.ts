/** Where people go next: a place in their work area, a break, or a charger, but never a zone that they must not enter. */

import { distance, type Point, type Ring, representativePoint } from '../../base/geometry/shapes.ts';
import type { Draws } from '../../base/random/draws.ts';
import { type Ground, zoneAt } from './ground/ground.ts';
import { borderDistance, clearance, type FlatRing, flatRing, insideRing } from './ground/rings.ts';
import { ROUTE_MARGIN_M } from './ground/routes.ts';

/**
 * Goals keep this distance from zones that must not be entered, a little more than routes do. The error of a fix is at
 * most three sigma, that is 24 m (see `sensing.ts`). So a person who keeps the margin never seems to be inside.
 * [decisions 5]
 */
const GOAL_MARGIN_M = ROUTE_MARGIN_M + 1;

/** The greatest distance to a new goal in the same area; metres. [realism 7.2] */
const STROLL_M = 40;

/** The least distance of a workplace from a wall; metres. */
const WALL_M = 1;

const TRIES = 16;

/** A person's workplace. */
export interface WorkArea {
  readonly ring: FlatRing;
  readonly centre: Point;
  /** The index of the zone that is the area; -1 if it is no zone. */
  readonly zone: number;
}

export interface Goal {
  readonly at: Point;
  /** The height of the floor at the goal; NaN means the person's current height. */
  readonly heightM: number;
}

export class Goals {
  readonly #ground: Ground;
  readonly #draws: Draws;
  readonly #outdoors: WorkArea[];

  constructor(ground: Ground, draws: Draws) {
    this.#ground = ground;
    this.#draws = draws;
    this.#outdoors = ground.zones.flatMap((zone, i) => (zone.type === 'work_area' ? [this.areaOf(i)] : []));
  }

  areaOf(zone: number): WorkArea {
    const { ring, centre } = this.#ground.zones[zone]!;
    return { ring, centre, zone };
  }

  /** The area with that ring, which may be a zone. */
  areaOfRing(ring: Ring, zone: number): WorkArea {
    return zone >= 0 ? this.areaOf(zone) : { ring: flatRing(ring), centre: representativePoint(ring), zone };
  }

  /** Another point in the area, near the person if they are in it; null if there is no such point. */
  inArea(i: number, area: WorkArea, from: Point, permits: number): Goal | null {
    const near = insideRing(area.ring, ...from) ? STROLL_M : Number.POSITIVE_INFINITY;
    const at = this.#somewhere(i, area.ring, from, near, permits, area.zone);
    return at === null ? null : { at, heightM: this.#floorOf(i, area, from) };
  }

  /** A point outdoors within a short walk. */
  nearby(i: number, from: Point, permits: number): Goal | null {
    const [x, y] = from;
    const around = flatRing([
      [x - STROLL_M, y - STROLL_M],
      [x + STROLL_M, y - STROLL_M],
      [x + STROLL_M, y + STROLL_M],
      [x - STROLL_M, y + STROLL_M],
    ]);
    const at = this.#somewhere(i, around, from, STROLL_M, permits, -1);
    return at === null ? null : { at, heightM: 0 };
  }

  /** The next goal of a vehicle. */
  drive(i: number, own: WorkArea, permits: number): Goal | null {
    const areas = this.#outdoors.length > 0 ? this.#outdoors : [own];
    const area = areas[this.#draws.below(i, areas.length)]!;
    const at = this.#somewhere(i, area.ring, area.centre, Number.POSITIVE_INFINITY, permits, area.zone);
    return at === null ? null : { at, heightM: 0 };
  }

  /** A canteen, a changing room, or otherwise a building; null if there is none. */
  breakPlace(i: number, area: WorkArea, permits: number): Goal | null {
    return this.#inNearest(i, area, ['privacy', 'building'], permits);
  }

  /** A building, or otherwise an assembly point. */
  dockPlace(i: number, area: WorkArea, permits: number): Goal | null {
    return this.#inNearest(i, area, ['building', 'assembly_point'], permits);
  }

  /** The nearest zone in which people without a permit work; the area itself if there is none. */
  openArea(area: WorkArea): WorkArea {
    const zone = this.#nearest(area, 'work_area') ?? this.#nearest(area, 'building');
    return zone === undefined ? area : this.areaOf(zone);
  }

  #inNearest(i: number, area: WorkArea, types: readonly string[], permits: number): Goal | null {
    for (const type of types) {
      const zone = this.#nearest(area, type);
      if (zone === undefined) continue;
      const { ring, centre } = this.#ground.zones[zone]!;
      const at = this.#somewhere(i, ring, centre, Number.POSITIVE_INFINITY, permits, zone);
      if (at !== null) return { at, heightM: this.#ground.zones[zone]!.floors[0]?.heightM ?? 0 };
    }
    return null;
  }

  #nearest({ centre, zone: own }: WorkArea, type: string): number | undefined {
    const { zones } = this.#ground;
    const fitting = zones.flatMap((zone, i) => (zone.type === type ? [i] : []));
    if (fitting.includes(own)) return own;
    return fitting.sort((a, b) => distance(centre, zones[a]!.centre) - distance(centre, zones[b]!.centre) || a - b)[0];
  }

  // Returns the first point that is far enough from all forbidden zones, or otherwise the one that is farthest.
  #somewhere(i: number, ring: FlatRing, from: Point, withinM: number, permits: number, zone: number): Point | null {
    const minX = Math.max(ring.minX, from[0] - withinM);
    const maxX = Math.min(ring.maxX, from[0] + withinM);
    const minY = Math.max(ring.minY, from[1] - withinM);
    const maxY = Math.min(ring.maxY, from[1] + withinM);
    let best: Point | null = null;
    let widest = 0;
    for (let n = 0; n < TRIES; n++) {
      const x = this.#draws.between(i, minX, maxX);
      const y = this.#draws.between(i, minY, maxY);
      const [dx, dy] = [x - from[0], y - from[1]];
      if (dx * dx + dy * dy > withinM * withinM || !insideRing(ring, x, y) || !this.#isOpen(x, y, zone)) continue;
      const room = this.#room(x, y, permits);
      if (room >= GOAL_MARGIN_M) return [x, y];
      if (room > widest) [best, widest] = [[x, y], room];
    }
    return best;
  }

  // True if the point is within the fence, not near a wall, and in no other building, canteen or assembly point than
  // the intended one.
  #isOpen(x: number, y: number, zone: number): boolean {
    const { zones, walled, fence, water } = this.#ground;
    if (fence !== null && !insideRing(fence, x, y)) return false;
    if (water.some((ring) => clearance(ring, x, y, WALL_M) < WALL_M)) return false;
    const here = zoneAt(this.#ground, x, y);
    if (here >= 0 && here !== zone) {
      const { type } = zones[here]!;
      if (walled.includes(here) || type === 'privacy' || type === 'assembly_point') return false;
    }
    return walled.every((wall) => borderDistance(zones[wall]!.ring, x, y, WALL_M) >= WALL_M);
  }

  /** Metres to the nearest zone that the person may not enter, at most the margin. */
  #room(x: number, y: number, permits: number): number {
    const { zones, guarded } = this.#ground;
    let room = GOAL_MARGIN_M;
    for (let place = 0; place < guarded.length; place++) {
      if ((permits & (1 << place)) !== 0) continue;
      room = Math.min(room, clearance(zones[guarded[place]!]!.ring, x, y, GOAL_MARGIN_M));
    }
    return room;
  }

  // Most people stay on their floor. A person who comes in mostly goes to the ground floor.
  #floorOf(i: number, { ring, zone }: WorkArea, from: Point): number {
    const floors = zone < 0 ? [] : this.#ground.zones[zone]!.floors;
    if (floors.length === 0) return 0;
    const stays = insideRing(ring, ...from);
    if (this.#draws.chance(i, stays ? 0.85 : 0.6)) return stays ? Number.NaN : floors[0]!.heightM;
    return floors[this.#draws.below(i, floors.length)]!.heightM;
  }
}
