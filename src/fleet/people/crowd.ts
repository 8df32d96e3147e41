/** What people on foot do to each other: they slow down where it is crowded, and wait at doors and stairs. The end of each tick. [realism 7.3] */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import { type CellSide, Density, type DensityGrid, NO_CELL_SIDE } from './density.ts';
import type { Ground } from './ground/ground.ts';
import { type Passage, PassageFinder, passageOf, passagesOf } from './ground/passages.ts';
import { type Gatekeeper, NO_GATE, type People, PHASES } from './people.ts';
import { type PassageQueue, type PassageTokens, Queues } from './queues.ts';

/** Who is so far up or down is on another floor than the ground: nobody's neighbour there; metres. */
const GROUND_M = 1.5;

/** Nearer than this a person is at the stair. */
const AT_STAIR_M = 1e-9;

/** People see what is before them as far as this; metres. */
const AHEAD_M = 3;

const SECOND_MS = 1_000;

/** People who walk freely look for a crowd this often, seconds. */
const LOOKS_UP_S = 3;

/** In `#acted`. */
const ACTED = 1;
const SET_OUT = 2;

const DOCKED = PHASES.indexOf('docked');

/** State of a person at doors and stairs, as it is kept. */
export interface KeptCrossing {
  /** Corners of the rest of their way before the gate; null: none is closed to them. */
  readonly gate: number | null;
  /** The same of the corner up to which they pass a door; null or absent: they do not. */
  readonly passing?: number | null;
  readonly gapM: number;
  /** Their number in the queue there; 0: they do not wait. */
  readonly ticket: number;
  readonly freeSpeed: number;
}

/** A door that a person comes to next. */
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
  /** By person. */
  readonly #spots: Int32Array;
  /** The end of the passage at their gate. */
  readonly #gateEnd: Int32Array;
  /** The corner up to which they pass a door, at a speed that its capacity stands for; below 0: they do not. */
  readonly #passing: Int32Array;
  /** By passage: people who come to it next. */
  readonly #bound: Int32Array;
  /** People who did something in this tick. */
  readonly #acted: Uint8Array;
  readonly #acting: Int32Array;
  #count = 0;
  /** Who of them came to another cell, or set out. */
  readonly #isNew: Uint8Array;

  /** `starts`: where people are at first, so that the grid covers them. */
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

  /** People wait at some door or stair. */
  get queued(): boolean {
    return this.#queues.any;
  }

  /** How many wait at the door that is next on a person's way, where no corner comes before it. */
  waitingAt(i: number): number {
    const { gate, corner } = this.#people;
    if (gate[i]! < 0 || gate[i] !== corner[i]) return 0;
    const passage = passageOf(this.#gateEnd[i]!);
    return this.#passages[passage]!.kind === 'door' ? this.#queues.waiting(passage) : 0;
  }

  /** That door. */
  doorOf(i: number): DoorAhead {
    const passage = passageOf(this.#gateEnd[i]!);
    const { zone } = this.#passages[passage]!;
    return { zone, passage, firstPassage: this.#passages.findIndex((one) => one.zone === zone) };
  }

  /** How long a person would wait at their own passage, seconds: for those before them. */
  ownWaitS(i: number): number {
    const passage = passageOf(this.#gateEnd[i]!);
    return this.#queues.ahead(passage, i) / this.#passages[passage]!.perS;
  }

  /** How long a newcomer would wait at a passage, seconds: for those who wait there, and those who are on their way to it. */
  waitS(passage: number): number {
    return this.#bound[passage]! / this.#passages[passage]!.perS;
  }

  /** Counts anew who is on the way to each passage, for `waitS`. */
  countBound(): void {
    const { gate } = this.#people;
    this.#bound.fill(0);
    for (let i = 0; i < gate.length; i++) if (gate[i]! >= 0) this.#bound[passageOf(this.#gateEnd[i]!)]! += 1;
  }

  /** A person has turned from one passage to another. */
  turned(from: number, to: number): void {
    this.#bound[from]! -= 1;
    this.#bound[to]! += 1;
  }

  setOut(i: number): void {
    this.#queues.leave(i);
    this.#passing[i] = NO_GATE;
    this.#mark(i, SET_OUT);
    const { auto, aboard, routes, gate } = this.#people;
    // Scripted workers go as their script says; doors do not admit vehicles.
    if (auto[i] === 1 && aboard[i] === 0) gate[i] = this.#gateFrom(i, routes[i]!, 0);
  }

  stood(i: number): void {
    this.#queues.leave(i);
    this.place(i);
  }

  /** Their place, floor, vehicle or phase may have changed. */
  acted(i: number): void {
    this.#mark(i, ACTED);
  }

  /** After everyone has moved: all act on the same picture of the second, in the order of people. */
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

  /** Counts the person where they are now; true: in another cell than before. */
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

  /** After they have their route again. A gate that is elsewhere now (the site file changed) counts as a new one. */
  resume(i: number, { gate, passing = null, gapM, ticket, freeSpeed }: KeptCrossing): void {
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

  /** Counts them where they are now, in the order of people; returns their number. */
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

  /** Those who would reach it, or the end of its queue, within the next second: they pass, or wait behind the others. */
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

  // A stair is climbed where it is; a door may be passed within the next second.
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
    // The last stair of a way leads to the floor of its end, one before it to the ground.
    if (stair) climbTo[i] = this.#stairFrom(i, route) ? 0 : goalHeight[i]!;
  };

  #stairFrom(i: number, route: Float64Array): boolean {
    for (let gate = this.#people.gate[i]!; gate >= 0; gate = this.#finder.next(route, gate + 2))
      if (this.#passages[passageOf(this.#finder.endAt(route, gate))]!.kind === 'stair') return true;
    return false;
  }

  // By the crowd that they walk into, not the one behind them: else people are pressed into narrow ways that are full.
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
    // Alone in the same cell as before: they look up every few seconds, and at the next cell, that is in 2 s, in any case.
    if (speed[i] === freeSpeed[i] && this.#isNew[i] === 0 && (second + i) % LOOKS_UP_S !== 0) return;
    if (routes[i] === null || auto[i] === 0 || aboard[i] === 1) return;
    // A door lets people pass as fast as it does because of the crowd before it: it slows them once, not twice.
    const passes = corner[i]! <= this.#passing[i]! || this.#queues.waits(i);
    const slowed = freeSpeed[i]! * (passes ? 1 : this.#slowedAhead(i));
    if (slowed === speed[i]) return;
    speed[i] = slowed;
    touched.add(i);
  }
}
