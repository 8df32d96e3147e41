/** Where people on their way were crowded or queued during one run. */
import { distance, type Point } from '../../base/geometry/shapes.ts';
import type { WalkingPeople } from '../../fleet/people/site-people.ts';

/**
 * The side of a cell of the heat map; metres. Cells start at the site's origin 0,0, so that all runs and layouts use
 * the same cells.
 */
export const HEAT_CELL_M = 3;

/**
 * People per square metre above which a cell is counted: from about this density, people hinder each other. [realism
 * 2.1, SFPE 0.54]
 */
export const DENSITY_LIMIT = 0.5;

const CROWD = DENSITY_LIMIT * HEAT_CELL_M * HEAT_CELL_M;

export interface DrillQueue {
  /** For example `Workshop, door at 345, 90`. */
  readonly place: string;
  /** Position of the door or stair, metres. */
  readonly at: Point;
  /** Capacity of the door or stair, people per second. */
  readonly perS: number;
  /** Most people at once. */
  readonly longest: number;
  /** The longest wait of a person; seconds. */
  readonly waitS: number;
  /** Sum of all waits; seconds. */
  readonly personS: number;
}

export class Crowding {
  readonly #people: WalkingPeople;
  readonly #heat = new Map<number, number>();
  readonly #queues = new Map<string, { -readonly [K in keyof DrillQueue]: DrillQueue[K] }>();
  /** By person: the position a second ago, the number in a queue (0: none) and the seconds in it. */
  readonly #lastAt: Point[] = [];
  readonly #tickets: number[] = [];
  readonly #waits: number[] = [];
  /** By person: seconds in all queues. */
  readonly #waited: number[] = [];

  constructor(people: WalkingPeople) {
    this.#people = people;
  }

  /** Called at each second. `onTheWay`: the people who are at no point and will not stay where they are. */
  look(onTheWay: readonly number[], now: number): void {
    const walking = onTheWay.filter((i) => this.#people.activity(i) === 'walking');
    const places = walking.map((i) => this.#people.at(i, now));
    const counts = new Map<number, number>();
    for (const [x, y] of places) {
      const cell = cellAt(x, y);
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    for (const [cell, count] of counts) if (count > CROWD) this.#heat.set(cell, (this.#heat.get(cell) ?? 0) + count);
    const queues = this.#people.queues().map(({ door, waiting }) => this.#count(door, waiting));
    if (queues.length > 0) for (const [n, i] of walking.entries()) this.#time(i, places[n]!, queues);
  }

  queues(): DrillQueue[] {
    return [...this.#queues.values()];
  }

  /** How long a person waited at doors and stairs, seconds. */
  waitedS(i: number): number {
    return this.#waited[i] ?? 0;
  }

  /** Person-seconds in cells above the density limit. */
  heat(): [cell: number, personS: number][] {
    return [...this.#heat];
  }

  #count({ kind, zone, at, perS }: QueueDoor, waiting: number): DrillQueue {
    const place = `${zone}, ${kind} at ${Math.round(at[0])}, ${Math.round(at[1])}`;
    const known = this.#queues.get(place) ?? { place, at, perS, longest: 0, waitS: 0, personS: 0 };
    known.longest = Math.max(known.longest, waiting);
    known.personS += waiting;
    // A wait that ends within this second counts as one second.
    known.waitS = Math.max(known.waitS, 1);
    this.#queues.set(place, known);
    return known;
  }

  /**
   * Measures the wait of a person who stands still on their way. Only people who stand still are checked, because
   * reading every ticket each second is too slow.
   */
  #time(i: number, at: Point, queues: readonly DrillQueue[]): void {
    const [last, before = 0] = [this.#lastAt[i], this.#tickets[i]];
    this.#lastAt[i] = at;
    if (before === 0 && (last === undefined || last[0] !== at[0] || last[1] !== at[1])) return;
    const ticket = this.#people.kept(i).crossing?.ticket ?? 0;
    this.#tickets[i] = ticket;
    this.#waits[i] = ticket !== 0 && ticket === before ? this.#waits[i]! + 1 : 1;
    if (ticket === 0) return;
    this.#waited[i] = (this.#waited[i] ?? 0) + 1;
    const nearest = queues.reduce((a, b) => (distance(b.at, at) < distance(a.at, at) ? b : a));
    const queue = this.#queues.get(nearest.place)!;
    queue.waitS = Math.max(queue.waitS, this.#waits[i]!);
  }
}

type QueueDoor = ReturnType<WalkingPeople['queues']>[number]['door'];

/** One number encodes both coordinates of a cell. */
const ACROSS = 1 << 20;
const MIDDLE = ACROSS / 2;

const cellAt = (x: number, y: number): number =>
  (Math.floor(y / HEAT_CELL_M) + MIDDLE) * ACROSS + Math.floor(x / HEAT_CELL_M) + MIDDLE;

/** The south-west corner of a cell, metres. */
export const cornerOf = (cell: number): readonly [x: number, y: number] => [
  ((cell % ACROSS) - MIDDLE) * HEAT_CELL_M,
  (Math.floor(cell / ACROSS) - MIDDLE) * HEAT_CELL_M,
];
