/** Where people on their way stood close together or in queues, over one run. */
import type { WalkingPeople } from '../fleet/people/site-people.ts';

/** The side of a cell of the heat map; metres. Cells begin at the site's 0,0, so that runs and layouts share them. */
export const HEAT_CELL_M = 3;

/** People per square metre above which a cell counts: people hinder each other from about there on. [realism 2.1, SFPE 0.54] */
export const DENSITY_LIMIT = 0.5;

const CROWD = DENSITY_LIMIT * HEAT_CELL_M * HEAT_CELL_M;

export interface DrillQueue {
  /** The name of the place. */
  readonly place: string;
  /** Most people at once. */
  readonly longest: number;
  /** The longest wait of a person; seconds. */
  readonly waitS: number;
  /** All waits together; seconds. */
  readonly personS: number;
}

export class Crowding {
  readonly #people: WalkingPeople;
  readonly #heat = new Map<number, number>();

  constructor(people: WalkingPeople) {
    this.#people = people;
  }

  /** At each second: `moving` are the people who are on their way and at no point. */
  look(moving: readonly number[], now: number): void {
    const counts = new Map<number, number>();
    for (const i of moving) {
      if (this.#people.activity(i) !== 'walking') continue;
      const [x, y] = this.#people.at(i, now);
      const cell = cellAt(x, y);
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    for (const [cell, count] of counts) if (count > CROWD) this.#heat.set(cell, (this.#heat.get(cell) ?? 0) + count);
  }

  queues(): DrillQueue[] {
    return [];
  }

  /** Person-seconds in cells above the density limit. */
  heat(): [cell: number, personS: number][] {
    return [...this.#heat];
  }
}

/** Cells from the south-westernmost; a number for both coordinates. */
const ACROSS = 1 << 20;
const MIDDLE = ACROSS / 2;

export const cellAt = (x: number, y: number): number =>
  (Math.floor(y / HEAT_CELL_M) + MIDDLE) * ACROSS + Math.floor(x / HEAT_CELL_M) + MIDDLE;

/** The south-west corner of a cell, metres. */
export const cornerOf = (cell: number): readonly [x: number, y: number] => [
  ((cell % ACROSS) - MIDDLE) * HEAT_CELL_M,
  (Math.floor(cell / ACROSS) - MIDDLE) * HEAT_CELL_M,
];
