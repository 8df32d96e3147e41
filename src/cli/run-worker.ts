/** A process of `sandbox run --jobs`: plays the runs that its parent sends until the IPC channel closes. */

import type { RunResult } from '../scenario/playing/run-file.ts';
import { plainWriter } from '../scenario/reporting/plain-writer.ts';
import type { RunReport } from '../scenario/reporting/report-data.ts';
import { EXIT, presentable } from './output.ts';
import { outOf, playPlanned, troubleText } from './play-planned.ts';
import type { RunFlags } from './run-flags.ts';
import type { PlannedRun } from './run-plan.ts';
import { RunReports } from './run-reports.ts';
import { runUntilSignal } from './signals.ts';

export interface JobOrder {
  readonly planned: PlannedRun;
  /** Flags from the parent's command line and configuration. */
  readonly flags: RunFlags;
}

export interface JobAnswer {
  readonly result: RunResult;
  /** The data for reports, if requested. */
  readonly report: RunReport | null;
  /** Progress lines, formatted for a terminal. */
  readonly text: string;
}

/** Ends when the channel closes, also by the parent's death, or after a signal. */
export async function workRuns(): Promise<number> {
  const running = runUntilSignal();
  const interrupt = new AbortController();
  void running.ended.then(() => interrupt.abort());
  let last: Promise<void> = Promise.resolve();
  const over = new Promise<void>((resolve) => {
    process.once('disconnect', () => {
      interrupt.abort();
      resolve();
    });
    interrupt.signal.addEventListener('abort', () => resolve());
    process.on('message', (message) => {
      last = last.then(() => play(message as JobOrder, interrupt.signal));
    });
  });
  await over;
  await last;
  running.done();
  return interrupt.signal.aborted ? EXIT.interrupted : EXIT.done;
}

async function play({ planned, flags }: JobOrder, signal: AbortSignal): Promise<void> {
  const reports = new RunReports(flags.report, flags.out);
  const lines: string[] = [];
  const witness = reports.witness();
  const sink = plainWriter((text) => void lines.push(text));
  const result = await playPlanned(planned, flags, { signal, witness, out: outOf(reports, planned), sink });
  const trouble = troubleText(result);
  if (trouble !== null) lines.push(`${trouble}\n`);
  const report = witness === undefined ? null : reports.reportOf(result, witness);
  await answer({ result, report, text: presentable(lines.join('')) });
}

/** Resolves when the answer is sent, so that the process may end. */
const answer = (one: JobAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(one, undefined, {}, () => resolve());
    else resolve();
  });
