/** What the conditions about workers share: for each person of a short name, the API's present reply or the screen of the watch. */

import type { JsonMap } from '../../../contract/schema.ts';
import type { LookResult, ViewScope } from '../../judging/subject.ts';
import type { Matcher, Mismatch } from '../../model/matchers.ts';
import type { ScenarioReading } from '../../model/read-matcher.ts';
import type { ReadSubjectParts } from '../condition.ts';
import { needsOf } from './parts.ts';

/** Polling interval, because no notice announces a position or a screen; simulated ms. */
const LOOK_EVERY_MS = 500;

const TRIGGERS = new Set([
  ...(['alert-changed', 'muster-changed', 'watch-online', 'watch-offline', 'uplink-heard', 'event-occurred'] as const),
]);

export const absent = (what: string): Mismatch => ({ path: what, expected: 'any', got: '(absent)' });

/** What the API answers about one worker, and how it differs from what the check expects. */
interface LookedAt {
  readonly missed: readonly Mismatch[];
  readonly body?: object | null;
}

/** The condition matches if all people of a crowd match. `at`: null if `as` cannot bind what it looks at. */
export function ofPeople(
  word: string,
  who: string,
  fields: JsonMap,
  matcher: Matcher,
  at: ScenarioReading | null,
  lookAt: (viewScope: ViewScope, workerId: string) => LookedAt,
): ReadSubjectParts {
  // A name is bound to one object.
  const isOne = at?.cast.get(who)?.length === 1;
  const look = (viewScope: ViewScope): LookResult => {
    const ids = viewScope.workerIds(who);
    const all = ids.map((id) => lookAt(viewScope, id));
    const missed = all.flatMap(({ missed: ofOne }, i) =>
      ofOne.map((miss) => (ids.length === 1 ? miss : { ...miss, path: `${who}[${i}].${miss.path}` })),
    );
    if (missed.length > 0) return { matched: false, mismatches: missed, candidates: ids.length };
    const [id = '', { body = null } = {}] = [ids[0], all[0]];
    return { matched: true, found: [], at: null, named: isOne ? { kind: 'answer', id, body } : undefined };
  };
  const keys = Object.keys(fields).filter((key) => key !== word);
  const fieldTexts = keys.map((key) => `${key} ${typeof fields[key] === 'object' ? '…' : String(fields[key])}`);
  return {
    text: [`${word} ${who}`, ...fieldTexts].join(' '),
    triggers: TRIGGERS,
    everyMs: LOOK_EVERY_MS,
    needs: needsOf(matcher),
    names: isOne ? 'answer' : null,
    all: null,
    look,
  };
}
