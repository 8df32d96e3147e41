/** Who is in which assembly point, by fixes that can tell, and since when. [decisions 6] */

import { type Bounds, bounds, type Point, pointInPolygon, signedDistance } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import { frameOf } from '../privacy/places.ts';
import type { Muster, PointStay, Site, Telemetry, Zone } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';

/** A fix that knows itself no better than this proves no arrival; metres. [decisions 6] */
const MOST_UNCERTAIN_M = 50;

/** Distance from which a fix of unknown uncertainty proves that a person left; metres. */
const SURELY_AWAY_M = 50;

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
 * The stays after one more fix. A fix with known uncertainty of at most 50 m begins and ends them. A worse one begins
 * none, and ends one only where it is surely outside: beyond its uncertainty, or 50 m where that is unknown.
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
      if (known !== undefined) stays.push(known);
      else if (tells) stays.push({ pointId: zone.id, since: arrivedAt });
    } else if (known !== undefined && !tells && !surelyAway(zone, point, fix)) stays.push(known);
  }
  return stays;
}

/** Whether there is an assembly point at all that the fix could be in, or was in: most fixes change nothing. */
export function mayChangeStays(world: World, site: Site, { stays }: Pick<Telemetry, 'stays'>, fix: Fix): boolean {
  if ((stays ?? NONE).length > 0) return true;
  const point = frameOf(site).toMetres(fix);
  for (const zone of world.indexes.zonesOfSite.of(site.id).values())
    if (zone.assemblyPoint !== null && inBox(zone, point)) return true;
  return false;
}

export const NONE: readonly PointStay[] = [];

/** A vertical point serves by height, where the watch asserts one. [decisions 6] */
function isInside(zone: Zone, point: Point, fix: Fix): boolean {
  if (!inBox(zone, point) || !pointInPolygon(point, zone.ring)) return false;
  if (zone.assemblyPoint?.vertical !== true || fix.height === null) return true;
  const least = leastHeightM(zone);
  return least === null || fix.height.heightM >= least;
}

/** `min_height_m`, or the lowest floor marked as refuge; metres above ground. */
export function leastHeightM({ assemblyPoint, floors }: Zone): number | null {
  if (assemblyPoint?.minHeightM != null) return assemblyPoint.minHeightM;
  const refuges = floors.filter(({ refuge }) => refuge).map(({ heightM }) => heightM);
  return refuges.length === 0 ? null : Math.min(...refuges);
}

const surelyAway = (zone: Zone, point: Point, { uncertaintyM }: Fix): boolean =>
  signedDistance(point, zone.ring) < -(uncertaintyM ?? SURELY_AWAY_M);

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
