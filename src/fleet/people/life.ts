/** The daily work of people: they change places, drive, take breaks, end their shift, and return after the rest. [realism 7.2] */

import { distance, type Point } from '../../base/geometry/shapes.ts';
import type { Draws } from '../../base/random/draws.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { KeptPerson } from '../kept/documents.ts';
import { type Goal, Goals, type WorkArea } from './goals.ts';
import { buildingAt, type Ground } from './ground/ground.ts';
import type { Routes } from './ground/routes.ts';
import type { FleetPermit } from './ground/site.ts';
import type { Stairs } from './ground/stairs.ts';
import { NEVER, type People } from './people.ts';
import { type DrivenVehicle, USUAL_PACE } from './vehicles.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Mean stay: one chance in a hundred per second to go somewhere else. [realism 7.2] */
const STAY_MEAN_MS = 100 * SECOND_MS;
const STAY_MS = { min: 5 * SECOND_MS, max: 10 * MINUTE_MS } as const;
const PARKED_MEAN_MS = 3 * MINUTE_MS;
const PARKED_MS = { min: 30 * SECOND_MS, max: 10 * MINUTE_MS } as const;
const ON_FOOT_MS = { min: 8 * MINUTE_MS, max: 20 * MINUTE_MS } as const;
const MOST_DRIVES = 6;

const SHIFT_MS = { min: 10 * HOUR_MS, max: 12 * HOUR_MS } as const;
const REST_MS = { min: 11.75 * HOUR_MS, max: 12.25 * HOUR_MS } as const;
const BREAK_MS = { min: 15 * MINUTE_MS, max: 30 * MINUTE_MS } as const;
/** Breaks of a shift, spread over it roughly in quarters. */
const BREAKS = 3;
const BREAK_SPREAD_MS = 20 * MINUTE_MS;
/** No breaks in the last 45 minutes. */
const NO_BREAK_MS = 45 * MINUTE_MS;

/** Charging time of a watch that would not last the shift. */
const RECHARGE_MS = 45 * MINUTE_MS;

/** Stay of a person who was put or sent somewhere, before the daily routine resumes. */
const SENT_STAY_MS = { min: 2 * MINUTE_MS, max: 5 * MINUTE_MS } as const;

/** A permit holder leaves the zone this long before the permit ends. */
const LEAVE_BEFORE_MS = 20 * MINUTE_MS;

/** Retry interval after no route was found. */
const TRY_AGAIN_MS = 20 * SECOND_MS;

/** Distance at which a person can get into a vehicle; metres. */
const AT_HAND_M = 1;

interface LifeParts {
  readonly people: People;
  readonly ground: Ground;
  readonly routes: Routes;
  readonly stairs: Stairs;
  readonly draws: Draws;
  /** The work area of each person, by index. */
  readonly areas: WorkArea[];
  readonly permits: readonly (readonly FleetPermit[])[];
  /** The vehicle that each person drives, by index; null for none. */
  readonly vehicles: readonly (DrivenVehicle | null)[];
}

export class Life {
  readonly #of: LifeParts;
  readonly #goals: Goals;

  constructor(parts: LifeParts, goals = new Goals(parts.ground, parts.draws)) {
    this.#of = parts;
    this.#goals = goals;
  }

  /** A shift begins: its length and its first break are drawn. */
  beginShift(i: number, now: Instant): void {
    const { people } = this.#of;
    const shiftMs = this.#between(i, SHIFT_MS);
    people.be(i, 'work');
    people.shiftMs[i] = shiftMs;
    people.shiftEndsAt[i] = now + shiftMs;
    people.nextBreakAt[i] = now + shiftMs / (BREAKS + 1) + this.#spread(i);
    people.until[i] = now;
  }

  /** The first stay begins at a random point in it, so that not everyone leaves at the start. */
  begin(i: number, now: Instant): void {
    this.beginShift(i, now);
    const { people, vehicles, draws } = this.#of;
    people.until[i] = now + draws.between(i, 0, STAY_MEAN_MS);
    const vehicle = vehicles[i];
    if (vehicle == null || distance(vehicle.at, people.at(i)) > AT_HAND_M) return;
    people.aboard[i] = 1;
    people.drives[i] = 1 + draws.below(i, MOST_DRIVES);
  }

  /** After an ordered move: the person stays for a while, then resumes the daily routine. */
  stay(i: number, now: Instant): void {
    const { people } = this.#of;
    const auto = people.auto[i] === 1;
    people.be(i, auto ? 'told' : 'scripted');
    people.until[i] = auto ? now + this.#between(i, SENT_STAY_MS) : NEVER;
  }

  /** The person can leave the place where they were held, and continues what they were doing, or their work. */
  freed(i: number, now: Instant): void {
    const { people } = this.#of;
    // A person who was held during a break or off shift continues it.
    if (people.until[i] !== NEVER) return;
    if (people.phaseOf(i) === 'scripted' || people.phaseOf(i) === 'told') return this.stay(i, now);
    people.be(i, 'work');
    people.until[i] = now;
  }

  /** The person has reached the end of their way. */
  arrived(i: number, now: Instant): void {
    const { people, vehicles } = this.#of;
    people.climbTo[i] = people.goalHeight[i]!;
    switch (people.phaseOf(i)) {
      case 'scripted':
      case 'told':
        return this.stay(i, now);
      case 'to-break':
        people.be(i, 'break');
        people.until[i] = now + this.#between(i, BREAK_MS);
        return;
      case 'to-dock':
        return this.#dock(i, now);
      case 'to-vehicle':
        people.be(i, 'work');
        people.aboard[i] = vehicles[i] == null ? 0 : 1;
        people.drives[i] = 1 + this.#of.draws.below(i, MOST_DRIVES);
        people.until[i] = now + 10 * SECOND_MS;
        return;
      default:
        people.until[i] = now + this.#stay(i, people.aboard[i] === 1);
    }
  }

  /** The person's stay is over: decides what they do next. */
  decide(i: number, now: Instant): void {
    const { people } = this.#of;
    switch (people.phaseOf(i)) {
      case 'scripted':
        people.until[i] = NEVER;
        return;
      case 'docked':
        // Either the rest is over, or the watch has enough charge for the rest of the shift.
        if (now >= people.shiftEndsAt[i]!) this.beginShift(i, now);
        else people.be(i, 'work');
        return this.#work(i, now);
      case 'break':
        people.nextBreakAt[i]! = now + people.shiftMs[i]! / (BREAKS + 1) + this.#spread(i);
        people.be(i, 'work');
        return this.#work(i, now);
      default:
        people.be(i, 'work');
        return this.#work(i, now);
    }
  }

  #work(i: number, now: Instant): void {
    const { people, areas, vehicles } = this.#of;
    const permits = this.permitsOf(i, now);
    const area = this.#areaOf(i, areas[i]!, permits);
    // No charging in the last 45 minutes: the person ends the shift early.
    if (people.lowBattery[i] === 1 && people.shiftEndsAt[i]! - now < RECHARGE_MS) people.shiftEndsAt[i] = now;
    if (now >= people.shiftEndsAt[i]!) return this.#goToDock(i, area, permits, this.#between(i, REST_MS), now);
    if (people.lowBattery[i] === 1) return this.#goToDock(i, area, permits, RECHARGE_MS, now);
    if (now >= people.nextBreakAt[i]! && now < people.shiftEndsAt[i]! - NO_BREAK_MS) {
      return this.#goToBreak(i, area, permits, now);
    }
    if (vehicles[i] != null) return this.#driveOrWalk(i, area, vehicles[i]!, permits, now);
    const goal = this.#goals.inArea(i, area, people.at(i), permits);
    if (goal === null || !this.go(i, goal, permits, now)) people.until[i] = now + TRY_AGAIN_MS;
  }

  #driveOrWalk(i: number, area: WorkArea, vehicle: DrivenVehicle, permits: number, now: Instant): void {
    const { people } = this.#of;
    if (people.aboard[i] === 1 && people.drives[i]! > 0) {
      people.drives[i]! -= 1;
      const goal = this.#goals.drive(i, area, permits);
      if (goal === null || !this.go(i, goal, permits, now)) people.until[i] = now + TRY_AGAIN_MS;
      return;
    }
    if (people.aboard[i] === 1) {
      this.getOut(i);
      people.onFootUntil[i] = now + this.#between(i, ON_FOOT_MS);
    }
    if (now >= people.onFootUntil[i]!) {
      people.be(i, 'to-vehicle');
      if (this.go(i, { at: vehicle.at, heightM: 0 }, permits, now)) return;
      people.be(i, 'work');
      people.until[i] = now + TRY_AGAIN_MS;
      return;
    }
    const goal = this.#goals.nearby(i, people.at(i), permits);
    if (goal === null || !this.go(i, goal, permits, now)) people.until[i] = now + TRY_AGAIN_MS;
  }

  #goToBreak(i: number, area: WorkArea, permits: number, now: Instant): void {
    const { people } = this.#of;
    this.getOut(i);
    people.be(i, 'to-break');
    const goal = this.#goals.breakPlace(i, area, permits);
    // If there is no place for a break, the person rests where they are.
    if (goal === null || !this.go(i, goal, permits, now)) this.#restHere(i, now);
  }

  #restHere(i: number, now: Instant): void {
    const { people } = this.#of;
    people.goalHeight[i] = people.height[i]!;
    this.arrived(i, now);
  }

  #goToDock(i: number, area: WorkArea, permits: number, dockMs: number, now: Instant): void {
    const { people } = this.#of;
    this.getOut(i);
    people.be(i, 'to-dock');
    people.dockMs[i] = dockMs;
    const goal = this.#goals.dockPlace(i, area, permits);
    if (goal === null || !this.go(i, goal, permits, now)) this.#restHere(i, now);
  }

  #dock(i: number, now: Instant): void {
    const { people } = this.#of;
    people.be(i, 'docked');
    people.lowBattery[i] = 0;
    people.until[i] = now + people.dockMs[i]!;
  }

  /** The person's work area, the position of their vehicle, and the state of their random stream. */
  kept(i: number): Pick<KeptPerson, 'zone' | 'vehicle' | 'chance'> {
    const { areas, vehicles, draws } = this.#of;
    const vehicle = vehicles[i];
    return {
      zone: areas[i]!.zone,
      vehicle: vehicle == null ? null : [...vehicle.at],
      chance: draws.state(i),
    };
  }

  resume(i: number, { zone, vehicle, chance }: Pick<KeptPerson, 'zone' | 'vehicle' | 'chance'>): void {
    const { areas, vehicles, draws, ground } = this.#of;
    if (zone >= 0 && zone < ground.zones.length) areas[i] = this.#goals.areaOf(zone);
    const own = vehicles[i];
    if (own != null && vehicle !== null) own.at = vehicle;
    draws.goOn(i, chance);
  }

  /** The person leaves the vehicle, which stays where it is. */
  getOut(i: number): void {
    const { people, vehicles } = this.#of;
    const vehicle = vehicles[i];
    if (people.aboard[i] === 1 && vehicle != null) vehicle.at = people.at(i);
    people.aboard[i] = 0;
  }

  /** The pace of the person's vehicle; metres per second. */
  paceOf(i: number): number {
    return this.#of.vehicles[i]?.pace ?? USUAL_PACE;
  }

  /** Sends a person to a goal. Returns false if there is no way. */
  go(i: number, goal: Goal, permits: number, now: Instant): boolean {
    const { people, routes, stairs, vehicles } = this.#of;
    const onWheels = people.aboard[i] === 1;
    const heightM = Number.isNaN(goal.heightM) ? people.height[i]! : goal.heightM;
    const traveller = { permits, onWheels };
    const route = onWheels
      ? routes.find(people.at(i), goal.at, traveller)
      : stairs.route(i, goal.at, heightM, traveller);
    if (route === null) return false;
    stairs.setHeights(i, goal.at, heightM);
    people.setOut(i, route, onWheels ? vehicles[i]!.pace : people.pace[i]!, now);
    return true;
  }

  /**
   * Guarded zones that the person may enter now and for some time, as bits. A forbidden zone is never a place of work.
   */
  permitsOf(i: number, now: Instant): number {
    const { permits, ground } = this.#of;
    let bits = 0;
    for (const { zone, until } of permits[i]!) {
      const place = ground.guarded.findIndex((one) => ground.zones[one]!.name === zone);
      const lasts = until === null || until - LEAVE_BEFORE_MS > now;
      if (place >= 0 && lasts && ground.zones[ground.guarded[place]!]!.type === 'restricted') bits |= 1 << place;
    }
    return bits;
  }

  // When the permit for the work area ends, the work continues in another area.
  #areaOf(i: number, area: WorkArea, permits: number): WorkArea {
    const place = this.#of.ground.guarded.indexOf(area.zone);
    if (place < 0 || (permits & (1 << place)) !== 0) return area;
    const other = this.#goals.openArea(area);
    this.#of.areas[i] = other;
    return other;
  }

  #stay(i: number, parked: boolean): number {
    const { min, max } = parked ? PARKED_MS : STAY_MS;
    return Math.min(Math.max(this.#of.draws.exponential(i, parked ? PARKED_MEAN_MS : STAY_MEAN_MS), min), max);
  }

  #spread(i: number): number {
    return this.#of.draws.between(i, -BREAK_SPREAD_MS, BREAK_SPREAD_MS);
  }

  #between(i: number, { min, max }: { readonly min: number; readonly max: number }): number {
    return this.#of.draws.between(i, min, max);
  }
}

/** A point just outside the person's building; their own position if outdoors. */
export function outdoors(ground: Ground, [x, y]: Point): Point {
  const building = buildingAt(ground, x, y);
  const [door] = building < 0 ? [] : ground.zones[building]!.doors;
  if (door === undefined) return [x, y];
  return [door.at[0] + 4 * door.outward[0], door.at[1] + 4 * door.outward[1]];
}
