/** Reports the events of a running scenario, in the order in which they were found. */

import { printable } from '../../base/text/printable.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import type { CanonicalLog, LogRecord } from '../log/canonical-log.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { Again } from '../model/again.ts';
import type { Mismatch } from '../model/matchers.ts';
import { type Reference, type SourceLine, written } from '../model/references.ts';
import type { Scenario, StepFrame } from '../model/scenario.ts';
import {
  type CheckFailure,
  checkFailureText,
  checkReport,
  inconclusiveText,
  linesOf,
  plainFailureText,
} from './failure-text.ts';
import type { UnboundCause } from './track.ts';

/** Times are simulated ms from the start. */
export interface RunFailure {
  readonly file: string;
  readonly line: number;
  /** The line of the steps that failed: that of the outermost `do` where it failed in a macro. */
  readonly calledAt: SourceLine;
  /** The step or rule that failed, as its file has it. */
  readonly step: string;
  /** Why it failed, a sentence each, untruncated; for mismatches, the lines of their table. */
  readonly reasons: readonly string[];
  /** For a terminal: long values are truncated. */
  readonly text: string;
  /** Untruncated. */
  readonly whole: string;
  /**
   * How late due work ran while the check waited, if that may have caused the failure; wall ms. Null: the failure
   * counts.
   */
  readonly lagMs: number | null;
  /** Mismatches by path, untruncated; empty for other failures. */
  readonly rows: readonly Mismatch[];
  /** Whether what was awaited came after the limit, and how long after it; the last of the reasons. Null: not known. */
  readonly late: string | null;
  /** Start of the step, and time of its result. */
  readonly beganMs: number;
  readonly atMs: number;
  /** How to reproduce the run up to this line. */
  readonly again: Again;
}

/** The reason why a step failed, truncated for a terminal and in full. */
interface FailureReason {
  readonly cut: string;
  readonly whole: string;
  readonly rows: readonly Mismatch[];
  readonly lagMs?: number | null;
}

export interface ReporterParts {
  readonly scenario: Scenario;
  /** The options that reproduce the run, for the `again:` line. */
  readonly again: Again;
  readonly clock: Clock;
  readonly log: CanonicalLog;
  readonly sink: (notice: RunNotice) => void;
  /** Called as soon as a check or rule has failed, before any notice of the failure. */
  readonly onCheckFailed?: ((check: Pick<StepFrame, 'file' | 'line'>) => void) | undefined;
}

/** Numbers of the results of one run. */
export interface RunCounts {
  /** Checks that held. */
  readonly passed: number;
  /** Failed checks, broken rules and refused steps. */
  readonly failed: number;
  /** Skipped steps and rules: they use a name that a failed step should have bound. */
  readonly skipped: number;
}

/** A step that was not played, or a rule that was not judged. */
export interface SkippedStep {
  readonly line: number;
  /** Simulated ms from the start. */
  readonly atMs: number;
  readonly text: string;
  readonly why: string;
}

/** The position of a failure among the others, reserved before its text is complete. */
export interface FailurePlace {
  failure: RunFailure | null;
}

export class RunReporter {
  readonly skipped: SkippedStep[] = [];
  /** The `wait_for` that ended the steps early. */
  stoppedBy: Pick<StepFrame, 'line' | 'text'> | null = null;
  /** In the order in which the failures were found. */
  readonly #places: FailurePlace[] = [];
  #reported = 0;
  /** The beginning of the scenario; all offsets are relative to it. */
  readonly start: Instant;
  readonly #parts: ReporterParts;
  readonly #allowanceMs: number | null;
  #isClosed = false;
  #behindMs = 0;

  /** Where time is live, a failure is inconclusive if due work ran later than the allowance (wall ms). Null: in lock-step. */
  constructor(parts: ReporterParts, allowanceMs: number | null) {
    this.#parts = parts;
    this.#allowanceMs = allowanceMs;
    this.start = parts.clock.now();
  }

  /**
   * Returns the lag since the instant that may have caused a failure; wall ms. Null: the machine was fast enough, or
   * time is not scaled.
   */
  lagBeyondAllowance(since: Instant = this.start): number | null {
    if (this.#allowanceMs === null) return null;
    const lagMs = this.#parts.clock.lagSince(since);
    return lagMs > this.#allowanceMs ? lagMs : null;
  }

  log(record: Omit<LogRecord, 't'>, at: Instant = this.#parts.clock.now()): void {
    this.#parts.log.append({ ...record, t: at - this.start });
  }

  notice(notice: RunNotice): void {
    this.#parts.sink(notice);
  }

  /** Tells how far the run is behind its pace, if that has changed. */
  noticeDelay(): void {
    const { behindMs } = this.#parts.clock;
    if (behindMs > this.#behindMs)
      this.notice({ kind: 'behind', atMs: this.#parts.clock.now() - this.start, behindMs });
    this.#behindMs = behindMs;
  }

  /** Reports a failure of a step that a late machine may have caused: the step was refused, or the reply differs. */
  failStep(step: StepFrame, { cut, whole, rows }: FailureReason): void {
    const lagMs = this.lagBeyondAllowance();
    const withLag = (why: string) => (lagMs === null ? why : `${why}\n${inconclusiveText(lagMs)}`);
    this.fail(step, { cut: withLag(cut), whole: withLag(whole), rows, lagMs });
  }

  /** Called when a check or rule has failed; its text may be completed later. */
  checkFailed(check: Pick<StepFrame, 'file' | 'line'>): void {
    this.#parts.onCheckFailed?.(check);
  }

  /** Reports a failure of a step itself, or of the run during a step. */
  fail(step: StepFrame | null, why: string | FailureReason): void {
    const { scenario, clock } = this.#parts;
    const where = step ?? {
      file: scenario.file,
      line: 1,
      text: scenario.title,
      afterMs: 0,
      atMs: null,
      as: null,
      refused: false,
    };
    const atMs = clock.now() - this.start;
    const { file, line } = where;
    const calledAt = calledAtOf(where);
    const again = this.#again(calledAt);
    const reason: FailureReason = typeof why === 'string' ? { cut: why, whole: why, rows: [] } : why;
    const { cut, whole, rows, lagMs = null } = reason;
    const textOf = (words: string) => plainFailureText(where, atMs, words, again);
    const named = { file, line, calledAt, step: printable(where.text), reasons: linesOf(whole).map(printable) };
    const texts = { text: textOf(cut), whole: textOf(whole) };
    this.addFailure({ ...named, ...texts, lagMs, rows, late: null, beganMs: atMs, atMs, again });
  }

  /** Reserves the next position, for a failure whose text is completed later. */
  reserve(): FailurePlace {
    const place: FailurePlace = { failure: null };
    if (!this.#isClosed) this.#places.push(place);
    return place;
  }

  get failures(): readonly RunFailure[] {
    return this.#places.flatMap(({ failure }) => failure ?? []);
  }

  /** Number of failures found, including those whose text is not complete. */
  get failed(): number {
    return this.#places.length;
  }

  /** Skips a step that uses a name which `cause` should have bound. */
  skip(step: Pick<StepFrame, 'line' | 'text'>, missing: Reference, cause: UnboundCause): void {
    this.#skip(step, `${written(missing)} has no value, because line ${cause.line} failed: ${cause.text}`, cause);
  }

  /** Lists the steps that were not played, because a `wait_for` before them failed. */
  skipBehind(steps: readonly Pick<StepFrame, 'line' | 'text'>[]): void {
    const cause = this.stoppedBy;
    if (cause === null) return;
    for (const step of steps)
      this.#skip(step, `the run stopped, because line ${cause.line} failed: ${cause.text}`, cause);
  }

  #skip({ line, text }: Pick<StepFrame, 'line' | 'text'>, why: string, cause: Pick<StepFrame, 'line'>): void {
    const atMs = this.#parts.clock.now() - this.start;
    this.skipped.push({ line, atMs, text, why });
    this.log({ k: 'skipped', line, d: { because: cause.line } });
    this.notice({ kind: 'step-skipped', line, atMs, text, why });
  }

  failCheck(failure: Omit<CheckFailure, 'start' | 'again'>, place: FailurePlace = this.reserve()): void {
    const { step, judgement } = failure;
    const { file, line } = step;
    const { begin, at, look } = judgement;
    const calledAt = calledAtOf(step);
    const again = this.#again(calledAt);
    const all = { ...failure, start: this.start, again };
    const { reasons, late } = checkReport(all, true);
    this.addFailure(
      {
        file,
        line,
        calledAt,
        step: printable(step.text),
        reasons: [...reasons, ...(late === null ? [] : [late])].map(printable),
        text: checkFailureText(all),
        whole: checkFailureText(all, true),
        again,
        lagMs: failure.lagMs,
        rows: look.matched ? [] : look.mismatches,
        late: late === null ? null : printable(late),
        beganMs: begin - this.start,
        atMs: at - this.start,
      },
      place,
    );
  }

  /** Ignores later failures, because a person is using the sandbox. */
  close(): void {
    this.#isClosed = true;
  }

  addFailure(failure: RunFailure, place: FailurePlace = this.reserve()): void {
    if (this.#isClosed) return;
    place.failure = failure;
    // Failures are reported in the order in which they were found: the first one is the likely cause of the others.
    for (let next = this.#places[this.#reported]?.failure; next; next = this.#places[this.#reported]?.failure) {
      this.#reported++;
      this.#parts.sink({ kind: 'failure', line: next.line, text: next.text });
    }
  }

  /** A line of another file, such as that of the rules, is no place to stop at. */
  #again({ file, line }: SourceLine): Again {
    return { ...this.#parts.again, line: file === this.#parts.scenario.file ? line : null };
  }
}

const calledAtOf = ({ file, line, calls }: StepFrame): SourceLine => calls?.[0] ?? { file, line };
