/** The people of a site as arrays: real position, route and activity of each; and who cannot leave their place, and why, until they are freed. [decisions 6] */

import type { Point } from '../../base/geometry/shapes.ts';
import { length } from '../../base/random/portable-math.ts';
import type { Instant } from '../../base/time/clock.ts';

/**
 * What a person is doing. In the first phase, a scripted worker moves by actions only. In the second, an autonomous
 * worker carries out an action.
 */
export const PHASES = [
  'scripted',
  'told',
  'work',
  'to-break',
  'break',
  'to-dock',
  'docked',
  'to-vehicle',
  'muster',
] as const;
type Phase = (typeof PHASES)[number];

/** The instant of what never happens. */
export const NEVER = Number.POSITIVE_INFINITY;

/** Options of a move. */
export interface MoveWay {
  /** Metres per second; absent: the person's own pace. */
  readonly pace?: number | undefined;
  readonly inVehicle?: boolean;
  /**
   * True if background life sent the person: an alarm ends this trip. Otherwise the move is an order, which has
   * priority over an alarm.
   */
  readonly isErrand?: boolean;
}

/** One column for each property; a person is an index. Metres, metres per second, instants. */
export class People {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The height above the ground. It changes on stairs, without a change of x and y. */
  readonly height: Float64Array;
  /** The height to which the person climbs before they walk on. */
  readonly climbTo: Float64Array;
  /** The height to which the person climbs where they arrive. */
  readonly goalHeight: Float64Array;
  readonly pace: Float64Array;
  /** The current speed along the route. */
  readonly speed: Float64Array;
  /** The speed along the route without a crowd. */
  readonly freeSpeed: Float64Array;
  /** The instant at which x and y were true, for people on a route. */
  readonly since: Float64Array;
  /** The person stands until then. */
  readonly until: Float64Array;
  readonly shiftEndsAt: Float64Array;
  readonly nextBreakAt: Float64Array;
  readonly shiftMs: Float64Array;
  /** How long the watch will be charged. */
  readonly dockMs: Float64Array;
  /** For drivers: they walk until then. */
  readonly onFootUntil: Float64Array;
  /** For drivers: trips left before they get out. */
  readonly drives: Uint8Array;
  /** The next corner of the route. */
  readonly corner: Uint16Array;
  /** The corner before the next door or stair that has not yet admitted them; below 0 for none. */
  readonly gate: Int32Array;
  /** The distance that they keep from the gate, behind the people who wait there; metres. */
  readonly gateGapM: Float64Array;
  readonly phase: Uint8Array;
  readonly auto: Uint8Array;
  /** 1 if the person is in a vehicle. */
  readonly aboard: Uint8Array;
  readonly lowBattery: Uint8Array;
  /** The people who cannot leave their place. */
  readonly stuck: Stuck;
  /** Corners x, y ... of the way; null: they stand. */
  readonly routes: (Float64Array | null)[];
  /** People with a change that must be stored. Progress along a route does not count, since it can be computed. */
  readonly touched = new Set<number>();
  /** Floors that actions gave to scripted workers. */
  readonly givenFloors = new Map<number, OnFloor>();
  /**
   * People whose last move was an errand of background life. Not stored: after a restart their move counts as an order.
   */
  readonly errands = new Set<number>();
  /** What regulates the gates; null: everyone passes. */
  gatekeeper: Gatekeeper | null = null;
  /** Results of `#walk`: x, y, corner. An array, since a field that holds a fraction would be allocated with each write. */
  readonly #walked = new Float64Array(3);

  constructor(count: number) {
    this.count = count;
    const column = (): Float64Array => new Float64Array(count);
    [this.x, this.y, this.height, this.climbTo, this.goalHeight] = [column(), column(), column(), column(), column()];
    [this.pace, this.speed, this.freeSpeed, this.gateGapM] = [column(), column(), column(), column()];
    [this.since, this.until] = [column(), column().fill(NEVER)];
    [this.shiftEndsAt, this.nextBreakAt, this.shiftMs, this.dockMs] = [column(), column(), column(), column()];
    this.onFootUntil = column();
    this.drives = new Uint8Array(count);
    this.corner = new Uint16Array(count);
    this.gate = new Int32Array(count).fill(NO_GATE);
    this.phase = new Uint8Array(count);
    this.auto = new Uint8Array(count);
    this.aboard = new Uint8Array(count);
    this.lowBattery = new Uint8Array(count);
    this.stuck = new Stuck(count);
    this.routes = Array.from({ length: count }, () => null);
  }

  phaseOf(i: number): Phase {
    return PHASES[this.phase[i]!]!;
  }

  /** An action, or an errand of background life, sends the person somewhere. An alarm ends an errand. */
  send(i: number, isErrand: boolean): void {
    this.be(i, this.auto[i] === 1 ? 'told' : 'scripted');
    if (isErrand) this.errands.add(i);
    else this.errands.delete(i);
  }

  be(i: number, phase: Phase): void {
    this.phase[i] = PHASES.indexOf(phase);
  }

  at(i: number): Point {
    return [this.x[i]!, this.y[i]!];
  }

  /** The position between two ticks, computed along the route. It changes nothing. */
  between(i: number, now: Instant): Point {
    if (this.routes[i] === null || this.height[i] !== this.climbTo[i]) return this.at(i);
    this.#walk(i, (this.speed[i]! * (now - this.since[i]!)) / 1000);
    return [this.#walked[0]!, this.#walked[1]!];
  }

  /** Moves the person along the route by this many seconds. Returns true if they have arrived. */
  step(i: number, seconds: number): boolean {
    this.#walk(i, this.speed[i]! * seconds);
    this.x[i] = this.#walked[0]!;
    this.y[i] = this.#walked[1]!;
    const corner = this.#walked[2]!;
    this.corner[i] = corner;
    if (corner < this.routes[i]!.length) return false;
    this.routes[i] = null;
    return true;
  }

  // Stops at the gate. The results are in `#walked`, so that a tick allocates nothing.
  #walk(i: number, metresToGo: number): void {
    const route = this.routes[i]!;
    const gate = this.gate[i]!;
    let left = metresToGo;
    let x = this.x[i]!;
    let y = this.y[i]!;
    let corner = this.corner[i]!;
    while (corner < route.length) {
      const dx = route[corner]! - x;
      const dy = route[corner + 1]! - y;
      const metres = Math.sqrt(dx * dx + dy * dy);
      if (corner === gate) left = Math.min(left, Math.max(0, metres - this.gateGapM[i]!));
      if (metres > left) {
        x += (dx * left) / metres;
        y += (dy * left) / metres;
        break;
      }
      x = route[corner]!;
      y = route[corner + 1]!;
      if (corner === gate) break;
      left -= metres;
      corner += 2;
    }
    this.#walked[0] = x;
    this.#walked[1] = y;
    this.#walked[2] = corner;
  }

  /** Metres to the gate; infinity if other corners come first, or if there is no gate. */
  toGate(i: number): number {
    const [route, corner] = [this.routes[i]!, this.corner[i]!];
    if (route === null || corner !== this.gate[i]) return Number.POSITIVE_INFINITY;
    return length(route[corner]! - this.x[i]!, route[corner + 1]! - this.y[i]!);
  }

  setOut(i: number, route: Float64Array, speed: number, now: Instant): void {
    this.routes[i] = route;
    this.corner[i] = 0;
    this.speed[i] = this.freeSpeed[i] = speed;
    this.since[i] = now;
    this.gate[i] = NO_GATE;
    this.gatekeeper?.setOut(i);
  }

  stand(i: number, [x, y]: Point): void {
    this.x[i] = x;
    this.y[i] = y;
    this.routes[i] = null;
    this.gate[i] = NO_GATE;
    this.gatekeeper?.stood(i);
  }
}

/** The value of `gate` if there are no doors and stairs ahead on the route. */
export const NO_GATE = -1;

/**
 * Regulates doors and stairs: sets `gate` and `gateGapM` of people who set out, and lifts the gate of those whom it
 * admits.
 */
export interface Gatekeeper {
  /** The person has a new route. */
  setOut(i: number): void;
  /** The person stands still, without a route. */
  stood(i: number): void;
}

/** `fallen`: they lie on the ground after a fall that they do not answer, or answer with a call for help. */
export const STUCK_BY = ['trapped', 'injured', 'fallen'] as const;
export type StuckBy = (typeof STUCK_BY)[number];

/** The causes that hold each person, one bit per cause. Several may hold at once. */
class Stuck {
  readonly #causes: Uint8Array;
  readonly #since: Float64Array;

  constructor(count: number) {
    this.#causes = new Uint8Array(count);
    this.#since = new Float64Array(count);
  }

  has(i: number): boolean {
    return this.#causes[i] !== 0;
  }

  /** The gravest cause; null if the person can leave. */
  why(i: number): StuckBy | null {
    return this.has(i) ? STUCK_BY.find((cause) => this.is(i, cause))! : null;
  }

  is(i: number, cause: StuckBy): boolean {
    return (this.#causes[i]! & bitOf(cause)) !== 0;
  }

  /** All causes that hold the person. */
  causes(i: number): StuckBy[] {
    return STUCK_BY.filter((cause) => this.is(i, cause));
  }

  /** The instant since which the person has been held without a break. */
  since(i: number): Instant {
    return this.#since[i]!;
  }

  hold(i: number, cause: StuckBy, now: Instant): void {
    if (!this.has(i)) this.#since[i] = now;
    this.#causes[i]! |= bitOf(cause);
  }

  /** Ends the causes. Returns true if no cause is left, so that the person can leave. */
  free(i: number, causes: readonly StuckBy[]): boolean {
    if (!this.has(i)) return false;
    for (const cause of causes) this.#causes[i]! &= ~bitOf(cause);
    return !this.has(i);
  }
}

const bitOf = (cause: StuckBy): number => 1 << STUCK_BY.indexOf(cause);

/** A floor of a building; metres above the ground. */
export interface OnFloor {
  readonly building: string;
  readonly floor: string | null;
  readonly heightM: number;
}
