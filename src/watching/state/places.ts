/** The place of a person in words: the zone, the building and its floor, or the nearest zone and its distance. */
import { type LocalFrame, type Point, polygonArea, signedDistance } from '../../base/geometry/shapes.ts';
import type { StreamNotSafe, StreamPerson, StreamSite } from '../../contract/stream.ts';
import { siteFrameOf } from './site-frame.ts';

/** Zones from the smallest to the largest: of overlapping zones, the smallest is the most precise. */
interface SitePlaces {
  readonly flat: LocalFrame;
  readonly zones: readonly { readonly name: string; readonly ring: readonly Point[] }[];
  /** Memoised by the object of the location, which each report replaces. */
  readonly known: WeakMap<object, string>;
}

const sites = new WeakMap<StreamSite, SitePlaces>();

/** For example `Container Yard`, `Warehouse, floor 2` or `40 m from Gate A`; null if no location is shown. */
export function placeOf(site: StreamSite, { location }: Pick<StreamPerson, 'location'>): string | null {
  if (location === null) return null;
  const places = placesOf(site);
  const place = places.known.get(location) ?? describe(places, location);
  places.known.set(location, place);
  return place;
}

/** `placeAt`: the time of a position that is not recent, in hours and minutes. */
export interface ShownPlace {
  readonly place: string;
  readonly placeAt: string | null;
}

/**
 * The place, with the time of a position that is not recent; or the reason why there is none. Every screen shows these
 * words. [decisions 4, Place, Withheld]
 */
export function placeNow(site: StreamSite, { location, place: { kind } }: StreamPerson): ShownPlace {
  if (kind === 'withheld') return { place: 'withheld', placeAt: null };
  const place = kind === 'unknown' ? null : placeOf(site, { location });
  return {
    place: place ?? UNKNOWN_PLACE,
    placeAt: kind === 'last_known' ? (location?.position_date_utc.slice(11, 16) ?? null) : null,
  };
}

/** For example `Tank Farm`, or `Tank Farm at 06:12`. */
export const wordsOfPlace = ({ place, placeAt }: ShownPlace): string =>
  placeAt === null ? place : `${place} at ${placeAt}`;

export const placeWords = (site: StreamSite, person: StreamPerson): string => wordsOfPlace(placeNow(site, person));

/**
 * The last place of a worker who was not safe at the end of a muster, or the reason why there is none; `placeAt`: the
 * time of the position, in hours and minutes. [decisions 4, After a muster]
 */
export function lastPlace(
  site: StreamSite,
  { location, location_withheld }: Pick<StreamNotSafe, 'location' | 'location_withheld'>,
): ShownPlace {
  if (location === null) return { place: location_withheld ? 'withheld' : UNKNOWN_PLACE, placeAt: null };
  return { place: placeOf(site, { location }) ?? UNKNOWN_PLACE, placeAt: location.position_date_utc.slice(11, 16) };
}

/** For example `Tank Farm at 06:12`. */
export const lastPlaceWords = (site: StreamSite, last: Pick<StreamNotSafe, 'location' | 'location_withheld'>): string =>
  wordsOfPlace(lastPlace(site, last));

const UNKNOWN_PLACE = 'not known';

function describe({ flat, zones }: SitePlaces, location: NonNullable<StreamPerson['location']>): string {
  // The position is that of the privacy zone, not that of the person.
  if (location.masked) return 'in a privacy zone';
  const { height } = location;
  if (height?.building != null)
    return height.floor == null ? height.building : `${height.building}, ${floorWord(height.floor)}`;
  const point = flat.toMetres(location);
  let nearest: { readonly name: string; readonly metres: number } | null = null;
  for (const { name, ring } of zones) {
    const metres = -signedDistance(point, ring);
    if (metres <= 0) return name;
    if (nearest === null || metres < nearest.metres) nearest = { name, metres };
  }
  return nearest === null ? 'on site' : `${Math.max(1, Math.round(nearest.metres))} m from ${nearest.name}`;
}

/**
 * Floors have the names that their site gives: `2` and `Floor 2` become `floor 2`, `Ground` becomes `ground floor`,
 * `Roof` becomes `roof`.
 */
const floorWord = (floor: string): string => {
  if (/^\d/.test(floor)) return `floor ${floor}`;
  return /^ground$/i.test(floor) ? 'ground floor' : floor.toLowerCase();
};

function placesOf(site: StreamSite): SitePlaces {
  const ready = sites.get(site);
  if (ready !== undefined) return ready;
  const { flat, zones } = siteFrameOf(site);
  const bySize = zones
    .map(({ zone: { name }, ring }) => ({ name, ring: ring.slice(0, -1), area: polygonArea(ring) }))
    .filter(({ ring }) => ring.length >= 3)
    .sort((a, b) => a.area - b.area);
  const places = { flat, zones: bySize, known: new WeakMap<object, string>() };
  sites.set(site, places);
  return places;
}
