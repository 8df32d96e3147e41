/** The two classes of unexpected errors: a bug of this program, and an outage of something that it depends on. */

/**
 * A failed assertion: a bug of this program. It ends only the operation in which it happens (a command, a request, a
 * due task, a watch), is reported, and never ends the process.
 */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** The parts of an `Outage`. `fix` is a sentence with the next step. */
interface OutageParts {
  code: string;
  message: string;
  fix: string;
  /** Exit code of the command that fails because of it; 3 means "the environment". */
  exitCode?: number;
  cause?: unknown;
}

/**
 * A failure of the environment that the user can fix: a port is in use, a file cannot be written, a socket is refused.
 */
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

/** Throws a `Bug` unless the condition is true. The message may be a function if building it is costly. */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new Bug(typeof message === 'string' ? message : message());
}

/** Returns a thrown value as an `Error`, since JavaScript can throw any value. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error
    ? thrown
    : new Error(`Thrown, and no error: ${typeof thrown === 'object' ? 'an object' : String(thrown)}`);

/**
 * Marks the default case of an exhaustive switch: a missing member does not compile, and an unexpected value throws.
 */
export function unreachable(value: never): never {
  throw new Bug(`This value is outside its union: ${JSON.stringify(value)}`);
}
