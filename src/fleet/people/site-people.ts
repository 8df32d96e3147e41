/** One tick for all people of a site: a grid of simulated seconds, computed on demand. Reading changes nothing. */
import { asError } from '../../base/assert.ts';
import { frame, type LocalFrame, type Point } from '../../base/geometry/shapes.ts';
import { Draws } from '../../base/random/draws.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { MusterNotice } from '../../contract/watch.ts';
import type { KeptPerson, KeptSite } from '../kept/documents.ts';
import { type Activity, activityOf } from './activity.ts';
import { Crowd } from './crowd.ts';
import type { DensityGrid } from './density.ts';
import { Goals } from './goals.ts';
import { buildingAt, type Ground, groundOf, zoneAt } from './ground/ground.ts';
import { Routes } from './ground/routes.ts';
import type { FleetSite, SitePerson } from './ground/site.ts';
import { climb, Stairs } from './ground/stairs.ts';
import { keptRow, resumeRow } from './kept-row.ts';
import { Life, outdoors } from './life.ts';
import { Evacuation } from './muster/evacuation.ts';
import type { MusterKnobs } from './muster/muster-knobs.ts';
import type { MusterAct } from './muster/muster-part.ts';
import { type MoveWay, NEVER, type OnFloor, People, STUCK_BY, type StuckBy } from './people.ts';
import type { PassageQueue } from './queues.ts';
import { type DrivenVehicle, paceOf, USUAL_PACE } from './vehicles.ts';

/** One second: the coarsest step that a guideline for evacuation models accepts. [realism 0] */
export const TICK_MS = 1_000;

const NOBODY: readonly number[] = [];

export class WalkingPeople {
  readonly frame: LocalFrame;
  readonly ground: Ground;
  readonly #people: People;
  readonly #stairs: Stairs;
  readonly #life: Life;
  readonly #evacuation: Evacuation;
  /** Null if all people are scripted workers, who move as their steps say. */
  readonly #crowd: Crowd | null;
  readonly #vehicles: (DrivenVehicle | null)[];
  readonly #autos: number;
  readonly #serials: readonly string[];
  /** Scripted workers on their way. */
  readonly #moving = new Set<number>();
  readonly #failed: (i: number | null, error: Error) => void;
  #tickedAt: Instant;

  /** `failed` is called with the person whose step threw and who then stands still, or with null for the evacuation as a whole. Default: rethrow. */
  constructor(
    site: FleetSite,
    persons: readonly SitePerson[],
    seed: string,
    now: Instant,
    failed: (serial: string | null, error: Error) => void = (_serial, error) => {
      throw error;
    },
    knobs: MusterKnobs = {},
  ) {
    this.#failed = (i, error) => failed(i === null ? null : (persons[i] as SitePerson).serial, error);
    this.frame = frame(site.origin);
    this.ground = groundOf(site);
    const people = new People(persons.length);
    const serials = persons.map(({ serial }) => serial);
    const draws = new Draws(seed, 'life', serials);
    const goals = new Goals(this.ground, draws);
    this.#people = people;
    this.#autos = persons.filter(({ behave }) => behave === 'auto').length;
    const starts = persons.map(({ at }) => at);
    this.#crowd = this.#autos === 0 ? null : new Crowd(people, this.ground, starts);
    people.gatekeeper = this.#crowd;
    const routes = new Routes(this.ground);
    this.#stairs = new Stairs(people, this.ground, routes);
    const around = { people, ground: this.ground, routes, stairs: this.#stairs };
    this.#vehicles = persons.map(({ serial, at }) => {
      const own = site.vehicles.find(({ driver }) => driver === serial);
      if (own === undefined) return null;
      return { name: own.name, type: own.type, pace: paceOf(own), at: own.at ?? outdoors(this.ground, at) };
    });
    const zoneOf = (person: SitePerson): number => this.ground.zones.findIndex(({ name }) => name === person.zone);
    this.#life = new Life(
      {
        ...around,
        draws,
        areas: persons.map((person) => goals.areaOfRing(person.area, zoneOf(person))),
        permits: persons.map(({ permits = [] }) => permits),
        vehicles: this.#vehicles,
      },
      goals,
    );
    this.#evacuation = new Evacuation({
      ...around,
      frame: this.frame,
      life: this.#life,
      crowd: this.#crowd,
      knobs,
      seed,
      serials,
    });
    this.#serials = serials;
    this.#tickedAt = Math.floor(now / TICK_MS) * TICK_MS;
    for (const [i, person] of persons.entries()) this.#begin(i, person, zoneOf(person), now);
  }

  /** Simulates everyone up to that instant. Monotonic; the number of calls has no effect. */
  advanceTo(now: Instant): void {
    if (this.#autos === 0 && this.#moving.size === 0) {
      this.#tickedAt = Math.max(this.#tickedAt, Math.floor(now / TICK_MS) * TICK_MS);
      return;
    }
    for (; this.#tickedAt + TICK_MS <= now; ) this.#tick(this.#tickedAt + TICK_MS);
  }

  /** The person's real position, metres. */
  at(i: number, now: Instant): Point {
    this.advanceTo(now);
    return this.#people.between(i, now);
  }

  /** Metres above the ground if the person is in a building with floors; null elsewhere, and for a scripted worker. */
  heightAt(i: number, [x, y]: Point): { readonly zone: number; readonly heightM: number } | null {
    if (this.#people.auto[i] === 0) return null;
    const zone = buildingAt(this.ground, x, y);
    if (zone < 0 || this.ground.zones[zone]!.floors.length === 0) return null;
    return { zone, heightM: this.#people.height[i]! };
  }

  /** The floor on which an action put a scripted worker. */
  givenFloor(i: number): OnFloor | null {
    return this.#people.givenFloors.get(i) ?? null;
  }

  /** True if the watch is off the wrist and on its charger. */
  docked(i: number, now: Instant): boolean {
    this.advanceTo(now);
    return this.#people.phaseOf(i) === 'docked';
  }

  inVehicle(i: number): boolean {
    return this.#people.aboard[i] === 1;
  }

  /** A watch of the site received a muster notice, and everyone hears its siren; scripted workers do not react to it. [scenario-language, scripted workers] */
  onMuster(notice: MusterNotice, now: Instant): void {
    this.advanceTo(now);
    if (this.#autos > 0) this.#evacuation.onMuster(notice, now);
  }

  /** True while people are evacuating: someone may press a button on their watch at any second. */
  get evacuating(): boolean {
    return this.#evacuation.on;
  }

  /** True if the person has done something with their watch that the watch has not yet reported. */
  hasDone(i: number): boolean {
    return this.#evacuation.hasDone(i);
  }

  takeActs(i: number): readonly MusterAct[] {
    return this.#evacuation.takeActs(i);
  }

  /** The charge will not last for the shift: the person will charge the watch. */
  seeLowBattery(i: number): void {
    if (this.#people.lowBattery[i] === 1) return;
    this.#people.lowBattery[i] = 1;
    this.#people.touched.add(i);
  }

  /** The serial of the watch with which they began. Their random values depend on it. */
  serialOf(i: number): string {
    return this.#serials[i]!;
  }

  isScripted(i: number): boolean {
    return this.#people.auto[i] === 0;
  }

  /** The cause that keeps the person in their place; null if they can leave. */
  stuckBy(i: number): StuckBy | null {
    return this.#people.stuck.why(i);
  }

  /** The instant since which they cannot leave; null if they can. */
  heldSince(i: number): Instant | null {
    const { stuck } = this.#people;
    return stuck.has(i) ? stuck.since(i) : null;
  }

  /** The person stops, and stays in place until `free`. [decisions 6] */
  hold(i: number, cause: StuckBy, now: Instant): void {
    const at = this.at(i, now);
    const people = this.#people;
    const onTheWay = people.routes[i] !== null || people.height[i] !== people.climbTo[i];
    people.touched.add(i);
    people.stuck.hold(i, cause, now);
    if (onTheWay) {
      people.stand(i, at);
      people.climbTo[i] = people.goalHeight[i] = people.height[i]!;
      people.until[i] = NEVER;
      this.#moving.delete(i);
    }
    this.#evacuation.hold(i);
  }

  /** Removes the causes. A person with none left moves again: in a muster to a point, else by the daily routine; a scripted worker stays. */
  free(i: number, now: Instant, causes: readonly StuckBy[] = STUCK_BY): void {
    this.advanceTo(now);
    const people = this.#people;
    const injured = people.stuck.is(i, 'injured');
    people.touched.add(i);
    if (!people.stuck.free(i, causes)) return;
    if (this.#evacuation.takes(i)) this.#evacuation.freed(i, injured, now);
    else this.#life.freed(i, now);
  }

  /** The doors and stairs at which people wait now, as of the last whole second. */
  queues(): readonly PassageQueue[] {
    return this.#crowd?.queues() ?? [];
  }

  /** The number of people on foot in each cell of the ground, as of the last whole second; null if all people of the site are scripted workers. */
  get density(): DensityGrid | null {
    return this.#crowd?.density ?? null;
  }

  activity(i: number): Activity {
    return activityOf(this.#people, this.#evacuation, i, this.#tickedAt);
  }

  /** The name of the smallest zone that contains the point; null if none does. */
  zoneName([x, y]: Point): string | null {
    const zone = zoneAt(this.ground, x, y);
    return zone < 0 ? null : this.ground.zones[zone]!.name;
  }

  /** Puts the person there now, on that floor. An autonomous worker resumes the daily routine after a while. */
  put(i: number, point: Point, floor: OnFloor | null, inVehicle: boolean, now: Instant): void {
    this.advanceTo(now);
    const people = this.#people;
    if (!inVehicle) this.#life.getOut(i);
    people.stand(i, point);
    people.aboard[i] = inVehicle ? 1 : 0;
    people.height[i] = people.climbTo[i] = people.goalHeight[i] = floor?.heightM ?? 0;
    if (floor === null) people.givenFloors.delete(i);
    else people.givenFloors.set(i, floor);
    this.#moving.delete(i);
    this.#life.stay(i, now);
    people.touched.add(i);
    this.#crowd?.acted(i);
  }

  /** The person sets out through the points, round walls, fences and guarded zones; straight if there is no way. */
  moveTo(
    i: number,
    points: readonly Point[],
    { pace, inVehicle = false, isErrand = false }: MoveWay,
    now: Instant,
  ): void {
    const from = this.at(i, now);
    const people = this.#people;
    people.stand(i, from);
    if (inVehicle) people.aboard[i] = 1;
    else this.#life.getOut(i);
    people.givenFloors.delete(i);
    const permits = this.#life.permitsOf(i, now);
    const auto = people.auto[i] === 1;
    if (auto) this.#stairs.setHeights(i, points[0] ?? from, 0);
    else people.height[i] = people.climbTo[i] = people.goalHeight[i] = 0;
    const route = this.#stairs.through(i, points, { permits, onWheels: inVehicle });
    people.send(i, isErrand);
    const driving = this.#vehicles[i]?.pace ?? USUAL_PACE;
    people.setOut(i, route, pace ?? (inVehicle ? driving : people.pace[i]!), now);
    if (!auto) this.#moving.add(i);
    people.touched.add(i);
  }

  touch = (i: number): void => void this.#people.touched.add(i);

  /** The people whose state changed since the last call. */
  takeTouched(): readonly number[] {
    const { touched } = this.#people;
    if (touched.size === 0) return NOBODY;
    const taken = [...touched];
    touched.clear();
    return taken;
  }

  /** The person as they are now, for `resume`. */
  kept(i: number): Omit<KeptPerson, 'senses'> {
    return {
      asOf: this.#tickedAt,
      row: keptRow(this.#people, i),
      crossing: this.#crowd?.kept(i) ?? null,
      ...this.#life.kept(i),
      muster: this.#evacuation.kept(i),
    };
  }

  keptSite(): Omit<KeptSite, 'shown'> {
    return { ...this.#evacuation.keptSite(), doors: this.#crowd?.keptTokens() ?? [] };
  }

  /** Must be called before any `resume`. */
  resumeSite(kept: Omit<KeptSite, 'shown'>): void {
    this.#evacuation.resumeSite(kept);
    this.#crowd?.resumeTokens(kept.doors ?? []);
  }

  /**
   * Restores a person, and simulates them from the stored instant until now, without the downtime: a person on their
   * way continues from where they were. What the service or others did meanwhile takes effect later.
   */
  resume(i: number, kept: Omit<KeptPerson, 'senses'>, gapMs: number): void {
    resumeRow(this.#people, i, kept.row, gapMs);
    if (kept.crossing != null) this.#crowd?.resume(i, kept.crossing);
    this.#life.resume(i, kept);
    if (kept.muster !== null) this.#evacuation.resume(i, kept.muster, gapMs);
    if (this.#people.auto[i] === 0 && kept.row.way !== null) this.#moving.add(i);
    for (let now = kept.asOf + gapMs + TICK_MS; now <= this.#tickedAt; now += TICK_MS) this.#live(i, now);
    this.#crowd?.place(i);
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
    if (heightM !== undefined && floor !== undefined) people.givenFloors.set(i, { building: name, floor, heightM });
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
      this.#crowd?.tick(now);
    } catch (error) {
      this.#failed(null, asError(error));
    }
  }

  /** Simulates one second of one person. */
  #live(i: number, now: Instant): void {
    const people = this.#people;
    const { height, climbTo, routes, until, since } = people;
    if (people.stuck.has(i)) {
      if (until[i]! <= now) this.#evacuation.call(i);
    } else if (height[i] !== climbTo[i]) {
      climb(people, i, TICK_MS / 1000);
      since[i] = now;
      this.#crowd?.acted(i);
    } else if (routes[i] !== null) {
      const seconds = (now - since[i]!) / 1000;
      since[i] = now;
      this.#crowd?.acted(i);
      if (people.step(i, seconds)) this.#arrive(i, now);
    } else if (until[i]! <= now) {
      this.#crowd?.acted(i);
      this.#decide(i, now);
    }
  }

  #arrive(i: number, now: Instant): void {
    this.#moving.delete(i);
    if (this.#people.phaseOf(i) === 'muster') this.#evacuation.arrived(i, now);
    else this.#life.arrived(i, now);
    this.#people.touched.add(i);
  }

  /** The person stands still until an action moves them. */
  #standStill(i: number): void {
    const people = this.#people;
    people.stand(i, people.at(i));
    people.until[i] = NEVER;
    people.climbTo[i] = people.height[i]!;
    this.#moving.delete(i);
    people.touched.add(i);
  }

  #decide(i: number, now: Instant): void {
    const people = this.#people;
    people.touched.add(i);
    if (this.#evacuation.takes(i)) this.#evacuation.decide(i, now);
    else if (this.#evacuation.active && people.phaseOf(i) === 'docked') {
      this.#life.beginShift(i, now);
      this.#evacuation.join(i, now);
    } else this.#life.decide(i, now);
  }
}
