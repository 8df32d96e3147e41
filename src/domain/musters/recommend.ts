/** Whether the system recommends to keep people from a point: by the origin's radius, or by the wind. A person decides. [spec 2 AssemblyPoint] */
import { bearing, distance, type Point, representativePoint, signedDistance } from '../../base/geometry.ts';
import { frameOf } from '../privacy/places.ts';
import type { Muster, Site, Zone } from '../world/documents.ts';
import type { World } from '../world/world.ts';

/** Smoke and gas are reckoned with so far downwind, metres, and so far to either side, degrees. [decisions 6] */
const DOWNWIND_M = 1_000;
const DOWNWIND_DEG = 45;

/** As of now; false without an origin. The point is taken at its representative point. */
export function recommended(world: World, site: Site, { origin }: Pick<Muster, 'origin'>, point: Zone): boolean {
  if (origin === null) return false;
  const from = frameOf(site).toMetres(origin);
  const to = representativePoint(point.ring);
  const zone = origin.zone === null ? undefined : world.get('zone', origin.zone.id);
  const metres = zone === undefined ? distance(from, to) : Math.max(0, -signedDistance(to, zone.ring));
  if (metres <= origin.radiusM) return true;
  return metres < DOWNWIND_M && isDownwind(site, from, to);
}

/** Calm air carries nothing anywhere. */
function isDownwind({ wind }: Site, from: Point, to: Point): boolean {
  if (wind == null || wind.speedMs <= 0) return false;
  const apart = Math.abs(bearing(from, to) - ((wind.fromDeg + 180) % 360)) % 360;
  return Math.min(apart, 360 - apart) <= DOWNWIND_DEG;
}
