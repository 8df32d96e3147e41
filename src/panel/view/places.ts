/** Where somebody was last, in words: the zone around the place that may be shown. */
import { type Frame, frame, type Point, pointInPolygon, polygonArea, type Ring } from '../../base/geometry.ts';
import type { Location, Polygon } from '../../contract/resources.ts';
import type { FeedPerson, FeedSite } from '../../watching/feed.ts';

interface Ground {
  readonly flat: Frame;
  /** The narrowest first: a tank before the yard that it stands in. */
  readonly zones: readonly { readonly name: string; readonly ring: Ring }[];
}

const grounds = new WeakMap<FeedSite, Ground>();
const words = new WeakMap<Location, string>();

/** In metres around the middle of the boundary. */
export function flatOf({ boundary }: FeedSite): Frame {
  const ring = boundary.coordinates[0] ?? [];
  const middle = (axis: 0 | 1): number => {
    const values = ring.map((corner) => corner[axis] as number);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return frame({ latitude: middle(1), longitude: middle(0) });
}

export const ringOf = (flat: Frame, { coordinates }: Polygon): Point[] =>
  (coordinates[0] ?? []).map(([longitude, latitude]) => flat.toMetres({ longitude, latitude }));

function groundOf(site: FeedSite): Ground {
  let ground = grounds.get(site);
  if (ground === undefined) {
    const flat = flatOf(site);
    const zones = site.zones.flatMap(({ name, geometry }) =>
      geometry === null ? [] : [{ name, ring: ringOf(flat, geometry) }],
    );
    ground = { flat, zones: zones.sort((a, b) => polygonArea(a.ring) - polygonArea(b.ring)) };
    grounds.set(site, ground);
  }
  return ground;
}

function wordsOf(site: FeedSite, location: Location): string {
  if (location.masked) return 'in a privacy zone';
  const { flat, zones } = groundOf(site);
  const point = flat.toMetres(location);
  const zone = zones.find(({ ring }) => pointInPolygon(point, ring));
  const floor = location.height?.floor ?? null;
  return `${zone?.name ?? 'between the zones'}${floor === null ? '' : `, ${floor}`}`;
}

/** The last place of somebody, or why it is not told. */
export function placeOf(site: FeedSite, { location, location_withheld }: FeedPerson): string {
  if (location === null) return location_withheld ? 'not shown' : 'not known';
  let text = words.get(location);
  if (text === undefined) {
    text = wordsOf(site, location);
    words.set(location, text);
  }
  return text;
}
