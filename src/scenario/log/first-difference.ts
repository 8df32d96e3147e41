/** The first difference of two canonical logs in words, for `--verify`. */
import { isDeepStrictEqual } from 'node:util';
import { formatClockTime } from '../../base/time/instants.ts';
import type { ReadRecord } from './canonical-log.ts';

/** Returns null for equal logs. */
export function firstDifference(one: readonly string[], other: readonly string[]): string | null {
  const place = one.findIndex((line, i) => line !== other[i]);
  if (place < 0) return one.length === other.length ? null : differenceText(one.length, undefined, other[one.length]);
  return differenceText(place, one[place], other[place]);
}

function differenceText(place: number, one: string | undefined, other: string | undefined): string {
  const lines = [one, other].map(
    (line, i) => `  ${i === 0 ? 'first ' : 'second'}  ${line?.trimEnd() ?? '(the log ends before)'}`,
  );
  const [a, b] = [one, other].map((line) => (line === undefined ? undefined : (JSON.parse(line) as ReadRecord)));
  const known = a ?? b;
  const when = known === undefined ? '' : `, at ${formatClockTime(known.t)}`;
  const path = a === undefined || b === undefined ? null : differingPath(a, b);
  return [
    `record ${place + 1} (${known?.k ?? '?'}${when})${path === null ? '' : ` differs in ${path}`}:`,
    ...lines,
  ].join('\n');
}

/** Returns the first differing path in key order, such as `d.object.status`. */
function differingPath(one: unknown, other: unknown, path = ''): string | null {
  if (isDeepStrictEqual(one, other)) return null;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return path;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  for (const key of keys) {
    const [left, right] = [one, other].map((value) => (value as Record<string, unknown>)[key]);
    const found = differingPath(left, right, path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return path;
}
