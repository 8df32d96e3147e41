/** The zone of a fix, and what may be shown of it: a privacy zone masks it to the zone's own point. [decisions 4] */

import {
  frame,
  type LocalFrame,
  type Point,
  pointInPolygon,
  representativePoint,
} from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { type Severity, severityAtLeast } from '../../../contract/enumerations.ts';
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { ShownLocation, Site, Zone } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';
import { fenceOf } from '../zones/fence.ts';

const frames = new WeakMap<Site['origin'], LocalFrame>();

/** The local frame of a site, in metres. */
export function frameOf(site: Site): LocalFrame {
  let found = frames.get(site.origin);
  if (found === undefined) {
    found = frame(site.origin);
    frames.set(site.origin, found);
  }
  return found;
}

export const zonesOf = (world: World, siteId: string): readonly Zone[] => world.indexes.zonesOfSite.of(siteId).values();

export const pointOf = (site: Site, fix: Fix): Point => frameOf(site).toMetres(fix);

/**
 * The privacy zone that hides this fix: the fix is inside the zone, or closer to it than its uncertainty. [decisions 4]
 */
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

/** The location as the API may show it. [spec 2, Location] */
export function shownLocation(world: World, site: Site, fix: Fix): ShownLocation {
  const hiding = hidingZone(world, site, fix);
  if (hiding !== null) {
    const point = frameOf(site).toDegrees(representativePoint(hiding.ring));
    return { ...point, uncertaintyM: null, source: 'zone', masked: true, at: fix.at, height: null };
  }
  const { latitude, longitude, uncertaintyM, source, height, at } = fix;
  return { latitude, longitude, uncertaintyM, source, masked: false, at, height };
}

// The on-demand veil: when a person's position may be shown. [spec 2 Site, decisions 4]

/** True if an alert of this severity lifts the veil from its person on this site. */
export const unveils = (site: Site, severity: Severity): boolean =>
  site.privacyMode === 'continuous' || severityAtLeast(severity, site.unveilMinSeverity);

/**
 * True if the person's position is visible now. An evacuation of the site, an approved request, or an open alert with
 * at least the site's severity lifts the veil.
 */
export function positionVisible(world: World, site: Site, workerId: string, now: Instant): boolean {
  if (site.privacyMode === 'continuous' || world.indexes.activeMuster(site.id) !== undefined) return true;
  if ((world.get('unveiling', workerId)?.until ?? now) > now) return true;
  return world.indexes.openAlertsOfWorker
    .of(workerId)
    .values()
    .some((alert) => alert.site.id === site.id && severityAtLeast(alert.severity, site.unveilMinSeverity));
}

/** An approved, time-limited request to see a worker's position. [decisions 4] */
export function unveil(
  world: World,
  stamp: Stamp,
  { workerId, by, until }: CommandOf<'unveil'>,
): { readonly changes: readonly Change[] } | Rejection {
  const worker = world.get('worker', workerId);
  if (worker === undefined) return reject('not_found', 'There is no such worker.');
  if (world.need('site', worker.siteId).privacyMode === 'continuous')
    return reject('action_refused', 'The site shows positions always; there is no veil to lift.');
  if (until <= stamp.now) return reject('action_refused', 'The request would end before it begins.');
  return { changes: [{ kind: 'unveiled', unveiling: { id: workerId, by, until } }] };
}
