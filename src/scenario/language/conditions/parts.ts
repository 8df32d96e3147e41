/** What several conditions share: fields of the object, names, numbers of matches, labels. */

import type { EventType } from '../../../contract/enumerations.ts';
import type { Alert } from '../../../contract/resources.ts';
import type { JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { unquoted } from '../../../plant/mistakes.ts';
import { type Candidate, type LookResult, lookForOne, type ViewScope } from '../../judging/subject.ts';
import { type MatchContext, type Matcher, type Mismatch, mismatches } from '../../model/matchers.ts';
import { readMatcher, type ScenarioReading } from '../../model/read-matcher.ts';
import { idOf, type NamedKind, nounOf, type Reference, valueBehind, written } from '../../model/references.ts';

/** Returns the id of the object that `about` names: for an event, the id of its alert or muster. */
function aboutId(reference: Reference, around: MatchContext): string | undefined {
  const named = around.named(reference.name);
  if (named === undefined) return undefined;
  const whole = named.kind === 'event' && reference.fields.length === 0;
  return idOf(valueBehind(whole ? { ...reference, fields: ['object'] } : reference, named));
}

/** The mismatch of the object that `about` names, if it is another one. */
export function ofAbout(about: Reference | undefined, id: string | undefined, around: MatchContext): Mismatch[] {
  if (about === undefined || aboutId(about, around) === id) return [];
  return [{ path: 'about', expected: written(about), got: id ?? '' }];
}

/**
 * The records that a check may find, in their order: those since its last action that no expectation before it has
 * taken. The search begins at the end, because a long record is searched at each notice.
 */
export function unclaimedSince<T extends { readonly seq: number }>(
  records: readonly T[],
  keyOf: (record: T) => string,
  { since, taken }: ViewScope,
): T[] {
  const begin = records.findLastIndex(({ seq }) => seq <= since) + 1;
  return records.slice(begin).filter((record) => !taken.has(keyOf(record)));
}

/** The keys of a check that are fields of the object; `whole` is false if one had a mistake. */
export function readObjectFields(
  fields: JsonMap,
  own: readonly string[],
  at: ScenarioReading,
): { matcher: Matcher; whole: boolean } {
  const body = new Map<string, Matcher>();
  let whole = true;
  for (const [key, value] of Object.entries(fields)) {
    if (own.includes(key)) continue;
    // A site or zone that is given as a single word is compared by name.
    const named =
      (key === 'site' || key === 'zone') && typeof value === 'string' && !value.startsWith('$') && value !== 'any';
    const message = key === 'site' || key === 'zone' ? unquoted(value, at.of(key)) : null;
    const matcher = message === null ? readMatcher(value, at.of(key), key) : at.of(key).mistake(message);
    if (matcher === null) whole = false;
    else body.set(key, named ? { kind: 'fields', fields: new Map([['name', matcher]]) } : matcher);
  }
  return { matcher: { kind: 'fields', fields: body }, whole };
}

/** Reads a name of an object of one of these kinds; returns null after reporting anything else. */
export function readNameOf(kinds: readonly NamedKind[], value: unknown, at: ScenarioReading): Reference | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !value.startsWith('$')) {
    const [kind = 'alert'] = kinds;
    const example = kind === 'muster' ? '$m where a line before has as: m' : '$fall where a line before has as: fall';
    return at.mistake(`${quoted(value)} is not the name of ${nounOf(kinds)}. Write ${example}.`);
  }
  const reference = at.names.read(value, at);
  if (reference === null || at.names.isOneOf(reference, kinds)) return reference;
  const ofEvent = at.names.isOneOf({ ...reference, fields: ['object'] }, kinds) && reference.fields.length === 0;
  const fix = ofEvent ? ` Write ${value}.object, ${nounOf(kinds).replace(/^an? /, 'the ')} of that event.` : '';
  return at.mistake(`${value} is not ${nounOf(kinds)}.${fix}`);
}

/** One candidate must match; with a count, the number of matches must match it. */
export function lookForCount(
  candidates: readonly Candidate[],
  count: Matcher | undefined,
  around: MatchContext,
): LookResult {
  if (count === undefined) return lookForOne(candidates);
  const found = candidates.filter((candidate) => candidate.mismatches.length === 0);
  const missed = mismatches(count, found.length, around, 'count');
  if (missed.length > 0) return { matched: false, mismatches: missed, candidates: candidates.length };
  return { matched: true, found, at: found.length === 0 ? null : Math.max(...found.map(({ at }) => at)) };
}

/** All references in a matcher. */
export function needsOf(matcher: Matcher | null | undefined): Reference[] {
  switch (matcher?.kind) {
    case 'reference':
      return [matcher.reference];
    case 'not':
      return needsOf(matcher.matcher);
    case 'one-of':
      return matcher.matchers.flatMap(needsOf);
    case 'list':
    case 'contains':
      return matcher.items.flatMap(needsOf);
    case 'fields':
      return [...matcher.fields.values()].flatMap(needsOf);
    default:
      return [];
  }
}

/** Returns for example `alert sos of ana`. */
export function describeAlert({ type, worker }: Pick<Alert, 'type' | 'worker'>, around: MatchContext): string {
  return `alert ${type}${worker === null ? '' : ` of ${nameOf(worker, around)}`}`;
}

/** Returns the short name in the file; without one, the company's code for the worker. */
export const nameOf = ({ id, external_id }: NonNullable<Alert['worker']>, { personOf }: MatchContext): string =>
  personOf?.(id) ?? external_id ?? id;

/** Returns true if an event type equals the wanted type or belongs to its group; `any`: every type. */
export function typeFits(wanted: string, type: EventType): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : wanted === 'any' || wanted === type;
}
