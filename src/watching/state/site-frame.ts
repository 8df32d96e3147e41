/** A site in metres from the middle of its boundary: maps and the words for places are computed from it. */
import { frame, type LocalFrame, type Point } from '../../base/geometry/shapes.ts';
import type { Polygon, Zone } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';

export interface SiteFrame {
  readonly flat: LocalFrame;
  readonly boundary: readonly Point[];
  /** Zones with a geometry, in the order of the site. */
  readonly zones: readonly { readonly zone: Zone; readonly ring: readonly Point[] }[];
}

const frames = new WeakMap<StreamSite, SiteFrame>();

/** Memoised by the site's object, which the stream replaces when the site changes. */
export function siteFrameOf(site: StreamSite): SiteFrame {
  const known = frames.get(site);
  if (known !== undefined) return known;
  const flat = frame(middleOf(site.boundary));
  const made = {
    flat,
    boundary: ringOf(flat, site.boundary),
    zones: site.zones.flatMap((zone) => (zone.geometry === null ? [] : [{ zone, ring: ringOf(flat, zone.geometry) }])),
  };
  frames.set(site, made);
  return made;
}

const ringOf = (flat: LocalFrame, { coordinates: [ring = []] }: Polygon): Point[] =>
  ring.map(([longitude, latitude]) => flat.toMetres({ longitude, latitude }));

function middleOf({ coordinates: [ring = []] }: Polygon): { latitude: number; longitude: number } {
  const [longitudes, latitudes] = [ring.map(([longitude]) => longitude), ring.map(([, latitude]) => latitude)];
  const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  return { latitude: middle(latitudes), longitude: middle(longitudes) };
}
