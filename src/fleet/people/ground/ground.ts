/** The ground on which people walk: walls, areas that people must avoid, and the zones at a point. */
import { type Point, polygonArea, representativePoint } from '../../../base/geometry/shapes.ts';
import { DEFAULT_DOOR_M, DEFAULT_ROOM_PER_M2, DEFAULT_STAIR_M } from '../../../contract/plant-defaults.ts';
import { clearance, type FlatRing, flatRing, insideRing, nearestOnBorder } from './rings.ts';
import type { FleetSite, FleetZone } from './site.ts';

export interface Ground {
  readonly zones: readonly GroundZone[];
  /** Indexes of zones with walls. */
  readonly walled: readonly number[];
  /** Indexes of zones that raise an alert when entered without a permit. [decisions 5] */
  readonly guarded: readonly number[];
  readonly fence: FlatRing | null;
  /** Areas that are not walkable. */
  readonly water: readonly FlatRing[];
}

interface GroundZone extends Pick<FleetZone, 'name' | 'type' | 'floors' | 'minHeightM'> {
  readonly ring: FlatRing;
  /** A point inside the zone, always the same. */
  readonly centre: Point;
  readonly doors: readonly Door[];
  /** The stairs of a building with floors. */
  readonly stairs: readonly Stair[];
  /** The number of people that the zone holds if it is an assembly point. */
  readonly capacity: number;
}

/** An opening in a wall: its point on the wall, and the outward direction there, of length 1. */
export interface Door {
  readonly at: Point;
  readonly outward: Point;
  readonly widthM: number;
  /** The points where people begin and end to pass the door. */
  readonly outside: Point;
  readonly inside: Point;
}

/** A stair that joins all floors of a building at one place. */
export interface Stair {
  readonly at: Point;
  readonly widthM: number;
}

/** The most guarded zones of a site: a person's permits are the bits of one number. */
const MOST_GUARDED = 30;

/** People go round corners at this distance, and begin and end to pass doors at it; metres. */
export const ELBOW_M = 0.7;

export function groundOf({ zones, boundary, water = [] }: Pick<FleetSite, 'zones' | 'boundary' | 'water'>): Ground {
  const flat = zones.map((zone): GroundZone => {
    const { name, type, floors, minHeightM = null } = zone;
    const ring = flatRing(zone.ring);
    const centre = representativePoint(zone.ring);
    const capacity = zone.capacity ?? Math.floor(DEFAULT_ROOM_PER_M2 * Math.abs(polygonArea(zone.ring)));
    const ways = { doors: doorsOf(zone, ring), stairs: stairsOf(zone, centre) };
    return { name, type, floors, minHeightM, ring, centre, capacity, ...ways };
  });
  return {
    zones: flat,
    walled: indexes(flat, (_, i) => isWalled(zones[i]!)),
    guarded: indexes(flat, ({ type }) => type === 'restricted' || type === 'forbidden').slice(0, MOST_GUARDED),
    fence: boundary.length < 3 ? null : flatRing(boundary),
    water: water.map(flatRing),
  };
}

/** The index of the smallest zone that contains the point; -1 if none does. */
export function zoneAt({ zones }: Ground, x: number, y: number): number {
  let found = -1;
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < zones.length; i++) {
    const { ring } = zones[i]!;
    const size = (ring.maxX - ring.minX) * (ring.maxY - ring.minY);
    if (size < smallest && insideRing(ring, x, y)) [found, smallest] = [i, size];
  }
  return found;
}

/** The index of the walled zone that contains the point; -1 if none does. */
export function buildingAt({ zones, walled }: Ground, x: number, y: number): number {
  for (const i of walled) if (insideRing(zones[i]!.ring, x, y)) return i;
  return -1;
}

/** Metres to the nearest wall, or infinity if it is clearly farther than `within`. */
export function wallDistance({ zones, walled }: Ground, x: number, y: number, within: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const i of walled) nearest = Math.min(nearest, Math.abs(clearance(zones[i]!.ring, x, y, within)));
  return nearest;
}

/**
 * True if the point is outside of a shelter with floors, and its distance from the walls is less than `within`; metres.
 */
export function besideShelter({ zones, walled }: Ground, x: number, y: number, within: number): boolean {
  return walled.some((i) => {
    const { type, floors, ring } = zones[i]!;
    if (type !== 'assembly_point' || floors.length === 0) return false;
    const metres = clearance(ring, x, y, within);
    return metres > 0 && metres < within;
  });
}

function indexes<T>(list: readonly T[], fits: (one: T, i: number) => boolean): number[] {
  return list.flatMap((one, i) => (fits(one, i) ? [i] : []));
}

function isWalled({ type, floors, doors }: FleetZone): boolean {
  return type === 'building' || floors.length > 0 || doors.length > 0;
}

// A building without known doors gets one in the middle of each side, so that people can enter from the nearest side.
function doorsOf(zone: FleetZone, ring: FlatRing): Door[] {
  if (!isWalled(zone)) return [];
  const { xy } = ring;
  const middles = Array.from({ length: xy.length / 2 }, (_, n): Point => {
    const next = (2 * n + 2) % xy.length;
    return [(xy[2 * n]! + xy[next]!) / 2, (xy[2 * n + 1]! + xy[next + 1]!) / 2];
  });
  const places = zone.doors.length > 0 ? zone.doors : middles.map((at) => ({ at, widthM: DEFAULT_DOOR_M }));
  return places.map(({ at: [x, y], widthM }): Door => {
    const { at, outward } = nearestOnBorder(ring, x, y);
    const off = (metres: number): Point => [at[0] + metres * outward[0], at[1] + metres * outward[1]];
    return { at, outward, widthM, outside: off(ELBOW_M), inside: off(-ELBOW_M) };
  });
}

function stairsOf({ floors, stairs = [] }: FleetZone, centre: Point): readonly Stair[] {
  if (floors.length === 0) return [];
  return stairs.length > 0 ? stairs : [{ at: centre, widthM: DEFAULT_STAIR_M }];
}
