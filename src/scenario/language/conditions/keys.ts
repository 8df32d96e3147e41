/** Kinds of fields that several conditions share: people, names of alerts, musters and events, numbers of matches. */

import { EVENT_SELECTORS, type EventType } from '../../../contract/enumerations.ts';
import { quoted } from '../../../contract/sentences.ts';
import type { MatchContext, Matcher } from '../../model/matchers.ts';
import { readMatcher, readOneOf, reportUnknownPerson, type ScenarioReading } from '../../model/read-matcher.ts';
import type { NamedKind, Reference } from '../../model/references.ts';
import { type Field, field } from '../field.ts';
import { readNameOf, typeFits } from './parts.ts';

/** A value that identifies the object: a wrong value would create a different check, so it is not mutated. */
export const identity = <T>(identifying: Field<T>): Field<T> => ({ ...identifying, wrong: 'none' });

const TEXT = { type: 'string' } as const;

/** A short name of one worker or crowd. */
export const person = (help: string): Field<string> =>
  field(
    'people',
    help,
    TEXT,
    (value, at) => {
      if (typeof value === 'string' && at.cast.has(value)) return value;
      reportUnknownPerson(value, at, at.cast);
      return null;
    },
    'none',
  );

/** `of: ana` or a list of people. */
export const people: Field<readonly string[]> = field(
  'people',
  'Only those of these workers.',
  { type: ['string', 'array'], items: TEXT },
  (value, at) => {
    const listed: unknown[] = Array.isArray(value) ? value : [value];
    let whole = true;
    for (const [i, who] of listed.entries()) {
      if (typeof who === 'string' && at.cast.has(who)) continue;
      whole = false;
      reportUnknownPerson(who, Array.isArray(value) ? at.of(i) : at, at.cast);
    }
    return whole ? (listed as string[]) : null;
  },
  'people',
);

/** `about: $fall`: an alert or muster, or the object of an event. */
export const about: Field<Reference> = field(
  'reference',
  'Only those about this alert or muster: $name.',
  TEXT,
  (value, at) => {
    if (typeof value !== 'string' || !value.startsWith('$'))
      return at.mistake(`${quoted(value)} is not a name. Write $fall where a line before has as: fall.`);
    const reference = at.names.read(value, at);
    if (reference === null) return null;
    if (at.names.isOneOf(reference, ['alert', 'muster', 'event'])) return reference;
    return at.mistake(`${value} is nothing that has events. Write the name of an alert or of a muster.`);
  },
  'names',
);

/** A name of an object of one of these kinds. */
export const nameOf = (help: string, kinds: readonly NamedKind[]): Field<Reference> =>
  field('reference', help, TEXT, (value, at) => readNameOf(kinds, value, at), 'none');

/** `$fall`, or a list of such names. */
export const alertNames = (help: string): Field<readonly Reference[]> =>
  field('reference', help, {}, readAlertNames, 'none');

export function readAlertNames(value: unknown, at: ScenarioReading): readonly Reference[] | null {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0) at.mistake('The list is empty. Write names such as [$sos, $fall].');
  const references = values.map((one, i) => readNameOf(['alert'], one, Array.isArray(value) ? at.of(i) : at));
  return references.length === 0 || references.includes(null) ? null : (references as Reference[]);
}

/** `0..` or `2..`: this number or more. */
const OR_MORE = /^(\d+)\.\.$/;

const COUNT_FORM = '0, 2, 1..3, 3.. for three or more, or ">= 3".';

/** `0`, `2..` or a matcher of numbers. */
export const countOf = (help: string): Field<Matcher> =>
  field('count', `${help} ${COUNT_FORM}`, {}, (value, at) => {
    const [, least] = typeof value === 'string' ? (OR_MORE.exec(value) ?? []) : [];
    if (least !== undefined) return { kind: 'compare', operator: '>=', than: Number(least) };
    const matcher = readMatcher(value, at);
    if (matcher?.kind === 'equal' && !(Number.isInteger(value) && (value as number) >= 0))
      return at.mistake(`${quoted(value)} is not a count. Write 0, 2, 1..3 or 3.. for three or more.`);
    return matcher;
  });

/** The required number of matches. */
export const count: Field<Matcher> = countOf('The required number. Examples:');

/** A type, a group such as `alert.*`, or the name of an event. */
export type WhichEvent = { readonly type: string } | { readonly reference: Reference };

export const whichEvent = (help: string, words: readonly string[] = EVENT_SELECTORS): Field<WhichEvent> =>
  field('one-of', help, TEXT, (value, at) => readWhichEvent(value, at, words));

/** Reads the event that a check names; returns null after reporting a mistake. */
export function readWhichEvent(
  value: unknown,
  at: ScenarioReading,
  words: readonly string[] = EVENT_SELECTORS,
): WhichEvent | null {
  if (typeof value === 'string' && value.startsWith('$')) {
    const reference = at.names.read(value, at);
    if (reference === null) return null;
    if (at.names.isOneOf(reference, ['event'])) return { reference };
    return at.mistake(`${value} is not an event. Write about: ${value} beside the type of the event.`);
  }
  const type = readOneOf(value, words, 'not an event type', at);
  return type === null ? null : { type };
}

/** True if an event is the named one, or of the wanted type. */
export function isEvent(
  which: WhichEvent,
  { id, type }: { id: string; type: EventType },
  around: MatchContext,
): boolean {
  return 'type' in which ? typeFits(which.type, type) : around.named(which.reference.name)?.id === id;
}
