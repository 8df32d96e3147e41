/** The condition `event`: something that happened to an alert or a muster. */

import { EVENT_SELECTORS, type Scope } from '../../../contract/enumerations.ts';
import {
  type AlertEvent,
  AlertEvent as AlertEventSchema,
  MusterEvent as MusterEventSchema,
} from '../../../contract/events.ts';
import { Alert, Muster } from '../../../contract/resources.ts';
import { type Candidate, fittingOf, type ViewScope, wasExpected } from '../../judging/subject.ts';
import type { RecordedEvent } from '../../log/run-record.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen } from '../../model/matchers.ts';
import type { ScenarioReading } from '../../model/read-matcher.ts';
import { idOf, objectOf, type Reference, written } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { body, required } from '../field.ts';
import { ofMismatches } from './alert.ts';
import { about, count, people, type WhichEvent, whichEvent } from './keys.ts';
import { aboutId, lookForCount, needsOf, typeFits } from './parts.ts';

const TRIGGERS = new Set(['event-occurred'] as const);

/** `event: alert.created`; `of`, `about`, `object` (some of its fields), `data` (of the event envelope), `count`. */
export const EVENT = defineCondition({
  word: 'event',
  help: 'An event of the event log: a change of an alert or a muster.',
  example: '{event: alert.created, of: ana, object: {severity: critical}}',
  lasts: false,
  sees: 'client',
  fields: {
    event: required(whichEvent('an event type, alert.*, muster.*, or $name')),
    of: people,
    about,
    object: body('The alert or muster in the event. Only the given keys are compared.'),
    data: body('The data of the event besides the object. Only the given keys are compared.'),
    count,
  },
  words: EVENT_SELECTORS,
  resource: null,
  scopes: [],
  mutation: { isPassing: false },
  read: ({ each, whole }, at) => {
    for (const key of ['object', 'data'] as const) reportMisshapenPart(each[key], key, each.event, at);
    if (whole === null) return null;
    const { event: which, of = [], about: named, object, data, count: wanted } = whole;
    const parts = { of, about: named, object, data };
    const eventText = 'type' in which ? which.type : written(which.reference);
    const whose = of.length > 0 ? ` of ${of.join(', ')}` : '';
    return {
      text: `event ${eventText}${whose}${named === undefined ? '' : ` about ${written(named)}`}`,
      scopes: scopesOf(which),
      triggers: TRIGGERS,
      needs: ['type' in which ? [] : [which.reference], named ?? [], needsOf(object), needsOf(data)].flat(),
      names: wanted !== undefined ? null : isOfMuster(which) ? 'muster-event' : 'event',
      look: (viewScope) => lookForCount(candidates(which, parts, viewScope), wanted, viewScope),
      all: (viewScope) => fittingOf(candidates(which, parts, viewScope)),
    };
  },
});

/** The scope of an event is given by its type; a named event has already been seen. */
function scopesOf(which: WhichEvent): readonly Scope[] {
  if (!('type' in which)) return [];
  return [isOfMuster(which) ? 'musters:read' : 'alerts:read'];
}

const isOfMuster = (which: WhichEvent | null | undefined): boolean =>
  which !== null && which !== undefined && 'type' in which && which.type.startsWith('muster.');

function reportMisshapenPart(
  matcher: Matcher | null | undefined,
  key: 'object' | 'data',
  which: WhichEvent | null | undefined,
  at: ScenarioReading,
): void {
  if (matcher === null || matcher === undefined) return;
  const ofMuster = isOfMuster(which);
  const envelope = ofMuster ? MusterEventSchema : AlertEventSchema;
  const shape = key === 'data' ? envelope.properties.data : ofMuster ? Muster : Alert;
  reportMisshapen(matcher, shape, key === 'data' ? 'data' : ofMuster ? 'a muster' : 'an alert', at.of(key));
}

interface EventParts {
  readonly of: readonly string[];
  readonly about: Reference | undefined;
  readonly object: Matcher | undefined;
  readonly data: Matcher | undefined;
}

function candidates(which: WhichEvent, parts: EventParts, viewScope: ViewScope): Candidate[] {
  const { events } = viewScope.record;
  const found: Candidate[] = [];
  // Newest first, so that a long record is not scanned at each notice.
  for (let i = events.length - 1; i >= 0 && events[i]!.seq > viewScope.since; i--) {
    const recorded = events[i]!;
    const fits =
      'type' in which
        ? typeFits(which.type, recorded.event.type)
        : viewScope.named(which.reference.name)?.id === recorded.event.id;
    const isFree =
      !viewScope.taken.has(keyOf(recorded)) && !wasExpected(viewScope, idOf(objectOf(recorded.event)), recorded.seq);
    if (fits && isFree) found.push(candidateOf(recorded, parts, viewScope));
  }
  return found.reverse();
}

const keyOf = ({ event }: RecordedEvent): string => `event ${event.id}`;

function candidateOf(
  recorded: RecordedEvent,
  { of, about, object, data }: EventParts,
  viewScope: ViewScope,
): Candidate {
  const { event, before } = recorded;
  const it = objectOf(event);
  const alert = (event as AlertEvent).data.alert as Alert | undefined;
  const missed: Mismatch[] = [
    ...ofMismatches(of, { worker: alert?.worker ?? null }, viewScope),
    ...(about === undefined || aboutId(about, viewScope) === idOf(it)
      ? []
      : [{ path: 'about', expected: written(about), got: idOf(it) ?? '' }]),
    ...(object === undefined ? [] : mismatches(object, it, viewScope, 'object', before)),
    ...(data === undefined ? [] : mismatches(data, event.data, viewScope, 'data')),
  ];
  const label = alert === undefined ? event.type : `${event.type} ${alert.type}`;
  return {
    key: keyOf(recorded),
    at: recorded.at,
    label,
    mismatches: missed,
    named: { kind: 'event', id: event.id, body: event },
  };
}
