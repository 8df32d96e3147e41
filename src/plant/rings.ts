/** Converts boxes, polygons and GeoJSON of a file to rings in metres, and reports wrong shapes. */

import {
  convexHull,
  distance,
  isSimpleRing,
  type LocalFrame,
  type Point,
  polygonArea,
  type Ring,
} from '../base/geometry/shapes.ts';
import { isMap, type JsonMap } from '../contract/schema.ts';
import { plural, quoted } from '../contract/sentences.ts';
import { checkSection, type FilePlace, type Sound } from './mistakes.ts';
import { FARTHEST_M } from './section-words.ts';
import { GeoJsonPolygon } from './site-schema.ts';

/** A ring with a smaller area counts as empty, whatever its corners are; square metres. */
const LEAST_AREA_M2 = 0.01;

/**
 * The ring without repeated corners. Returns null and reports a mistake if the ring encloses no area or crosses itself.
 */
export function soundRing(corners: Ring, noun: string, at: FilePlace): Point[] | null {
  const ring = corners.filter((corner, i) => !same(corner, corners[(i + 1) % corners.length]!) || corners.length === 1);
  if (ring.length < 3 || polygonArea(convexHull(ring)) < LEAST_AREA_M2)
    return at.mistake(`${noun} has no area. Write corners that do not lie on one line.`);
  if (!isSimpleRing(ring))
    return at.mistake(
      `The outline of ${noun} crosses or touches itself. Write the corners in the order of a walk around it.`,
    );
  return ring;
}

/**
 * The corners of a GeoJSON ring in metres. Returns null and reports the wrong position if one is not on the globe or
 * too far from the site.
 */
export function cornersOf(positions: readonly (readonly number[])[], frame: LocalFrame, at: FilePlace): Point[] | null {
  const corners: Point[] = [];
  for (const [i, [longitude = 0, latitude = 0]] of positions.entries()) {
    if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90)
      return at
        .of(i)
        .mistake(`[${longitude}, ${latitude}] is not on the globe. Write [longitude, latitude] in degrees.`);
    const corner = frame.toMetres({ latitude, longitude });
    if (Math.max(Math.abs(corner[0]), Math.abs(corner[1])) > FARTHEST_M) {
      const place = `[${longitude}, ${latitude}]`;
      const farthestKm = FARTHEST_M / 1000;
      return at
        .of(i)
        .mistake(
          `${place} is more than ${farthestKm} km from the origin of the site. GeoJSON has the longitude first.`,
        );
    }
    corners.push(corner);
  }
  return corners;
}

/** The nearest point on the ring's border. */
export function nearestOnRing(point: Point, ring: Ring): Point {
  const candidates = ring.map((a, i) => nearestOnEdge(point, a, ring[(i + 1) % ring.length]!));
  return candidates.reduce((best, candidate) =>
    distance(point, candidate) < distance(point, best) ? candidate : best,
  );
}

function nearestOnEdge(p: Point, a: Point, b: Point): Point {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square));
  return [a[0] + t * dx, a[1] + t * dy];
}

function same(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

// The polygon of a zone in GeoJSON, as RFC 7946 defines it and as programs for maps write it.

/** Objects around a polygon, innermost last, are at most these: a collection, a feature and a geometry. */
const MOST_AROUND = 3;

/** Names of WGS 84 with the longitude first, which is the only coordinate system of RFC 7946. */
const WGS_84 = /(?:^|[:/])(?:CRS84|EPSG(?:::?|:[\d.]+:|\/[\d.]+\/)4326)$/i;

interface PlacedPolygon {
  readonly polygon: Sound<GeoJsonPolygon>;
  /** The position of its ring. */
  readonly at: FilePlace;
}

/** Returns the only polygon of a polygon, multipolygon, feature or collection of features; null after a mistake. */
export function polygonOf(value: unknown, at: FilePlace): PlacedPolygon | null {
  let [inner, place] = [value, at];
  for (let around = 0; around <= MOST_AROUND && isMap(inner); around++) {
    if (reportOtherSystem(inner, place)) return null;
    const next = insideOf(inner, place);
    if (next === null) return null;
    if (next === undefined) break;
    [inner, place] = next;
  }
  const polygon = checkSection(GeoJsonPolygon, inner, place);
  return polygon === undefined ? null : { polygon, at: place.of('coordinates', 0) };
}

/** Returns the value inside a collection, feature or multipolygon; undefined for any other value; null after a mistake. */
function insideOf(value: JsonMap, at: FilePlace): readonly [unknown, FilePlace] | undefined | null {
  const { type, features, geometry, coordinates } = value;
  switch (type) {
    case 'FeatureCollection':
      return onlyOne(features, 'feature', at.of('features'));
    case 'Feature':
      return [geometry ?? null, at.of('geometry')];
    case 'MultiPolygon': {
      const only = onlyOne(coordinates, 'polygon', at.of('coordinates'));
      return only === null ? null : [{ type: 'Polygon', coordinates: only[0] }, inPlaceOf(only[1])];
    }
    default:
      return undefined;
  }
}

function onlyOne(list: unknown, noun: string, at: FilePlace): readonly [unknown, FilePlace] | null {
  if (!Array.isArray(list)) return at.mistake(`A GeoJSON list of ${noun}s is missing.`, 'key');
  if (list.length === 1) return [list[0], at.of(0)];
  return at.mistake(`These are ${plural(list.length, noun)}, and a zone has one. Write each into a zone of its own.`);
}

/** The position of a polygon whose `coordinates` are at the given position. */
const inPlaceOf = (coordinates: FilePlace): FilePlace => ({
  ...coordinates,
  of: (first, ...keys) => (first === 'coordinates' ? coordinates.of(...keys) : coordinates),
});

/** Reports a coordinate system other than WGS 84, which QGIS and others name in a member `crs`; true after a mistake. */
function reportOtherSystem({ crs }: JsonMap, at: FilePlace): boolean {
  if (crs === undefined || crs === null) return false;
  const properties = isMap(crs) ? crs['properties'] : undefined;
  const name = isMap(properties) ? properties['name'] : crs;
  if (typeof name === 'string' && WGS_84.test(name)) return false;
  const system = typeof name === 'string' ? quoted(name) : 'This';
  at.of('crs').mistake(
    `${system} is not WGS 84. Export the polygon in EPSG:4326 (WGS 84), in degrees, longitude first.`,
  );
  return true;
}
