/** The subject `delivery`: one attempt to deliver an event to a receiver, and its outcome. */

import { explainDuration, formatDuration, parseDuration } from '../../../base/durations.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import type { RecordedAttempt } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches } from '../../story/matchers.ts';
import { readMatcher, readOneOf, type StoryReading } from '../../story/read-matcher.ts';
import { type Reference, written } from '../../story/references.ts';
import { readWhichEvent, type WhichEvent } from './event.ts';
import { aboutId, needsOf, readAbout, reportSubjectKeys, typeFits } from './parts.ts';
import { type Candidate, type CheckSight, fittingOf, lookForOne, type ReadSubject } from './subject.ts';

const KEYS = ['delivery', 'event', 'about', 'result', 'tries', 'offsets', 'signatures', 'status', 'reached'];
const TRIGGERS = new Set(['delivery-attempted', 'destination-deleted'] as const);
const RESULTS = ['delivered', 'waiting', 'lost', 'dropped'];
const ANY = 'any';

/** `delivery: erp` or `any`; `event`, `about`, `result`, `tries`, `offsets` (to the second), `signatures`, `status`, `reached` (the user's own system). */
export const readDelivery: ReadSubject = (fields, at) => {
  reportSubjectKeys(fields, KEYS, at);
  const receiver = readReceiver(fields['delivery'], at.of('delivery'));
  const event = Object.hasOwn(fields, 'event') ? readWhichEvent(fields['event'], at.of('event')) : undefined;
  const about = readAbout(fields, at);
  const body = readFields(fields, at);
  if (receiver === null || event === null || about === null || body === null) return null;
  const wanted = event === undefined ? '' : ` of ${'type' in event ? event.type : written(event.reference)}`;
  return {
    word: 'delivery',
    text: `delivery ${receiver}${wanted}${about === undefined ? '' : ` about ${written(about)}`}`,
    lasts: false,
    triggers: TRIGGERS,
    needs: [event !== undefined && 'reference' in event ? event.reference : [], about ?? [], needsOf(body)].flat(),
    names: 'delivery',
    look: (sight) => lookForOne(candidates({ receiver, event, about, body }, sight)),
    all: (sight) => fittingOf(candidates({ receiver, event, about, body }, sight)),
  };
};

function readReceiver(value: unknown, at: StoryReading): string | null {
  if (value === undefined) return null;
  return readOneOf(value, [...at.receivers, ANY], 'not a receiver', at);
}

function readFields(fields: JsonMap, at: StoryReading): Matcher | null {
  const body = new Map<string, Matcher | null>();
  for (const key of ['tries', 'signatures', 'status', 'reached']) {
    if (Object.hasOwn(fields, key)) body.set(key, readMatcher(fields[key], at.of(key)));
  }
  if (Object.hasOwn(fields, 'result')) body.set('result', readResult(fields['result'], at.of('result')));
  if (Object.hasOwn(fields, 'offsets')) body.set('offsets', readOffsets(fields['offsets'], at.of('offsets')));
  return [...body.values()].includes(null) ? null : { kind: 'fields', fields: body as Map<string, Matcher> };
}

function readResult(value: unknown, at: StoryReading): Matcher | null {
  const matcher = readMatcher(value, at);
  if (matcher?.kind !== 'equal' || RESULTS.includes(value as string)) return matcher;
  readOneOf(value, RESULTS, 'not a result', at);
  return null;
}

/** Durations from the event, compared as text rounded to seconds. */
function readOffsets(value: unknown, at: StoryReading): Matcher | null {
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
}

interface WantedDelivery {
  readonly receiver: string;
  readonly event: WhichEvent | undefined;
  readonly about: Reference | undefined;
  readonly body: Matcher;
}

function candidates(wanted: WantedDelivery, sight: CheckSight): Candidate[] {
  const { attempts } = sight.record;
  const found: Candidate[] = [];
  for (let i = attempts.length - 1; i >= 0 && attempts[i]!.seq > sight.since; i--) {
    const heard = attempts[i]!;
    const fits = wanted.receiver === ANY ? heard.receiver !== null : heard.receiver === wanted.receiver;
    if (fits && !sight.taken.has(keyOf(heard))) found.push(candidateOf(heard, wanted, sight));
  }
  return found.reverse();
}

const keyOf = ({ attempt }: RecordedAttempt): string =>
  `delivery ${attempt.delivery_id} ${attempt.try} ${attempt.copy ?? 1} ${attempt.result}`;

function candidateOf(heard: RecordedAttempt, { event, about, body }: WantedDelivery, sight: CheckSight): Candidate {
  const { attempt, receiver, offsetsMs } = heard;
  const shown = {
    result: attempt.result,
    tries: attempt.try,
    offsets: offsetsMs.map(toTheSecond),
    signatures: attempt.signatures,
    status: attempt.status,
    reached: heard.reached,
  };
  const missed: Mismatch[] = [
    ...eventMismatches(event, heard, sight),
    ...(about === undefined || aboutId(about, sight) === attempt.object_id
      ? []
      : [{ path: 'about', expected: written(about), got: attempt.object_id }]),
    ...mismatches(body, shown, sight),
  ];
  // Not the delivery's id, which differs between runs as the destination's secret does.
  const named = { kind: 'delivery', id: `${attempt.event_id}/${receiver}/${attempt.try}`, body: shown } as const;
  const label = `delivery of ${attempt.event_type} to ${receiver}, try ${attempt.try}: ${attempt.status ?? attempt.result}`;
  return { key: keyOf(heard), at: heard.at, label, mismatches: missed, named };
}

function eventMismatches(event: WhichEvent | undefined, { attempt }: RecordedAttempt, sight: CheckSight): Mismatch[] {
  if (event === undefined) return [];
  const fits =
    'type' in event
      ? typeFits(event.type, attempt.event_type)
      : sight.named(event.reference.name)?.id === attempt.event_id;
  const expected = 'type' in event ? event.type : written(event.reference);
  return fits ? [] : [{ path: 'event', expected, got: attempt.event_type }];
}

function toTheSecond(ms: number): string {
  return formatDuration(Math.round(ms / 1000) * 1000);
}
