/** Decides if the sun is high enough over a site to count: a low-precision almanac, accurate to 0.1 degree. [decisions 5 `heat_stress`] */

import type { Coordinates } from '../../../base/geometry/shapes.ts';
import { cos, sin } from '../../../base/random/portable-math.ts';
import type { Instant } from '../../../base/time/clock.ts';

/** Below this height sun exposure does not count; degrees above the horizon. */
const HIGH_ENOUGH_DEG = 10;

/** Noon of 1 January 2000, the epoch of almanacs. */
const EPOCH = Date.UTC(2000, 0, 1, 12);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const RADIANS = Math.PI / 180;

/** The sine of the sun's height over the horizon. */
export function sineOfSun({ latitude, longitude }: Coordinates, at: Instant): number {
  const days = (at - EPOCH) / DAY_MS;
  const anomaly = (357.529 + 0.98560028 * days) * RADIANS;
  const mean = 280.459 + 0.98564736 * days;
  const ecliptic = (mean + 1.915 * sin(anomaly) + 0.02 * sin(2 * anomaly)) * RADIANS;
  const tilt = (23.439 - 0.00000036 * days) * RADIANS;
  const sineOfDeclination = sin(tilt) * sin(ecliptic);
  const cosineOfDeclination = Math.sqrt(1 - sineOfDeclination * sineOfDeclination);
  const sidereal = (280.46061837 + 360.98564736629 * days + longitude) * RADIANS;
  // The hour angle is the sidereal time minus the right ascension. Both of its parts are known without an inverse
  // function.
  const cosineOfAscension = cos(ecliptic) / cosineOfDeclination;
  const sineOfAscension = (cos(tilt) * sin(ecliptic)) / cosineOfDeclination;
  const cosineOfHour = cos(sidereal) * cosineOfAscension + sin(sidereal) * sineOfAscension;
  const height = latitude * RADIANS;
  return sin(height) * sineOfDeclination + cos(height) * cosineOfDeclination * cosineOfHour;
}

const THRESHOLD = sin(HIGH_ENOUGH_DEG * RADIANS);
const known = new WeakMap<object, { minute: number; high: boolean }>();

/** True if the sun is high enough. Memoised for one minute for each origin object. */
export function sunIsHigh(origin: Coordinates, at: Instant): boolean {
  const minute = Math.floor(at / MINUTE_MS);
  const before = known.get(origin);
  if (before?.minute === minute) return before.high;
  const high = sineOfSun(origin, minute * MINUTE_MS) >= THRESHOLD;
  known.set(origin, { minute, high });
  return high;
}
