/** The heat index of the US National Weather Service: the perceived temperature in the shade. Also the dew point. [decisions 5 `heat_stress`] */
import { ln } from '../../../base/random/portable-math.ts';

/** The highest accepted dew point: the highest on record on Earth is 35 degrees C. [decisions 5 `heat_stress`] */
export const HIGHEST_DEW_POINT_C = 35;

const toFahrenheit = (celsius: number): number => celsius * 1.8 + 32;
const toCelsius = (fahrenheit: number): number => (fahrenheit - 32) / 1.8;

/**
 * Degrees C from the air temperature in degrees C and the relative humidity in percent: Steadman's simple form below
 * 80 F, else Rothfusz' regression with both adjustments, as the NWS computes it.
 */
export function heatIndexC(temperatureC: number, humidityPct: number): number {
  const t = toFahrenheit(temperatureC);
  const rh = humidityPct;
  const simple = (0.5 * (t + 61 + (t - 68) * 1.2 + rh * 0.094) + t) / 2;
  return toCelsius(simple < 80 ? simple : regression(t, rh));
}

function regression(t: number, rh: number): number {
  const index =
    -42.379 +
    2.04901523 * t +
    10.14333127 * rh -
    0.22475541 * t * rh -
    0.00683783 * t * t -
    0.05481717 * rh * rh +
    0.00122874 * t * t * rh +
    0.00085282 * t * rh * rh -
    0.00000199 * t * t * rh * rh;
  if (rh < 13 && t >= 80 && t <= 112) return index - ((13 - rh) / 4) * Math.sqrt((17 - Math.abs(t - 95)) / 17);
  if (rh > 85 && t >= 80 && t <= 87) return index + ((rh - 85) / 10) * ((87 - t) / 5);
  return index;
}

/**
 * Dew point in degrees C from the air temperature in degrees C and the relative humidity in percent, by the formula of
 * Magnus with the constants of Alduchov and Eskridge (1996).
 */
export function dewPointC(temperatureC: number, humidityPct: number): number {
  if (humidityPct <= 0) return Number.NEGATIVE_INFINITY;
  const gamma = ln(humidityPct / 100) + (17.625 * temperatureC) / (243.04 + temperatureC);
  return (243.04 * gamma) / (17.625 - gamma);
}
