/** The only sinks: stdout is data, stderr is talk; `--json` is one envelope. [cli] */
import { Outage } from '../base/assert.ts';
import { ENVELOPE_SCHEMA_VERSION, type Envelope } from '../contract/banner.ts';
import { CommandError, EXIT } from './exit.ts';

export const out = (text: string): void => void process.stdout.write(`${text}\n`);
export const talk = (text: string): void => void process.stderr.write(`${text}\n`);

export function envelope<T>(command: string, data: T, warnings: readonly string[] = []): Envelope<T> {
  return { schema_version: ENVELOPE_SCHEMA_VERSION, command, status: 'ok', data, warnings: [...warnings], error: null };
}

/** Colour only on a terminal; `NO_COLOR` and `FORCE_COLOR` are honoured. */
export function colourOf(stream: { isTTY?: boolean }): (code: number, text: string) => string {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  const wanted = (NO_COLOR === undefined || NO_COLOR === '') && stream.isTTY === true && TERM !== 'dumb';
  return forced || wanted ? (code, text) => `\x1b[${code}m${text}\x1b[0m` : (_code, text) => text;
}

/** Tells a failure as the caller wants it, and says with which code to exit. */
export function tellFailure(command: string, json: boolean, error: unknown): number {
  const { exitCode, code, message, actions, details, retryable, stack } = describe(error);
  if (json)
    out(
      JSON.stringify({
        schema_version: ENVELOPE_SCHEMA_VERSION,
        command,
        status: 'error',
        data: null,
        warnings: [],
        error: { code, message, retryable, details, actions },
      }),
    );
  else {
    const paint = colourOf(process.stderr);
    talk(`${paint(31, 'error')}  ${message}`);
    for (const action of actions) talk(`       ${action}`);
    if (stack !== undefined) talk(stack);
  }
  return exitCode;
}

interface Failure {
  exitCode: number;
  code: string;
  message: string;
  actions: readonly string[];
  details: unknown;
  retryable: boolean;
  stack?: string;
}

function describe(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { exitCode, code, message, actions, details, retryable } = error;
    return { exitCode, code, message, actions, details, retryable };
  }
  if (error instanceof Outage) {
    const { exitCode, code, message, cure } = error;
    return { exitCode, code, message, actions: [cure], details: null, retryable: exitCode === EXIT.environment };
  }
  const bug = error instanceof Error ? error : new Error(String(error));
  return {
    exitCode: EXIT.bug,
    code: 'bug',
    message: `This is a mistake in sandbox itself: ${bug.message}`,
    actions: ['Please report it with the lines below.'],
    details: null,
    retryable: false,
    stack: bug.stack ?? '',
  };
}
