/** `sandbox clock`: the simulated clock of the running sandbox: look at it, stop it, speed it up, or jump ahead. [cli] */
import { type Command, Option } from 'commander';
import { parseDuration } from '../base/durations.ts';
import type { Problem } from '../contract/problems.ts';
import { CommandError, EXIT, usage } from './exit.ts';
import { envelope, out } from './output.ts';
import { callSandbox, findRunning } from './running.ts';

const HELP = `
  sandbox clock                what it says
  sandbox clock advance 25h    plays all that is due in that time, in its order, and answers when it is done
  sandbox clock speed 60       a minute in a second
  sandbox clock pause          time stands still, but for advance
  sandbox clock resume

Signatures and the 5 s of a receiver stay on the wall clock.`;

interface ClockFlags {
  readonly json?: boolean;
  readonly dataDir: string;
}

export function defineClock(program: Command, ended: (code: number) => void): void {
  program
    .command('clock [turn] [value]')
    .description('the simulated clock of the running sandbox')
    .option('--json', 'answer in the envelope')
    .addOption(new Option('--data-dir <folder>', 'of the running sandbox').env('SANDBOX_DATA_DIR').default('.sandbox'))
    .addHelpText('after', HELP)
    .action(async (turn: string | undefined, value: string | undefined, flags: ClockFlags) => {
      const body = turn === undefined ? null : bodyOf(turn, value);
      const found = findRunning(flags.dataDir);
      const { status, body: answer } = await callSandbox(
        found,
        body === null ? 'GET' : 'POST',
        '/v1/sandbox/clock',
        ...(body === null ? [] : [body]),
      );
      if (status !== 200) throw refused(answer as Problem);
      tell(answer as State, flags.json === true);
      ended(EXIT.done);
    });
}

interface State {
  readonly now: string;
  readonly speed: number;
  readonly paused: boolean;
}

function bodyOf(turn: string, value: string | undefined): object {
  switch (turn) {
    case 'pause':
    case 'resume':
      if (value !== undefined) throw usage(`clock ${turn} takes no value.`);
      return { [turn]: true };
    case 'speed':
      if (!(Number(value) > 0)) throw usage(`clock speed ${value ?? ''}: write a number above 0, like 60.`);
      return { speed: Number(value) };
    case 'advance':
      if (value === undefined || parseDuration(value) === null)
        throw usage(`clock advance ${value ?? ''}: write a duration like 90s, 15m or 25h.`);
      return { advance: value };
    default:
      throw usage(`"${turn}" is not a turn of the clock.`, 'It is pause, resume, speed N or advance 25h.');
  }
}

const refused = ({ code, detail, title, errors }: Problem): CommandError =>
  new CommandError(EXIT.usage, code, detail ?? title, { details: errors ?? null });

function tell(state: State, json: boolean): void {
  if (json) return out(JSON.stringify(envelope('clock', state)));
  out(`${state.now}  ${state.paused ? 'paused' : `speed ${state.speed}`}`);
}
