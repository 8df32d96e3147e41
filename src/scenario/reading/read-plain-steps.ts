/** Reads the steps `wait`, `mark`, `acknowledge`, `resolve`, `together`, `repeat` and `clock`. */

import { explainDuration } from '../../base/durations.ts';
import { AlertUpdate } from '../../contract/requests.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { plural } from '../../contract/sentences.ts';
import { didYouMean, type Path, shown } from '../../plant/mistakes.ts';
import { readAlertNames } from '../judging/subjects/alert.ts';
import { parseSpan, shownSpan } from '../story/draws.ts';
import {
  readOnlyKey,
  readStepMap,
  readTimesOf,
  type StepShape,
  type StoryReading,
  shownCount,
} from '../story/read-matcher.ts';
import { written } from '../story/references.ts';
import { FASTEST } from './read-head.ts';
import type { ReadStep } from './step-kinds.ts';

/** `wait: 45s`. */
export function readWait(value: unknown, path: Path, { report }: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  const ms = parseSpan(value);
  if (ms !== null) return { body: { kind: 'wait', ms }, text: `wait ${shownSpan(ms)}`, names: null };
  const isNoText = isMap(value) || value === null || Array.isArray(value);
  report.mistake(
    path,
    isNoText ? `${shown(value)} is not a duration. Write wait: 45s.` : explainDuration(String(value)),
  );
  return null;
}

/** `mark: Nobody answers`. */
export function readMark(value: unknown, path: Path, { report }: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') {
    return { body: { kind: 'mark', words: String(value) }, text: String(value), names: null };
  }
  report.mistake(path, `${shown(value)} is not a text. Write mark: and some words.`);
  return null;
}

const UPDATE_SHAPE: StepShape = {
  known: ['alert', 'by', 'reason', 'note', 'external_id', 'via'],
  needed: ['alert', 'by'],
  example: '{alert: $sos, by: Control desk 2}',
};
const UPDATE = AlertUpdate.properties;
const LONGEST = {
  by: longestOf(UPDATE.actor.properties.name),
  reason: longestOf(UPDATE.resolution_reason),
  note: longestOf(UPDATE.note),
  external_id: longestOf(UPDATE.actor.properties.external_id),
} as const;

function longestOf(schema: object): number {
  return (schema as { maxLength?: number }).maxLength ?? Number.POSITIVE_INFINITY;
}

/** `acknowledge: {alert: $sos, by: Control desk 2}`, and `resolve` with a reason and a note. */
export function readUpdate(status: 'acknowledged' | 'resolved') {
  const word = status === 'acknowledged' ? 'acknowledge' : 'resolve';
  return (value: unknown, path: Path, reading: StoryReading): ReadStep | null => {
    const { report } = reading;
    const map = readStepMap(word, value, UPDATE_SHAPE, path, report);
    if (map === null) return null;
    if (status === 'acknowledged' && Object.hasOwn(map, 'reason')) {
      report.mistake([...path, 'reason'], '"reason" is for resolving. Write note, or delete it.', 'key');
    }
    const via = readVia(map, path, reading);
    const alerts = readAlertNames(map['alert'], [...path, 'alert'], reading);
    const [by, reason, note, externalId] = (['by', 'reason', 'note', 'external_id'] as const).map((key) =>
      readText(map, key, path, reading),
    );
    if (alerts === null || typeof by !== 'string') return null;
    const body = {
      ...({ kind: 'update', status, via, alerts: alerts.references, by } as const),
      ...{ reason: reason ?? null, note: note ?? null, externalId: externalId ?? null },
    };
    const which = alerts.references.map(written).join(', ');
    return { body, text: `${word} ${which} by ${by}`, names: null };
  };
}

function readVia(value: JsonMap, path: Path, { report }: StoryReading): 'api' | 'panel' {
  const { via } = value;
  if (via === undefined || via === 'api' || via === 'panel') return via ?? 'api';
  report.mistake([...path, 'via'], `${shown(via)} is not a way to do it.${didYouMean(via, ['api', 'panel'])}`);
  return 'api';
}

function readText(value: JsonMap, key: keyof typeof LONGEST, path: Path, { report }: StoryReading): string | null {
  const text = value[key];
  if (text === undefined) return null;
  if (typeof text === 'string' || typeof text === 'number') {
    const most = LONGEST[key];
    if ([...String(text)].length > most)
      report.mistake([...path, key], `${shown(text)} is too long. Write at most ${most} characters.`);
    else if (String(text).trim() === '' && key === 'by')
      report.mistake([...path, key], 'Somebody does it. Write a name.');
    else return String(text);
    return null;
  }
  report.mistake([...path, key], `${shown(text)} is not a text. Write it in quotes.`);
  return null;
}

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
