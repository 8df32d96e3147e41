/** Where the parts of a playing story tell what happened: the canonical log, the sink, and the list of failures. */
import type { Clock, Instant } from '../base/clock.ts';
import type { Again } from './again.ts';
import type { CanonicalLog, LogRecord } from './canonical-log.ts';
import { type CheckFailure, checkFailureText, plainFailureText } from './failure-text.ts';
import type { RunNotice } from './run-notices.ts';
import type { StepFrame, Story } from './story.ts';

/** A failure and its text, as a person reads it. */
export interface Failure {
  readonly line: number;
  readonly text: string;
}

export interface TellingParts {
  readonly story: Story;
  /** The options that reproduce the run, for the `again:` line. */
  readonly again: Again;
  readonly clock: Clock;
  readonly log: CanonicalLog;
  readonly sink: (notice: RunNotice) => void;
}

export class Telling {
  readonly failures: Failure[] = [];
  /** The beginning of the story: all offsets count from it. */
  readonly start: Instant;
  readonly #parts: TellingParts;
  #isClosed = false;

  constructor(parts: TellingParts) {
    this.#parts = parts;
    this.start = parts.clock.now();
  }

  /** Adds a record, at the instant given or now. */
  log(record: Omit<LogRecord, 't'>, at: Instant = this.#parts.clock.now()): void {
    this.#parts.log.append({ ...record, t: at - this.start });
  }

  notice(notice: RunNotice): void {
    this.#parts.sink(notice);
  }

  /** A failure that is no check's: of the step, or of the run while the step was under way. */
  fail(step: StepFrame | null, why: string): void {
    const { story, clock } = this.#parts;
    const where = step ?? {
      file: story.file,
      line: 1,
      text: story.title,
      afterMs: 0,
      atMs: null,
      as: null,
      refused: false,
    };
    this.#tell(where.line, plainFailureText(where, clock.now() - this.start, why, this.#again(where.line)));
  }

  failCheck(failure: Omit<CheckFailure, 'start' | 'again'>): void {
    const { line } = failure.step;
    this.#tell(line, checkFailureText({ ...failure, start: this.start, again: this.#again(line) }));
  }

  /** What a person does with the sandbox from now on is not the story's failure. */
  close(): void {
    this.#isClosed = true;
  }

  #tell(line: number, text: string): void {
    if (this.#isClosed) return;
    this.failures.push({ line, text });
    this.#parts.sink({ kind: 'failure', line, text });
  }

  #again(line: number): Again {
    return { ...this.#parts.again, line };
  }
}
