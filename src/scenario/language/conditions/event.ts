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
import { about, count, isEvent, people, type WhichEvent, whichEvent } from './keys.ts';
import { lookForCount, needsOf, ofAbout, unclaimedSince } from './parts.ts';

const WORDS = ['any', ...EVENT_SELECTORS] as const;
const TRIGGERS = new Set(['event-occurred'] as const);

/** `event: alert.created`; `of`, `about`, `object` (some of its fields), `data` (of the event envelope), `count`. */
export const EVENT = defineCondition({
  word: 'event',
  help: 'An event of the event log: a change of an alert or a muster. never: {event: any} says that nothing else happens: it ignores only the events that an expect or wait_for has found themselves.',
  example: '{event: alert.created, of: ana, object: {severity: critical}}',
  lasts: false,
  searches: true,
  sees: 'client',
  fields: {
    event: required(whichEvent('an event type, alert.*, muster.*, any, or $name', WORDS)),
    of: people,
    about,
    object: body('The alert or muster in the event. Only the given keys are compared.'),
    data: body('The data of the event besides the object. Only the given keys are compared.'),
    count,
  },
  words: WORDS,
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
      names: wanted !== undefined ? null : isOfAny(which) ? 'any' : isOfMuster(which) ? 'muster-event' : 'event',
      look: (viewScope) => lookForCount(candidates(which, parts, viewScope), wanted, viewScope),
      all: (viewScope) => fittingOf(candidates(which, parts, viewScope)),
    };
  },
});

/** The scope of an event is given by its type; a named event has already been seen. */
function scopesOf(which: WhichEvent): readonly Scope[] {
  if (!('type' in which)) return [];
  return isOfAny(which) ? ['alerts:read', 'musters:read'] : [isOfMuster(which) ? 'musters:read' : 'alerts:read'];
}

const isOfAny = (which: WhichEvent | null | undefined): boolean =>
  which !== null && which !== undefined && 'type' in which && which.type === 'any';

const isOfMuster = (which: WhichEvent | null | undefined): boolean =>
  which !== null && which !== undefined && 'type' in which && which.type.startsWith('muster.');

function reportMisshapenPart(
  matcher: Matcher | null | undefined,
  key: 'object' | 'data',
  which: WhichEvent | null | undefined,
  at: ScenarioReading,
): void {
  if (matcher === null || matcher === undefined) return;
  if (isOfAny(which)) return reportMisshapen(matcher, key === 'data' ? ANY_DATA : ANY_OBJECT, 'an event', at.of(key));
  const ofMuster = isOfMuster(which);
  const envelope = ofMuster ? MusterEventSchema : AlertEventSchema;
  const shape = key === 'data' ? envelope.properties.data : ofMuster ? Muster : Alert;
  reportMisshapen(matcher, shape, key === 'data' ? 'data' : ofMuster ? 'a muster' : 'an alert', at.of(key));
}

/** The fields of either of two shapes. A field that both have may have any value. */
const eitherOf = (one: object, other: object) => {
  const both = Object.keys(one).filter((key) => Object.hasOwn(other, key));
  return { properties: { ...one, ...other, ...Object.fromEntries(both.map((key) => [key, {}])) } };
};
const ANY_DATA = eitherOf(MusterEventSchema.properties.data.properties, AlertEventSchema.properties.data.properties);
const ANY_OBJECT = eitherOf(Muster.properties, Alert.properties);

interface EventParts {
  readonly of: readonly string[];
  readonly about: Reference | undefined;
  readonly object: Matcher | undefined;
  readonly data: Matcher | undefined;
}

function candidates(which: WhichEvent, parts: EventParts, viewScope: ViewScope): Candidate[] {
  return (
    unclaimedSince(viewScope.record.events, keyOf, viewScope)
      .filter(({ event }) => isEvent(which, event, viewScope))
      // "any" means that nothing else happened: a found alert or muster covers no event of its own.
      .filter(({ event, seq }) => isOfAny(which) || !wasExpected(viewScope, idOf(objectOf(event)), seq))
      .map((recorded) => candidateOf(recorded, parts, viewScope))
  );
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
    ...ofAbout(about, idOf(it), viewScope),
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
