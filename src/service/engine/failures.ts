/** Contained exceptions: each fails one request or task, and is reported with the input that reproduces it. */
import type { Clock } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { FailedPart, Notice } from '../../contract/notices.ts';
import type { Command } from '../domain/commands.ts';

/** Where an exception was caught, and in which operation. */
export interface Failure {
  readonly part: FailedPart;
  /** The failed operation: a command's type, a watch's serial, the actor of a task, or a request. */
  readonly what: string;
  readonly error: Error;
  /** The command that was being decided. */
  readonly command?: Command;
}

/** One line of the failure log. */
export interface FailureRecord {
  /** Simulated time. */
  readonly at: string;
  /** Wall time, ms. */
  readonly wall_at: number;
  readonly part: FailedPart;
  readonly what: string;
  /** The number of times that the same failure has occurred, including this one. */
  readonly times: number;
  readonly error: string;
  /** The submitted command without its secrets. Submitted again to the same world, it fails again. */
  readonly command: object | null;
}

/** The most counters; at the limit all are reset. */
const MOST_KINDS = 1_000;

interface FailuresParts {
  readonly clock: Clock;
  readonly notify: (notice: Notice) => void;
  /** Stores the record. */
  readonly record: (record: FailureRecord) => void;
}

export class Failures {
  readonly #parts: FailuresParts;
  readonly #times = new Map<string, number>();
  #reporting = false;

  constructor(parts: FailuresParts) {
    this.#parts = parts;
  }

  /**
   * Reports the first, second, fourth, eighth ... occurrence of the same failure, so that a recurring one does not fill
   * the log. Never throws.
   */
  report({ part, what, error, command }: Failure): void {
    const times = this.#count(`${part} ${what} ${placeOf(error)}`);
    // A listener that throws on a notice is itself reported by a notice. This prevents a recursion.
    if (!isPowerOfTwo(times) || this.#reporting) return;
    this.#reporting = true;
    try {
      const detail = `${error.name}: ${error.message}`;
      const record: FailureRecord = {
        at: formatInstant(this.#parts.clock.now()),
        wall_at: this.#parts.clock.wall(),
        part,
        what,
        times,
        error: error.stack ?? detail,
        command: command === undefined ? null : withoutSecrets(command),
      };
      this.#parts.record(record);
      const { wall_at: _wallAt, ...shown } = record;
      this.#parts.notify({ kind: 'internal-error', detail, ...shown });
    } catch {
      // Swallowed: a failure of the failure report cannot be reported anywhere.
    } finally {
      this.#reporting = false;
    }
  }

  #count(kind: string): number {
    if (this.#times.size >= MOST_KINDS) this.#times.clear();
    const times = (this.#times.get(kind) ?? 0) + 1;
    this.#times.set(kind, times);
    return times;
  }
}

/** The place where it was thrown. The message may contain an id that differs each time. */
const placeOf = ({ name, message, stack = '' }: Error): string =>
  `${name} ${/^\s+at .*$/m.exec(stack)?.[0] ?? message}`;

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;

/** Fields of commands that contain secrets or hashes of secrets, which no log may contain. [decisions 10] */
const SECRETS = new Set(['secret', 'hash', 'keyHash', 'secretHash', 'previousSecret']);

/** A copy in which all secrets are replaced, at any depth. */
function withoutSecrets(command: object): object {
  return JSON.parse(JSON.stringify(command, (key, value) => (SECRETS.has(key) ? '[hidden]' : value)));
}
