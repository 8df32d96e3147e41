/** `sandbox logs KIND --run FILE`: answers from the log of a run that is over, for example from an artifact of CI. [cli] */
import { CLI } from '../../base/text/command-form.ts';
import { explainDuration, parseDuration } from '../../base/time/durations.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import { didYouMean, list, plural } from '../../contract/sentences.ts';
import { VERSION } from '../../sandbox/version.ts';
import { mismatchTable } from '../../scenario/judging/failure-text.ts';
import { cutOf, type RecordedRun, readRun } from '../../scenario/log/recorded-run.ts';
import {
  type NearEntry,
  RUN_LOGS,
  type RunAnswer,
  type RunLogKind,
  type RunLogRow,
  RunQuestions,
} from '../../scenario/log/run-questions.ts';
import type { Mismatch } from '../../scenario/model/matchers.ts';
import { colourOf, EXIT, envelope, out, outLine, talk, usage } from '../output.ts';
import { INDENT, linesOf } from './logs-lines.ts';

interface RunLogFlags {
  readonly run: string;
  readonly about?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** Prints what the log of the run has; returns the exit code. */
export function logsOfRun(given: string | undefined, flags: RunLogFlags): number {
  const kind = kindIn(given);
  const { run: file, about, limit, json } = flags;
  const fromMs = timeIn('--from', flags.from) ?? 0;
  const toMs = timeIn('--to', flags.to) ?? Number.POSITIVE_INFINITY;
  if (fromMs > toMs)
    throw usage(`--from ${flags.from} is after --to ${flags.to}.`, `Write --from ${flags.to} --to ${flags.from}.`);
  const run = readRun(file);
  const questions = new RunQuestions(run, file);
  if (about !== undefined) mustBeKnown(about, questions, file);
  const answer = questions.answer({ kind, about: about ?? null, fromMs, toMs });
  const rows = answer.rows.slice(-limit);
  const warnings = warningsOf(run, file);
  const { scenario, file: played, seed, version } = run.header;
  if (json === true) {
    const of = { scenario, file: played, seed: Number(seed), version };
    out(JSON.stringify(envelope('logs', { run: of, [kind]: rows }, warnings)));
    return EXIT.done;
  }
  for (const warning of warnings) talk(`note  ${warning}`);
  for (const row of rows) for (const line of rowLines(kind, row)) outLine(line);
  const isWhole = about === undefined && flags.from === undefined && flags.to === undefined;
  const remark = remarkOn(answer, { kind, shown: rows.length, fromMs, isWhole });
  if (remark !== null) talk(remark);
  return EXIT.done;
}

/** The kinds of which the log of a run has something; without one, the failed checks are what is looked for. */
function kindIn(given = 'checks'): RunLogKind {
  const known = RUN_LOGS.find((one) => one === given);
  if (known !== undefined) return known;
  throw usage(
    `The log of a run does not hold "${given}".${didYouMean(given, RUN_LOGS)} It holds ${list(RUN_LOGS).replace(' or ', ' and ')}.`,
    `The report of the run has the calls of the API: ${CLI} run my.scenario.yaml --report html --out report`,
  );
}

/** Returns ms from the start of the scenario. */
function timeIn(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = parseDuration(text);
  if (ms !== null) return ms;
  throw usage(
    `${flag} ${text} is not a time from the start of the run.`,
    /^\d{4}-/.test(text) ? `Write ${flag} 90s, the time since the start.` : explainDuration(text),
  );
}

function mustBeKnown(about: string, { names }: RunQuestions, file: string): void {
  if (names.all.has(about.toLowerCase())) return;
  const { workers } = names;
  throw usage(
    `Nothing in ${file} is about "${about}".${didYouMean(about, [...workers, ...names.all])}`,
    workers.length === 0
      ? 'No worker is in this log.'
      : `Its workers are ${workers.slice(0, MOST_NAMED).join(', ')}. An alert or a muster is named by its id.`,
  );
}

/** Maximum number of workers in a message. */
const MOST_NAMED = 20;

function warningsOf(run: RecordedRun, file: string): string[] {
  const { version } = run.header;
  const cut = cutOf(run);
  const where = cut?.within === true ? `in the middle of line ${cut.line}` : `with line ${cut?.line}`;
  return [
    ...(version === VERSION ? [] : [`The log is of version ${version}, and this is ${VERSION}.`]),
    ...(cut === null ? [] : [`${file} is cut off: it ends ${where}, at ${formatClockTime(cut.atMs)} of the scenario.`]),
  ];
}

/** What the rows do not say. */
function remarkOn(
  { rows, counts, endMs }: RunAnswer,
  { kind, shown, fromMs, isWhole }: { kind: RunLogKind; shown: number; fromMs: number; isWhole: boolean },
): string | null {
  if (fromMs > endMs) return `The run was over at ${formatClockTime(endMs)}, before --from.`;
  if (shown < rows.length) return `the last ${shown} of ${rows.length}; --limit ${rows.length} shows all`;
  if (kind !== 'checks') return rows.length > 0 ? null : `no ${kind}`;
  // A stopped system or a mistake of the sandbox fails a run without a check.
  const others = isWhole && counts !== undefined ? counts.failed - rows.length : 0;
  if (others > 0) return `${plural(others, 'failure')} of the run had no check; its report has all`;
  if (rows.length > 0) return null;
  if (counts === undefined) return 'no failed check';
  const whole = plural(counts.passed, 'check');
  if (isWhole) return `no failed check: ${whole} held`;
  return `no failed check here; in the whole run, ${whole} held and ${counts.failed} failed`;
}

function rowLines(kind: RunLogKind, row: RunLogRow): readonly string[] {
  const when = formatClockTime(row.at_s * 1_000);
  return kind === 'checks' ? checkLines(row, when) : linesOf(kind, row, { when });
}

/** A failed check, its differences, and the entries near it; those at the instant of the check are marked. */
function checkLines(row: RunLogRow, when: string): readonly string[] {
  const paint = colourOf(process.stdout);
  const waited = Number(row['waited_s']);
  const why = row['why'] === null ? '' : `  ${row['why']}${waited > 0 ? `, waited ${waited} s` : ''}`;
  const differences = row['differences'] as Mismatch[];
  const near = row['near'] as NearEntry[];
  const left = Number(row['near_left_out']);
  return [
    `${paint('dim', when)}  ${paint('red', 'FAIL')} line ${row['line']}  ${row['check']}${why}`,
    ...(differences.length === 0 ? [] : mismatchTable(differences)).map((line) => INDENT + line),
    ...near.map(
      ({ at_s, kind, text }) => `${INDENT}${paint('dim', formatClockTime(at_s * 1_000))}  ${kind.padEnd(8)}  ${text}`,
    ),
    ...(left === 0 ? [] : [paint('dim', `${INDENT}${left} more`)]),
  ];
}
