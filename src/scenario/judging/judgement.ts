/** The result of a check. */
import type { Instant } from '../../base/time/clock.ts';
import type { Reference } from '../model/references.ts';
import type { LookResult } from './subject.ts';

/**
 * Why a check failed: unbound name, limit exceeded, too early, not true now, no longer true, or occurred at all
 * (`never`).
 */
export type CheckFault = 'no-name' | 'limit' | 'too-early' | 'not-now' | 'ended' | 'came';

export interface Judgement {
  readonly fault: CheckFault | null;
  readonly begin: Instant;
  /** The time at which the judgement was reached. */
  readonly at: Instant;
  /** From the beginning of the step to the match, or to the judgement. */
  readonly waitedMs: number;
  readonly look: LookResult;
  readonly missing: Reference | null;
}
