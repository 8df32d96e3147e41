/** Where a reported fix is, and what of it may be shown: privacy zones mask it to the zone's own point. [decisions 4] */

import type { Point } from '../../base/geometry.ts';
import { type Frame, frame, pointInPolygon, representativePoint } from '../../base/geometry.ts';
import type { Fix, ShownLocation, Site, Zone } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { fenceOf } from '../zones/fence.ts';

const frames = new WeakMap<Site['origin'], Frame>();

/** The local metres of a site. */
export function frameOf(site: Site): Frame {
  let found = frames.get(site.origin);
  if (found === undefined) {
    found = frame(site.origin);
    frames.set(site.origin, found);
  }
  return found;
}

export const zonesOf = (world: World, siteId: string): readonly Zone[] => world.indexes.zonesOfSite.of(siteId).values();

export const pointOf = (site: Site, fix: Fix): Point => frameOf(site).toMetres(fix);

/** The privacy zone that hides this fix: it is inside, or within its uncertainty of it. [decisions 4] */
export const hidingZone = (world: World, site: Site, fix: Fix): Zone | null =>
  fenceOf(world, site.id).hiding(pointOf(site, fix), fix.uncertaintyM ?? 0);

/** The zone to report for a point: the smallest that contains it; a hiding privacy zone takes precedence. */
export function zoneAt(world: World, site: Site, fix: Fix): Zone | null {
  const point = pointOf(site, fix);
  const fence = fenceOf(world, site.id);
  const hiding = fence.hiding(point, fix.uncertaintyM ?? 0);
  return hiding ?? fence.holding(point).find(({ zone }) => zone.type !== 'privacy')?.zone ?? null;
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
