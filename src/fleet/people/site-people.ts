/** One tick for all people of a site: a grid of simulated seconds, played when somebody looks, so that looking changes nothing. */
import { asError } from '../../base/assert.ts';
import type { Instant } from '../../base/clock.ts';
import { Draws } from '../../base/draws.ts';
import { type Frame, frame, type Point, type Ring } from '../../base/geometry.ts';
import type { MusterNotice } from '../../contract/watch.ts';
import type { OnFloor } from '../watch-view.ts';
import { Evacuation } from './evacuation.ts';
import { Goals } from './goals.ts';
import { buildingAt, type Ground, groundOf, zoneAt } from './ground.ts';
import { Life, outdoors } from './life.ts';
import type { Deed } from './muster-part.ts';
import { NEVER, People } from './people.ts';
import { Routes } from './routes.ts';
import type { FleetPermit, FleetSite } from './site.ts';
import { paceOf, USUAL_PACE, type Vehicle } from './vehicles.ts';

/** One second: the coarsest step that a guideline of evacuation models accepts. [realism 0] */
export const TICK_MS = 1_000;

/** Metres of height a second on stairs. [realism 2.1: 0.61 m/s along a flight] */
const CLIMB_MS = 0.33;

/** A permit's guarded zones are bits of one number. */
const MOST_GUARDED = 30;

export interface SitePerson {
  /** Of the watch; chance goes by it. */
  readonly serial: string;
  readonly at: Point;
  /** Where they work. */
  readonly area: Ring;
  /** The name of the zone that the area is. */
  readonly zone?: string;
  /** The floor on which they are at the start; absent: the ground. */
  readonly floor?: string;
  /** Metres per second. */
  readonly pace: number;
  readonly behave: 'auto' | 'puppet';
  readonly permits?: readonly FleetPermit[];
}

/** What somebody truly does. */
export type Activity =
  | 'standing'
  | 'walking'
  | 'driving'
  | 'climbing'
  | 'working'
  | 'parked'
  | 'on_break'
  | 'charging'
  | 'off_shift'
  | 'evacuating'
  | 'helping'
  | 'trapped'
  | 'injured'
  | 'at_point';

export class SitePeople {
  readonly frame: Frame;
  readonly ground: Ground;
  readonly #people: People;
  readonly #routes: Routes;
  readonly #life: Life;
  readonly #evacuation: Evacuation;
  readonly #vehicles: (Vehicle | null)[];
  readonly #autos: number;
  /** Puppets on their way. */
  readonly #moving = new Set<number>();
  readonly #failed: (i: number | null, error: Error) => void;
  #tickedAt: Instant;

  /** `failed` is told of somebody whose next step threw, and who stands still from then on; null: the evacuation as a whole. Default: it throws. */
  constructor(
    site: FleetSite,
    persons: readonly SitePerson[],
    seed: string,
    now: Instant,
    failed: (serial: string | null, error: Error) => void = (_serial, error) => {
      throw error;
    },
  ) {
    this.#failed = (i, error) => failed(i === null ? null : (persons[i] as SitePerson).serial, error);
    this.frame = frame(site.origin);
    const ground = groundOf(site);
    this.ground = { ...ground, guarded: ground.guarded.slice(0, MOST_GUARDED) };
    const people = new People(persons.length);
    const draws = new Draws(
      seed,
      'life',
      persons.map(({ serial }) => serial),
    );
    const goals = new Goals(this.ground, draws);
    this.#people = people;
    this.#routes = new Routes(this.ground);
    this.#vehicles = persons.map(({ serial, at }) => {
      const own = site.vehicles.find(({ driver }) => driver === serial);
      if (own === undefined) return null;
      return { name: own.name, type: own.type, pace: paceOf(own), at: own.at ?? outdoors(this.ground, at) };
    });
    const zoneOf = (person: SitePerson): number => this.ground.zones.findIndex(({ name }) => name === person.zone);
    this.#life = new Life(
      {
        people,
        ground: this.ground,
        routes: this.#routes,
        draws,
        areas: persons.map((person) => goals.areaOfRing(person.area, zoneOf(person))),
        permits: persons.map(({ permits = [] }) => permits),
        vehicles: this.#vehicles,
      },
      goals,
    );
    this.#evacuation = new Evacuation({
      people,
      ground: this.ground,
      frame: this.frame,
      routes: this.#routes,
      life: this.#life,
      seed,
      serials: persons.map(({ serial }) => serial),
    });
    this.#tickedAt = Math.floor(now / TICK_MS) * TICK_MS;
    for (const [i, person] of persons.entries()) this.#begin(i, person, zoneOf(person), now);
    this.#autos = persons.filter(({ behave }) => behave === 'auto').length;
  }

  /** Everybody lives on until then. It never goes back, and how often it is called changes nothing. */
  advanceTo(now: Instant): void {
    if (this.#autos === 0 && this.#moving.size === 0) {
      this.#tickedAt = Math.max(this.#tickedAt, Math.floor(now / TICK_MS) * TICK_MS);
      return;
    }
    for (; this.#tickedAt + TICK_MS <= now; ) this.#tick(this.#tickedAt + TICK_MS);
  }

  /** Where the person truly is, metres. */
  at(i: number, now: Instant): Point {
    this.advanceTo(now);
    return this.#people.between(i, now);
  }

  /** Metres above the ground where the person is in a building with floors, and a watch can tell; else null. */
  heightAt(i: number, [x, y]: Point): { readonly zone: number; readonly heightM: number } | null {
    if (this.#people.auto[i] === 0) return null;
    const zone = buildingAt(this.ground, x, y);
    if (zone < 0 || this.ground.zones[zone]!.floors.length === 0) return null;
    return { zone, heightM: this.#people.height[i]! };
  }

  /** The floor that a puppet was put on. */
  toldFloor(i: number): OnFloor | null {
    return this.#people.toldFloors.get(i) ?? null;
  }

  /** The watch is off the wrist and on its charger. */
  docked(i: number, now: Instant): boolean {
    this.advanceTo(now);
    return this.#people.phaseOf(i) === 'docked';
  }

  inVehicle(i: number): boolean {
    return this.#people.aboard[i] === 1;
  }

  /** A watch of the site tells of a muster, and everybody hears its siren; puppets hear it only. [scenario-language, puppets] */
  hearMuster(told: MusterNotice, now: Instant): void {
    this.advanceTo(now);
    if (this.#autos > 0) this.#evacuation.hear(told, now);
  }

  /** People are evacuating: any second somebody may press something on their watch. */
  get evacuating(): boolean {
    return this.#evacuation.on;
  }

  /** Whether the person has done something with their watch that it does not know yet. */
  hasDone(i: number): boolean {
    return this.#evacuation.hasDone(i);
  }

  takeDeeds(i: number): readonly Deed[] {
    return this.#evacuation.takeDeeds(i);
  }

  /** The charge will not last: they will see to it. */
  seeLowBattery(i: number): void {
    this.#people.lowBattery[i] = 1;
  }

  activity(i: number): Activity {
    const people = this.#people;
    const mustered = people.phaseOf(i) === 'muster' ? this.#evacuation.activityOf(i) : null;
    if (mustered !== null && people.routes[i] === null) return mustered;
    if (people.phaseOf(i) === 'docked') return this.#tickedAt >= people.shiftEndsAt[i]! ? 'off_shift' : 'charging';
    if (people.height[i] !== people.climbTo[i]) return 'climbing';
    if (people.routes[i] !== null) return people.aboard[i] === 1 ? 'driving' : 'walking';
    switch (people.phaseOf(i)) {
      case 'break':
        return 'on_break';
      case 'work':
        return people.aboard[i] === 1 ? 'parked' : 'working';
      default:
        return 'standing';
    }
  }

  /** The name of the smallest zone that holds the point. */
  zoneName([x, y]: Point): string | null {
    const zone = zoneAt(this.ground, x, y);
    return zone < 0 ? null : this.ground.zones[zone]!.name;
  }

  /** The person is there now, on that floor; an `auto` one goes on from there after a while. */
  put(i: number, point: Point, floor: OnFloor | null, inVehicle: boolean, now: Instant): void {
    this.advanceTo(now);
    const people = this.#people;
    if (!inVehicle) this.#life.getOut(i);
    people.stand(i, point);
    people.aboard[i] = inVehicle ? 1 : 0;
    people.height[i] = people.climbTo[i] = people.goalHeight[i] = floor?.heightM ?? 0;
    if (floor === null) people.toldFloors.delete(i);
    else people.toldFloors.set(i, floor);
    this.#moving.delete(i);
    this.#life.told(i, now);
  }

  /** The person sets out through the points, round walls, fences and guarded zones; straight where there is no way. */
  moveTo(i: number, points: readonly Point[], pace: number | undefined, inVehicle: boolean, now: Instant): void {
    const from = this.at(i, now);
    const people = this.#people;
    people.stand(i, from);
    if (inVehicle) people.aboard[i] = 1;
    else this.#life.getOut(i);
    people.toldFloors.delete(i);
    const permits = this.#life.permitsOf(i, now);
    const route: number[] = [];
    let start = from;
    for (const point of points) {
      const found =
        this.#routes.find(start, point, { permits, onWheels: inVehicle }) ??
        this.#routes.find(start, point, { permits, onWheels: false });
      route.push(...(found ?? point));
      start = point;
    }
    people.climbTo[i] = people.goalHeight[i] = 0;
    if (people.auto[i] === 0) people.height[i] = 0;
    people.be(i, people.auto[i] === 1 ? 'told' : 'puppet');
    const driving = this.#vehicles[i]?.pace ?? USUAL_PACE;
    people.setOut(i, Float64Array.from(route), pace ?? (inVehicle ? driving : people.pace[i]!), now);
    if (people.auto[i] === 0) this.#moving.add(i);
  }

  #begin(i: number, { at, floor, pace, behave }: SitePerson, zone: number, now: Instant): void {
    const people = this.#people;
    people.stand(i, at);
    people.pace[i] = pace;
    people.auto[i] = behave === 'auto' ? 1 : 0;
    const { name = '', floors = [] } = this.ground.zones[zone] ?? {};
    const heightM = floors.find((one) => one.name === floor)?.heightM;
    people.height[i] = people.climbTo[i] = people.goalHeight[i] = heightM ?? 0;
    if (behave === 'auto') return this.#life.begin(i, now);
    if (heightM !== undefined && floor !== undefined) people.toldFloors.set(i, { building: name, floor, heightM });
  }

  #tick(now: Instant): void {
    this.#tickedAt = now;
    for (let i = 0; i < this.#people.count; i++) {
      try {
        this.#live(i, now);
      } catch (error) {
        this.#standStill(i);
        this.#failed(i, asError(error));
      }
    }
    try {
      this.#evacuation.tick(now);
    } catch (error) {
      this.#failed(null, asError(error));
    }
  }

  /** One second of one person. */
  #live(i: number, now: Instant): void {
    const people = this.#people;
    const { height, climbTo, routes, until, since } = people;
    if (height[i] !== climbTo[i]) {
      this.#climb(i);
      since[i] = now;
    } else if (routes[i] !== null) {
      const seconds = (now - since[i]!) / 1000;
      since[i] = now;
      if (people.step(i, seconds)) {
        this.#moving.delete(i);
        if (people.phaseOf(i) === 'muster') this.#evacuation.arrived(i, now);
        else this.#life.arrived(i, now);
      }
    } else if (until[i]! <= now) this.#decide(i, now);
  }

  /** Until an action moves them. */
  #standStill(i: number): void {
    const { routes, until, height, climbTo } = this.#people;
    routes[i] = null;
    until[i] = NEVER;
    climbTo[i] = height[i]!;
    this.#moving.delete(i);
  }

  #decide(i: number, now: Instant): void {
    const people = this.#people;
    if (this.#evacuation.takes(i)) this.#evacuation.decide(i, now);
    else if (this.#evacuation.active && people.phaseOf(i) === 'docked') {
      this.#life.beginShift(i, now);
      this.#evacuation.join(i, now);
    } else this.#life.decide(i, now);
  }

  #climb(i: number): void {
    const { height, climbTo } = this.#people;
    const left = climbTo[i]! - height[i]!;
    const step = (CLIMB_MS * TICK_MS) / 1000;
    height[i] = Math.abs(left) <= step ? climbTo[i]! : height[i]! + Math.sign(left) * step;
  }
}
