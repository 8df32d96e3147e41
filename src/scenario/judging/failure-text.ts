/** The text of a failure: the place, the expected and actual values by path, the nearest candidate, when it was, whether the missing match came late, what happened around it, and how to run it again. [scenario-language, Messages] */

import { printable } from '../../base/text/printable.ts';
import type { Instant } from '../../base/time/clock.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import type { RecordedHappening } from '../log/run-record.ts';
import { type Again, commandOf } from '../model/again.ts';
import type { Mismatch } from '../model/matchers.ts';
import { type Reference, written } from '../model/references.ts';
import type { CheckBody, StepFrame } from '../model/scenario.ts';
import type { Judgement } from './judgement.ts';
import type { Candidate } from './subject.ts';

/** Whether the missing match came later. */
export type Late =
  /** `byAction`: a later step began before, and may have caused it. */
  | { readonly kind: 'came'; readonly afterMs: number; readonly byAction: boolean }
  | { readonly kind: 'not'; readonly withinMs: number }
  | { readonly kind: 'run-ended' };

/** A match that does not count: it came before the search started, or satisfied another expectation. */
export interface Overlooked {
  readonly why: 'before' | 'taken';
  readonly at: Instant;
  readonly label: string;
  /** The value of `since` with which the check passes; null: there is none. */
  readonly write: string | null;
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

const INDENT = '    ';
/** Width of `around` and the other words before the lines of a failure. */
const LABEL_WIDTH = 10;
const MOST_AROUND = 5;

/** Maximum width of a value in a terminal table. */
const WIDEST_VALUE = 60;

/** What a failed check is, apart from its table. The sentences are those that its text has. */
interface CheckReport {
  /** Why it failed: sentences, or a table with truncated values. */
  readonly reasons: readonly string[];
  /** A line for each moment. */
  readonly events: readonly string[];
  readonly late: string | null;
}

export function checkReport(
  { step, judgement, start, around, late, overlooked, lagMs }: CheckFailure,
  whole: boolean,
): CheckReport {
  const happenings = around.filter(({ at }) => at <= judgement.at).slice(-MOST_AROUND);
  return {
    reasons: [
      ...reason(step, judgement, start, whole),
      ...(overlooked === null ? [] : overlookedTexts(overlooked, start)),
      ...(lagMs === null ? [] : [inconclusiveText(lagMs)]),
    ],
    events: momentsOf(happenings).map(({ at, texts }) => `${formatClockTime(at - start)}  ${texts.join(' · ')}`),
    late: late === null ? null : lateText(late),
  };
}

/** What happened at each instant, in the order of time. */
function momentsOf(happenings: readonly RecordedHappening[]): { readonly at: Instant; readonly texts: string[] }[] {
  const moments: { readonly at: Instant; readonly texts: string[] }[] = [];
  for (const { at, text } of happenings) {
    const last = moments.at(-1);
    if (last?.at === at) last.texts.push(text);
    else moments.push({ at, texts: [text] });
  }
  return moments;
}

/** The text of a failed check. `whole`: values are not truncated. */
export function checkFailureText(failure: CheckFailure, whole = false): string {
  const { step, judgement, start, again } = failure;
  const { reasons, events, late } = checkReport(failure, whole);
  const { begin, waitedMs } = judgement;
  const waited = step.verb === 'check' && step.forMs === 0 ? '' : `, waited ${seconds(waitedMs)}`;
  return failureText(step, [
    ...reasons,
    ...labelled('at', [formatClockTime(begin - start) + waited]),
    ...(late === null ? [] : labelled('late', [late])),
    ...labelled('around', events),
    ...labelled('again', [commandOf(again)]),
  ]);
}

/** The text of a failure without a table: a rejected step, or a broken rule. `atMs` null: it has no time. */
export function plainFailureText(
  step: Pick<StepFrame, 'file' | 'line' | 'calls' | 'text'>,
  atMs: number | null,
  why: string,
  again: Again,
): string {
  const at = atMs === null ? {} : { at: formatClockTime(atMs) };
  return ruleFailureText(step, why, { ...at, again: commandOf(again) });
}

/** The text of a failure without a table, with one line for each word such as `again`. */
export const ruleFailureText = (
  step: Pick<StepFrame, 'file' | 'line' | 'calls' | 'text'>,
  why: string,
  lines: Readonly<Record<string, string>>,
): string =>
  failureText(step, [...linesOf(why), ...Object.entries(lines).flatMap(([word, text]) => labelled(word, [text]))]);

const failureText = (step: Pick<StepFrame, 'file' | 'line' | 'calls' | 'text'>, lines: readonly string[]): string =>
  [`${CHECK_TERMS.failed.glyph} ${placeOf(step)}  ${step.text}`, ...lines.map((line) => INDENT + line)]
    .map(printable)
    .join('\n');

/** The word stands before the first line only. */
const labelled = (word: string, lines: readonly string[]): string[] =>
  lines.map((line, n) => (n === 0 ? word : '').padEnd(LABEL_WIDTH) + line);

/** Returns for example `alarm.scenario.yaml:12`; in a macro `alarm.scenario.yaml:12 > macros.yaml:5`, the calling line first. */
const placeOf = ({ file, line, calls = [] }: Pick<StepFrame, 'file' | 'line' | 'calls'>): string =>
  [...calls, { file, line }].map((one) => `${one.file}:${one.line}`).join(' > ');

export const linesOf = (why: string): string[] => why.split('\n').map((line) => line.trimStart());

function reason(step: CheckBody, judgement: Judgement, start: Instant, whole: boolean): string[] {
  const { fault, look, at, waitedMs, missing } = judgement;
  switch (fault) {
    case 'no-name':
      return missing === null ? [] : [unnamedText(missing)];
    case 'too-early':
      return [`too early: it was so after ${seconds(waitedMs)}, and expected not before ${seconds(step.limit.min)}`];
    case 'came': {
      const found = look.matched ? look.found : [];
      if (found.length === 0) return [`it came at ${formatClockTime(at - start)}`];
      const [{ at: first }] = found as [Candidate];
      const happened = found.every(({ isChange }) => isChange === true) ? 'changed' : 'came';
      const labels = found.map((one) =>
        one.at === first ? one.label : `${one.label} at ${formatClockTime(one.at - start)}`,
      );
      return [`it ${happened} at ${formatClockTime(first - start)}: ${labels.join(', ')}`];
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

/** A line for each path, with the expected and the actual value. */
export function mismatchTable(rows: readonly Mismatch[], whole = false): string[] {
  return table(rows, '', whole);
}

/** `remark`: at the end of the last line. */
function table(rows: readonly Mismatch[], remark: string, whole: boolean): string[] {
  const shown = rows.map(({ path, expected, got }) => ({
    path,
    expected: `expected ${whole ? expected : cut(expected)}`,
    got: `got ${whole ? got : cut(got)}`,
  }));
  const width = (of: (row: Mismatch) => string) => Math.max(...shown.map((row) => of(row).length));
  const [paths, expected, got] = [width((row) => row.path), width((row) => row.expected), width((row) => row.got)];
  return shown.map((row, n) => {
    const cells = `${row.path.padEnd(paths)}   ${row.expected.padEnd(expected)}   `;
    return n === shown.length - 1 && remark !== '' ? `${cells}${row.got.padEnd(got)}   ${remark}` : cells + row.got;
  });
}

const cut = (value: string): string => (value.length > WIDEST_VALUE ? `${value.slice(0, WIDEST_VALUE - 1)}…` : value);

function overlookedTexts({ why, at, label, write }: Overlooked, start: Instant): string[] {
  const when = `${label} at ${formatClockTime(at - start)}`;
  if (why === 'taken') return [`it came once and satisfied an expectation before this one: ${when}`];
  const fix = write === null ? [] : [`with this line beside the check it passes:  since: ${write}`];
  return [`it came before the search of this check started: ${when}`, ...fix];
}

function lateText(late: Late): string {
  switch (late.kind) {
    case 'came':
      return late.byAction ? 'it came only after the next action' : `it came ${seconds(late.afterMs)} after the limit`;
    case 'not':
      return `it did not come within ${brief(late.withinMs)} either`;
    case 'run-ended':
      return 'it did not come before the run ended either';
  }
}

/** The reason why a failure in a running sandbox does not prove a fault of the system under test. */
export const inconclusiveText = (lagMs: number): string =>
  `inconclusive: the machine was too busy, and due work ran up to ${Math.round(lagMs)} ms late`;

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
