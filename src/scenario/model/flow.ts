/** Writes values in the flow style of YAML. */
import { isMap } from '../../contract/schema.ts';

/** Writes a map on one line. */
export function flowOf(example: object): string {
  const fields = Object.entries(example).map(([key, value]) => `${key}: ${flowValue(value)}`);
  return `{${fields.join(', ')}}`;
}

export function flowValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return flowOf(value);
  return typeof value === 'string' && NO_TEXT.test(value) ? JSON.stringify(value) : String(value);
}

/** The list that a single case needs, else an example. */
export const flowCases = (cases: unknown): string =>
  isMap(cases) ? flowValue([cases]) : '[{fault: 503}, {fault: reset}]';

/** The list that a single value of a matrix needs, else an example. */
export const flowItems = (value: unknown): string => (typeof value === 'object' ? '[503, reset]' : flowValue([value]));

/** What YAML reads as a number, a boolean or null where it is not in quotes. */
const NO_TEXT = /^(?:[-+]?(?:\d[\d_]*)?\.?\d+(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|\d+\.|true|false|null|~)?$/i;
