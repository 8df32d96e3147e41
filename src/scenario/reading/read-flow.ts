/** Reads the steps `together`, `repeat` and `clock`. */

import { explainDuration } from '../../base/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { plural, quoted } from '../../contract/sentences.ts';
import type { Path } from '../../plant/mistakes.ts';
import { didYouMean, shown } from '../../plant/section-check.ts';
import { parseSpan, shownSpan } from '../story/draws.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import { readTimesOf, shownCount } from '../story/read-times.ts';
import { FASTEST } from './read-head.ts';
import type { ReadStep } from './step-kinds.ts';

const MOST_TIMES = 10_000;

/** `together: [steps]`: in parallel, starting at once. */
export function readTogether(value: unknown, path: Path, reading: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  const steps = reading.readSteps(value, path, reading);
  if (Array.isArray(value) && value.length === 0) {
    reading.report.mistake(path, '"together" has no steps. Write some below it, each with "- ".', 'key');
  }
  return { body: { kind: 'together', steps }, text: `together, ${plural(steps.length, 'step')}`, names: null };
}

/** `repeat: {times: 3, every: 10s, steps: [...]}`. */
export function readRepeat(value: unknown, path: Path, reading: StoryReading): ReadStep | null {
  const { report } = reading;
  if (value === undefined) return null;
  if (!isMap(value)) {
    report.mistake(path, `${shown(value)} is not what "repeat" needs. Write {times: 3, every: 10s, steps: [...]}.`);
    return null;
  }
  reportStepKeys('repeat', value, ['times', 'every', 'steps'], ['times', 'steps'], path, reading);
  const { times, every } = value;
  const count = times === undefined ? null : readTimesOf(times, MOST_TIMES, [...path, 'times'], report);
  const everyMs = parseSpan(every);
  if (every !== undefined && everyMs === null) report.mistake([...path, 'every'], explainDuration(String(every)));
  const steps = reading.readSteps(value['steps'], [...path, 'steps'], reading);
  if (count === null) return null;
  const pause = everyMs === null ? '' : ` every ${shownSpan(everyMs)}`;
  return {
    body: { kind: 'repeat', times: count, everyMs, steps },
    text: `repeat ${count === 1 ? '1 time' : `${shownCount(count)} times`}${pause}`,
    names: null,
  };
}

/** `clock: {speed: 10}`, `{advance: 10m}` or `{pause: 2s}` (of wall time). */
export function readClock(value: unknown, path: Path, reading: StoryReading): ReadStep | null {
  const { report } = reading;
  if (value === undefined) return null;
  if (!isMap(value)) {
    report.mistake(
      path,
      `${shown(value)} is not what "clock" needs. Write {advance: 10m}, {speed: 60} or {pause: 2s}.`,
    );
    return null;
  }
  reportStepKeys('clock', value, ['speed', 'pause', 'advance'], [], path, reading);
  const turns = (['speed', 'pause', 'advance'] as const).filter((key) => Object.hasOwn(value, key));
  const [turn] = turns;
  if (turn === undefined || turns.length > 1) {
    report.mistake(path, 'The clock does one thing at a time. Write speed, pause or advance.', 'key');
    return null;
  }
  const to = value[turn];
  if (turn === 'speed') {
    if (typeof to === 'number' && to > 0 && to <= FASTEST)
      return { body: { kind: 'clock', turn, to }, text: `clock speed ${to}`, names: null };
    report.mistake([...path, turn], `${shown(to)} is not a speed. Write 1 to ${FASTEST}.`);
    return null;
  }
  const ms = parseSpan(to);
  if (ms !== null) return { body: { kind: 'clock', turn, to: ms }, text: `clock ${turn} ${to}`, names: null };
  report.mistake([...path, turn], explainDuration(String(to)));
  return null;
}

/** Reports unknown and missing keys of a step. */
export function reportStepKeys(
  word: string,
  value: JsonMap,
  known: readonly string[],
  needed: readonly string[],
  path: Path,
  { report }: StoryReading,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const free = known.filter((one) => !Object.hasOwn(value, one));
    report.mistake([...path, key], `${quoted(key)} is not a key of ${quoted(word)}.${didYouMean(key, free)}`, 'key');
  }
  for (const key of needed) {
    if (!Object.hasOwn(value, key)) report.mistake(path, `${quoted(word)} needs ${quoted(key)}.`, 'key');
  }
}
