/** An index of the zones of a site: finds the zones that contain a point without checking all zones. [decisions 5] */
import {
  type Bounds,
  bounds,
  minimumWidth,
  type Point,
  polygonArea,
  signedDistance,
} from '../../../base/geometry/shapes.ts';
import type { Zone } from '../world/documents.ts';
import type { World } from '../world/world.ts';

/** A zone with precomputed geometry. */
export interface Fenced {
  readonly zone: Zone;
  readonly bounds: Bounds;
  /** The area in square metres. */
  readonly area: number;
  /** The smallest width in metres. */
  readonly widthM: number;
}

/** Limit of grid cells on each axis. */
const MOST_CELLS = 128;

/** Smaller cells would only increase their number; metres. */
const SMALLEST_CELL_M = 10;

const NO_ZONES: readonly Fenced[] = [];

export class Fence {
  /** All zones, in the order of their names. */
  readonly zones: readonly Fenced[];
  readonly privacy: readonly Fenced[];
  readonly #byId: ReadonlyMap<string, Fenced>;
  readonly #cells = new Map<number, readonly Fenced[]>();
  readonly #minX: number = 0;
  readonly #minY: number = 0;
  readonly #cellM: number = SMALLEST_CELL_M;

  constructor(zones: readonly Zone[]) {
    this.zones = zones.map((zone) => ({
      zone,
      bounds: bounds(zone.ring),
      area: polygonArea(zone.ring),
      widthM: minimumWidth(zone.ring),
    }));
    this.privacy = this.zones.filter(({ zone }) => zone.type === 'privacy');
    this.#byId = new Map(this.zones.map((fenced) => [fenced.zone.id, fenced]));
    if (this.zones.length === 0) return;
    const all = bounds(zones.flatMap(({ ring }) => ring));
    this.#minX = all.minX;
    this.#minY = all.minY;
    this.#cellM = Math.max(SMALLEST_CELL_M, Math.max(all.maxX - all.minX, all.maxY - all.minY) / MOST_CELLS);
    // The smallest zone comes first, since it is the most precise place.
    for (const fenced of [...this.zones].sort((a, b) => a.area - b.area)) this.#spread(fenced);
  }

  get(zoneId: string): Fenced | undefined {
    return this.#byId.get(zoneId);
  }

  /** The zones that contain the point, the smallest first. */
  holding(point: Point): readonly Fenced[] {
    const near = this.#cells.get(this.#cell(this.#column(point[0]), this.#row(point[1])));
    if (near === undefined) return NO_ZONES;
    return near.filter((fenced) => inBounds(point, fenced.bounds, 0) && signedDistance(point, fenced.zone.ring) >= 0);
  }

  /** True if a building contains the point. It runs for every fix, so it makes no list. */
  inBuilding(point: Point): boolean {
    const near = this.#cells.get(this.#cell(this.#column(point[0]), this.#row(point[1]))) ?? NO_ZONES;
    for (const { zone, bounds: around } of near)
      if (zone.type === 'building' && inBounds(point, around, 0) && signedDistance(point, zone.ring) >= 0) return true;
    return false;
  }

  /** The first privacy zone that contains the point, or is within `reachM` of it; null if there is none. */
  hiding(point: Point, reachM: number): Zone | null {
    for (const { zone, bounds: around } of this.privacy)
      if (inBounds(point, around, reachM) && signedDistance(point, zone.ring) >= -reachM) return zone;
    return null;
  }

  #spread(fenced: Fenced): void {
    const { minX, minY, maxX, maxY } = fenced.bounds;
    for (let column = this.#column(minX); column <= this.#column(maxX); column++)
      for (let row = this.#row(minY); row <= this.#row(maxY); row++) {
        const cell = this.#cell(column, row);
        this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), fenced]);
      }
  }

  #column(x: number): number {
    return Math.floor((x - this.#minX) / this.#cellM);
  }

  #row(y: number): number {
    return Math.floor((y - this.#minY) / this.#cellM);
  }

  // Far outside, the number may be that of another cell. The bounds check then excludes its zones.
  #cell(column: number, row: number): number {
    return column * (MOST_CELLS + 2) + row;
  }
}

const inBounds = ([x, y]: Point, { minX, minY, maxX, maxY }: Bounds, reachM: number): boolean =>
  x >= minX - reachM && x <= maxX + reachM && y >= minY - reachM && y <= maxY + reachM;

const fences = new WeakMap<object, { readonly version: number; readonly fence: Fence }>();

/** The fence for the current zones of a site. */
export function fenceOf(world: World, siteId: string): Fence {
  const zones = world.indexes.zonesOfSite.of(siteId);
  const known = fences.get(zones);
  if (known !== undefined && known.version === zones.version) return known.fence;
  const fence = new Fence(zones.values());
  fences.set(zones, { version: zones.version, fence });
  return fence;
}
