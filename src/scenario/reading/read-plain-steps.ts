/** Reads the steps `wait`, `mark`, `acknowledge` and `resolve`. */

import { explainDuration } from '../../base/durations.ts';
import { AlertUpdate } from '../../contract/requests.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import { didYouMean, shown } from '../../plant/section-check.ts';
import { readAlertNames } from '../judging/subjects/alert.ts';
import { parseSpan, shownSpan } from '../story/draws.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import { readStepMap, type StepShape } from '../story/read-words.ts';
import { written } from '../story/references.ts';
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
