/** Writes a run as plain lines, one fact per line, starting with simulated time: for logs, pipes and CI. */

import { printable } from '../../base/text/printable.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { formatClockTime } from '../../base/time/instants.ts';
import { musterLine } from '../log/muster-figures.ts';
import type { DeliveryCounts, RunNotice, RunSink, RunVerdict } from '../log/run-notices.ts';
import { shownCase } from '../model/scenario.ts';
import { Timeline } from './timeline.ts';

/** Column after which the time of a result is printed. */
const TEXT_COLUMN = 72;

/** Colours a text with an SGR code, or returns it unchanged. */
export type Paint = (code: number, text: string) => string;

const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const BOLD = 1;
const GREY = 90;

/** A sink that passes complete lines to `write`; the command line connects it to stderr. */
export function plainWriter(write: (text: string) => void, paint: Paint = (_code, text) => text): RunSink {
  const timeline = new Timeline();
  return (notice) => {
    timeline.add(notice);
    const text = textOf(notice, paint, timeline);
    if (text !== null) write(`${text}\n`);
  };
}

/** Each fact is one line: line breaks in titles, marks and reasons are escaped. Only failures have several lines. */
function textOf(notice: RunNotice, paint: Paint, timeline: Timeline): string | null {
  switch (notice.kind) {
    case 'failure':
      return notice.text.replace(/^FAIL/, paint(RED, 'FAIL'));
    case 'run-ended':
      return ended(notice, paint, timeline);
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
      return `${paint(BOLD, file)}  ${scenario}  (${mode === 'scaled' ? `scaled x${speed}` : mode}, seed ${seed}${asCase})`;
    }
    case 'step-began':
      // A check is printed once, with its result.
      return notice.judged ? null : at(notice.atMs, ' ', notice.text);
    case 'mark':
      return at(notice.atMs, '#', paint(BOLD, notice.text));
    case 'step-refused':
      return at(notice.atMs, paint(RED, '✗'), `${notice.text}  ${notice.detail}`);
    case 'step-skipped':
      return at(notice.atMs, paint(YELLOW, '-'), `${notice.text}  skipped: ${notice.why}`);
    case 'expectation-passed':
      return at(notice.atMs, paint(GREEN, '✓'), waited(notice.text, notice.waitedMs, paint));
    case 'expectation-failed':
      return at(notice.atMs, paint(RED, '✗'), waited(notice.text, notice.waitedMs, paint));
    case 'muster-figures':
      return at(notice.atMs, '·', paint(GREY, musterLine(notice.muster)));
    case 'finally-began':
      return at(notice.atMs, '#', paint(BOLD, 'finally'));
  }
}

/** Describes the outcome of the run's deliveries; null without deliveries. */
export function deliveriesText({ delivered, retried, lost, failing }: DeliveryCounts): string | null {
  if (delivered + lost + failing === 0) return null;
  const pending = failing === 0 ? '' : `, ${failing} still failing`;
  return `${delivered} ok, ${retried} of them retried, ${lost} lost${pending}`;
}

function at(ms: number, sign: string, text: string): string {
  return `${formatClockTime(ms)} ${sign} ${text}`;
}

function waited(text: string, ms: number, paint: Paint): string {
  return ms === 0 ? text : `${text.padEnd(TEXT_COLUMN)}  ${paint(GREY, `waited ${formatDuration(ms)}`)}`;
}

const COLOURS: Readonly<Record<RunVerdict, number>> = {
  passed: GREEN,
  failed: RED,
  error: RED,
  skipped: YELLOW,
  known_failure: YELLOW,
};

// The reason for an abort is not printed here: the caller prints it, with the fix.
function ended(notice: Extract<RunNotice, { kind: 'run-ended' }>, paint: Paint, timeline: Timeline): string {
  const { verdict, passed, failed, skipped, atMs, wallMs, lagMs, logSha256, deliveries, reason } = notice;
  if (verdict === 'skipped') return `${paint(YELLOW, 'skipped')}  ${printable(reason ?? '')}`;
  const late = lagMs === 0 ? '' : `, due work up to ${Math.round(lagMs)} ms late`;
  const time = `${formatDuration(atMs)} simulated in ${(wallMs / 1000).toFixed(1)} s${late}`;
  const log = logSha256 === null ? '' : paint(GREY, `  log sha256 ${logSha256}`);
  const counts = deliveriesText(deliveries);
  const brought = counts === null ? [] : [`deliveries  ${counts}`];
  const strip = timeline.strip(atMs);
  return [
    ...(strip === null ? [] : [paint(GREY, strip)]),
    ...brought,
    `${paint(COLOURS[verdict], verdict.replace('_', ' '))}  ${time}${log}`,
    ...(verdict === 'known_failure' ? [`known failure: ${printable(reason ?? '')}`] : []),
    `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
  ].join('\n');
}
