/** The condition `muster`: the current state of a named muster or of the active one. */

import { Muster } from '../../../contract/resources.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/mistakes.ts';
import { absentCandidate, type Candidate, type LookResult, lookForOne, type ViewScope } from '../../judging/subject.ts';
import type { MusterState } from '../../log/run-record.ts';
import { type Matcher, mismatches } from '../../model/matchers.ts';
import { idOf, type Reference, valueBehind, written } from '../../model/references.ts';
import { defineCondition } from '../condition.ts';
import { field, required } from '../field.ts';
import { needsOf, readNameOf } from './parts.ts';

const ACTIVE = 'active';
const TRIGGERS = new Set(['muster-changed'] as const);

const which = field<Reference | typeof ACTIVE>(
  'reference',
  '$name or active',
  { type: 'string' },
  (wanted, at) => {
    if (wanted === ACTIVE) return ACTIVE;
    if (typeof wanted !== 'string' || wanted.startsWith('$')) return readNameOf(['muster'], wanted, at);
    return at.mistake(`${quoted(wanted)} is not a muster.${didYouMean(wanted, [ACTIVE]) || ' Write $m or active.'}`);
  },
  'none',
);

/** `muster: $m` or `muster: active`, and any field of the muster. */
export const MUSTER = defineCondition({
  word: 'muster',
  help: 'The current state of a muster.',
  example: '{muster: active, totals: {safe: ">= 12"}}',
  lasts: true,
  sees: 'client',
  fields: { muster: required(which) },
  words: [ACTIVE],
  resource: { schema: Muster, noun: 'a muster' },
  scopes: ['musters:read'],
  mutation: { isPassing: true },
  read: ({ whole, body }) => {
    if (whole === null || body === null) return null;
    const { muster: wanted } = whole;
    return {
      text: `muster ${wanted === ACTIVE ? ACTIVE : written(wanted)}${shownFields(body)}`,
      triggers: TRIGGERS,
      needs: [wanted === ACTIVE ? [] : wanted, needsOf(body)].flat(),
      names: 'muster',
      all: null,
      look: (viewScope) => (wanted === ACTIVE ? lookAtActive(body, viewScope) : lookAtNamed(wanted, body, viewScope)),
    };
  },
});

/** Lists the compared fields; their expected values are in the line of the step. */
function shownFields(matcher: Matcher): string {
  if (matcher.kind !== 'fields' || matcher.fields.size === 0) return '';
  return ` ${[...matcher.fields.keys()].join(', ')}`;
}

function lookAtActive(body: Matcher, viewScope: ViewScope): LookResult {
  const active = [...viewScope.record.musters.values()].filter(({ muster }) => muster.status === 'active');
  return lookForOne(active.map((state) => candidateOf(state, body, viewScope)));
}

function lookAtNamed(reference: Reference, body: Matcher, viewScope: ViewScope): LookResult {
  const named = viewScope.named(reference.name);
  const id = named === undefined ? undefined : idOf(valueBehind(reference, named));
  const state = id === undefined ? undefined : viewScope.record.musters.get(id);
  if (state !== undefined) return lookForOne([candidateOf(state, body, viewScope)]);
  const missed = [{ path: written(reference), expected: 'a muster', got: '(absent)' }];
  return { matched: false, mismatches: missed, candidates: 0 };
}

function candidateOf({ muster: noticed, before, at }: MusterState, body: Matcher, viewScope: ViewScope): Candidate {
  const muster = viewScope.look.muster(noticed);
  if (muster === null) return absentCandidate('muster', noticed, at);
  return {
    key: `muster ${muster.id}`,
    at,
    label: `muster ${muster.kind}, ${muster.status}`,
    mismatches: mismatches(body, muster, viewScope, '', before),
    named: { kind: 'muster', id: muster.id, body: muster },
    isChange: before !== null,
  };
}
