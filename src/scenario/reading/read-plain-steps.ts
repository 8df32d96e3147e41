/** Reads the steps `wait`, `mark`, `acknowledge`, `resolve`, `together`, `repeat` and `clock`. */

import { explainDuration } from '../../base/durations.ts';
import { AlertUpdate } from '../../contract/requests.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { plural } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
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
export function readWait(value: unknown, at: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  const ms = parseSpan(value);
  if (ms !== null) return { body: { kind: 'wait', ms }, text: `wait ${shownSpan(ms)}`, names: null };
  const isNoText = isMap(value) || value === null || Array.isArray(value);
  at.mistake(isNoText ? `${shown(value)} is not a duration. Write wait: 45s.` : explainDuration(String(value)));
  return null;
}

/** `mark: Nobody answers`. */
export function readMark(value: unknown, at: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') {
    return { body: { kind: 'mark', words: String(value) }, text: String(value), names: null };
  }
  at.mistake(`${shown(value)} is not a text. Write mark: and some words.`);
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
  return (value: unknown, at: StoryReading): ReadStep | null => {
    const map = readStepMap(word, value, UPDATE_SHAPE, at);
    if (map === null) return null;
    if (status === 'acknowledged' && Object.hasOwn(map, 'reason')) {
      at.of('reason').mistake('"reason" is for resolving. Write note, or delete it.', 'key');
    }
    const via = readVia(map, at);
    const alerts = readAlertNames(map['alert'], at.of('alert'));
    const [by, reason, note, externalId] = (['by', 'reason', 'note', 'external_id'] as const).map((key) =>
      readText(map, key, at),
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

function readVia(value: JsonMap, at: StoryReading): 'api' | 'panel' {
  const { via } = value;
  if (via === undefined || via === 'api' || via === 'panel') return via ?? 'api';
  at.of('via').mistake(`${shown(via)} is not a way to do it.${didYouMean(via, ['api', 'panel'])}`);
  return 'api';
}

function readText(value: JsonMap, key: keyof typeof LONGEST, at: StoryReading): string | null {
  const text = value[key];
  if (text === undefined) return null;
  if (typeof text === 'string' || typeof text === 'number') {
    const most = LONGEST[key];
    if ([...String(text)].length > most)
      at.of(key).mistake(`${shown(text)} is too long. Write at most ${most} characters.`);
    else if (String(text).trim() === '' && key === 'by') at.of(key).mistake('Somebody does it. Write a name.');
    else return String(text);
    return null;
  }
  at.of(key).mistake(`${shown(text)} is not a text. Write it in quotes.`);
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
export function readTogether(value: unknown, at: StoryReading): ReadStep | null {
  if (value === undefined) return null;
  const steps = at.readSteps(value, at);
  if (Array.isArray(value) && value.length === 0) {
    at.mistake('"together" has no steps. Write some below it, each with "- ".', 'key');
  }
  return { body: { kind: 'together', steps }, text: `together, ${plural(steps.length, 'step')}`, names: null };
}

/** `repeat: {times: 3, every: 10s, steps: [...]}`. */
export function readRepeat(value: unknown, at: StoryReading): ReadStep | null {
  const map = readStepMap('repeat', value, REPEAT, at);
  if (map === null) return null;
  const { times, every } = map;
  const count = times === undefined ? null : readTimesOf(times, MOST_TIMES, at.of('times'));
  const everyMs = parseSpan(every);
  if (every !== undefined && everyMs === null) at.of('every').mistake(explainDuration(String(every)));
  const steps = at.readSteps(map['steps'], at.of('steps'));
  if (count === null) return null;
  const pause = everyMs === null ? '' : ` every ${shownSpan(everyMs)}`;
  return {
    body: { kind: 'repeat', times: count, everyMs, steps },
    text: `repeat ${count === 1 ? '1 time' : `${shownCount(count)} times`}${pause}`,
    names: null,
  };
}

/** `clock: {speed: 10}`, `{advance: 10m}` or `{pause: 2s}` (of wall time). */
export function readClock(value: unknown, at: StoryReading): ReadStep | null {
  const map = readStepMap('clock', value, { known: TURNS, example: CLOCK_EXAMPLE }, at);
  if (map === null) return null;
  const turn = readOnlyKey(map, TURNS, ONE_TURN, at);
  if (turn === null) return null;
  const to = map[turn];
  if (turn === 'speed') {
    if (typeof to === 'number' && to > 0 && to <= FASTEST)
      return { body: { kind: 'clock', turn, to }, text: `clock speed ${to}`, names: null };
    at.of(turn).mistake(`${shown(to)} is not a speed. Write 1 to ${FASTEST}.`);
    return null;
  }
  const ms = parseSpan(to);
  if (ms !== null) return { body: { kind: 'clock', turn, to: ms }, text: `clock ${turn} ${to}`, names: null };
  at.of(turn).mistake(explainDuration(String(to)));
  return null;
}
