/** The summary of several runs: failures, the smallest failure, simulated time, and the counts on the last line. */

import { formatDuration } from '../../base/time/durations.ts';
import { CHECK_TERMS, runTerm } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import type { VerifyingReceiver } from '../../scenario/customer/destinations.ts';
import { isAccepted } from '../../scenario/log/run-notices.ts';
import { shownCase } from '../../scenario/model/scenario.ts';
import type { RunError, RunResult } from '../../scenario/playing/run-file.ts';
import { runCounts } from '../../scenario/reporting/counted-runs.ts';
import { paintedFailure } from '../../scenario/reporting/plain-writer.ts';
import { type RunData, seedData, troubleOf } from '../../scenario/reporting/run-data.ts';
import { colourOf, command, EXIT, envelope, out, talk, talkLine } from '../output.ts';
import { verdictLine } from '../verdict.ts';
import { annotation, MOST_ANNOTATIONS } from './github.ts';
import type { PlannedRun } from './plan.ts';

/** `steps`: each run prints its steps. `entries`: passes share lines. `failures`: a line for each failed run. */
export type RunOutput = 'steps' | 'entries' | 'failures';

interface Summary {
  readonly runs: readonly RunData[];
  /** The explanation of runs without a result. */
  readonly mistakes: ReadonlyMap<RunData, string | null>;
  /** Runs that were not begun, after a failure with `--fail-fast` or after Ctrl-C. */
  readonly notBegun: readonly PlannedRun[];
  readonly wallMs: number;
  /** What was printed when the runs ended. */
  readonly shown: RunOutput;
  /** Whether the one run has printed its steps without its counts. */
  readonly isOpen: boolean;
  readonly report: string | null;
  /** Whether a floor of the coverage was missed. */
  readonly isBelowFloor: boolean;
  /** The exit code of the command. */
  readonly code: number;
}

/** Maximum number of rows of the table. If there are more, only rows with a failure are shown. */
const MOST_ROWS = 40;

/** Maximum number of runs not begun, or with the same failure, that are listed. */
const MOST_NAMED = 5;

/** Prints the summary on stderr. A single run has printed its failures itself. */
export function printSummary(summary: Summary): void {
  const { runs, mistakes, notBegun, wallMs, shown, report, isBelowFloor, code } = summary;
  if (runs.length + notBegun.length < 2) return printSingle(summary);
  const paint = colourOf(process.stderr);
  talk('');
  if (shown === 'failures') for (const line of tableOf(runs)) talkLine(line);
  else printAllFailures(runs, mistakes);
  const smallest = areDrawn(runs) ? smallestFailure(runs) : null;
  if (smallest !== null) {
    const { file, case: values, seed, order, line, text, again } = smallest;
    talkLine(
      `smallest failure  ${nameOf({ file, case: values, seed, order })}${line === null ? '' : `  line ${line}`}`,
    );
    if (shown === 'failures' && text !== null) talk(paintedFailure(text, paint));
    else talkLine(`    again     ${again}`);
  }
  const expectations = runs.reduce((sum, { expectations: one }) => sum + one.passed + one.failed + one.skipped, 0);
  const simulatedMs = runs.reduce((sum, { simulated_s }) => sum + simulated_s * 1000, 0);
  const facts = [floorText(isBelowFloor), plural(expectations, 'check'), durationText(simulatedMs, wallMs)];
  for (const line of notBegunLines(notBegun)) talkLine(line);
  const left = notBegun.length === 0 ? '' : `, ${notBegun.length} not begun`;
  talkLine(verdictLine({ word: wordOf(code), counts: `${countsLine(runs)}${left}`, facts, report }, paint));
}

/** Of one run, the counts are those of its checks. */
function printSingle({ runs: [run], wallMs, isOpen, report, isBelowFloor, code }: Summary): void {
  if (!isOpen || run === undefined) return;
  const { passed, failed, skipped } = run.expectations;
  const counts =
    run.verdict === 'skipped'
      ? `1 ${CHECK_TERMS.skipped.word}`
      : run.error?.code === 'invalid_file'
        ? 'the file has mistakes'
        : `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
  const { verdict } = run;
  const facts = [
    floorText(isBelowFloor),
    verdict === 'known_failure' || (verdict === 'error' && run.error?.code !== 'invalid_file')
      ? runTerm(verdict).word
      : '',
    durationText(run.simulated_s * 1_000, wallMs),
  ];
  talkLine(verdictLine({ word: wordOf(code), counts, facts, report }, colourOf(process.stderr)));
}

const floorText = (isBelowFloor: boolean): string => (isBelowFloor ? 'coverage below its floor' : '');

function durationText(simulatedMs: number, wallMs: number): string {
  const seconds = `${(wallMs / 1_000).toFixed(1)} s`;
  return simulatedMs === 0 ? seconds : `${formatDuration(Math.round(simulatedMs))} simulated in ${seconds}`;
}

const wordOf = (code: number): 'PASSED' | 'FAILED' | 'INTERRUPTED' =>
  code === EXIT.interrupted ? 'INTERRUPTED' : code === EXIT.done ? 'PASSED' : 'FAILED';

/** A mistake of a file, and a failure of several runs with the same values, is printed once. */
function printAllFailures(runs: readonly RunData[], mistakes: Summary['mistakes']): void {
  const printed = new Set<string>();
  const alike = new Map<string, { readonly text: string; readonly others: RunData[] }>();
  for (const run of runs) {
    if (isAccepted(run.verdict)) continue;
    for (const { text } of run.failures) {
      const key = withoutCircumstances(text);
      const before = alike.get(key);
      if (before === undefined) alike.set(key, { text, others: [] });
      else if (!before.others.includes(run)) before.others.push(run);
    }
  }
  for (const { text, others } of alike.values()) {
    talk(paintedFailure(text, colourOf(process.stderr)));
    if (others.length > 0) talkLine(`    also      ${othersText(others)}`);
  }
  for (const run of runs) {
    if (run.verdict !== 'error') continue;
    const text = mistakes.get(run) ?? null;
    const isPrinted = run.error?.code === 'invalid_file' && text !== null && printed.has(text);
    if (!isPrinted) printError(run, text);
    if (text !== null) printed.add(text);
  }
}

/** What a failure is, without the lines that say when it was, what stood around it, and how to run it again. */
const withoutCircumstances = (text: string): string => text.split(/\n {4}(?:at|again) {3}/)[0] ?? text;

function othersText(others: readonly RunData[]): string {
  const names = others.map(({ file, case: values, seed, order }) =>
    nameOf({ file, case: values, seed: values === null ? seed : null, order }).replace(`${file}  `, ''),
  );
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Why a run has no result. */
function printError({ file, error }: RunData, mistakes: string | null): void {
  const paint = colourOf(process.stderr);
  const isMistake = error?.code === 'invalid_file';
  if (!isMistake) talkLine(`${paint(CHECK_TERMS.failed.token, CHECK_TERMS.failed.glyph)} ${file}`);
  if (mistakes !== null) talk(mistakes);
}

/** The counts, such as `3 passed, 1 failed, 1 error, 1 skipped, 1 known failure`. */
function countsLine(runs: readonly RunData[]): string {
  const { passed, failed, others } = runCounts(runs.map(({ verdict }) => verdict));
  return [`${passed} passed, ${failed} failed`, ...others].join(', ');
}

/** A run that did not pass, on one line. */
export function resultLine(run: RunData): string {
  if (run.verdict === 'skipped' || run.verdict === 'known_failure') {
    const word = run.verdict === 'skipped' ? 'SKIP' : 'KNOWN FAILURE';
    return `${colourOf(process.stderr)('amber', word)} ${nameOf(run)}  ${run.reason}`;
  }
  const [first] = run.failures;
  const why =
    first === undefined ? (run.error?.message.split('\n')[0] ?? run.verdict) : `${first.step}  (line ${first.line})`;
  return `${colourOf(process.stderr)('red', run.verdict === 'error' ? 'ERROR' : 'FAIL')} ${nameOf(run)}  ${why}`;
}

type SummaryName = Pick<RunData, 'file' | 'case' | 'seed' | 'order'>;

/** The name of a run: what distinguishes it from the others. A seed that is not known is left out. */
const nameOf = ({
  file,
  case: values,
  seed,
  order,
}: Omit<SummaryName, 'seed'> & { seed: SummaryName['seed'] | null }): string =>
  [
    file,
    values === null ? '' : shownCase(values),
    seed === null ? '' : `seed ${seed}`,
    order === 0 ? '' : `order ${order}`,
  ]
    .filter((part) => part !== '')
    .join('  ');

/** True if a scenario was played with several seeds or orders. */
const areDrawn = (runs: readonly RunData[]): boolean =>
  new Set(runs.map(({ file, case: values }) => JSON.stringify([file, values]))).size < runs.length;

interface SmallestFailure extends SummaryName {
  /** Null if the run has no failed check. */
  readonly line: number | null;
  readonly text: string | null;
  /** The command that reproduces it up to that line. */
  readonly again: string;
}

/** Errors that another seed would have too. */
const HAVE_NO_SEED: ReadonlySet<string> = new Set(['interrupted', 'invalid_file']);

/** The first failure by seed, then order, then line; null if there is none that a seed has caused. */
function smallestFailure(runs: readonly RunData[]): SmallestFailure | null {
  const failed = runs.filter(({ verdict, error }) => !isAccepted(verdict) && !HAVE_NO_SEED.has(error?.code ?? ''));
  const [first] = failed.toSorted((a, b) => bySeed(a.seed, b.seed) || a.order - b.order);
  if (first === undefined) return null;
  const { file, case: values, seed, order, failures, again } = first;
  const [failure] = failures;
  return {
    file,
    case: values,
    seed,
    order,
    line: failure?.line ?? null,
    text: failure?.text ?? null,
    again: failure?.again ?? again,
  };
}

function bySeed(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}

/** One row per scenario, case and order: number of runs, outcomes, and the smallest failing seed. */
function tableOf(runs: readonly RunData[]): string[] {
  const groups = new Map<string, RunData[]>();
  for (const run of runs) {
    const { file, case: values, order } = run;
    const name = [file, values === null ? '' : shownCase(values), `order ${order}`].filter((part) => part !== '');
    const group = groups.get(name.join('  ')) ?? [];
    group.push(run);
    groups.set(name.join('  '), group);
  }
  const all = [...groups].map(([name, own]) => rowOf(name, own));
  const rows = all.length <= MOST_ROWS ? all : all.filter(({ failed }) => failed > 0);
  if (rows.length === 0) return [];
  const wide = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, cells: readonly (number | string)[], seed: string) =>
    `${name.padEnd(wide)}${cells.map((cell) => String(cell).padStart(9)).join('')}   ${seed}`.trimEnd();
  return [
    line('', ['runs', 'passed', 'failed'], 'smallest failing seed'),
    ...rows.map(({ name, count, failed, seed }) => line(name, [count, count - failed, failed], seed)),
  ];
}

function rowOf(name: string, runs: readonly RunData[]) {
  const failed = runs.filter(({ verdict }) => !isAccepted(verdict));
  return { name, count: runs.length, failed: failed.length, seed: String(smallestFailure(failed)?.seed ?? '') };
}

function notBegunLines(notBegun: readonly PlannedRun[]): string[] {
  if (notBegun.length === 0) return [];
  const named = notBegun
    .slice(0, MOST_NAMED)
    .map(({ file, values, seed, order }) => nameOf({ file, case: values, seed: seed ?? null, order }));
  const rest = notBegun.length - named.length;
  return [
    `${plural(notBegun.length, 'run')} not begun:`,
    ...named.map((name) => `  ${name}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/**
 * Prints GitHub annotations of failures and of runs without a result. The most important come first, since GitHub shows
 * few.
 */
export function annotate(runs: readonly RunData[], results: readonly Pick<RunResult, 'error'>[]): void {
  const counted = runs.filter(({ verdict }) => !isAccepted(verdict));
  const failed = counted.flatMap(({ file, failures }) =>
    failures.map(({ line, step, text }) => ({ file, line, title: step, text })),
  );
  const mistakes = (troubleOf(results)?.details ?? []).map(({ message, ...place }) => ({ ...place, text: message }));
  const others = counted
    .filter(({ failures, error }) => failures.length === 0 && error !== null && error.code !== 'invalid_file')
    .map(({ file, error }) => ({ file, line: 1, text: error?.message ?? '' }));
  for (const one of [...failed, ...mistakes, ...others].slice(0, MOST_ANNOTATIONS))
    command(annotation('error', one, one));
}

// The envelope of `sandbox run --json`: the runs, the runs that were not begun, and errors. [scenario-language, Command
// line]

interface RunsEnvelope {
  readonly receivers: readonly VerifyingReceiver[];
  readonly data: readonly RunData[];
  readonly notBegun: readonly PlannedRun[];
  readonly code: number;
  /** The first error of a run. */
  readonly error: RunError | null;
  /** True if a signal interrupted the runs. */
  readonly isBrokenOff: boolean;
}

const INTERRUPTED: RunError = { code: 'interrupted', message: 'The runs were interrupted.', fix: 'Run them again.' };

/** The last line of stdout. An aborted run has the result `error`; runs that never began are in `not_begun`. */
/**
 * Prints the secrets that the user's own receivers need, before the first run. They are secrets of this machine, and the
 * reports do not have them. [decisions 10, Secrets in output]
 */
export function printOwnReceivers(receivers: readonly VerifyingReceiver[]): void {
  for (const { name, url, secret } of receivers) talkLine(`secret   ${name}  ${url}  ${secret}`);
}

export function printRuns({ receivers, data, notBegun, code, error, isBrokenOff }: RunsEnvelope): void {
  const runs = {
    runs: data,
    receivers,
    not_begun: notBegun.map(({ file, values, seed, order }) => ({
      file,
      case: values,
      seed: seed === undefined ? null : seedData(seed),
      order,
    })),
    smallest_failure: smallestFailure(data),
  };
  const line = envelope('run', runs);
  const trouble = isBrokenOff ? INTERRUPTED : error;
  if (trouble === null) return out(JSON.stringify(line));
  const { code: name, message, fix, details = null } = trouble;
  const retryable = code === EXIT.environment || code === EXIT.interrupted;
  out(
    JSON.stringify({
      ...line,
      status: 'error',
      error: { code: name, message, retryable, details, actions: [fix] },
    }),
  );
}
