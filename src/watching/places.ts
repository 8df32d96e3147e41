/** Where somebody is, in words: the zone, the building and its floor, or the nearest zone and how far it is. */
import { type Frame, frame, type Point, polygonArea, signedDistance } from '../base/geometry.ts';
import type { StreamPerson, StreamSite } from '../contract/stream.ts';

interface KnownZone {
  readonly name: string;
  readonly ring: readonly Point[];
  /** Square metres: of zones that overlap the smallest is the most telling. */
  readonly area: number;
}

interface Ground {
  readonly flat: Frame;
  readonly zones: readonly KnownZone[];
}

const grounds = new WeakMap<StreamSite, Ground>();
/** By the object of the location, which is another one after each report. */
const known = new WeakMap<StreamSite, WeakMap<object, string>>();

/** `Container Yard`, `Warehouse, floor 2`, `40 m from Gate A`; null where no location is shown. */
export function placeOf(site: StreamSite, { location }: StreamPerson): string | null {
  if (location === null) return null;
  const places = known.get(site) ?? new WeakMap<object, string>();
  known.set(site, places);
  const place = places.get(location) ?? describe(groundOf(site), location);
  places.set(location, place);
  return place;
}

function describe({ flat, zones }: Ground, location: NonNullable<StreamPerson['location']>): string {
  // The point is the privacy zone's, and not the person's.
  if (location.masked) return 'in a privacy zone';
  const { height } = location;
  if (height?.building != null)
    return height.floor == null ? height.building : `${height.building}, ${floorWord(height.floor)}`;
  const point = flat.toMetres(location);
  let nearest: { readonly name: string; readonly metres: number } | null = null;
  for (const { name, ring } of zones) {
    const metres = -signedDistance(point, ring);
    // The zones stand from the smallest to the largest.
    if (metres <= 0) return name;
    if (nearest === null || metres < nearest.metres) nearest = { name, metres };
  }
  return nearest === null ? 'on site' : `${Math.max(1, Math.round(nearest.metres))} m from ${nearest.name}`;
}

/** Floors are named by their site: `2` and `Floor 2` are `floor 2`, `Ground` is `ground floor`, `Roof` is `roof`. */
const floorWord = (floor: string): string => {
  if (/^\d/.test(floor)) return `floor ${floor}`;
  return /^ground$/i.test(floor) ? 'ground floor' : floor.toLowerCase();
};

function groundOf(site: StreamSite): Ground {
  const ready = grounds.get(site);
  if (ready !== undefined) return ready;
  const [longitude = 0, latitude = 0] = site.boundary.coordinates[0]?.[0] ?? [];
  const flat = frame({ latitude, longitude });
  const zones = site.zones.flatMap(({ name, geometry }): KnownZone[] => {
    const corners = geometry?.coordinates[0]?.slice(0, -1) ?? [];
    if (corners.length < 3) return [];
    const ring = corners.map(([east, north]) => flat.toMetres({ latitude: north, longitude: east }));
    return [{ name, ring, area: polygonArea(ring) }];
  });
  const ground = { flat, zones: zones.sort((a, b) => a.area - b.area) };
  grounds.set(site, ground);
  return ground;
}
