/** Writes a run as plain lines, one fact per line, starting with simulated time: for logs, pipes and CI. */

import { CLI } from '../../base/text/command-form.ts';
import { printable } from '../../base/text/printable.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import type { Paint } from '../../contract/resources/terminal-colours.ts';
import { CHECK_TERMS, runTerm } from '../../contract/resources/vocabulary.ts';
import { musterLine } from '../log/muster-figures.ts';
import type { DeliveryCounts, RunNotice, RunSink } from '../log/run-notices.ts';
import { shownCase } from '../model/scenario.ts';
import { Timeline } from './timeline.ts';

/** Column after which the time of a result is printed. */
const TEXT_COLUMN = 72;

/** What ends the lines of a run: its counts and time, or what its caller prints. */
export type WriterEnd = 'counts' | 'open';

/** A sink that passes complete lines to `write`; the command line connects it to stderr. */
export function plainWriter(
  write: (text: string) => void,
  paint: Paint = (_tone, text) => text,
  end: WriterEnd = 'counts',
): RunSink {
  const timeline = new Timeline();
  /** Steps that are skipped one after the other for one reason. */
  let skipped: SkipNotice[] = [];
  return (notice) => {
    timeline.add(notice);
    const text = textOf(notice, paint, timeline, end);
    const isSkipped = notice.kind === 'step-skipped';
    if (isSkipped ? skipped.some(({ why }) => why !== notice.why) : text !== null) {
      const line = skippedLine(skipped, paint);
      skipped = [];
      if (line !== null) write(`${line}\n`);
    }
    if (isSkipped) skipped.push(notice);
    if (text !== null) write(`${text}\n`);
  };
}

type SkipNotice = Extract<RunNotice, { kind: 'step-skipped' }>;

/** One line for all, before the next line that is printed. */
function skippedLine(steps: readonly SkipNotice[], paint: Paint): string | null {
  const [first] = steps;
  if (first === undefined) return null;
  const { word } = CHECK_TERMS.skipped;
  const what = steps.length === 1 ? `${first.text}  ${word}` : `${steps.length} steps ${word}`;
  return printable(at(first.atMs, sign('skipped', paint), `${what}: ${first.why}`));
}

/** Each fact is one line: line breaks in titles, marks and reasons are escaped. Only failures have several lines. */
function textOf(notice: RunNotice, paint: Paint, timeline: Timeline, end: WriterEnd): string | null {
  switch (notice.kind) {
    case 'failure':
      return paintedFailure(notice.text, paint);
    case 'run-ended':
      return ended(notice, paint, timeline, end);
    default: {
      const line = lineOf(notice, paint);
      return line === null ? null : printable(line);
    }
  }
}

function lineOf(notice: Exclude<RunNotice, { kind: 'failure' | 'run-ended' }>, paint: Paint): string | null {
  switch (notice.kind) {
    case 'run-began': {
      const { file, scenario, values, mode, speed, seed } = notice;
      const asCase = values === null ? '' : `, ${shownCase(values)}`;
      return `${paint('bold', file)}  ${scenario}  (${mode === 'scaled' ? `scaled x${speed}` : mode}, seed ${seed}${asCase})`;
    }
    case 'behind':
    case 'step-skipped':
      return null;
    case 'watchable':
      return `watch it: ${notice.apiUrl}/panel with the token ${notice.controlToken}, or with SANDBOX_URL and SANDBOX_CONTROL_TOKEN set to these: ${CLI} dashboard`;
    case 'step-began':
      // A check is printed once, with its result.
      return notice.judged ? null : at(notice.atMs, ' ', notice.text);
    case 'mark':
      return at(notice.atMs, '#', paint('bold', notice.text));
    case 'step-refused':
      return at(notice.atMs, sign('failed', paint), `${notice.text}  ${notice.detail}`);
    case 'expectation-passed':
      return at(notice.atMs, sign('passed', paint), waited(notice.text, notice.waitedMs, paint));
    case 'expectation-failed':
      return at(notice.atMs, sign('failed', paint), waited(notice.text, notice.waitedMs, paint));
    case 'muster-figures':
      return at(notice.atMs, '·', paint('dim', musterLine(notice.muster)));
    case 'finally-began':
      return at(notice.atMs, '#', paint('bold', 'finally'));
  }
}

/** Describes the outcome of the run's deliveries; null without deliveries. */
export function deliveriesText({ delivered, retried, lost, failing }: DeliveryCounts): string | null {
  if (delivered + lost + failing === 0) return null;
  const pending = failing === 0 ? '' : `, ${failing} still failing`;
  return `${delivered} ok, ${retried} of them retried, ${lost} lost${pending}`;
}

/** The text of a failure with its sign in colour. */
export const paintedFailure = (text: string, paint: Paint): string =>
  text.replace(CHECK_TERMS.failed.glyph, (glyph) => paint(CHECK_TERMS.failed.token, glyph));

const sign = (result: keyof typeof CHECK_TERMS, paint: Paint): string =>
  paint(CHECK_TERMS[result].token, CHECK_TERMS[result].glyph);

function at(ms: number, sign: string, text: string): string {
  return `${formatClockTime(ms)} ${sign} ${text}`;
}

function waited(text: string, ms: number, paint: Paint): string {
  return ms === 0 ? text : `${text.padEnd(TEXT_COLUMN)}  ${paint('dim', `waited ${formatDuration(ms)}`)}`;
}

// The reason for an abort is not printed here: the caller prints it, with the fix.
function ended(
  notice: Extract<RunNotice, { kind: 'run-ended' }>,
  paint: Paint,
  timeline: Timeline,
  end: WriterEnd,
): string | null {
  const { verdict, passed, failed, skipped, atMs, wallMs, lagMs, logSha256, deliveries, reason } = notice;
  const why = `${CHECK_TERMS[verdict === 'known_failure' ? verdict : 'skipped'].word}  ${printable(reason ?? '')}`;
  if (verdict === 'skipped') return why;
  const counts = deliveriesText(deliveries);
  const strip = timeline.strip(atMs);
  const log = logSha256 === null ? '' : paint('dim', `log sha256  ${logSha256}`);
  const late = lagMs === 0 ? '' : `fell ${(lagMs / 1_000).toFixed(1)} s behind its pace`;
  const word = paint(runTerm(verdict).token, verdict === 'error' ? verdict : runTerm(verdict).word);
  const time = `${formatDuration(atMs)} simulated in ${(wallMs / 1000).toFixed(1)} s`;
  const lines = [
    strip === null ? '' : paint('dim', strip),
    counts === null ? '' : `deliveries  ${counts}`,
    end === 'open' ? late : '',
    log,
    end === 'open' ? '' : `${word}  ${time}${late === '' ? '' : `, ${late}`}`,
    verdict === 'known_failure' ? why : '',
    end === 'open' ? '' : `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  ].filter((line) => line !== '');
  return lines.length === 0 ? null : lines.join('\n');
}
