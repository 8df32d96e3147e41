/** The condition `delivery`: one attempt to deliver an event to a receiver, and its outcome. */

import { explainDuration, formatDuration, parseDuration } from '../../../base/time/durations.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { type Candidate, fittingOf, lookForOne, type ViewScope } from '../../judging/subject.ts';
import type { RecordedAttempt } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches } from '../../model/matchers.ts';
import { readMatcher, readName, readOneOf } from '../../model/read-matcher.ts';
import { type Reference, written } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { field, matcher, required } from '../field.ts';
import { about, isEvent, type WhichEvent, whichEvent } from './keys.ts';
import { needsOf, ofAbout, unclaimedSince } from './parts.ts';

const TRIGGERS = new Set(['delivery-attempted', 'destination-deleted'] as const);
const ANY = 'any';

const receiver = field<string>(
  'receiver',
  'a receiver or any',
  { type: 'string' },
  (value, at) => readName(value, [...at.receivers, ANY], 'not a receiver', at),
  'receivers',
);

const RESULTS = ['delivered', 'waiting', 'lost', 'dropped'];

const RESULT_HELP =
  'The state of the delivery after the attempt: delivered, waiting (for the next attempt), lost (after the last attempt) or dropped (the destination was deleted).';

const result = field<Matcher>('matcher', RESULT_HELP, { enum: RESULTS }, (value, at) => {
  const read = readMatcher(value, at);
  if (read?.kind !== 'equal' || RESULTS.includes(value as string)) return read;
  readOneOf(value, RESULTS, 'not a result', at);
  return null;
});

/**
 * Durations since the event, compared as text rounded to seconds; where time is live an attempt may be late by the
 * tolerance.
 */
const offsets = field<Matcher>('list', 'The time of each attempt after the event: [0s, 10s].', {}, (value, at) => {
  const contains = isMap(value) && Object.hasOwn(value, 'contains');
  const listed = contains ? (value as JsonMap)['contains'] : value;
  const items: unknown[] = Array.isArray(listed) ? listed : [listed];
  const matchers = items.map((item, i): Matcher | null => {
    const ms = typeof item === 'string' ? parseDuration(item) : null;
    if (ms !== null) return { kind: 'equal', value: toTheSecond(ms) };
    return (Array.isArray(listed) && !contains ? at.of(i) : at).mistake(explainDuration(String(item)));
  });
  if (matchers.includes(null)) return null;
  return { kind: contains ? 'contains' : 'list', items: matchers as Matcher[] };
});

/** `delivery: erp` or `any`; `event`, `about`, `result`, `tries`, `offsets` (to the second), `signatures`, `status`, `reached` (the user's own system). */
export const DELIVERY = defineCondition({
  word: 'delivery',
  help: 'One attempt to deliver an event to a receiver, and the state of the delivery after it.',
  example: '{delivery: erp, event: alert.created, result: delivered, tries: 1}',
  lasts: false,
  searches: true,
  sees: 'outgoing',
  fields: {
    delivery: required(receiver),
    event: whichEvent('An event type, or $name.'),
    about,
    result,
    tries: matcher('The number of the attempt; the first is 1.'),
    offsets,
    signatures: matcher('1, or 2 in a rotation.'),
    status: matcher('The HTTP status of the receiver’s answer; null: no answer.'),
    reached: matcher('true: your own system received the attempt and answered it.'),
  },
  words: [ANY],
  resource: null,
  scopes: ['webhooks:manage'],
  mutation: { isPassing: false },
  read: ({ whole }) => {
    if (whole === null) return null;
    const { delivery, event, about: named, ...outcome } = whole;
    const parts = Object.entries(outcome).filter((entry): entry is [string, Matcher] => entry[1] !== undefined);
    const body: Matcher = { kind: 'fields', fields: new Map(parts) };
    const ofEvent = event === undefined ? '' : ` of ${'type' in event ? event.type : written(event.reference)}`;
    const needs = [
      event !== undefined && 'reference' in event ? event.reference : [],
      named ?? [],
      needsOf(body),
    ].flat();
    const candidateIn = needs.length === 0 ? onceForEach(candidateOf) : candidateOf;
    const wanted: WantedDelivery = { receiver: delivery, event, about: named, body, candidateIn };
    return {
      text: `delivery ${delivery}${ofEvent}${named === undefined ? '' : ` about ${written(named)}`}`,
      triggers: TRIGGERS,
      needs,
      names: 'delivery',
      look: (viewScope) => lookForOne(candidates(wanted, viewScope)),
      all: (viewScope) => fittingOf(candidates(wanted, viewScope)),
    };
  },
});

interface WantedDelivery {
  readonly receiver: string;
  readonly event: WhichEvent | undefined;
  readonly about: Reference | undefined;
  readonly body: Matcher;
  readonly candidateIn: CandidateOf;
}

type CandidateOf = (recorded: RecordedAttempt, wanted: WantedDelivery, viewScope: ViewScope) => Candidate;

/**
 * Memoised by scope and attempt: a rule looks again at all attempts of a run at each new one. Only for a condition without
 * references, whose judgement of an attempt never changes.
 */
function onceForEach(make: CandidateOf): CandidateOf {
  const known = new WeakMap<ViewScope, WeakMap<RecordedAttempt, Candidate>>();
  return (recorded, wanted, viewScope) => {
    const inScope = known.get(viewScope) ?? new WeakMap<RecordedAttempt, Candidate>();
    known.set(viewScope, inScope);
    const candidate = inScope.get(recorded) ?? make(recorded, wanted, viewScope);
    inScope.set(recorded, candidate);
    return candidate;
  };
}

function candidates(wanted: WantedDelivery, viewScope: ViewScope): Candidate[] {
  return unclaimedSince(viewScope.record.attempts, keyOf, viewScope)
    .filter(({ receiver }) => (wanted.receiver === ANY ? receiver !== null : receiver === wanted.receiver))
    .map((recorded) => wanted.candidateIn(recorded, wanted, viewScope));
}

const keyOf = ({ attempt }: RecordedAttempt): string =>
  `delivery ${attempt.delivery_id} ${attempt.try} ${attempt.copy ?? 1} ${attempt.result}`;

function candidateOf(
  recorded: RecordedAttempt,
  { event, about, body }: WantedDelivery,
  viewScope: ViewScope,
): Candidate {
  const { attempt, receiver, offsetsMs } = recorded;
  const shown = {
    result: attempt.result,
    tries: attempt.try,
    offsets: offsetsShown(offsetsMs, body, viewScope.slackMs ?? 0),
    signatures: attempt.signatures,
    status: attempt.status,
    reached: recorded.reached,
  };
  const missed: Mismatch[] = [
    ...eventMismatches(event, recorded, viewScope),
    ...ofAbout(about, attempt.object_id, viewScope),
    ...mismatches(body, shown, viewScope),
  ];
  // The delivery's own id is not used, because it differs between runs, as the destination's secret does.
  const named = { kind: 'delivery', id: `${attempt.event_id}/${receiver}/${attempt.try}`, body: shown } as const;
  const label = `delivery of ${attempt.event_type} to ${receiver}, try ${attempt.try}: ${attempt.status ?? attempt.result}`;
  return { key: keyOf(recorded), at: recorded.at, label, mismatches: missed, named };
}

function eventMismatches(
  event: WhichEvent | undefined,
  { attempt }: RecordedAttempt,
  viewScope: ViewScope,
): Mismatch[] {
  if (event === undefined) return [];
  const fits = isEvent(event, { id: attempt.event_id, type: attempt.event_type }, viewScope);
  const expected = 'type' in event ? event.type : written(event.reference);
  return fits ? [] : [{ path: 'event', expected, got: attempt.event_type }];
}

/** Shows an attempt that is late by at most the tolerance at its expected offset. */
function offsetsShown(offsetsMs: readonly number[], body: Matcher, slackMs: number): string[] {
  const wanted = body.kind === 'fields' ? body.fields.get('offsets') : undefined;
  const items = wanted?.kind === 'list' || wanted?.kind === 'contains' ? wanted.items : [];
  const expected = items.map((item) => (item.kind === 'equal' ? String(item.value) : ''));
  return offsetsMs.map((ms, i) => {
    const isInTime = (text: string | undefined) => {
      const due = text === undefined ? null : parseDuration(text);
      return due !== null && ms >= due && ms <= due + slackMs;
    };
    const fitting = wanted?.kind === 'list' ? [expected[i]] : expected;
    return fitting.find(isInTime) ?? toTheSecond(ms);
  });
}

function toTheSecond(ms: number): string {
  return formatDuration(Math.round(ms / 1000) * 1000);
}
