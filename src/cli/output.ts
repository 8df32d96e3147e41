/**
 * The output of commands: exit codes, errors, and the only output sinks: stdout for data, stderr for messages. `--json`
 * prints one envelope. [cli]
 */

import { Outage } from '../base/assert.ts';
import { nonce } from '../base/random/nonce.ts';
import { terminalGround, wantedDepth } from '../base/text/colour-depth.ts';
import { printable, printableLines } from '../base/text/printable.ts';
import type { Envelope } from '../contract/banner.ts';
import { type Paint, sgrOf } from '../contract/resources/terminal-colours.ts';
import { write } from './streams.ts';

/** The type keeps it equal to that of the schema, which is not loaded: few commands check an envelope. */
const SCHEMA_VERSION: Envelope['schema_version'] = 1;

/** Placeholder for ESC in the text of `colourOf`. It is random, so untrusted text cannot contain it. Null: not used yet. */
let colour: string | null = null;

/**
 * All text to a terminal, a file or a pipe passes through this function: it escapes unprintable characters. GitHub
 * interprets `##[` anywhere, and `::` at the beginning of a line, as a command. Only `command` writes commands.
 */
export function presentable(text: string): string {
  const safe = printableLines(text);
  const uncommanded =
    process.env['GITHUB_ACTIONS'] === 'true' ? safe.replaceAll('##[', '# #[').replace(/^(\s*)::/gm, '$1: :') : safe;
  return colour === null ? uncommanded : uncommanded.replaceAll(colour, '\x1b[');
}

/** Prints several trusted lines. */
export const out = (text: string): void => void write(process.stdout, `${presentable(text)}\n`);
export const talk = (text: string): void => void write(process.stderr, `${presentable(text)}\n`);

/** Prints one line. Line breaks in untrusted text are escaped, so that it cannot forge a line. */
export const outLine = (text: string): void => out(printable(text));
export const talkLine = (text: string): void => talk(printable(text));

/** Raw output: frames of the dashboard, which are sanitised, and output of our own child processes. */
export const outFrame = (text: string): void => void write(process.stdout, `${text}\n`);
export const talkOfChild = (text: string): void => void write(process.stderr, `${text}\n`);

/** A GitHub workflow command, escaped by `annotation`. */
export const command = (text: string): void => void write(process.stdout, `${printable(text)}\n`);

export function envelope<T>(command: string, data: T, warnings: readonly string[] = []): Envelope<T> {
  return { schema_version: SCHEMA_VERSION, command, status: 'ok', data, warnings: [...warnings], error: null };
}

/** Colours are used only on a terminal, and only those that it has. `NO_COLOR` and `FORCE_COLOR` are obeyed. */
export function colourOf(stream: { isTTY?: boolean }): Paint {
  const depth = wantedDepth(process.env, stream.isTTY === true);
  if (depth === 1) return (_tone, text) => text;
  const ground = terminalGround(process.env) ?? 'any';
  colour ??= `\u{f0000}${nonce()}`;
  return (tone, text) => `${colour}${sgrOf(tone, ground, depth)}m${text}${colour}0m`;
}

/** Prints a failure as text or JSON and returns the exit code. */
export function printFailure(command: string, json: boolean, error: unknown): number {
  const { exitCode, code, message, actions, details, retryable, stack } = describe(error);
  if (json)
    out(
      JSON.stringify({
        schema_version: SCHEMA_VERSION,
        command,
        status: 'error',
        data: null,
        warnings: [],
        error: { code, message, retryable, details, actions },
      }),
    );
  else {
    const paint = colourOf(process.stderr);
    // The message about a file's mistakes has several lines, which are already escaped. Any other message may quote
    // untrusted text.
    const tell = code === 'invalid_file' ? talk : talkLine;
    tell(`${paint('red', 'error')}  ${message}`);
    for (const action of actions) talkLine(`       ${action}`);
    if (stack !== undefined) talk(stack);
  }
  return exitCode;
}

interface CliFailure {
  exitCode: number;
  code: string;
  message: string;
  actions: readonly string[];
  details: unknown;
  retryable: boolean;
  stack?: string;
}

function describe(error: unknown): CliFailure {
  if (error instanceof CommandError) {
    const { exitCode, code, message, actions, details, retryable } = error;
    return { exitCode, code, message, actions, details, retryable };
  }
  if (error instanceof Outage) {
    const { exitCode, code, message, fix } = error;
    return { exitCode, code, message, actions: [fix], details: null, retryable: exitCode === EXIT.environment };
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

/** Exit codes of the command line, and its usage errors. [design, command line] */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  environment: 3,
  nondeterministic: 4,
  bug: 5,
  interrupted: 130,
} as const;

/** Ends a command with a message: what failed, and what to do next. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly code: string;
  readonly actions: readonly string[];
  readonly details: unknown;
  readonly retryable: boolean;

  constructor(
    exitCode: number,
    code: string,
    message: string,
    options: { actions?: readonly string[]; details?: unknown; retryable?: boolean } = {},
  ) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.actions = options.actions ?? [];
    this.details = options.details ?? null;
    this.retryable = options.retryable ?? false;
  }
}

export const usage = (message: string, ...actions: string[]): CommandError =>
  new CommandError(EXIT.usage, 'usage', message, { actions });
