/** `sandbox clock`: shows, stops, speeds up or advances the simulated clock of the running sandbox. [cli] */

import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { CLOCK_END, LONGEST_ADVANCE_MS } from '../../base/time/clock.ts';
import { parseDuration } from '../../base/time/durations.ts';
import { monotonicMs } from '../../base/time/timers.ts';
import { HIGHEST_SPEED } from '../../contract/operations/clock.ts';
import type { Problem } from '../../contract/problems.ts';
import { didYouMean } from '../../contract/sentences.ts';
import type { ClockRequest } from '../../service/api/routes/clock.ts';
import { CommandError, EXIT, envelope, out, talk, usage } from '../output.ts';
import { callSandbox, type FoundSandbox, findRunning } from '../running.ts';
import { sandboxFlag } from '../sandbox-flags.ts';
import { runUntilSignal } from '../signals.ts';

const HELP = `
  ${CLI} clock                shows the simulated time and the speed
  ${CLI} clock advance 25h    executes all that is due in the next 25 hours (at most 31d), and ends when it is done.
                               It shows the progress. After Ctrl-C, the clock stays at the time that it reached
  ${CLI} clock speed 60       one simulated minute per real second
  ${CLI} clock pause          stops the time; advance still works
  ${CLI} clock resume         continues after a pause

The timestamps of signatures, and the 5 s in which a receiver must reply, always use the real time.`;

interface ClockFlags {
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineClock(program: Command, ended: (code: number) => void): void {
  program
    .command('clock [turn] [value]')
    .description('show, advance, speed up or pause the simulated clock of the running sandbox')
    .option('--json', 'print the result as one JSON object')
    .addOption(sandboxFlag('dataDir', 'clock'))
    .addHelpText('after', HELP)
    .action(async (turn: string | undefined, value: string | undefined, flags: ClockFlags) => {
      const body = turn === undefined ? null : bodyOf(turn, value);
      const found = findRunning(flags.dataDir);
      const json = flags.json === true;
      if (body?.advance !== undefined) return ended(await advance(found, body.advance, json));
      tell(await turnClock(found, body), json);
      ended(EXIT.done);
    });
}

async function turnClock(found: FoundSandbox, body: object | null): Promise<ClockAnswer> {
  const { status, body: answer } = await callSandbox(
    found,
    body === null ? 'GET' : 'POST',
    '/v1/sandbox/clock',
    ...(body === null ? [] : [body]),
  );
  if (status !== 200) throw refused(answer as Problem);
  return answer as ClockAnswer;
}

/** Target duration of one piece, so that Ctrl-C and the progress respond quickly; wall ms. */
const PIECE_WALL_MS = 500;
const FIRST_PIECE_MS = 60_000;

/** Progress is printed after this time, and then at this interval; wall ms. */
const PROGRESS_EVERY_MS = 2_000;

/** Advances in pieces, each as large as fits into its target duration. */
async function advance(found: FoundSandbox, duration: string, json: boolean): Promise<number> {
  const totalMs = parseDuration(duration) as number;
  const running = runUntilSignal();
  let interrupted = false;
  void running.ended.then(() => {
    interrupted = true;
  });
  try {
    let state = await turnClock(found, null);
    const beginMs = Date.parse(state.now);
    // Beyond the limits, the total is sent in one call, so that the sandbox rejects it before any time has passed.
    if (totalMs > LONGEST_ADVANCE_MS || beginMs + totalMs > CLOCK_END)
      state = await turnClock(found, { advance: duration });
    let printedAt = monotonicMs();
    for (let [doneMs, pieceMs] = [0, FIRST_PIECE_MS]; doneMs < totalMs && !interrupted; ) {
      const ms = Math.min(pieceMs, totalMs - doneMs);
      const begunAt = monotonicMs();
      state = await turnClock(found, { advance: `${ms}ms` });
      doneMs += ms;
      const now = monotonicMs();
      pieceMs = Math.max(1, Math.ceil(Math.min(pieceMs * 4, (pieceMs * PIECE_WALL_MS) / Math.max(1, now - begunAt))));
      if (doneMs < totalMs && now - printedAt >= PROGRESS_EVERY_MS) {
        printedAt = now;
        talk(`${state.now}  ${Math.floor((100 * doneMs) / totalMs)} % of ${duration}`);
      }
    }
    tell(state, json);
    if (interrupted) talk('Interrupted: the clock stays at the time that it reached.');
    return interrupted ? EXIT.interrupted : EXIT.done;
  } finally {
    running.done();
  }
}

interface ClockAnswer {
  readonly now: string;
  readonly speed: number;
  readonly paused: boolean;
}

const TURNS = ['pause', 'resume', 'speed', 'advance'];

function bodyOf(turn: string, value: string | undefined): ClockRequest {
  switch (turn) {
    case 'pause':
    case 'resume':
      if (value !== undefined) throw usage(`clock ${turn} takes no value.`);
      return { [turn]: true };
    case 'speed':
      if (!(Number(value) > 0 && Number(value) <= HIGHEST_SPEED))
        throw usage(`clock speed ${value ?? ''}: write a number above 0 and at most ${HIGHEST_SPEED}, like 60.`);
      return { speed: Number(value) };
    case 'advance':
      if (value === undefined || parseDuration(value) === null)
        throw usage(`clock advance ${value ?? ''}: write a duration like 90s, 15m or 25h.`);
      return { advance: value };
    default:
      throw usage(
        `"${turn}" is not a turn of the clock.${didYouMean(turn, TURNS)}`,
        'It is pause, resume, speed N or advance 25h.',
      );
  }
}

const refused = ({ code, detail, title, errors }: Problem): CommandError =>
  new CommandError(EXIT.usage, code, detail ?? title, { details: errors ?? null });

function tell(state: ClockAnswer, json: boolean): void {
  if (json) return out(JSON.stringify(envelope('clock', state)));
  out(`${state.now}  ${state.paused ? 'paused' : `speed ${state.speed}`}`);
}
