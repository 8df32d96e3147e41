/** The condition `missing`: the missing list of a muster at its last headcount. */

import { MISSING_STATUSES } from '../../../contract/resources/headcount.ts';
import { MissingWorker } from '../../../contract/resources.ts';
import { isMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import type { LookResult, ViewScope } from '../../judging/subject.ts';
import { type Matcher, type Mismatch, mismatches, reportMisshapen } from '../../model/matchers.ts';
import { readMatcher, reportUnknownPerson, type ScenarioReading } from '../../model/read-matcher.ts';
import { idOf, type Reference, valueBehind, written } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { field, required } from '../field.ts';
import { count, nameOf } from './keys.ts';
import { needsOf } from './parts.ts';

const TRIGGERS = new Set(['muster-changed', 'alert-changed'] as const);

type MissingPeople = ReadonlyMap<string, Matcher>;

const statuses = field<MissingPeople>(
  'map',
  'The status of each worker: {ana: help}; null: not missing.',
  { type: 'object' },
  (value, at) => {
    if (!isMap(value)) return at.mistake(`${quoted(value)} says of nobody why. Write people: {ana: help}.`);
    const people = new Map<string, Matcher>();
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
  },
);

/** `missing: $m` with `people: {ana: help}` (null: not missing) and `count`. */
export const MISSING = defineCondition({
  word: 'missing',
  help: `The workers of a muster who are not safe, as of the last headcount. Statuses: ${MISSING_STATUSES.join(', ')}.`,
  example: '{missing: $m, people: {ana: help}}',
  lasts: true,
  sees: 'client',
  fields: { missing: required(nameOf('$name of a muster', ['muster'])), people: statuses, count },
  resource: null,
  scopes: ['musters:read'],
  mutation: { isPassing: true },
  read: ({ whole }) => {
    if (whole === null) return null;
    const { missing: muster, people = new Map<string, Matcher>(), count: wanted } = whole;
    return {
      text: `missing ${[written(muster), ...people.keys()].join(', ')}`,
      triggers: TRIGGERS,
      needs: [muster, ...[...people.values()].flatMap(needsOf), ...needsOf(wanted)],
      names: null,
      all: null,
      look: (viewScope) => look(muster, people, wanted, viewScope),
    };
  },
});

/** A single word is compared with the status, a map with the whole entry. */
function reportMisshapenStatus(matcher: Matcher | null, at: ScenarioReading): void {
  if (matcher === null) return;
  if (matcher.kind === 'fields') return reportMisshapen(matcher, MissingWorker, 'a missing worker', at);
  reportMisshapen(matcher, { type: 'string', enum: [...MISSING_STATUSES] }, 'Who is missing', at);
}

function look(
  reference: Reference,
  people: MissingPeople,
  count: Matcher | undefined,
  viewScope: ViewScope,
): LookResult {
  const named = viewScope.named(reference.name);
  const id = named === undefined ? undefined : idOf(valueBehind(reference, named));
  const missing = id === undefined ? [] : viewScope.look.missing(id);
  const byWorker = new Map(missing.map((entry) => [entry.worker.id, entry]));
  const missed: Mismatch[] = [];
  for (const [who, matcher] of people) {
    const ids = viewScope.workerIds(who);
    for (const [i, workerId] of ids.entries()) {
      const entry = byWorker.get(workerId) ?? null;
      const path = `people.${who}${ids.length === 1 ? '' : `[${i}]`}`;
      const got = matcher.kind === 'fields' ? entry : (entry?.status ?? null);
      // The word null alone would not be understood as "not on the list".
      const shown = mismatches(matcher, got, viewScope, path).map((miss) =>
        got === null && miss.path === path ? { ...miss, got: 'not missing' } : miss,
      );
      missed.push(...shown);
    }
  }
  if (count !== undefined) missed.push(...mismatches(count, missing.length, viewScope, 'count'));
  if (missed.length > 0) return { matched: false, mismatches: missed, candidates: 1 };
  return { matched: true, found: [], at: null };
}
