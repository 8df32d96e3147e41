/** Reads and sets the simulated clock. Control token only. [decisions 9] */
import { CLOCK_END, type Clock, LONGEST_ADVANCE_MS } from '../../../base/time/clock.ts';
import { formatDuration, parseDuration } from '../../../base/time/durations.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { getClock, turnClock } from '../../../contract/operations/clock.ts';
import { reject } from '../../domain/changes.ts';
import { type Call, invalid, type Route, refuse, route } from '../route.ts';
import { publishClock } from '../stream/route.ts';

/** Step of `advance`, between checks for a closed connection; milliseconds of simulated time. */
const ADVANCE_STEP_MS = 60_000;

export interface ClockRequest {
  readonly speed?: number;
  readonly pause?: true;
  readonly resume?: true;
  readonly advance?: string;
}

export const CLOCK_ROUTES: readonly Route[] = [
  route(getClock, (call) => ({ status: 200, body: stateOf(call) })),
  route(turnClock, (call) => turn(call)),
];

function stateOf({ parts }: Call) {
  const { now, speed, paused } = parts.clock.state();
  return { now: formatInstant(now), speed, paused };
}

async function turn(call: Call) {
  const request = call.body as ClockRequest;
  if (Object.keys(request).length !== 1)
    return invalid([{ pointer: '', detail: 'must have one of speed, pause, resume and advance' }], 'body');
  if (call.parts.engine.isShared)
    return refuse(reject('action_refused', 'Several nodes always use real time, because they must agree on it.'));
  const { clock } = call.parts;
  const advanceMs = request.advance === undefined ? 0 : (parseDuration(request.advance) as number);
  if (advanceMs > LONGEST_ADVANCE_MS || clock.now() + advanceMs > CLOCK_END)
    return invalid([{ pointer: '/advance', detail: `must be at most ${longestAdvance(clock)}` }], 'body');
  if (request.speed !== undefined) clock.setSpeed(request.speed);
  if (request.pause !== undefined) clock.pause();
  if (request.resume !== undefined) clock.resume();
  if (request.advance !== undefined) {
    // This request waits for simulated time to pass, so it must not hold the clock.
    call.request.visit.release();
    let gone = false;
    call.reply.raw.once('close', () => {
      gone = true;
    });
    const end = clock.now() + advanceMs;
    do await clock.advance(Math.max(0, Math.min(ADVANCE_STEP_MS, end - clock.now())));
    while (clock.now() < end && !gone);
    await call.parts.settle?.();
  }
  publishClock(call.parts);
  return { status: 200, body: stateOf(call) };
}

/** The maximum of `advance` now. If simulated time ends earlier, the text gives this reason. */
function longestAdvance(clock: Clock): string {
  const leftMs = CLOCK_END - clock.now();
  if (leftMs >= LONGEST_ADVANCE_MS) return formatDuration(LONGEST_ADVANCE_MS);
  return `${formatDuration(leftMs)}: simulated time ends at ${formatInstant(CLOCK_END)}`;
}
