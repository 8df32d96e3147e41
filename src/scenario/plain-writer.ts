/** Writes a run as plain lines, one fact a line, simulated time first: for logs, pipes and CI. */
import { formatDuration } from '../base/durations.ts';
import { formatClockTime } from '../base/instants.ts';
import type { RunNotice, RunSink } from './run-notices.ts';

/** The verdict's time stands right of this column. */
const TEXT_COLUMN = 72;

/** A sink that writes whole lines to `write`, which the command line connects to stderr. */
export function plainWriter(write: (text: string) => void): RunSink {
  return (notice) => {
    const text = textOf(notice);
    if (text !== null) write(`${text}\n`);
  };
}

function textOf(notice: RunNotice): string | null {
  switch (notice.kind) {
    case 'run-began': {
      const { file, scenario, mode, speed, seed } = notice;
      return `${file}  ${scenario}  (${mode === 'scaled' ? `scaled x${speed}` : mode}, seed ${seed})`;
    }
    case 'step-began':
      // A check is told once, with its verdict.
      return /^(?:expect|check|never) /.test(notice.text) ? null : at(notice.atMs, ' ', notice.text);
    case 'mark':
      return at(notice.atMs, '#', notice.text);
    case 'step-refused':
      return at(notice.atMs, '✗', `${notice.text}  ${notice.detail}`);
    case 'expectation-passed':
      return at(notice.atMs, '✓', waited(notice.text, notice.waitedMs));
    case 'expectation-failed':
      return at(notice.atMs, '✗', waited(notice.text, notice.waitedMs));
    case 'failure':
      return notice.text;
    case 'finally-began':
      return at(notice.atMs, '#', 'finally');
    case 'run-ended':
      return ended(notice);
  }
}

function at(ms: number, sign: string, text: string): string {
  return `${formatClockTime(ms)} ${sign} ${text}`;
}

function waited(text: string, ms: number): string {
  return ms === 0 ? text : `${text.padEnd(TEXT_COLUMN)}  waited ${formatDuration(ms)}`;
}

function ended(notice: Extract<RunNotice, { kind: 'run-ended' }>): string {
  const { verdict, passed, failed, atMs, wallMs, logSha256, error } = notice;
  const time = `${formatDuration(atMs)} simulated in ${(wallMs / 1000).toFixed(1)} s`;
  const log = logSha256 === null ? '' : `, log sha256 ${logSha256}`;
  const why = error === null ? '' : `\n${error}`;
  return `${verdict}: ${time}${log}${why}\n${passed} passed, ${failed} failed`;
}
