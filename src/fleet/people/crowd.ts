/** How people on foot affect each other: they slow down where it is crowded, and wait at doors and stairs. It runs at the end of each tick. [realism 7.3] */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import { type CellSide, Density, type DensityGrid, NO_CELL_SIDE } from './density.ts';
import type { Ground } from './ground/ground.ts';
import { type Passage, PassageFinder, passageOf, passagesOf } from './ground/passages.ts';
import { type Gatekeeper, NO_GATE, type People, PHASES } from './people.ts';
import { type PassageQueue, type PassageTokens, Queues } from './queues.ts';

/**
 * A person who is this far above or below the ground is on another floor, and no neighbour of people on the ground;
 * metres.
 */
const GROUND_M = 1.5;

/** A person who is nearer to the stair than this is at the stair; metres. */
const AT_STAIR_M = 1e-9;

/** Distance ahead at which people notice a crowd; metres. */
const AHEAD_M = 3;

const SECOND_MS = 1_000;

/** Interval at which people who walk freely look for a crowd; seconds. */
const LOOKS_UP_S = 3;

/** Values of `#acted`. */
const ACTED = 1;
const SET_OUT = 2;

const DOCKED = PHASES.indexOf('docked');

/** A person's state at doors and stairs, as it is stored. */
export interface KeptCrossing {
  /** The index of the gate's corner in the remaining route; null if no gate is closed to them. */
  readonly gate: number | null;
  /** The same for the corner up to which they pass a door; null if they pass none. */
  readonly passing: number | null;
  readonly gapM: number;
  /** Their number in the queue there; 0 if they do not wait. */
  readonly ticket: number;
  readonly freeSpeed: number;
}

/** The next door on a person's way. */
interface DoorAhead {
  /** The index of its zone. */
  readonly zone: number;
  /** The index of the passage, and of the first door of the zone. */
  readonly passage: number;
  readonly firstPassage: number;
}

export class Crowd implements Gatekeeper {
  readonly #people: People;
  readonly #ground: Ground;
  readonly #density: Density;
  readonly #passages: readonly Passage[];
  readonly #finder: PassageFinder;
  readonly #queues: Queues;
  /** The grid cell of each person. */
  readonly #spots: Int32Array;
  /** For each person, the end of the passage at their gate. */
  readonly #gateEnd: Int32Array;
  /**
   * For each person, the corner up to which they pass a door, where only its capacity limits their speed; below 0 for
   * none.
   */
  readonly #passing: Int32Array;
  /** For each passage, the number of people for whom it is the next one. */
  readonly #bound: Int32Array;
  /** Whether each person acted in this tick: `ACTED`, `SET_OUT` or 0. */
  readonly #acted: Uint8Array;
  readonly #acting: Int32Array;
  #count = 0;
  /** Whether each acting person came to another cell, or set out. */
  readonly #isNew: Uint8Array;

  /** `starts`: the initial positions of people, so that the grid covers them. */
  constructor(people: People, ground: Ground, starts: readonly Point[]) {
    this.#people = people;
    this.#ground = ground;
    this.#density = new Density(ground, starts);
    this.#passages = passagesOf(ground);
    this.#finder = new PassageFinder(ground);
    this.#queues = new Queues(this.#passages, people, ground);
    this.#spots = new Int32Array(people.count).fill(NO_CELL_SIDE);
    this.#gateEnd = new Int32Array(people.count);
    this.#passing = new Int32Array(people.count).fill(NO_GATE);
    this.#bound = new Int32Array(this.#passages.length);
    this.#acted = new Uint8Array(people.count);
    this.#acting = new Int32Array(people.count);
    this.#isNew = new Uint8Array(people.count);
  }

  get density(): DensityGrid {
    return this.#density;
  }

  queues(): readonly PassageQueue[] {
    return this.#queues.seen((zone) => this.#ground.zones[zone]!.name);
  }

  /** True if people wait at a door or stair. */
  get queued(): boolean {
    return this.#queues.any;
  }

  /** The number of people who wait at the next door of a person's way; 0 if another corner comes before it. */
  waitingAt(i: number): number {
    const { gate, corner } = this.#people;
    if (gate[i]! < 0 || gate[i] !== corner[i]) return 0;
    const passage = passageOf(this.#gateEnd[i]!);
    return this.#passages[passage]!.kind === 'door' ? this.#queues.waiting(passage) : 0;
  }

  /** The door of `waitingAt`. */
  doorOf(i: number): DoorAhead {
    const passage = passageOf(this.#gateEnd[i]!);
    const { zone } = this.#passages[passage]!;
    return { zone, passage, firstPassage: this.#passages.findIndex((one) => one.zone === zone) };
  }

  /** The time that a person would wait at their own passage for those ahead of them; seconds. */
  ownWaitS(i: number): number {
    const passage = passageOf(this.#gateEnd[i]!);
    return this.#queues.ahead(passage, i) / this.#passages[passage]!.perS;
  }

  /**
   * The time that a newcomer would wait at a passage, for those who wait there and those on their way to it; seconds.
   */
  waitS(passage: number): number {
    return this.#bound[passage]! / this.#passages[passage]!.perS;
  }

  /** Recounts the people on the way to each passage, for `waitS`. */
  countBound(): void {
    const { gate } = this.#people;
    this.#bound.fill(0);
    for (let i = 0; i < gate.length; i++) if (gate[i]! >= 0) this.#bound[passageOf(this.#gateEnd[i]!)]! += 1;
  }

  /** A person changed from one passage to another. */
  turned(from: number, to: number): void {
    this.#bound[from]! -= 1;
    this.#bound[to]! += 1;
  }

  setOut(i: number): void {
    this.#queues.leave(i);
    this.#passing[i] = NO_GATE;
    this.#mark(i, SET_OUT);
    const { auto, aboard, routes, gate } = this.#people;
    // Scripted workers move as their steps say, and doors do not admit vehicles.
    if (auto[i] === 1 && aboard[i] === 0) gate[i] = this.#gateFrom(i, routes[i]!, 0);
  }

  stood(i: number): void {
    this.#queues.leave(i);
    this.place(i);
  }

  /** The person's position, floor, vehicle or phase may have changed. */
  acted(i: number): void {
    this.#mark(i, ACTED);
  }

  /** Runs after everyone has moved: all people act on the same state of the second, in the order of their index. */
  tick(now: Instant): void {
    const second = Math.floor(now / SECOND_MS);
    const count = this.#gather();
    const acting = this.#acting;
    this.#queues.refill();
    this.#queues.serve(this.#isThere, this.#admit);
    for (let n = 0; n < count; n++) {
      const i = acting[n]!;
      if (this.#people.gate[i]! >= 0) this.#meetGate(i);
      this.#slow(i, second);
    }
  }

  /** Counts the person in their current cell. Returns true if it is another cell than before. */
  place(i: number): boolean {
    const to = this.#spotOf(i);
    const from = this.#spots[i]!;
    if (from === to) return false;
    this.#density.move(from, to);
    this.#spots[i] = to;
    return true;
  }

  kept(i: number): KeptCrossing {
    const { gate, corner, gateGapM, freeSpeed } = this.#people;
    return {
      gate: gate[i] === NO_GATE ? null : gate[i]! - corner[i]!,
      passing: this.#passing[i]! < corner[i]! ? null : this.#passing[i]! - corner[i]!,
      gapM: gateGapM[i]!,
      ticket: this.#queues.ticketOf(i),
      freeSpeed: freeSpeed[i]!,
    };
  }

  /** Call it after the route was restored. A gate that is elsewhere now (the site file changed) counts as a new one. */
  resume(i: number, { gate, passing, gapM, ticket, freeSpeed }: KeptCrossing): void {
    const people = this.#people;
    const route = people.routes[i]!;
    if (route !== null) {
      people.freeSpeed[i] = freeSpeed;
      people.gate[i] = gate === null ? NO_GATE : this.#gateFrom(i, route, gate);
      people.gateGapM[i] = gapM;
      this.#passing[i] = passing ?? NO_GATE;
      if (ticket > 0 && people.gate[i] === gate) this.#queues.resume(i, this.#gateEnd[i]!, ticket);
    }
    if (this.#acted[i] === SET_OUT) this.#acted[i] = ACTED;
    this.place(i);
  }

  keptTokens(): PassageTokens[] {
    return this.#queues.keptTokens();
  }

  resumeTokens(kept: readonly PassageTokens[]): void {
    this.#queues.resumeTokens(kept);
  }

  #mark(i: number, what: number): void {
    if (this.#acted[i] === 0) {
      this.#acting[this.#count] = i;
      this.#count += 1;
    }
    this.#acted[i] = Math.max(this.#acted[i]!, what);
  }

  /** Counts the people who acted in their current cells, in the order of their index. Returns their number. */
  #gather(): number {
    const acting = this.#acting;
    const count = this.#count;
    this.#count = 0;
    for (let n = 1; n < count; n++)
      if (acting[n]! < acting[n - 1]!) {
        acting.subarray(0, count).sort();
        break;
      }
    for (let n = 0; n < count; n++) {
      const i = acting[n]!;
      this.#isNew[i] = this.place(i) || this.#acted[i] === SET_OUT ? 1 : 0;
      this.#acted[i] = 0;
    }
    return count;
  }

  #spotOf(i: number): CellSide {
    const { x, y, height, aboard, phase } = this.#people;
    const onFoot = aboard[i] === 0 && phase[i] !== DOCKED && Math.abs(height[i]!) < GROUND_M;
    return onFoot ? this.#density.spotAt(x[i]!, y[i]!) : NO_CELL_SIDE;
  }

  #gateFrom(i: number, route: Float64Array, from: number): number {
    const gate = this.#finder.next(route, from);
    if (gate !== NO_GATE) this.#gateEnd[i] = this.#finder.endAt(route, gate);
    this.#people.gateGapM[i] = 0;
    return gate;
  }

  /** A person who would reach the gate, or the end of its queue, within the next second passes, or joins the queue. */
  #meetGate(i: number): void {
    const { stuck, speed } = this.#people;
    if (this.#queues.waits(i) || stuck.has(i)) return;
    const end = this.#gateEnd[i]!;
    const passage = passageOf(end);
    const toGateM = this.#people.toGate(i);
    if (toGateM - this.#queues.gapOf(end) > speed[i]!) return;
    const free = this.#queues.waiting(passage) === 0;
    if (free && !this.#isThere(i)) return;
    if (this.#queues.take(passage)) this.#admit(i);
    else this.#queues.join(i, end);
  }

  // A stair is climbed only at its position; a door may be passed within the next second.
  readonly #isThere = (i: number): boolean => {
    if (this.#passages[passageOf(this.#gateEnd[i]!)]!.kind === 'door') return true;
    return this.#people.toGate(i) < AT_STAIR_M;
  };

  readonly #admit = (i: number): void => {
    const { routes, gate, climbTo, goalHeight, touched } = this.#people;
    const route = routes[i]!;
    const stair = this.#passages[passageOf(this.#gateEnd[i]!)]!.kind === 'stair';
    touched.add(i);
    this.#passing[i] = stair ? gate[i]! : gate[i]! + 2;
    gate[i] = this.#gateFrom(i, route, gate[i]! + 2);
    // The last stair of a way leads to the floor of the goal; any stair before it leads to the ground.
    if (stair) climbTo[i] = this.#stairFrom(i, route) ? 0 : goalHeight[i]!;
  };

  #stairFrom(i: number, route: Float64Array): boolean {
    for (let gate = this.#people.gate[i]!; gate >= 0; gate = this.#finder.next(route, gate + 2))
      if (this.#passages[passageOf(this.#finder.endAt(route, gate))]!.kind === 'stair') return true;
    return false;
  }

  // The slow-down depends on the crowd ahead, not on the one behind: otherwise people are pressed into narrow ways that
  // are full.
  #slowedAhead(i: number): number {
    const spot = this.#spots[i]!;
    if (!this.#density.isCrowded(spot)) return 1;
    const { x, y, routes, corner } = this.#people;
    const dx = routes[i]![corner[i]!]! - x[i]!;
    const dy = routes[i]![corner[i]! + 1]! - y[i]!;
    const metres = Math.sqrt(dx * dx + dy * dy);
    const share = metres > AHEAD_M ? AHEAD_M / metres : 1;
    return this.#density.slowedAt(this.#density.spotAt(x[i]! + share * dx, y[i]! + share * dy));
  }

  #slow(i: number, second: number): void {
    const { auto, aboard, routes, corner, speed, freeSpeed, touched } = this.#people;
    // A person alone in the same cell looks for a crowd only every few seconds, and in any case at the next cell, about
    // 2 s later.
    if (speed[i] === freeSpeed[i] && this.#isNew[i] === 0 && (second + i) % LOOKS_UP_S !== 0) return;
    if (routes[i] === null || auto[i] === 0 || aboard[i] === 1) return;
    // A door's capacity already includes the crowd in front of it: the crowd must not slow people down a second time.
    const passes = corner[i]! <= this.#passing[i]! || this.#queues.waits(i);
    const slowed = freeSpeed[i]! * (passes ? 1 : this.#slowedAhead(i));
    if (slowed === speed[i]) return;
    speed[i] = slowed;
    touched.add(i);
  }
}
