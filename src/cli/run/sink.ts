/**
 * Prints the progress of runs. On a terminal it is redrawn in place; elsewhere it is plain lines, with a heartbeat if
 * nothing else is printed.
 */
import { later, monotonicMs } from '../../base/time/timers.ts';
import type { RunSink } from '../../scenario/log/run-notices.ts';
import { liveWriter } from '../../scenario/reporting/live-writer.ts';
import { plainWriter, type WriterEnd } from '../../scenario/reporting/plain-writer.ts';
import { wordWrapped } from '../live-lines.ts';
import { colourOf, presentable } from '../output.ts';

/** Heartbeat interval, since CI systems kill jobs without output; wall ms. */
export const ALIVE_EVERY_MS = 30_000;

/** `end`: as of `plainWriter`. */
export function runSink(end: WriterEnd): RunSink {
  const { stderr } = process;
  const paint = colourOf(stderr);
  /** On a terminal no line breaks inside a word. */
  const write = (text: string) => {
    const lines = presentable(text).split('\n');
    const rows = stderr.isTTY === true ? lines.flatMap((line) => wordWrapped(line, stderr.columns || 80)) : lines;
    stderr.write(rows.join('\n'));
  };
  const erase = (lines: number) => void stderr.write(`\x1b[${lines}A\x1b[J`);
  // Terminals of CI systems keep lines that were redrawn.
  const inPlace = stderr.isTTY === true && process.env['CI'] === undefined && process.env['TERM'] !== 'dumb';
  const sink = inPlace
    ? liveWriter({ write, erase, paint, columns: () => stderr.columns || 80, monotonic: monotonicMs, end })
    : plainWriter(write, paint, end);
  let quiet = () => {};
  const begunMs = monotonicMs();
  const alive = () => {
    quiet = later(
      ALIVE_EVERY_MS,
      () => {
        write(`… still running after ${Math.round((monotonicMs() - begunMs) / 1000)} s\n`);
        alive();
      },
      { unref: true },
    );
  };
  return (notice) => {
    quiet();
    sink(notice);
    if (notice.kind !== 'run-ended' && !inPlace) alive();
  };
}

/** Progress of many runs: one line that is redrawn in place on a terminal, and a heartbeat elsewhere. */
export interface Progress {
  show(text: string): void;
  erase(): void;
  stop(): void;
}

/** Minimum interval between redraws; wall ms. */
const DRAW_EVERY_MS = 100;

export function progress(): Progress {
  const { stderr } = process;
  const inPlace = stderr.isTTY === true && process.env['CI'] === undefined && process.env['TERM'] !== 'dumb';
  const everyMs = inPlace ? DRAW_EVERY_MS : ALIVE_EVERY_MS;
  let shownAt = inPlace ? Number.NEGATIVE_INFINITY : monotonicMs();
  let drawn = false;
  const erase = () => {
    if (drawn) stderr.write('\r\x1b[K');
    drawn = false;
  };
  return {
    show: (text) => {
      if (monotonicMs() - shownAt < everyMs) return;
      shownAt = monotonicMs();
      erase();
      stderr.write(presentable(inPlace ? text : `… ${text}\n`));
      drawn = inPlace;
    },
    erase,
    stop: erase,
  };
}
