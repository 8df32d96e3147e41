/** Reads the steps `expect`, `wait_for`, `check` and `never`: a subject, its condition, and the time allowed. */

import { CLI } from '../../base/command-form.ts';
import { formatDuration } from '../../base/durations.ts';
import { isMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, shown } from '../../plant/mistakes.ts';
import { readAlert, readAlerts } from '../judging/subjects/alert.ts';
import { readDeliveries } from '../judging/subjects/deliveries.ts';
import { readDelivery } from '../judging/subjects/delivery.ts';
import { readDestination } from '../judging/subjects/destination.ts';
import { readEvent } from '../judging/subjects/event.ts';
import {
  readDeviceSubject,
  readPositionSubject,
  readWatchSubject,
  readWorkerSubject,
} from '../judging/subjects/looked.ts';
import { readMail } from '../judging/subjects/mail.ts';
import { readMissing } from '../judging/subjects/missing.ts';
import { readMuster } from '../judging/subjects/muster.ts';
import { readProbe } from '../judging/subjects/probe.ts';
import { readRequest } from '../judging/subjects/request.ts';
import type { ReadSubject, Subject } from '../judging/subjects/subject.ts';
import { shownSpan } from '../story/draws.ts';
import type { StoryReading } from '../story/read-matcher.ts';
import type { CheckBody, Limit } from '../story/story.ts';
import type { Beside, ReadStep } from './step-kinds.ts';

/** Default of `within`. [scenario-language, fine print] */
export const DEFAULT_LIMIT_MS = 5_000;

/** Every subject. A word that is also a field of another subject must come after that. */
const READERS = [
  ['probe', readProbe],
  ['deliveries', readDeliveries],
  ['delivery', readDelivery],
  ['request', readRequest],
  ['mail', readMail],
  ['event', readEvent],
  ['alert', readAlert],
  ['alerts', readAlerts],
  ['muster', readMuster],
  ['missing', readMissing],
  ['destination', readDestination],
  ['position', readPositionSubject],
  ['watch', readWatchSubject],
  ['device', readDeviceSubject],
  ['worker', readWorkerSubject],
] as const satisfies readonly (readonly [string, ReadSubject])[];
export type SubjectWord = (typeof READERS)[number][0];

export const SUBJECTS: ReadonlyMap<string, ReadSubject> = new Map<string, ReadSubject>(READERS);

/** Modifiers, which belong beside the word of the step. */
const BESIDE = ['within', 'for', 'as', 'after', 'note'];

/** `expect: {alert: sos, of: ana}`, `wait_for` and `check`. */
export function readCheck(verb: Exclude<CheckBody['verb'], 'never'>) {
  return (value: unknown, at: StoryReading, beside: Beside): ReadStep | null => {
    const subject = readSubject(verb, value, at);
    if (subject === null || reportProbe(subject, at)) return null;
    const forMs = readHeld(beside, at);
    if (forMs === undefined) return null;
    if (forMs !== null && !subject.lasts)
      return at.mistake(`"for" is for what lasts; this ${subject.word} is over at once. Delete "for".`, 'key');
    const limit = verb === 'check' ? { min: 0, max: 0 } : (beside.within ?? { min: 0, max: DEFAULT_LIMIT_MS });
    const lasting = forMs === null ? '' : ` for ${formatDuration(forMs)}`;
    const text = `${verb} ${subject.text}${lasting}${verb === 'check' ? '' : ` within ${shownLimit(limit)}`}`;
    return { body: { kind: 'check', verb, subject, limit, forMs: forMs ?? 0 }, text, names: subject.names };
  };
}

/** `never: {event: alert.created}` with `for: 5m`. */
export function readNever(value: unknown, at: StoryReading, beside: Beside): ReadStep | null {
  const subject = readSubject('never', value, at);
  if (subject === null || reportProbe(subject, at)) return null;
  const forMs = readHeld(beside, at);
  if (forMs === undefined) return null;
  if (forMs === null)
    return at.mistake('"never" needs "for", the time for which it looks. Write for: 5m beside it.', 'key');
  const body: CheckBody = { kind: 'check', verb: 'never', subject, limit: { min: 0, max: forMs }, forMs };
  return { body, text: `never ${subject.text} for ${formatDuration(forMs)}`, names: null };
}

/** Steps judge at an instant, and a system outside answers later. True after reporting. */
export function reportProbe({ probe }: Subject, at: StoryReading): boolean {
  if (probe === undefined) return false;
  at.of('probe').mistake('Rules ask a probe, steps do not. Write - always: {probe: ...} under rules:.', 'key');
  return true;
}

/** `for` of a check: a duration, not a range; undefined after reporting a mistake. */
function readHeld({ forMs }: Beside, at: StoryReading): number | null | undefined {
  if (forMs === null || typeof forMs === 'number') return forMs;
  at.report.mistake(
    [...at.path.slice(0, -1), 'for'],
    `${shownSpan(forMs)} is a range, and a check draws nothing. Write ${formatDuration(forMs.max)}.`,
  );
  return undefined;
}

function shownLimit({ min, max }: Limit): string {
  return min === 0 ? formatDuration(max) : `${formatDuration(min)}..${formatDuration(max)}`;
}

/** The subject of a check with its condition; null after reporting a mistake. */
export function readSubject(verb: string, value: unknown, at: StoryReading): Subject | null {
  if (value === undefined) return null;
  if (!isMap(value)) return at.mistake(`${shown(value)} is not a check. Write ${verb}: {alert: sos, of: ana}.`);
  const beside = Object.keys(value).filter((key) => BESIDE.includes(key));
  for (const key of beside) {
    at.of(key).mistake(`${quoted(key)} stands beside ${quoted(verb)}, on the next line, not inside.`, 'key');
  }
  const word = [...SUBJECTS.keys()].find((key) => Object.hasOwn(value, key));
  if (word !== undefined) return beside.length > 0 ? null : SUBJECTS.get(word)!(value, at);
  const [first] = Object.keys(value);
  if (first === undefined) at.mistake('A check has a subject. Write {alert: sos, of: ana}.');
  else {
    const meant = didYouMean(first, [...SUBJECTS.keys()]) || ` "${CLI} explain" lists what can.`;
    at.of(first).mistake(`${quoted(first)} is not what a check can be about.${meant}`, 'key');
  }
  return null;
}
