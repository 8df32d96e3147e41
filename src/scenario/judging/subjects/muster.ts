/** The subject `muster`: a named or the active evacuation in its current state. */

import { Muster } from '../../../contract/resources.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean } from '../../../plant/mistakes.ts';
import type { MusterState } from '../../log/run-record.ts';
import { type Matcher, mismatches, reportMisshapen } from '../../story/matchers.ts';
import { idOf, type Reference, valueBehind, written } from '../../story/references.ts';
import { needsOf, readNameOf, readObjectFields } from './parts.ts';
import {
  absentCandidate,
  type Candidate,
  type CheckSight,
  type LookResult,
  lookForOne,
  type ReadSubject,
} from './subject.ts';

const ACTIVE = 'active';
const TRIGGERS = new Set(['muster-changed'] as const);

/** `muster: $m` or `muster: active`, and any field of the muster. */
export const readMuster: ReadSubject = (fields, at) => {
  const wanted = fields['muster'];
  const { matcher, whole } = readObjectFields(fields, ['muster'], at);
  reportMisshapen(matcher, Muster, 'a muster', at);
  if (wanted === undefined) return null;
  let reference: Reference | null = null;
  if (typeof wanted === 'string' && !wanted.startsWith('$')) {
    if (wanted !== ACTIVE) {
      const meant = didYouMean(wanted, [ACTIVE]);
      return at.of('muster').mistake(`${quoted(wanted)} is not a muster.${meant || ' Write $m or active.'}`);
    }
  } else {
    reference = readNameOf(['muster'], wanted, at.of('muster'));
    if (reference === null) return null;
  }
  if (!whole) return null;
  return {
    word: 'muster',
    text: `muster ${reference === null ? ACTIVE : written(reference)}${shownFields(matcher)}`,
    lasts: true,
    triggers: TRIGGERS,
    needs: [reference ?? [], needsOf(matcher)].flat(),
    names: 'muster',
    all: null,
    look: (sight) => (reference === null ? lookAtActive(matcher, sight) : lookAtNamed(reference, matcher, sight)),
  };
};

/** The fields compared; their expected values are in the line itself. */
function shownFields(matcher: Matcher): string {
  if (matcher.kind !== 'fields' || matcher.fields.size === 0) return '';
  return ` ${[...matcher.fields.keys()].join(', ')}`;
}

function lookAtActive(body: Matcher, sight: CheckSight): LookResult {
  const active = [...sight.record.musters.values()].filter(({ muster }) => muster.status === 'active');
  return lookForOne(active.map((state) => candidateOf(state, body, sight)));
}

function lookAtNamed(reference: Reference, body: Matcher, sight: CheckSight): LookResult {
  const named = sight.named(reference.name);
  const id = named === undefined ? undefined : idOf(valueBehind(reference, named));
  const state = id === undefined ? undefined : sight.record.musters.get(id);
  if (state !== undefined) return lookForOne([candidateOf(state, body, sight)]);
  const missed = [{ path: written(reference), expected: 'a muster', got: '(absent)' }];
  return { matched: false, mismatches: missed, candidates: 0 };
}

function candidateOf({ muster: noticed, before, at }: MusterState, body: Matcher, sight: CheckSight): Candidate {
  const muster = sight.look.muster(noticed);
  if (muster === null) return absentCandidate('muster', noticed, at);
  return {
    key: `muster ${muster.id}`,
    at,
    label: `muster ${muster.kind}, ${muster.status}`,
    mismatches: mismatches(body, muster, sight, '', before),
    named: { kind: 'muster', id: muster.id, body: muster },
  };
}
