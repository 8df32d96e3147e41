/** The step `clock`: sets the speed, advances simulated time, or pauses it. */

import { CLOCK_END, type Clock, type Instant } from '../../base/time/clock.ts';
import type { SpanDraws } from '../model/draws.ts';
import type { StepBody, StepFrame } from '../model/scenario.ts';
import { beyondTime } from './step-work.ts';

/** Returns the end of the step. */
export async function turnClock(
  step: StepFrame & Extract<StepBody, { kind: 'clock' }>,
  begin: Instant,
  {
    clock,
    spans,
    waitsInPauses,
  }: { readonly clock: Clock; readonly spans: SpanDraws; readonly waitsInPauses: boolean },
): Promise<Instant> {
  const { turn } = step;
  const to = spans.ms(step.to, step, turn);
  if (turn === 'speed') clock.setSpeed(to);
  if (turn === 'advance') {
    if (begin + to > CLOCK_END) throw beyondTime(step);
    // In lock-step the clock advances to the due time of the next step by itself.
    if (clock.mode === 'lockstep') clock.hurry(begin + to);
    else await clock.advance(to);
    return begin + to;
  }
  if (turn === 'pause' && waitsInPauses) {
    clock.pause();
    await new Promise<void>((resolve) => clock.afterWall(to, resolve));
    clock.resume();
  }
  return begin;
}
