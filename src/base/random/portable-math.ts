/** Transcendental functions with the same bits on every machine: those of JavaScript engines may differ by version and processor. */

// Only + - * / and sqrt are exact by IEEE 754, so everything here is built from them. Errors are within about 1e-15.
const LN2_HI = 0.6931471803691238;
const LN2_LO = 1.9082149292705877e-10;
const HALF_PI_HI = 1.5707963267341256;
const HALF_PI_MID = 6.077100506303966e-11;
const HALF_PI_LO = 2.0222662487959506e-21;
const SQRT_3 = Math.sqrt(3);

/** Natural logarithm. */
export function ln(x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (x === Number.POSITIVE_INFINITY) return x;
  let mantissa = x;
  let exponent = 0;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent++;
  }
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    exponent--;
  }
  const s = (mantissa - 1) / (mantissa + 1);
  const square = s * s;
  let sum = 0;
  for (let k = 25; k >= 3; k -= 2) sum = (sum + 1 / k) * square;
  return exponent * LN2_HI + (2 * s + (2 * s * sum + exponent * LN2_LO));
}

/** e to the power of x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.8) return Number.POSITIVE_INFINITY;
  if (x < -745.2) return 0;
  const k = Math.round(x / Math.LN2);
  const rest = x - k * LN2_HI - k * LN2_LO;
  let sum = 1;
  for (let i = 18; i >= 1; i--) sum = 1 + (sum * rest) / i;
  const factor = k < 0 ? 0.5 : 2;
  for (let i = Math.abs(k); i > 0; i--) sum *= factor;
  return sum;
}

/** Sine of an angle in radians (exact for angles of up to a few thousand turns). */
export function sin(radians: number): number {
  return quarterTurns(radians, 0);
}

/** Cosine of an angle in radians. */
export function cos(radians: number): number {
  return quarterTurns(radians, 1);
}

/** The angle of (x, y) from the x axis, in radians, -pi..pi. */
export function atan2(y: number, x: number): number {
  if (x === 0 && y === 0) return 0;
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const acute = ay <= ax ? atanOfUnit(ay / ax) : Math.PI / 2 - atanOfUnit(ax / ay);
  const upper = x >= 0 ? acute : Math.PI - acute;
  return y >= 0 ? upper : -upper;
}

/** Length of (x, y). `Math.hypot` may differ between machines. */
export function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

function quarterTurns(radians: number, shift: number): number {
  const turns = Math.round(radians / (Math.PI / 2));
  const rest = radians - turns * HALF_PI_HI - turns * HALF_PI_MID - turns * HALF_PI_LO;
  const quarter = (((turns + shift) % 4) + 4) % 4;
  const value = quarter % 2 === 0 ? smallSin(rest) : smallCos(rest);
  return quarter < 2 ? value : -value;
}

function smallSin(x: number): number {
  const square = x * x;
  let sum = 1;
  for (let k = 20; k >= 2; k -= 2) sum = 1 - (sum * square) / (k * (k + 1));
  return x * sum;
}

function smallCos(x: number): number {
  const square = x * x;
  let sum = 1;
  for (let k = 19; k >= 1; k -= 2) sum = 1 - (sum * square) / (k * (k + 1));
  return sum;
}

// Arctangent of 0..1. The angle is rotated by 30 degrees where the series would converge slowly.
function atanOfUnit(t: number): number {
  if (t > 0.2679491924311227) return Math.PI / 6 + atanSeries((SQRT_3 * t - 1) / (SQRT_3 + t));
  return atanSeries(t);
}

function atanSeries(t: number): number {
  const square = t * t;
  let sum = 0;
  for (let k = 31; k >= 3; k -= 2) sum = (1 / k - sum) * square;
  return t * (1 - sum);
}
