/** The condition `deliveries`: the order and number of the events that a receiver accepted since the last action. */

import { EVENT_TYPES } from '../../../contract/enumerations.ts';
import type { Event } from '../../../contract/events.ts';
import type { Alert, Muster } from '../../../contract/resources.ts';
import { isMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import type { ViewScope } from '../../judging/subject.ts';
import type { RecordedAttempt } from '../../log/run-record.ts';
import { type Mismatch, mismatches } from '../../model/matchers.ts';
import { readOneOf, type ScenarioReading } from '../../model/read-matcher.ts';
import { objectOf, written } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { field, receiver, required } from '../field.ts';
import { count, readWhichEvent, type WhichEvent } from './keys.ts';
import { needsOf } from './parts.ts';

const TRIGGERS = new Set(['delivery-attempted'] as const);

interface DeliveryOrder {
  readonly events: readonly WhichEvent[];
  /** True for a subsequence: other events may come in between. */
  readonly partly: boolean;
}

const order = field<DeliveryOrder>(
  'list',
  'The events of all accepted attempts, in the order of acceptance; {contains: [...]} for some of them.',
  {},
  (value, at) => {
    const partly = isMap(value) && Object.hasOwn(value, 'contains');
    const listed = partly ? (value as { contains: unknown }).contains : value;
    if (!Array.isArray(listed) || listed.length === 0)
      return at.mistake(`${quoted(value)} is not an order. Write order: [alert.created, alert.resolved].`);
    const events = listed.map((item: unknown, i) => readOne(item, partly ? at : at.of(i)));
    return events.includes(null) ? null : { events: events as WhichEvent[], partly };
  },
);

function readOne(value: unknown, at: ScenarioReading): WhichEvent | null {
  if (typeof value === 'string' && value.startsWith('$')) return readWhichEvent(value, at);
  const type = readOneOf(value, EVENT_TYPES, 'not an event type', at);
  return type === null ? null : { type };
}

/** `deliveries: erp` with `order` (by the time of acceptance; exact, or `contains` for some of them) and `count`. */
export const DELIVERIES = defineCondition({
  word: 'deliveries',
  help: 'The attempts that a receiver has accepted since the start of the search (the last action, or "since"). An event that is accepted twice counts twice.',
  example: '{deliveries: erp, order: [alert.created, alert.acknowledged]}',
  lasts: true,
  searches: true,
  sees: 'outgoing',
  fields: { deliveries: required(receiver('a receiver')), order, count },
  resource: null,
  scopes: ['webhooks:manage'],
  // The list only grows, so no earlier value can come back.
  mutation: { isPassing: false },
  read: ({ given, each, whole }, at) => {
    if (each.order === undefined && each.count === undefined)
      return at.mistake('"deliveries" asks for "order" or "count". Write order: [alert.created].', 'key');
    if (whole === null) return null;
    const { deliveries: name, order: wanted, count: number } = whole;
    const references = (wanted?.events ?? []).flatMap((one) => ('reference' in one ? [one.reference] : []));
    const tell = tellOf(at);
    const keys = Object.keys(given).filter((key) => key !== 'deliveries');
    return {
      text: `deliveries ${name} ${keys.join(', ')}`,
      triggers: TRIGGERS,
      needs: [...references, ...needsOf(number)],
      names: null,
      all: null,
      look: (viewScope) => {
        const accepted = acceptedBy(name, viewScope);
        const missed = [
          ...(wanted === undefined ? [] : orderMismatches(wanted, accepted, viewScope, tell)),
          ...(number === undefined ? [] : mismatches(number, accepted.length, viewScope, 'count')),
        ];
        if (missed.length > 0) return { matched: false, mismatches: missed, candidates: accepted.length };
        return { matched: true, found: [], at: null };
      },
    };
  },
});

function acceptedBy(receiver: string, { record, since }: ViewScope): readonly RecordedAttempt[] {
  return record.attempts.filter(
    (recorded) => recorded.seq > since && recorded.receiver === receiver && recorded.attempt.result === 'delivered',
  );
}

function orderMismatches(
  { events, partly }: DeliveryOrder,
  accepted: readonly RecordedAttempt[],
  viewScope: ViewScope,
  tell: DeliveryTell,
): Mismatch[] {
  const fits = (one: WhichEvent | undefined, { attempt }: RecordedAttempt): boolean =>
    one !== undefined &&
    ('type' in one ? one.type === attempt.event_type : viewScope.named(one.reference.name)?.id === attempt.event_id);
  let next = 0;
  let last = -1;
  for (const [i, recorded] of accepted.entries()) {
    if (fits(events[next], recorded)) {
      next++;
      last = i;
    } else if (!partly) break;
  }
  if (next === events.length && (partly || accepted.length === events.length)) return [];
  const labels = accepted.map(({ attempt }) => tell.came(attempt.event_id, attempt.event_type, viewScope));
  const wanted = events.map((one) => tell.wanted(one, viewScope));
  const whole = {
    expected: partly ? `contains ${wanted.join(', ')}` : wanted.join(', '),
    got: labels.join(', ') || NOTHING,
  };
  const place = `order[${next}]`;
  const expected = wanted[next] ?? NOTHING;
  if (!partly)
    return [
      { path: 'order', ...whole },
      { path: place, expected, got: labels[next] ?? NOTHING },
    ];
  const before = accepted.slice(0, last + 1).findLastIndex((recorded) => fits(events[next], recorded));
  const got = before < 0 ? NOTHING : `${labels[before]}, before ${labels[last]}`;
  return [
    { path: 'order', ...whole },
    { path: place, expected: next === 0 ? expected : `${expected}, after ${wanted[next - 1]}`, got },
  ];
}

/** Placeholder for an unexpected or a missing event. */
const NOTHING = '(nothing)';

/** Labels of events: by type, and by person if the order names people. */
interface DeliveryTell {
  came(eventId: string, type: string, viewScope: ViewScope): string;
  wanted(one: WhichEvent, viewScope: ViewScope): string;
}

function tellOf({ cast }: ScenarioReading): DeliveryTell {
  const shortNames = new Map([...cast].flatMap(([name, ids]) => ids.map((id) => [id, name] as const)));
  const came: DeliveryTell['came'] = (eventId, type, { record }) => {
    const recorded = record.events.find(({ event }) => event.id === eventId);
    const about = recorded === undefined ? '' : describe(objectOf(recorded.event), shortNames);
    return about === '' ? type : `${type} ${about}`;
  };
  const wanted: DeliveryTell['wanted'] = (one, viewScope) => {
    if ('type' in one) return one.type;
    const named = viewScope.named(one.reference.name);
    const type = (named?.body as Event | undefined)?.type;
    return type === undefined || named === undefined
      ? written(one.reference)
      : `${written(one.reference)} (${came(named.id, type, viewScope)})`;
  };
  return { came, wanted };
}

/** Returns for example `sos of ana`, or `general` for a muster. */
function describe(object: unknown, shortNames: ReadonlyMap<string, string>): string {
  const { type, kind, worker } = (object ?? {}) as Partial<Pick<Alert, 'type' | 'worker'> & Pick<Muster, 'kind'>>;
  const who = worker?.external_id ?? worker?.id;
  const whose = who === undefined ? '' : ` of ${shortNames.get(who) ?? who}`;
  return `${type ?? kind ?? ''}${whose}`.trim();
}
