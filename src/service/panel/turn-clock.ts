/** The forms of the simulated clock in the header: pause, resume, speed, advance. [decisions 9] */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/time/clock.ts';
import { parseDuration } from '../../base/time/durations.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { HIGHEST_SPEED } from '../../contract/operations/clock.ts';
import type { ActionReply } from './do.ts';

interface PanelClockTurn {
  readonly speed?: number;
  readonly pause?: true;
  readonly resume?: true;
  readonly advance?: string;
}

/** What an advance of the clock needs of its request. */
interface PanelClockWait {
  /** Lets simulated time pass before the answer. */
  release(): void;
  /** True once nobody waits for the answer: the clock stays where it is. */
  isGone(): boolean;
}

/** Sets the clock as `POST /v1/sandbox/clock` does. Returns null, or why it was refused. */
export type TurnClock = (turn: PanelClockTurn, wait: PanelClockWait) => Promise<string | null>;

export async function turnClock(
  form: URLSearchParams,
  { turnClock: turn, clock }: { readonly turnClock: TurnClock; readonly clock: Clock },
  request: FastifyRequest,
): Promise<ActionReply> {
  const wanted = turnOf(form);
  if (typeof wanted === 'string') return { status: 422, text: wanted };
  const refusal = await turn(wanted, {
    release: () => request.visit.release(),
    isGone: () => request.raw.socket.destroyed,
  });
  if (refusal !== null) return { status: 409, text: refusal };
  const { shown, speed, paused } = clock.state();
  const pace = paused ? 'paused' : `${speed} simulated seconds in a second`;
  return { status: 200, text: `${formatInstant(shown).slice(0, 19).replace('T', ' ')}, ${pace}.` };
}

/** Returns why the form is wrong, if it is. */
function turnOf(form: URLSearchParams): PanelClockTurn | string {
  if (form.has('pause')) return { pause: true };
  if (form.has('resume')) return { resume: true };
  const [speed, advance] = [form.get('speed'), form.get('advance')?.trim() ?? ''];
  if (speed !== null)
    return Number(speed) > 0 && Number(speed) <= HIGHEST_SPEED
      ? { speed: Number(speed) }
      : `The speed is a number above 0 and at most ${HIGHEST_SPEED}.`;
  return parseDuration(advance) === null ? 'Write a duration like 90s, 15m or 8h.' : { advance };
}
