/** Reports the events of a running scenario, and writes the text of a failure: the line, the expected and actual values by path, the nearest candidate, the events around it, whether the missing match came late, and how to run it again. */

import { printable } from '../../base/text/printable.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import type { CanonicalLog, LogRecord } from '../log/canonical-log.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { RecordedHappening } from '../log/run-record.ts';
import { type Again, commandOf } from '../model/again.ts';
import type { Mismatch } from '../model/matchers.ts';
import { type Reference, written } from '../model/references.ts';
import type { CheckBody, Scenario, StepFrame } from '../model/scenario.ts';
import type { Judgement } from './judgement.ts';
import type { UnboundCause } from './track.ts';

/** Whether the missing match came later. */
export type Late =
  | { readonly kind: 'came'; readonly afterMs: number }
  | { readonly kind: 'not'; readonly withinMs: number }
  | { readonly kind: 'run-ended' };

/** A match that does not count: it came before the last action, or satisfied another expectation. */
export interface Overlooked {
  readonly why: 'before' | 'taken';
  readonly at: Instant;
  readonly label: string;
}

export interface CheckFailure {
  readonly step: StepFrame & CheckBody;
  readonly judgement: Judgement;
  readonly start: Instant;
  readonly around: readonly RecordedHappening[];
  readonly late: Late | null;
  readonly overlooked: Overlooked | null;
  /** As of `RunFailure`. */
  readonly lagMs: number | null;
  readonly again: Again;
}

const INDENT = '     ';
/** Column after which the time of a failure is printed. */
const TIME_COLUMN = 80;
const MOST_AROUND = 5;

/** Maximum width of a value in a terminal table. */
const WIDEST_VALUE = 60;

/** The text of a failed check. `whole`: values are not truncated. */
function checkFailureText(failure: CheckFailure, whole = false): string {
  const { step, judgement, start, around, late, overlooked, lagMs, again } = failure;
  const { begin, waitedMs } = judgement;
  const waited = step.verb === 'check' && step.forMs === 0 ? '' : `, waited ${seconds(waitedMs)}`;
  const when = `at ${formatClockTime(begin - start)}${waited}`;
  const happenings = around.filter(({ at }) => at <= judgement.at).slice(-MOST_AROUND);
  const events = happenings.map(({ at, text }) => `${shortTime(at - start)} ${text}`).join(' · ');
  const aroundLine = [events === '' ? '' : `around: ${events}`, late === null ? '' : lateText(late)].filter(
    (part) => part !== '',
  );
  return [
    `${`FAIL ${step.file}:${step.line}  ${step.text}`.padEnd(TIME_COLUMN)}  ${when}`,
    ...reason(step, judgement, start, whole).map((line) => INDENT + line),
    ...(overlooked === null ? [] : [INDENT + overlookedText(overlooked, start)]),
    ...(lagMs === null ? [] : [INDENT + inconclusiveText(lagMs)]),
    ...(aroundLine.length === 0 ? [] : [INDENT + aroundLine.join(INDENT)]),
    INDENT + againText(again),
  ]
    .map(printable)
    .join('\n');
}

/** The text of a failure without a table: a rejected step, or a broken rule. */
export function plainFailureText(step: StepFrame, atMs: number, why: string, again: Again): string {
  const head = `FAIL ${step.file}:${step.line}  ${step.text}`.padEnd(TIME_COLUMN);
  const whys = why.split('\n').map((line) => INDENT + line.trimStart());
  return [`${head}  at ${formatClockTime(atMs)}`, ...whys, INDENT + againText(again)].map(printable).join('\n');
}

function reason(step: CheckBody, judgement: Judgement, start: Instant, whole: boolean): string[] {
  const { fault, look, at, waitedMs, missing } = judgement;
  switch (fault) {
    case 'no-name':
      return missing === null ? [] : [unnamedText(missing)];
    case 'too-early':
      return [`too early: it was so after ${seconds(waitedMs)}, and expected not before ${seconds(step.limit.min)}`];
    case 'came': {
      const what = look.matched ? look.found.map(({ label }) => label).join(', ') : '';
      return [`it came at ${formatClockTime(at - start)}${what === '' ? '' : `: ${what}`}`];
    }
    case 'ended':
      return [`it was so, but no longer at ${formatClockTime(at - start)}`, ...missed(look, whole)];
    case 'limit':
    case 'not-now':
    case null:
      return missed(look, whole);
  }
}

function missed(look: Judgement['look'], whole: boolean): string[] {
  if (look.matched) return [];
  if (look.mismatches.length === 0) return ['there was nothing that it could have been'];
  // A mismatch of a count or an order concerns several objects, so there is no nearest candidate.
  const counted = look.mismatches.some(({ path }) => path === 'count' || path === 'order');
  const among = look.candidates > 1 ? ` (1 of ${look.candidates} candidates)` : '';
  return table(look.mismatches, counted ? '' : `everything else matched${among}`, whole);
}

/** The table of paths with expected and actual values. */
export function mismatchTable(rows: readonly Mismatch[], whole = false): string[] {
  return table(rows, '', whole);
}

function table(rows: readonly Mismatch[], remark: string, whole: boolean): string[] {
  const shown = whole
    ? rows
    : rows.map(({ path, expected, got }) => ({ path, expected: cut(expected), got: cut(got) }));
  const all = [{ path: 'path', expected: 'expected', got: 'got' }, ...shown];
  const width = (of: (row: Mismatch) => string) => Math.max(...all.map((row) => of(row).length));
  const [paths, expected, got] = [width((row) => row.path), width((row) => row.expected), width((row) => row.got)];
  return all.map((row, i) => {
    const cells = `${row.path.padEnd(paths)}   ${row.expected.padEnd(expected)}   `;
    return i === all.length - 1 && remark !== '' ? `${cells}${row.got.padEnd(got)}   ${remark}` : cells + row.got;
  });
}

const cut = (value: string): string => (value.length > WIDEST_VALUE ? `${value.slice(0, WIDEST_VALUE - 1)}…` : value);

function overlookedText({ why, at, label }: Overlooked, start: Instant): string {
  const when = `${label} at ${formatClockTime(at - start)}`;
  return why === 'before'
    ? `it came before the last action, where no check looks: ${when}`
    : `it came once and satisfied an expectation before this one: ${when}`;
}

function lateText(late: Late): string {
  switch (late.kind) {
    case 'came':
      return `it came ${seconds(late.afterMs)} after the limit`;
    case 'not':
      return `it did not come within ${brief(late.withinMs)} either`;
    case 'run-ended':
      return 'it did not come before the run ended either';
  }
}

/** The reason why a failure of a scaled run does not prove a fault of the system under test. */
export const inconclusiveText = (lagMs: number): string =>
  `inconclusive: the machine was too busy, and due work ran up to ${Math.round(lagMs)} ms late`;

const againText = (again: Again): string => `again:  ${commandOf(again)}`;

/** The text of a failure that was caused by an unbound name. */
export function unnamedText(reference: Reference): string {
  const who = reference.line === 0 ? 'no line before has found it' : `line ${reference.line} did not find it`;
  return `${written(reference)} has no value: ${who}`;
}

/**
 * Returns for example `10.559 s`; all durations in the sentence of a failure use this form, so that they can be
 * compared.
 */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

function brief(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} s` : formatDuration(ms);
}

/** Returns for example `50.000` or `01:50.000`, without leading zero hours and minutes. */
function shortTime(ms: number): string {
  return formatClockTime(ms).replace(/^00:(?:00:)?/, '');
}

/** Times are simulated ms from the start. */
export interface RunFailure {
  readonly line: number;
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
  /** In the order in which the failures were found. */
  readonly #places: FailurePlace[] = [];
  #reported = 0;
  /** The beginning of the scenario; all offsets are relative to it. */
  readonly start: Instant;
  readonly #parts: ReporterParts;
  readonly #allowanceMs: number | null;
  #isClosed = false;

  /** In a scaled run, a failure is inconclusive if due work ran later than the allowance (wall ms). Null in other modes. */
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
    const { line } = where;
    const again = this.#again(where.file === scenario.file ? line : null);
    const reason: FailureReason = typeof why === 'string' ? { cut: why, whole: why, rows: [] } : why;
    const { cut, whole, rows, lagMs = null } = reason;
    const textOf = (words: string) => plainFailureText(where, atMs, words, again);
    this.addFailure({ line, text: textOf(cut), whole: textOf(whole), lagMs, rows, beganMs: atMs, atMs, again });
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
  skip({ line, text }: Pick<StepFrame, 'line' | 'text'>, missing: Reference, cause: UnboundCause): void {
    const atMs = this.#parts.clock.now() - this.start;
    const why = `${written(missing)} has no value, because line ${cause.line} failed: ${cause.text}`;
    this.skipped.push({ line, atMs, text, why });
    this.log({ k: 'skipped', line, d: { because: cause.line } });
    this.notice({ kind: 'step-skipped', line, atMs, text, why });
  }

  failCheck(failure: Omit<CheckFailure, 'start' | 'again'>, place: FailurePlace = this.reserve()): void {
    const { step, judgement } = failure;
    const { line } = step;
    const { begin, at, look } = judgement;
    const again = this.#again(line);
    const all = { ...failure, start: this.start, again };
    this.addFailure(
      {
        line,
        text: checkFailureText(all),
        whole: checkFailureText(all, true),
        again,
        lagMs: failure.lagMs,
        rows: look.matched ? [] : look.mismatches,
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

  /** `line` null: the line is in another file, such as that of the rules. */
  #again(line: number | null): Again {
    return { ...this.#parts.again, line };
  }
}
