/** Reads and sets the simulated clock. Control token only. [decisions 9] */
import { type TObject, Type } from 'typebox';
import { closed, Duration, inline, Time } from '../shapes.ts';
import { operation } from './operation.ts';

/** The highest speed: simulated seconds per second of wall time. */
export const HIGHEST_SPEED = 10_000;

export const ClockState = closed('ClockState', 'The simulated clock [decisions 9].', {
  now: Time,
  speed: Type.Number({ exclusiveMinimum: 0, description: 'Simulated seconds per second of wall time.' }),
  paused: Type.Boolean(),
});

const ClockTurn = inline({
  speed: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: HIGHEST_SPEED })),
  pause: Type.Optional(Type.Literal(true)),
  resume: Type.Optional(Type.Literal(true)),
  advance: Type.Optional(Duration),
}) as TObject;

export const getClock = operation('GET', '/v1/sandbox/clock', 'control', {
  operationId: 'getClock',
  tag: 'Sandbox',
  summary: 'Get the simulated clock',
  description: 'The simulated time, its speed, and whether it is paused. Needs the control token.',
  answers: { 200: ClockState },
});

export const turnClock = operation('POST', '/v1/sandbox/clock', 'control', {
  operationId: 'turnClock',
  tag: 'Sandbox',
  summary: 'Set the simulated clock',
  description:
    'One of `speed`, `pause`, `resume` and `advance`. `advance` executes everything that is due in that time, in order: reports of watches, prompts, headcounts, retries. The response is sent when all of it is done. One call can advance at most 31 days. If the connection is closed, the advance ends, and the clock stays at the time that it has reached. Signatures and the 5 s limit of a receiver always use wall time. Needs the control token.',
  body: ClockTurn,
  answers: { 200: ClockState },
  problems: ['action_refused'],
});

export const CLOCK_OPERATIONS = [getClock, turnClock];
