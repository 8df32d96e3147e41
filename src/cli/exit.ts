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

/** Rejects a flag that is not supported yet; none is silently ignored. */
export const notYet = (flag: string): CommandError =>
  new CommandError(EXIT.usage, 'not_yet', `${flag} is not available yet.`, { actions: [`Leave out ${flag}.`] });
