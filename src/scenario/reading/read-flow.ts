/** Reads the steps `together`, `repeat` and `clock`. */

import { explainDuration } from '../../base/durations.ts';
import { plural } from '../../contract/sentences.ts';
import type { Path } from '../../plant/mistakes.ts';
import { shown } from '../../plant/section-check.ts';
import { parseSpan, shownSpan } from '../story/draws.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import { readOnlyKey, readStepMap, readTimesOf, type StepShape, shownCount } from '../story/read-words.ts';
import { FASTEST } from './read-head.ts';
import type { ReadStep } from './step-kinds.ts';

const MOST_TIMES = 10_000;

const REPEAT: StepShape = {
  known: ['times', 'every', 'steps'],
  needed: ['times', 'steps'],
  example: '{times: 3, every: 10s, steps: [...]}',
};

const TURNS = ['speed', 'pause', 'advance'] as const;
const ONE_TURN = 'The clock does one thing at a time. Write speed, pause or advance.';
const CLOCK_EXAMPLE = '{advance: 10m}, {speed: 60} or {pause: 2s}';

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
  const map = readStepMap('repeat', value, REPEAT, path, report);
  if (map === null) return null;
  const { times, every } = map;
  const count = times === undefined ? null : readTimesOf(times, MOST_TIMES, [...path, 'times'], report);
  const everyMs = parseSpan(every);
  if (every !== undefined && everyMs === null) report.mistake([...path, 'every'], explainDuration(String(every)));
  const steps = reading.readSteps(map['steps'], [...path, 'steps'], reading);
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
  const map = readStepMap('clock', value, { known: TURNS, example: CLOCK_EXAMPLE }, path, report);
  if (map === null) return null;
  const turn = readOnlyKey(map, TURNS, ONE_TURN, path, report);
  if (turn === null) return null;
  const to = map[turn];
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
