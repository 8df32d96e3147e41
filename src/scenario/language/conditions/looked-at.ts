/** What the conditions about workers share: for each person of a short name, the API's present reply or the screen of the watch. */

import type { JsonMap } from '../../../contract/schema.ts';
import type { LookResult, ViewScope } from '../../judging/subject.ts';
import type { Matcher, Mismatch } from '../../model/matchers.ts';
import type { ReadSubjectParts } from '../condition.ts';
import { needsOf } from './parts.ts';

/** Polling interval, because no notice announces a position or a screen; simulated ms. */
const LOOK_EVERY_MS = 500;

const TRIGGERS = new Set([
  ...(['alert-changed', 'muster-changed', 'watch-online', 'watch-offline', 'uplink-heard', 'event-occurred'] as const),
]);

export const absent = (what: string): Mismatch => ({ path: what, expected: 'any', got: '(absent)' });

/** The condition matches if all people of a crowd match. */
export function ofPeople(
  word: string,
  who: string,
  fields: JsonMap,
  matcher: Matcher,
  judge: (viewScope: ViewScope, workerId: string) => Mismatch[],
): ReadSubjectParts {
  const look = (viewScope: ViewScope): LookResult => {
    const ids = viewScope.workerIds(who);
    const missed = ids.flatMap((id, i) =>
      judge(viewScope, id).map((miss) => (ids.length === 1 ? miss : { ...miss, path: `${who}[${i}].${miss.path}` })),
    );
    if (missed.length > 0) return { matched: false, mismatches: missed, candidates: ids.length };
    return { matched: true, found: [], at: null };
  };
  const keys = Object.keys(fields).filter((key) => key !== word);
  const fieldTexts = keys.map((key) => `${key} ${typeof fields[key] === 'object' ? '…' : String(fields[key])}`);
  return {
    text: [`${word} ${who}`, ...fieldTexts].join(' '),
    triggers: TRIGGERS,
    everyMs: LOOK_EVERY_MS,
    needs: needsOf(matcher),
    names: null,
    all: null,
    look,
  };
}
