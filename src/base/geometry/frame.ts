/** A flat frame of metres around a site, used for all movement and measurement. */
import { assert } from '../assert.ts';
import { cos, sin } from '../random/portable-math.ts';

const EQUATOR_RADIUS_M = 6_378_137;
const ECCENTRICITY_SQUARED = 0.0066943799901413165;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Metres east (x) and north (y) of the site's origin. */
export type Point = readonly [x: number, y: number];

/** A position on the globe, WGS 84, in degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** Converts degrees to metres east (x) and north (y) of the origin, and back. */
export interface LocalFrame {
  toMetres(place: Coordinates): Point;
  /** Degrees rounded to 7 decimals, about a centimetre. */
  toDegrees(point: Point): Coordinates;
}

/** The frame with the given origin. It is accurate within a site, that is a few kilometres, but not near a pole. */
export function frame(origin: Coordinates): LocalFrame {
  assert(Math.abs(origin.latitude) < 89.9, () => `No flat frame can be laid around latitude ${origin.latitude}.`);
  const latitude = origin.latitude * RADIANS_PER_DEGREE;
  const w = 1 - ECCENTRICITY_SQUARED * sin(latitude) * sin(latitude);
  const meridianRadiusM = (EQUATOR_RADIUS_M * (1 - ECCENTRICITY_SQUARED)) / (w * Math.sqrt(w));
  const crossRadiusM = EQUATOR_RADIUS_M / Math.sqrt(w);
  const eastM = crossRadiusM * cos(latitude) * RADIANS_PER_DEGREE;
  const northM = meridianRadiusM * RADIANS_PER_DEGREE;
  return {
    toMetres: (place) => [
      withinHalfTurn(place.longitude - origin.longitude) * eastM,
      (place.latitude - origin.latitude) * northM,
    ],
    toDegrees: ([x, y]) => ({
      latitude: rounded(origin.latitude + y / northM),
      longitude: rounded(withinHalfTurn(origin.longitude + x / eastM)),
    }),
  };
}

// A site on the date line has longitudes of both signs, so the difference is limited to half a turn.
function withinHalfTurn(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}

function rounded(degrees: number): number {
  const value = Math.round(degrees * 1e7) / 1e7;
  return value === 0 ? 0 : value;
}
