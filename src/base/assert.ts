/** The two classes of unexpected errors: a bug of this program, and an outage of something that it depends on. */

/**
 * A failed assertion: our own mistake. It ends the one thing in which it happens (a command, a request, a due task, a watch),
 * is reported, and never ends the process.
 */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** The parts of an `Outage`. `fix` is a sentence with the next step. */
interface OutageParts {
  code: string;
  message: string;
  fix: string;
  /** Exit code of the command that meets it; 3 is "the environment". */
  exitCode?: number;
  cause?: unknown;
}

/** The environment fails us (a port is taken, a file cannot be written, a socket is refused), and there is something to do about it. */
export class Outage extends Error {
  override readonly name = 'Outage';
  readonly code: string;
  readonly fix: string;
  readonly exitCode: number;

  constructor({ code, message, fix, exitCode = 3, cause }: OutageParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fix = fix;
    this.exitCode = exitCode;
  }
}

/** Throws a `Bug` unless the condition holds. The message may be a function where building it costs. */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new Bug(typeof message === 'string' ? message : message());
}

/** A thrown value as an `Error`: JavaScript can throw anything. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error(`Thrown, and no error: ${typeof thrown === 'object' ? 'an object' : String(thrown)}`);

/** Marks an exhausted sealed union: a forgotten member does not compile, and an unexpected one crashes. */
export function unreachable(value: never): never {
  throw new Bug(`This value is outside its union: ${JSON.stringify(value)}`);
}
