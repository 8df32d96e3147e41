/** How close together people stand: counts on a grid of 3 m cells, smoothed over 9 x 9 m, and the slow-down that follows. [realism 0.8, 2.1] */
import type { Point } from '../../base/geometry/shapes.ts';
import { exp } from '../../base/random/portable-math.ts';
import { buildingAt, type Ground } from './ground/ground.ts';
import { type FlatRing, insideRing } from './ground/rings.ts';

/**
 * Unsmoothed cells of 3 m or 5 m falsify the fundamental diagram by half, since slow cells collect people.
 * [realism 0.8]
 */
const CELL_M = 3;

/** The grid extends this far beyond the shapes of the site file; people outside of the grid count as alone. */
const MARGIN_M = 60;

/** The most cells along an axis. The grid of a larger site covers only the middle of it. */
const MOST_CELLS = 2_048;

/**
 * Density is rounded to steps of one person in 9 m2, so that speeds change, and are stored, only when a crowd changes.
 */
const STEPS_PER_M2 = 9;

/** Weidmann: v = v0 (1 - exp(-1.913 (1/rho - 1/5.4))). [realism 2.1] */
const WEIDMANN = { gamma: 1.913, jamPerM2: 5.4, freePerM2: 1 / 3, leastMs: 0.06, meanMs: 1.34 } as const;

/** The smallest window: a smaller area than one cell gives no useful density; square metres. */
const LEAST_WINDOW_M2 = CELL_M * CELL_M;

/** Share of the free speed by density, in steps. */
const SLOWED = Float64Array.from({ length: Math.ceil(WEIDMANN.jamPerM2 * STEPS_PER_M2) + 1 }, (_, step) =>
  weidmann(step / STEPS_PER_M2),
);

/** Share of the free walking speed that is left at a density. It is 1 up to a third of a person per square metre, where Weidmann's formula gives 0.995. */
export function weidmann(perM2: number): number {
  const { gamma, jamPerM2, freePerM2, leastMs, meanMs } = WEIDMANN;
  if (perM2 <= freePerM2) return 1;
  return Math.max(leastMs / meanMs, 1 - exp(-gamma * (1 / perM2 - 1 / jamPerM2)));
}

/** A read-only view of where people on foot are on the ground. It includes both sides of the walls that cut a cell. */
export interface DensityGrid {
  readonly cellM: number;
  /** The south-west corner of the first cell, metres. */
  readonly origin: Point;
  readonly columns: number;
  readonly rows: number;
  /** People on foot in a cell. */
  countAt(column: number, row: number): number;
  /** The cells with people in them, in rows from the south-west. */
  occupied(): { readonly column: number; readonly row: number; readonly count: number }[];
}

// The kind of a cell. Indoors and outdoors are counted separately, since a wall separates the people on its two sides.
const UNKNOWN = 0;
const OUTDOORS = 1;
const INDOORS = 2;
const MIXED = 3;

/** A person's place in the grid: a cell and a side of its walls. Below 0: outside of the grid, or not on foot. */
export type CellSide = number;

export const NO_CELL_SIDE: CellSide = -1;

export class Density implements DensityGrid {
  readonly cellM = CELL_M;
  readonly origin: Point;
  readonly columns: number;
  readonly rows: number;
  readonly #ground: Ground;
  /** Two counts for each cell: outdoors, indoors. */
  readonly #counts: Uint16Array;
  readonly #kinds: Uint8Array;
  /** Walkable square metres of each side of a cell, of 9. */
  readonly #areas: Uint8Array;
  /** The same for the 3 x 3 cells around it; 0 if not yet computed. */
  readonly #windows: Uint8Array;

  constructor(ground: Ground, starts: readonly Point[]) {
    this.#ground = ground;
    const { zones, fence } = ground;
    const rings = [...zones.map(({ ring }) => ring), ...(fence === null ? [] : [fence])];
    const x = axis([...rings.flatMap(({ minX, maxX }) => [minX, maxX]), ...starts.map((at) => at[0])]);
    const y = axis([...rings.flatMap(({ minY, maxY }) => [minY, maxY]), ...starts.map((at) => at[1])]);
    this.origin = [x.from, y.from];
    [this.columns, this.rows] = [x.cells, y.cells];
    const cells = this.columns * this.rows;
    this.#counts = new Uint16Array(2 * cells);
    this.#kinds = new Uint8Array(cells);
    this.#areas = new Uint8Array(2 * cells);
    this.#windows = new Uint8Array(2 * cells);
  }

  spotAt(x: number, y: number): CellSide {
    const column = Math.floor((x - this.origin[0]) / CELL_M);
    const row = Math.floor((y - this.origin[1]) / CELL_M);
    // The outermost cells have no full window around them.
    if (column < 1 || row < 1 || column >= this.columns - 1 || row >= this.rows - 1) return NO_CELL_SIDE;
    const cell = row * this.columns + column;
    const kind = this.#kinds[cell]! || this.#survey(cell);
    if (kind !== MIXED) return 2 * cell + kind - OUTDOORS;
    return 2 * cell + (buildingAt(this.#ground, x, y) >= 0 ? 1 : 0);
  }

  move(from: CellSide, to: CellSide): void {
    if (from >= 0) this.#counts[from]! -= 1;
    if (to >= 0) this.#counts[to]! += 1;
  }

  /** False if there are too few people around the place to slow anybody down, even in the smallest window. */
  isCrowded(spot: CellSide): boolean {
    return spot >= 0 && around(this.#counts, spot, this.columns) * 3 > LEAST_WINDOW_M2;
  }

  /** The share of their free speed at which people walk at the place. */
  slowedAt(spot: CellSide): number {
    if (spot < 0) return 1;
    const people = around(this.#counts, spot, this.columns);
    // There are too few people to slow anybody down, even in the smallest window.
    if (people * 3 <= LEAST_WINDOW_M2) return 1;
    const step = Math.round((people * STEPS_PER_M2) / this.#windowOf(spot));
    return SLOWED[Math.min(step, SLOWED.length - 1)]!;
  }

  /** People per square metre around the place. */
  perM2(spot: CellSide): number {
    return spot < 0 ? 0 : around(this.#counts, spot, this.columns) / this.#windowOf(spot);
  }

  countAt(column: number, row: number): number {
    const cell = row * this.columns + column;
    return this.#counts[2 * cell]! + this.#counts[2 * cell + 1]!;
  }

  occupied(): { readonly column: number; readonly row: number; readonly count: number }[] {
    const cells = [];
    for (let row = 0; row < this.rows; row++)
      for (let column = 0; column < this.columns; column++) {
        const count = this.countAt(column, row);
        if (count > 0) cells.push({ column, row, count });
      }
    return cells;
  }

  #windowOf(spot: CellSide): number {
    const known = this.#windows[spot]!;
    if (known > 0) return known;
    const middle = spot >> 1;
    for (let row = -1; row <= 1; row++)
      for (let column = -1; column <= 1; column++) {
        const cell = middle + row * this.columns + column;
        if (this.#kinds[cell] === UNKNOWN) this.#survey(cell);
      }
    const walkable = Math.max(LEAST_WINDOW_M2, around(this.#areas, spot, this.columns));
    this.#windows[spot] = walkable;
    return walkable;
  }

  // Samples the middle of each square metre of the cell, once.
  #survey(cell: number): number {
    const [left, bottom] = [
      this.origin[0] + (cell % this.columns) * CELL_M,
      this.origin[1] + Math.floor(cell / this.columns) * CELL_M,
    ];
    let [indoors, outdoors] = [0, 0];
    for (let metre = 0; metre < CELL_M * CELL_M; metre++) {
      const [x, y] = [left + (metre % CELL_M) + 0.5, bottom + Math.floor(metre / CELL_M) + 0.5];
      if (buildingAt(this.#ground, x, y) >= 0) indoors += 1;
      else if (!this.#ground.water.some((ring) => insideRing(ring, x, y))) outdoors += 1;
    }
    this.#areas[2 * cell] = outdoors;
    this.#areas[2 * cell + 1] = indoors;
    this.#kinds[cell] = this.#isCut(left, bottom) ? MIXED : indoors > 0 ? INDOORS : OUTDOORS;
    return this.#kinds[cell]!;
  }

  #isCut(left: number, bottom: number): boolean {
    const { zones, walled } = this.#ground;
    return walled.some((zone) => ringMeetsCell(zones[zone]!.ring, left, bottom));
  }
}

/** The sum over the 3 x 3 cells, for one side of the walls. */
function around(values: Uint16Array | Uint8Array, at: number, columns: number): number {
  const width = 2 * columns;
  let sum = 0;
  for (let row = at - width; row <= at + width; row += width) sum += values[row - 2]! + values[row]! + values[row + 2]!;
  return sum;
}

function axis(values: readonly number[]): { readonly from: number; readonly cells: number } {
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const wanted = Math.ceil((most - least + 2 * MARGIN_M) / CELL_M);
  const cells = Math.min(wanted, MOST_CELLS);
  return { from: least - MARGIN_M + ((wanted - cells) * CELL_M) / 2, cells };
}

function ringMeetsCell(ring: FlatRing, left: number, bottom: number): boolean {
  const [right, top] = [left + CELL_M, bottom + CELL_M];
  if (ring.maxX < left || ring.minX > right || ring.maxY < bottom || ring.minY > top) return false;
  const { xy } = ring;
  for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
    if (segmentMeetsBox(xy[j]!, xy[j + 1]!, xy[i]!, xy[i + 1]!, left, bottom, right, top)) return true;
  }
  return false;
}

// Clips the segment by the four sides (Liang-Barsky).
function segmentMeetsBox(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  left: number,
  bottom: number,
  right: number,
  top: number,
): boolean {
  let [from, to] = [0, 1];
  const sides: [number, number][] = [
    [ax - bx, ax - left],
    [bx - ax, right - ax],
    [ay - by, ay - bottom],
    [by - ay, top - ay],
  ];
  for (const [along, room] of sides) {
    if (along === 0) {
      if (room < 0) return false;
    } else if (along < 0) from = Math.max(from, room / along);
    else to = Math.min(to, room / along);
  }
  return from <= to;
}
