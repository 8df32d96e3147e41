/** Finds idle checks of a scenario: a check that fails under no change passes whatever happens. */

import { IDLE } from './changes.ts';
import type { SeenCheck } from './mutate-scenario.ts';

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

/** Returns the checks that failed under no change, and those with an outdated reason. */
export function idleChecks(checks: readonly SeenCheck[]): IdleCheck[] {
  return checks.flatMap((check) => {
    const { file, line, word, text, failed, idle } = check;
    const judgedAs = (outcome: IdleOutcome, why: string): IdleCheck[] => [{ file, line, word, text, outcome, why }];
    if (failed && idle === null) return [];
    if (failed)
      return judgedAs('stale', `The file says: ${idle}. It fails under a change; delete ${IDLE} from equivalent.`);
    return idle === null ? judgedAs('idle', adviceOn(check)) : judgedAs('equivalent', idle);
  });
}

/** Returns true if no change makes any check fail: then the scenario tests nothing. */
export const nothingFails = (checks: readonly SeenCheck[]): boolean => checks.every(({ failed }) => !failed);

function adviceOn({ word }: SeenCheck): string {
  const say = `Or give the reason for an idle check beside it: equivalent: {${IDLE}: "..."}`;
  if (word === 'never')
    return `No change makes this happen. Check the time that it covers and what it names, or add a step that makes it possible. ${say}`;
  if (word === 'every') return `No change breaks this rule. Name what it is about, give it a limit or a count. ${say}`;
  return `It passes under every change. Say more of what is expected, or delete it. ${say}`;
}
