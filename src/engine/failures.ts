/** Exceptions that were contained: each fails one request or task, and is reported with the input that reproduces it. */
import type { Clock } from '../base/time/clock.ts';
import { formatInstant } from '../base/time/instants.ts';
import type { FailedPart, Notice } from '../contract/notices.ts';
import type { Command } from '../domain/commands.ts';

/** Where an exception was caught, and in what. */
export interface Failure {
  readonly part: FailedPart;
  /** The command's type, the watch's serial, the actor of the task, the request: what has ended. */
  readonly what: string;
  readonly error: Error;
  /** What was being decided. */
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
  /** How often the same has failed, this time included. */
  readonly times: number;
  readonly error: string;
  /** With secrets cut out, otherwise as it was submitted: submitted again to the same world it fails again. */
  readonly command: object | null;
}

/** Limit of the counters kept; at the limit all are reset. */
const MOST_KINDS = 1_000;

interface FailuresParts {
  readonly clock: Clock;
  readonly notify: (notice: Notice) => void;
  /** Where the record is kept. */
  readonly record: (record: FailureRecord) => void;
}

export class Failures {
  readonly #parts: FailuresParts;
  readonly #times = new Map<string, number>();
  #reporting = false;

  constructor(parts: FailuresParts) {
    this.#parts = parts;
  }

  /** Reports the first, second, fourth, eighth ... time of the same failure: one that recurs must not fill the log. Never throws. */
  report({ part, what, error, command }: Failure): void {
    const times = this.#count(`${part} ${what} ${placeOf(error)}`);
    // A listener of notices that throws is itself reported by a notice: not again while that is under way.
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

/** Where it was thrown: a message may have an id in it, and be another each time. */
const placeOf = ({ name, message, stack = '' }: Error): string =>
  `${name} ${/^\s+at .*$/m.exec(stack)?.[0] ?? message}`;

const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;

/** Fields of commands that are secrets or hashes of secrets: they stand in no log. [decisions 10] */
const SECRETS = new Set(['secret', 'hash', 'keyHash', 'secretHash', 'previousSecret']);

/** A copy in which secrets are cut out, however deep they stand. */
function withoutSecrets(command: object): object {
  return JSON.parse(JSON.stringify(command, (key, value) => (SECRETS.has(key) ? '[hidden]' : value)));
}
