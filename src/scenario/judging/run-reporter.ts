/** Reports what happens in a playing story: to the canonical log, the sink of notices, and the list of failures. */
import type { Clock, Instant } from '../../base/clock.ts';
import type { CanonicalLog, LogRecord } from '../log/canonical-log.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { Again } from '../story/again.ts';
import type { Mismatch } from '../story/matchers.ts';
import type { StepFrame, Story } from '../story/story.ts';
import { type CheckFailure, checkFailureText, plainFailureText } from './failure-text.ts';

/** Times are simulated ms from the start. */
export interface RunFailure {
  readonly line: number;
  /** For a terminal: long values are truncated. */
  readonly text: string;
  /** Untruncated. */
  readonly whole: string;
  /** Mismatches by path, untruncated; empty for other failures. */
  readonly rows: readonly Mismatch[];
  /** The beginning of its step, and the verdict. */
  readonly beganMs: number;
  readonly atMs: number;
  /** Reproduces the run up to its line. */
  readonly again: Again;
}

/** Why a step failed, truncated for a terminal and whole. */
export interface FailureReason {
  readonly cut: string;
  readonly whole: string;
  readonly rows: readonly Mismatch[];
}

export interface ReporterParts {
  readonly story: Story;
  /** The options that reproduce the run, for the `again:` line. */
  readonly again: Again;
  readonly clock: Clock;
  readonly log: CanonicalLog;
  readonly sink: (notice: RunNotice) => void;
}

export class RunReporter {
  readonly failures: RunFailure[] = [];
  /** The beginning of the story; all offsets are relative to it. */
  readonly start: Instant;
  readonly #parts: ReporterParts;
  #isClosed = false;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
    this.start = parts.clock.now();
  }

  log(record: Omit<LogRecord, 't'>, at: Instant = this.#parts.clock.now()): void {
    this.#parts.log.append({ ...record, t: at - this.start });
  }

  notice(notice: RunNotice): void {
    this.#parts.sink(notice);
  }

  /** A failure of a step itself, or of the run during a step. */
  fail(step: StepFrame | null, why: string | FailureReason): void {
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
    const atMs = clock.now() - this.start;
    const { line } = where;
    const again = this.#again(where.file === story.file ? line : null);
    const { cut, whole, rows } = typeof why === 'string' ? { cut: why, whole: why, rows: [] } : why;
    const textOf = (words: string) => plainFailureText(where, atMs, words, again);
    this.addFailure({ line, text: textOf(cut), whole: textOf(whole), rows, beganMs: atMs, atMs, again });
  }

  failCheck(failure: Omit<CheckFailure, 'start' | 'again'>): void {
    const { step, judgement } = failure;
    const { line } = step;
    const { begin, at, look } = judgement;
    const again = this.#again(line);
    const all = { ...failure, start: this.start, again };
    this.addFailure({
      ...{ line, text: checkFailureText(all), whole: checkFailureText(all, true), again },
      rows: look.matched ? [] : look.mismatches,
      ...{ beganMs: begin - this.start, atMs: at - this.start },
    });
  }

  /** Ignores later failures: a person is using the sandbox. */
  close(): void {
    this.#isClosed = true;
  }

  addFailure(failure: RunFailure): void {
    if (this.#isClosed) return;
    this.failures.push(failure);
    this.#parts.sink({ kind: 'failure', line: failure.line, text: failure.text });
  }

  /** Null: the line is of another file, such as that of the rules. */
  #again(line: number | null): Again {
    return { ...this.#parts.again, line };
  }
}
