/** Finds idle checks of a scenario: a check that fails under no change passes whatever happens. */

import { IDLE } from './changes.ts';
import type { SeenCheck } from './checks-seen.ts';

/**
 * `idle`: the check failed under no change; `equivalent`: the same, with a reason in the file; `stale`: the file has a
 * reason, but the check failed.
 */
type IdleOutcome = 'idle' | 'equivalent' | 'stale';

export interface IdleCheck extends Pick<SeenCheck, 'file' | 'line' | 'word' | 'text'> {
  readonly outcome: IdleOutcome;
  /** What to write, or the reason in the file. */
  readonly why: string;
}

/**
 * Returns the checks of the scenario `scenario` that failed under no change, and those with an outdated reason. A reason in
 * a part is not outdated: it may hold for another scenario that uses the part.
 */
export function idleChecks(checks: readonly SeenCheck[], scenario: string): IdleCheck[] {
  return checks.flatMap((check) => {
    const { file, line, word, text, failed, idle } = check;
    const judgedAs = (outcome: IdleOutcome, why: string): IdleCheck[] => [{ file, line, word, text, outcome, why }];
    if (failed && (idle === null || file !== scenario)) return [];
    if (failed)
      return judgedAs('stale', `The file says: ${idle}. It fails under a change; delete ${IDLE} from equivalent.`);
    return idle === null ? judgedAs('idle', adviceOn(check, file === scenario)) : judgedAs('equivalent', idle);
  });
}

/** Returns true if no change makes any check fail: then the scenario tests nothing. */
export const nothingFails = (checks: readonly SeenCheck[]): boolean => checks.every(({ failed }) => !failed);

/** Nothing in a part is to be deleted for one of the scenarios that use it. */
function adviceOn({ word }: SeenCheck, isOwn: boolean): string {
  const say = `Or give the reason for an idle check beside it: equivalent: {${IDLE}: "..."}`;
  if (word === 'never')
    return `No change makes this happen. Check the time that it covers and what it names, or add a step that makes it possible. ${say}`;
  if (word === 'every') return `No change breaks this rule. Name what it is about, give it a limit or a count. ${say}`;
  return `It passes under every change. Say more of what is expected${isOwn ? ', or delete it' : ''}. ${say}`;
}
