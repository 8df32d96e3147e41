/** JSON that is equal for equal values, on any machine. */

/** Rounding to 7 decimal places; further places of floating-point results differ between machines. */
const FINEST = 1e7;

/** Returns JSON with sorted keys (by code units) and rounded numbers, without undefined fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value));
}

function canonical(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.round(value * FINEST) / FINEST;
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}
