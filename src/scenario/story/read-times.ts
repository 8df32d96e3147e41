/** Reads a repeat count: a whole number, or a range `2..5` to draw from. */
import type { Path, Report } from '../../plant/mistakes.ts';
import { shown } from '../../plant/section-check.ts';
import type { RepeatCount } from './story.ts';

/** Null after reporting anything but 1 to `most`. */
export function readTimesOf(value: unknown, most: number, path: Path, report: Report): RepeatCount | null {
  const fits = (count: unknown): boolean =>
    Number.isInteger(count) && (count as number) >= 1 && (count as number) <= most;
  if (fits(value)) return value as number;
  const [, from, to] = typeof value === 'string' ? (/^(\d+)\.\.(\d+)$/.exec(value) ?? []) : [];
  const [min, max] = [Number(from), Number(to)];
  if (fits(min) && fits(max) && min <= max) return { min, max };
  const turned = fits(min) && fits(max) ? `${shown(value)} ends before it begins. Write ${to}..${from}.` : null;
  report.mistake(
    path,
    turned ?? `${shown(value)} is not how often. Write a whole number, 1 to ${most}, or a range such as 2..5.`,
  );
  return null;
}

export function shownCount(count: RepeatCount): string {
  return typeof count === 'number' ? String(count) : `${count.min}..${count.max}`;
}
