/** Reads and sets the simulated clock. Control token only. [decisions 9] */
import { type TObject, Type } from 'typebox';
import { CLOCK_END, type Clock, HIGHEST_SPEED, LONGEST_ADVANCE_MS } from '../../../base/time/clock.ts';
import { formatDuration, parseDuration } from '../../../base/time/durations.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { closed, Duration, inline, Time } from '../../../contract/shapes.ts';
import { reject } from '../../domain/changes.ts';
import { type Call, invalid, type Route, refuse, route } from '../route.ts';
import { publishClock } from '../stream/route.ts';

export const ClockState = closed('ClockState', 'The simulated clock [decisions 9].', {
  now: Time,
  speed: Type.Number({ exclusiveMinimum: 0, description: 'Simulated seconds per second of wall time.' }),
  paused: Type.Boolean(),
});

/** Step of `advance`, between checks for a closed connection; milliseconds of simulated time. */
const ADVANCE_STEP_MS = 60_000;

const ClockTurn = inline({
  speed: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: HIGHEST_SPEED })),
  pause: Type.Optional(Type.Literal(true)),
  resume: Type.Optional(Type.Literal(true)),
  advance: Type.Optional(Duration),
}) as TObject;

export interface ClockRequest {
  readonly speed?: number;
  readonly pause?: true;
  readonly resume?: true;
  readonly advance?: string;
}

export const CLOCK_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/clock', 'control', {
    operationId: 'getClock',
    tag: 'Sandbox',
    summary: 'Get the simulated clock',
    description: 'The simulated time, its speed, and whether it is paused. Needs the control token.',
    answers: { 200: ClockState },
    handle: (call) => ({ status: 200, body: stateOf(call) }),
  }),
  route('POST', '/v1/sandbox/clock', 'control', {
    operationId: 'turnClock',
    tag: 'Sandbox',
    summary: 'Set the simulated clock',
    description:
      'One of `speed`, `pause`, `resume` and `advance`. `advance` executes everything that is due in that time, in order: reports of watches, prompts, headcounts, retries. The response is sent when all of it is done. One call can advance at most 31 days. If the connection is closed, the advance ends, and the clock stays at the time that it has reached. Signatures and the 5 s limit of a receiver always use wall time. Needs the control token.',
    body: ClockTurn,
    answers: { 200: ClockState },
    problems: ['action_refused'],
    handle: (call) => turn(call),
  }),
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
