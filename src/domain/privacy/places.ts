/** Where a reported fix is, and what of it may be shown: privacy zones mask it to the zone's own point. [decisions 4] */

import type { Point } from '../../base/geometry.ts';
import {
  type Bounds,
  bounds,
  type Frame,
  frame,
  pointInPolygon,
  polygonArea,
  representativePoint,
  signedDistance,
} from '../../base/geometry.ts';
import type { Fix, ShownLocation, Site, Zone } from '../world/documents.ts';
import type { World } from '../world/world.ts';

const frames = new WeakMap<Site, Frame>();

/** The local metres of a site. */
export function frameOf(site: Site): Frame {
  let found = frames.get(site);
  if (found === undefined) {
    found = frame(site.origin);
    frames.set(site, found);
  }
  return found;
}

export const zonesOf = (world: World, siteId: string): readonly Zone[] => world.indexes.zonesOfSite.of(siteId).values();

export const pointOf = (site: Site, fix: Fix): Point => frameOf(site).toMetres(fix);

/** The privacy zone that hides this fix: it is inside, or within its uncertainty of it. [decisions 4] */
export function hidingZone(world: World, site: Site, fix: Fix): Zone | null {
  const point = pointOf(site, fix);
  const reach = fix.uncertaintyM ?? 0;
  for (const zone of zonesOf(world, site.id))
    if (zone.type === 'privacy' && nearBox(zone, point, reach) && signedDistance(point, zone.ring) >= -reach)
      return zone;
  return null;
}

const boxes = new WeakMap<Zone['ring'], Bounds>();

/** Whether a point is in the upright box around a zone, or within so many metres of it: cheaper than the zone itself. */
export function nearBox({ ring }: Zone, [x, y]: Point, reachM: number): boolean {
  let box = boxes.get(ring);
  if (box === undefined) {
    box = bounds(ring);
    boxes.set(ring, box);
  }
  const reach = reachM + ROUNDING_M;
  return x >= box.minX - reach && x <= box.maxX + reach && y >= box.minY - reach && y <= box.maxY + reach;
}

/** Far above the rounding of doubles: the box must never say no where the zone would say yes. */
const ROUNDING_M = 0.001;

/** The zone that says best where somebody is: the smallest that contains the point; a hiding privacy zone before all. */
export function zoneAt(world: World, site: Site, fix: Fix): Zone | null {
  const hiding = hidingZone(world, site, fix);
  if (hiding !== null) return hiding;
  const point = pointOf(site, fix);
  let smallest: Zone | null = null;
  for (const zone of zonesOf(world, site.id)) {
    if (zone.type === 'privacy' || !pointInPolygon(point, zone.ring)) continue;
    if (smallest === null || polygonArea(zone.ring) < polygonArea(smallest.ring)) smallest = zone;
  }
  return smallest;
}

export const insideSite = (site: Site, fix: Fix): boolean => pointInPolygon(pointOf(site, fix), site.boundary);

/** The point as it may leave the service. [spec 2, Location] */
export function shownLocation(world: World, site: Site, fix: Fix): ShownLocation {
  const hiding = hidingZone(world, site, fix);
  if (hiding !== null) {
    const point = frameOf(site).toDegrees(representativePoint(hiding.ring));
    return { ...point, uncertaintyM: null, source: 'zone', masked: true, at: fix.at, height: null };
  }
  const { latitude, longitude, uncertaintyM, source, height, at } = fix;
  return { latitude, longitude, uncertaintyM, source, masked: false, at, height };
}
