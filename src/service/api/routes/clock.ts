/** Reads and sets the simulated clock. Control token only. [decisions 9] */
import { CLOCK_END, type Clock, LONGEST_ADVANCE_MS } from '../../../base/time/clock.ts';
import { formatDuration, parseDuration } from '../../../base/time/durations.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { getClock, turnClock as turnClockOperation } from '../../../contract/operations/clock.ts';
import { reject } from '../../domain/changes.ts';
import { type ApiParts, type Call, invalid, type Route, refuse, route } from '../route.ts';
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
  route(turnClockOperation, (call) => turn(call)),
];

function stateOf({ parts }: Call) {
  const { shown, speed, paused } = parts.clock.state();
  return { now: formatInstant(shown), speed, paused };
}

async function turn(call: Call) {
  const request = call.body as ClockRequest;
  if (Object.keys(request).length !== 1)
    return invalid([{ pointer: '', detail: 'must have one of speed, pause, resume and advance' }], 'body');
  let gone = false;
  call.reply.raw.once('close', () => {
    gone = true;
  });
  const refusal = await turnClock(call.parts, request, {
    release: () => call.request.visit.release(),
    isGone: () => gone,
  });
  if (refusal === null) return { status: 200, body: stateOf(call) };
  return refusal.isForbidden
    ? refuse(reject('action_refused', refusal.detail))
    : invalid([{ pointer: '/advance', detail: refusal.detail }], 'body');
}

/** What an advance needs of its request: that it does not hold the clock, and whether anybody still waits for the answer. */
interface ClockWait {
  release(): void;
  isGone(): boolean;
}

/** `isForbidden`: no request can set the clock; otherwise this advance is too long. */
interface ClockRefusal {
  readonly isForbidden: boolean;
  readonly detail: string;
}

/** Sets the clock, and tells the open streams. Returns null, or the refusal. `request` has one field. */
export async function turnClock(
  parts: Pick<ApiParts, 'engine' | 'clock' | 'settle'>,
  request: ClockRequest,
  wait: ClockWait,
): Promise<ClockRefusal | null> {
  const { clock } = parts;
  if (parts.engine.isShared)
    return { isForbidden: true, detail: 'Several nodes always use real time, because they must agree on it.' };
  const advanceMs = request.advance === undefined ? 0 : (parseDuration(request.advance) as number);
  if (advanceMs > LONGEST_ADVANCE_MS || clock.now() + advanceMs > CLOCK_END)
    return { isForbidden: false, detail: `must be at most ${longestAdvance(clock)}` };
  if (request.speed !== undefined) clock.setSpeed(request.speed);
  if (request.pause !== undefined) clock.pause();
  if (request.resume !== undefined) clock.resume();
  if (request.advance !== undefined) {
    // This request waits for simulated time to pass, so it must not hold the clock.
    wait.release();
    const end = clock.now() + advanceMs;
    do await clock.advance(Math.max(0, Math.min(ADVANCE_STEP_MS, end - clock.now())));
    while (clock.now() < end && !wait.isGone());
    await parts.settle?.();
  }
  publishClock(parts);
  return null;
}

/** The maximum of `advance` now. If simulated time ends earlier, the text gives this reason. */
function longestAdvance(clock: Clock): string {
  const leftMs = CLOCK_END - clock.now();
  if (leftMs >= LONGEST_ADVANCE_MS) return formatDuration(LONGEST_ADVANCE_MS);
  return `${formatDuration(leftMs)}: simulated time ends at ${formatInstant(CLOCK_END)}`;
}
