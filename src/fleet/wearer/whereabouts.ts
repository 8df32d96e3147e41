/** The real position of a wearer and of their watch, and the fix that the watch derives from it. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { MusterNotice } from '../../contract/watch.ts';
import { watchTime } from '../connection/messages.ts';
import type { KeptWatch } from '../kept/documents.ts';
import type { MusterAct } from '../people/muster/muster-part.ts';
import type { StuckBy } from '../people/people.ts';
import type { WalkingPeople } from '../people/site-people.ts';
import { floorAt, HEIGHT_SIGMA_M, nearestFloor, receivesShelter, receptionAt, type Senses } from '../watch/sensing.ts';
import type { GivenFix, OrderedMove, OrderedStand, PinnedPlace, WatchFix, WatchTruth } from '../watch/watch-view.ts';

interface WhereaboutsParts {
  /** All people of the site; `person` is the index of the wearer. */
  readonly people: WalkingPeople;
  readonly person: number;
  /** The errors of its fixes; null for the exact fixes of a scripted worker. */
  readonly senses: Senses | null;
}

/** The watch that makes a fix. */
interface Watch {
  readonly worn: boolean | null;
  /** How far its clock is ahead; milliseconds. */
  readonly skewMs: number;
}

/** The content of a fix, except position, time and whether the watch is worn. */
type Measured = Omit<WatchFix, 't' | 'latitude' | 'longitude' | 'worn'>;

/** The uncertainty of an exact fix, and of a given fix that states none; metres. */
const GIVEN_UNCERTAINTY_M = 3;

export class WatchWhereabouts {
  readonly #of: WhereaboutsParts;
  /** The given content of the fix, as long as the person stays at the given position. */
  #given: { readonly point: Point; readonly measured: Measured } | null = null;
  /** The position where the watch was taken off; null if it is with its wearer. */
  #laidDown: Point | null = null;

  constructor(parts: WhereaboutsParts) {
    this.#of = parts;
  }

  get inVehicle(): boolean {
    return this.#of.people.inVehicle(this.#of.person);
  }

  /** True if the watch is on its charger, off the wrist. */
  docked(now: Instant): boolean {
    return this.#of.people.docked(this.#of.person, now);
  }

  at(now: Instant): Point {
    return this.#of.people.at(this.#of.person, now);
  }

  /** The person is at the given position from now on. Until they move, the watch reports exactly that fix. */
  tell(given: GivenFix, now: Instant, watch: Watch): WatchFix {
    const { uncertaintyM = GIVEN_UNCERTAINTY_M, source = 'gps', heightM, building, floor, inVehicle = false } = given;
    const point = this.#pointOf(given);
    this.#of.people.put(this.#of.person, point, null, inVehicle, now);
    const measured = { uncertainty_m: uncertaintyM, source, in_vehicle: inVehicle };
    const height = heightM === undefined ? {} : { height: heightOf(heightM, building ?? null, floor ?? null) };
    this.#given = { point, measured: { ...measured, ...height } };
    return this.#fixOf(watch, point, now, this.#given.measured);
  }

  put({ at, floor }: OrderedStand, now: Instant): void {
    this.#given = null;
    this.#of.people.put(this.#of.person, this.#pointOf(at), floor ?? null, false, now);
  }

  move({ to, via = [], pace, inVehicle = false, isErrand = false }: OrderedMove, now: Instant): void {
    this.#given = null;
    const points = [...via, to].map((place) => this.#pointOf(place));
    this.#of.people.moveTo(this.#of.person, points, { pace, inVehicle, isErrand }, now);
  }

  /** The watch stays where it is while the person walks on. */
  layDown(now: Instant): void {
    this.#laidDown ??= this.at(now);
  }

  /** True if the watch lies where it was taken off. */
  get laidDown(): boolean {
    return this.#laidDown !== null;
  }

  /** The watch is with the person again. */
  pickUp(): void {
    this.#laidDown = null;
  }

  /** True if the person moves by actions only. */
  get isScripted(): boolean {
    return this.#of.people.isScripted(this.#of.person);
  }

  /** The cause that keeps the person in their place; null if they can leave. */
  get stuckBy(): StuckBy | null {
    return this.#of.people.stuckBy(this.#of.person);
  }

  /** The instant since which the person cannot leave their place; null if they can. */
  get heldSince(): Instant | null {
    return this.#of.people.heldSince(this.#of.person);
  }

  /** The person stops, and stays in place until freed. [decisions 6] */
  hold(cause: StuckBy, now: Instant): void {
    this.#of.people.hold(this.#of.person, cause, now);
  }

  /** Ends the given causes, or all causes if none are given. The person can leave once nothing holds them. */
  free(now: Instant, causes?: readonly StuckBy[]): void {
    this.#of.people.free(this.#of.person, now, causes);
  }

  /** The watch informs its wearer, and its siren informs the people around. */
  onMuster(notice: MusterNotice, now: Instant): void {
    this.#of.people.onMuster(notice, now);
  }

  /** True if the wearer has done something with the watch that the watch has not yet reported. */
  get hasDone(): boolean {
    return this.#of.people.hasDone(this.#of.person);
  }

  takeActs(): readonly MusterAct[] {
    return this.#of.people.takeActs(this.#of.person);
  }

  /** The charge will not last for the shift: the wearer will charge the watch. */
  seeLowBattery(): void {
    this.#of.people.seeLowBattery(this.#of.person);
  }

  /** The fix that the watch makes now. */
  fix(now: Instant, watch: Watch): WatchFix {
    const { people, person, senses } = this.#of;
    const truth = this.at(now);
    const given = this.#given;
    if (given !== null && truth[0] === given.point[0] && truth[1] === given.point[1]) {
      return this.#fixOf(watch, truth, now, given.measured);
    }
    const worn = this.#laidDown === null;
    const at = this.#laidDown ?? truth;
    const in_vehicle = worn && this.inVehicle;
    if (senses === null) {
      const floor = worn ? people.givenFloor(person) : null;
      const exact = { uncertainty_m: GIVEN_UNCERTAINTY_M, source: 'gps', in_vehicle } as const;
      const height = floor === null ? {} : { height: heightOf(floor.heightM, floor.building, floor.floor) };
      return this.#fixOf(watch, at, now, { ...exact, ...height });
    }
    const { point, uncertaintyM, source } = senses.fix(person, at, receptionAt(people.ground, at), now);
    const height = worn ? this.#height(at, senses) : null;
    const measured = { uncertainty_m: uncertaintyM, source, in_vehicle };
    return this.#fixOf(watch, point, now, height === null ? measured : { ...measured, height });
  }

  /** The identity of the wearer: the serial of their first watch. */
  get personKept(): string {
    return this.#of.people.serialOf(this.#of.person);
  }

  kept(): Pick<KeptWatch, 'told' | 'laidDown'> {
    const [given, laidDown] = [this.#given, this.#laidDown];
    return {
      told: given === null ? null : { point: [...given.point], measured: given.measured },
      laidDown: laidDown === null ? null : [...laidDown],
    };
  }

  resume({ told: given, laidDown }: Pick<KeptWatch, 'told' | 'laidDown'>): void {
    this.#given = given;
    this.#laidDown = laidDown;
  }

  /** The real state of the person, without the watch. */
  truth(now: Instant): Omit<WatchTruth, 'serial' | 'siteId' | 'worn' | 'batteryPct' | 'charging' | 'network' | 'gps'> {
    const { people, person } = this.#of;
    const point = this.at(now);
    const height = people.heightAt(person, point);
    const floor = people.givenFloor(person);
    return {
      point,
      coordinates: people.frame.toDegrees(point),
      zone: people.zoneName(point),
      heightM: height?.heightM ?? floor?.heightM ?? null,
      floor: height === null ? (floor?.floor ?? null) : nearestFloor(floorsOf(people, height.zone), height.heightM),
      inVehicle: this.inVehicle,
      activity: people.activity(person),
    };
  }

  // A height is reported only where it can be asserted: in a building whose floors are known, and beside a shelter.
  // [spec 2 Location]
  #height(at: Point, senses: Senses): NonNullable<WatchFix['height']> | null {
    const { people, person } = this.#of;
    const truly = people.heightAt(person, at);
    const measured = (trueM: number): number => Math.round(senses.height(person, trueM) * 10) / 10;
    if (truly === null) return receivesShelter(people.ground, at) ? heightOf(measured(0), null, null) : null;
    const heightM = measured(truly.heightM);
    return heightOf(heightM, people.ground.zones[truly.zone]!.name, floorAt(floorsOf(people, truly.zone), heightM));
  }

  #fixOf({ worn, skewMs }: Watch, point: Point, now: Instant, measured: Measured): WatchFix {
    const t = watchTime(now, skewMs);
    const { latitude, longitude } = this.#of.people.frame.toDegrees(point);
    // Written out without object spread, like the message that is made from it: every watch makes a fix every few
    // seconds.
    const { uncertainty_m, source, in_vehicle, height } = measured;
    return height === undefined
      ? { t, latitude, longitude, uncertainty_m, source, in_vehicle, worn }
      : { t, latitude, longitude, uncertainty_m, source, in_vehicle, height, worn };
  }

  #pointOf(place: PinnedPlace): Point {
    return 'point' in place ? place.point : this.#of.people.frame.toMetres(place.coordinates);
  }
}

function heightOf(heightM: number, building: string | null, floor: string | null): NonNullable<WatchFix['height']> {
  return { height_m: heightM, uncertainty_m: HEIGHT_SIGMA_M, building, floor };
}

const floorsOf = (people: WalkingPeople, zone: number) => people.ground.zones[zone]!.floors;
