/** The subject `event`: something that happened to an alert or a muster. */

import { EVENT_SELECTORS } from '../../../contract/enumerations.ts';
import {
  type AlertEvent,
  AlertEvent as AlertEventSchema,
  MusterEvent as MusterEventSchema,
} from '../../../contract/events.ts';
import { Alert, Muster } from '../../../contract/resources.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import type { RecordedEvent } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen } from '../../story/matchers.ts';
import { readBody, readOneOf, type StoryReading } from '../../story/read-matcher.ts';
import { idOf, objectOf, type Reference, written } from '../../story/references.ts';
import { ofMismatches } from './alert.ts';
import { aboutId, lookForCount, needsOf, readAbout, readCount, readOf, reportSubjectKeys, typeFits } from './parts.ts';
import { type Candidate, type CheckSight, fittingOf, type ReadSubject, wasExpected } from './subject.ts';

const KEYS = ['event', 'of', 'about', 'object', 'data', 'count'];
const TRIGGERS = new Set(['event-occurred'] as const);

/** A type, a group such as `alert.*`, or the name of an event. */
export type WhichEvent = { readonly type: string } | { readonly reference: Reference };

/** `event: alert.created`; `of`, `about`, `object` (partly), `data` (the envelope's own), `count`. */
export const readEvent: ReadSubject = (fields, at) => {
  reportSubjectKeys(fields, KEYS, at);
  const which = readWhichEvent(fields['event'], at.of('event'));
  const of = readOf(fields, at);
  const about = readAbout(fields, at);
  const count = readCount(fields, at);
  const object = readPart(fields, 'object', at, which);
  const data = readPart(fields, 'data', at, which);
  if (which === null || of === null || [about, count, object, data].includes(null)) return null;
  const parts = { of, about: about ?? undefined, object: object ?? undefined, data: data ?? undefined };
  const wanted = 'type' in which ? which.type : written(which.reference);
  const whose = of.length > 0 ? ` of ${of.join(', ')}` : '';
  return {
    word: 'event',
    text: `event ${wanted}${whose}${about ? ` about ${written(about)}` : ''}`,
    lasts: false,
    triggers: TRIGGERS,
    needs: ['type' in which ? [] : [which.reference], about ?? [], needsOf(object), needsOf(data)].flat(),
    names: count !== undefined ? null : 'type' in which && which.type.startsWith('muster.') ? 'muster-event' : 'event',
    look: (sight) => lookForCount(candidates(which, parts, sight), count ?? undefined, sight),
    all: (sight) => fittingOf(candidates(which, parts, sight)),
  };
};

/** The event that a check names; null where a mistake was reported. */
export function readWhichEvent(value: unknown, at: StoryReading): WhichEvent | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.startsWith('$')) {
    const reference = at.names.read(value, at);
    if (reference === null) return null;
    if (at.names.isOneOf(reference, ['event'])) return { reference };
    return at.mistake(`${value} is not an event. Write about: ${value} beside the type of the event.`);
  }
  const type = readOneOf(value, EVENT_SELECTORS, 'not an event type', at);
  return type === null ? null : { type };
}

function readPart(
  fields: JsonMap,
  key: 'object' | 'data',
  at: StoryReading,
  which: WhichEvent | null,
): Matcher | null | undefined {
  if (!Object.hasOwn(fields, key)) return undefined;
  const body = readBody(fields[key], at.of(key));
  if (body === null) return null;
  const ofMuster = which !== null && 'type' in which && which.type.startsWith('muster.');
  const envelope = ofMuster ? MusterEventSchema : AlertEventSchema;
  const shape = key === 'data' ? envelope.properties.data : ofMuster ? Muster : Alert;
  reportMisshapen(body, shape, key === 'data' ? 'data' : ofMuster ? 'a muster' : 'an alert', at.of(key));
  return body;
}

interface EventParts {
  readonly of: readonly string[];
  readonly about: Reference | undefined;
  readonly object: Matcher | undefined;
  readonly data: Matcher | undefined;
}

function candidates(which: WhichEvent, parts: EventParts, sight: CheckSight): Candidate[] {
  const { events } = sight.record;
  const found: Candidate[] = [];
  // Newest first, so that a long record is not scanned at each notice.
  for (let i = events.length - 1; i >= 0 && events[i]!.seq > sight.since; i--) {
    const heard = events[i]!;
    const fits =
      'type' in which
        ? typeFits(which.type, heard.event.type)
        : sight.named(which.reference.name)?.id === heard.event.id;
    const isFree = !sight.taken.has(keyOf(heard)) && !wasExpected(sight, idOf(objectOf(heard.event)), heard.seq);
    if (fits && isFree) found.push(candidateOf(heard, parts, sight));
  }
  return found.reverse();
}

const keyOf = ({ event }: RecordedEvent): string => `event ${event.id}`;

function candidateOf(heard: RecordedEvent, { of, about, object, data }: EventParts, sight: CheckSight): Candidate {
  const { event, before } = heard;
  const it = objectOf(event);
  const alert = (event as AlertEvent).data.alert as Alert | undefined;
  const missed: Mismatch[] = [
    ...ofMismatches(of, { worker: alert?.worker ?? null }, sight),
    ...(about === undefined || aboutId(about, sight) === idOf(it)
      ? []
      : [{ path: 'about', expected: written(about), got: idOf(it) ?? '' }]),
    ...(object === undefined ? [] : mismatches(object, it, sight, 'object', before)),
    ...(data === undefined ? [] : mismatches(data, event.data, sight, 'data')),
  ];
  const label = alert === undefined ? event.type : `${event.type} ${alert.type}`;
  return {
    key: keyOf(heard),
    at: heard.at,
    label,
    mismatches: missed,
    named: { kind: 'event', id: event.id, body: event },
  };
}
