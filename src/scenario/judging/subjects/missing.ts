/** The subject `missing`: the missing list of a muster, as of its last count. */

import { MISSING_STATUSES } from '../../../contract/enumerations.ts';
import { MissingWorker } from '../../../contract/resources.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen } from '../../story/matchers.ts';
import { readMatcher, reportUnknownPerson, type StoryReading } from '../../story/read-matcher.ts';
import { idOf, type Reference, valueBehind, written } from '../../story/references.ts';
import { needsOf, readCount, readNameOf, reportSubjectKeys } from './parts.ts';
import type { CheckSight, LookResult, ReadSubject } from './subject.ts';

const KEYS = ['missing', 'people', 'count'];
const TRIGGERS = new Set(['muster-changed', 'alert-changed'] as const);

/** `missing: $m` with `people: {ana: help}` (null: not missing) and `count`. */
export const readMissing: ReadSubject = (fields, at) => {
  reportSubjectKeys(fields, KEYS, at);
  const muster = readNameOf(['muster'], fields['missing'], at.of('missing'));
  const people = readPeople(fields, at.of('people'));
  const count = readCount(fields, at);
  if (muster === null || people === null || count === null) return null;
  return {
    word: 'missing',
    text: `missing ${[written(muster), ...people.keys()].join(', ')}`,
    lasts: true,
    triggers: TRIGGERS,
    needs: [muster, ...[...people.values()].flatMap(needsOf), ...needsOf(count)],
    names: null,
    all: null,
    look: (sight) => look(muster, people, count, sight),
  };
};

type MissingPeople = ReadonlyMap<string, Matcher>;

function readPeople(fields: JsonMap, at: StoryReading): MissingPeople | null {
  const people = new Map<string, Matcher>();
  if (!Object.hasOwn(fields, 'people')) return people;
  const value = fields['people'];
  if (!isMap(value)) {
    if (value !== undefined) at.mistake(`${quoted(value)} says of nobody why. Write people: {ana: help}.`);
    return null;
  }
  let whole = true;
  for (const [who, status] of Object.entries(value)) {
    if (!at.cast.has(who)) {
      reportUnknownPerson(who, at.of(who), at.cast, 'key');
      whole = false;
      continue;
    }
    const matcher = readMatcher(status, at.of(who));
    if (matcher === null) whole = false;
    else people.set(who, matcher);
    reportMisshapenStatus(matcher, at.of(who));
  }
  return whole ? people : null;
}

/** A word is compared with the status, a body with the whole entry. */
function reportMisshapenStatus(matcher: Matcher | null, at: StoryReading): void {
  if (matcher === null) return;
  if (matcher.kind === 'fields') return reportMisshapen(matcher, MissingWorker, 'a missing worker', at);
  reportMisshapen(matcher, { type: 'string', enum: [...MISSING_STATUSES] }, 'Who is missing', at);
}

function look(reference: Reference, people: MissingPeople, count: Matcher | undefined, sight: CheckSight): LookResult {
  const named = sight.named(reference.name);
  const id = named === undefined ? undefined : idOf(valueBehind(reference, named));
  const missing = id === undefined ? [] : sight.look.missing(id);
  const byWorker = new Map(missing.map((entry) => [entry.worker.id, entry]));
  const missed: Mismatch[] = [];
  for (const [who, matcher] of people) {
    const ids = sight.workerIds(who);
    for (const [i, workerId] of ids.entries()) {
      const entry = byWorker.get(workerId) ?? null;
      const path = `people.${who}${ids.length === 1 ? '' : `[${i}]`}`;
      const got = matcher.kind === 'fields' ? entry : (entry?.status ?? null);
      // Null alone would not be understood as "not on the list".
      const shown = mismatches(matcher, got, sight, path).map((miss) =>
        got === null && miss.path === path ? { ...miss, got: 'not missing' } : miss,
      );
      missed.push(...shown);
    }
  }
  if (count !== undefined) missed.push(...mismatches(count, missing.length, sight, 'count'));
  if (missed.length > 0) return { matched: false, mismatches: missed, candidates: 1 };
  return { matched: true, found: [], at: null };
}
