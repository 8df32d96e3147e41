/** The assembly points that each person is in, by fixes that are precise enough, and since when. [decisions 6] */

import { type Bounds, bounds, type Point, pointInPolygon, signedDistance } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { frameOf } from '../privacy/places.ts';
import type { Muster, PointStay, Site, Telemetry, Zone } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';

/** A fix with a greater uncertainty than this proves no arrival; metres. [decisions 6] */
const MOST_UNCERTAIN_M = 50;

/** Distance from which a fix of unknown uncertainty proves that a person left; metres. [decisions 6] */
const SURELY_AWAY_M = 50;

/** Tolerance of a barometric height: without it, people who stay on the lowest refuge floor would not count; metres. [decisions 6] */
const HEIGHT_TOLERANCE_M = 2;

/** Time inside after which a person is safe; milliseconds. [decisions 6] */
export const DWELL_MS = 10_000;

const boxes = new WeakMap<Zone, Bounds>();

/** The assembly points of a site, in the order of their names. */
export function assemblyPoints(world: World, siteId: string): readonly Zone[] {
  return world.indexes.zonesOfSite
    .of(siteId)
    .values()
    .filter(({ assemblyPoint }) => assemblyPoint !== null);
}

/**
 * The stays after one more fix.
 * - A fix inside with a known uncertainty of at most 50 m begins a stay.
 * - Before the person has arrived, any such fix outside ends it.
 * - Afterwards, one fix that is outside by more than twice its uncertainty ends it, or two consecutive fixes that are
 *   outside by more than their uncertainty. [decisions 6]
 */
export function staysAfter(
  world: World,
  site: Site,
  before: readonly PointStay[],
  fix: Fix,
  arrivedAt: Instant,
): PointStay[] {
  const point = frameOf(site).toMetres(fix);
  const tells = fix.uncertaintyM !== null && fix.uncertaintyM <= MOST_UNCERTAIN_M;
  const stays: PointStay[] = [];
  for (const zone of world.indexes.zonesOfSite.of(site.id).values()) {
    if (zone.assemblyPoint === null) continue;
    const known = before.find(({ pointId }) => pointId === zone.id);
    if (isInside(zone, point, fix)) {
      if (known !== undefined) stays.push(known.outside ? { pointId: zone.id, since: known.since } : known);
      else if (tells) stays.push({ pointId: zone.id, since: arrivedAt });
    } else if (known !== undefined && !(tells && isArriving(world, site, known, arrivedAt))) {
      if (!isOutside(zone, point, fix, 1)) stays.push(known.outside ? { pointId: zone.id, since: known.since } : known);
      else if (known.outside !== true && !isOutside(zone, point, fix, 2)) stays.push({ ...known, outside: true });
    }
  }
  return stays;
}

/**
 * True if the person does not yet count as arrived at a valid point: the arrival needs consecutive fixes inside.
 * [decisions 6]
 */
function isArriving(world: World, site: Site, { pointId, since }: PointStay, now: Instant): boolean {
  if (now - since >= DWELL_MS) return false;
  const muster = world.indexes.activeMuster(site.id);
  return muster === undefined || validPoints(muster).has(pointId);
}

/**
 * True if the fix could be in an assembly point, or the person was in one. Checked first, since most fixes change
 * nothing.
 */
export function mayChangeStays(world: World, site: Site, { stays }: Pick<Telemetry, 'stays'>, fix: Fix): boolean {
  if ((stays ?? NONE).length > 0) return true;
  const point = frameOf(site).toMetres(fix);
  for (const zone of world.indexes.zonesOfSite.of(site.id).values())
    if (zone.assemblyPoint !== null && inBox(zone, point)) return true;
  return false;
}

export const NONE: readonly PointStay[] = [];

const isInside = (zone: Zone, point: Point, fix: Fix): boolean =>
  inBox(zone, point) && pointInPolygon(point, zone.ring) && isHighEnough(zone, fix);

/** A vertical point counts a person by floor or by height, if the watch reports one. [decisions 6] */
function isHighEnough(zone: Zone, { height }: Fix): boolean {
  if (zone.assemblyPoint?.vertical !== true || height === null) return true;
  const least = leastHeightM(zone);
  return least === null || height.heightM >= least - HEIGHT_TOLERANCE_M || isRefugeFloor(zone, height.floor);
}

/** True for a floor that is marked as refuge, or that is above the lowest refuge floor. */
function isRefugeFloor({ floors }: Zone, floor: string | null): boolean {
  const asserted = floors.find(({ name }) => name === floor);
  if (asserted === undefined) return false;
  return asserted.refuge || floors.some(({ refuge, heightM }) => refuge && heightM < asserted.heightM);
}

/** `min_height_m`, or the lowest floor marked as refuge; metres above ground. */
export function leastHeightM({ assemblyPoint, floors }: Zone): number | null {
  if (assemblyPoint?.minHeightM != null) return assemblyPoint.minHeightM;
  const refuges = floors.filter(({ refuge }) => refuge).map(({ heightM }) => heightM);
  return refuges.length === 0 ? null : Math.min(...refuges);
}

/** True if a fix is outside the point, or too low, by more than `times` its uncertainty. */
function isOutside(zone: Zone, point: Point, fix: Fix, times: number): boolean {
  const tolerance = fix.uncertaintyM === null ? SURELY_AWAY_M : times * fix.uncertaintyM;
  if (signedDistance(point, zone.ring) < -tolerance) return true;
  const least = leastHeightM(zone);
  if (fix.height === null || least === null || isHighEnough(zone, fix)) return false;
  return fix.height.heightM < least - HEIGHT_TOLERANCE_M - times * fix.height.uncertaintyM;
}

function inBox(zone: Zone, [x, y]: Point): boolean {
  let box = boxes.get(zone);
  if (box === undefined) {
    box = bounds(zone.ring);
    boxes.set(zone, box);
  }
  return x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY;
}

export const exclusionOf = (muster: Muster, pointId: string): Muster['exclusions'][number] | undefined =>
  muster.exclusions.find((exclusion) => exclusion.pointId === pointId);

/** The points at which a person counts as safe. */
export const validPoints = (muster: Muster): ReadonlySet<string> =>
  new Set(muster.targets.map(({ id }) => id).filter((id) => exclusionOf(muster, id) === undefined));
