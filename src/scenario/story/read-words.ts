/** Readers shared by all steps and checks: a word of a list, the keys of a map, and the map of a step's word. Each reports what is wrong. */

import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import { didYouMean, shown } from '../../plant/section-check.ts';
import type { RepeatCount } from './story.ts';

/** One of the words; null after reporting that the value `isNot` one, such as "not a receiver". */
export function readOneOf<W extends string>(
  value: unknown,
  words: readonly W[],
  isNot: string,
  path: Path,
  report: Report,
): W | null {
  if (words.includes(value as W)) return value as W;
  report.mistake(path, `${quoted(value)} is ${isNot}.${didYouMean(value, words)}`);
  return null;
}

/** Reports unknown keys, each as `"key" ISNOT.`; false if there is one. */
export function reportKeys(
  value: JsonMap,
  known: readonly string[],
  isNot: string,
  path: Path,
  report: Report,
): boolean {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const free = known.filter((key) => !Object.hasOwn(value, key));
  for (const key of unknown) report.mistake([...path, key], `${quoted(key)} ${isNot}.${didYouMean(key, free)}`, 'key');
  return unknown.length === 0;
}

/** The only key of these in the map; null after reporting `message` for none or several. */
export function readOnlyKey<W extends string>(
  map: JsonMap,
  words: readonly W[],
  message: string,
  path: Path,
  report: Report,
): W | null {
  const [found, another] = words.filter((word) => Object.hasOwn(map, word));
  if (found !== undefined && another === undefined) return found;
  report.mistake(path, message, 'key');
  return null;
}

/** What may and must stand in the braces of a step. */
export interface StepShape {
  readonly known: readonly string[];
  readonly needed?: readonly string[];
  readonly example: string;
}

/** The map of a step; null after reporting anything else. Unknown and missing keys are reported. */
export function readStepMap(
  word: string,
  value: unknown,
  { known, needed = [], example }: StepShape,
  path: Path,
  report: Report,
): JsonMap | null {
  if (value === undefined) return null;
  if (!isMap(value)) {
    report.mistake(path, `${shown(value)} is not what ${quoted(word)} needs. Write ${example}.`);
    return null;
  }
  reportKeys(value, known, `is not a key of ${quoted(word)}`, path, report);
  for (const key of needed)
    if (!Object.hasOwn(value, key)) report.mistake(path, `${quoted(word)} needs ${quoted(key)}.`, 'key');
  return value;
}

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
