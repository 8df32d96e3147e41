/** How much later than its limit a check may come true: nothing in lock-step, at any pace. [scenario-language, Time modes] */
import type { Clock } from '../../base/time/clock.ts';
import type { RunMode, Scenario } from '../model/scenario.ts';

/** Tolerance of limits where time is live, and for calls of the user's own programs at a pace; wall ms. */
export const SLACK_WALL_MS = 250;

interface Tolerances {
  /** Of limits and offsets; simulated ms. */
  readonly slackMs: number;
  /** Of limits for calls of the user's own programs; simulated ms. */
  requestSlackMs(): number;
  /** How late due work may run before it makes a failure inconclusive; wall ms. Null: nothing is inconclusive. */
  readonly allowanceMs: number | null;
}

/** `clock`: only in a running sandbox time is live, so that work can be late, and replies take time. */
export function tolerancesOf(
  { system, receivers }: Pick<Scenario, 'system' | 'receivers'>,
  clock: Clock,
  { mode, speed }: { readonly mode: RunMode; readonly speed: number },
): Tolerances {
  if (clock.mode !== 'lockstep')
    return {
      slackMs: SLACK_WALL_MS * speed,
      requestSlackMs: () => 0,
      allowanceMs: mode === 'scaled' ? SLACK_WALL_MS : null,
    };
  const hasOwnPrograms = system !== null || receivers.some(({ url }) => url !== null);
  const isPaced = mode !== 'fast' && hasOwnPrograms;
  return {
    slackMs: 0,
    requestSlackMs: () => (isPaced ? SLACK_WALL_MS * clock.state().speed : 0),
    allowanceMs: null,
  };
}
