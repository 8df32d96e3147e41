/**
 * Plays a planned run with the flags of `sandbox run`, in the process of the command or in a process of `--jobs`. The
 * latter plays the runs that its parent sends until the IPC channel closes.
 */

import { join } from 'node:path';
import type { CoverageView } from '../../contract/operations/coverage.ts';
import { VERSION } from '../../sandbox/version.ts';
import type { Boot } from '../../scenario/playing/ports.ts';
import { type RunResult, runFile } from '../../scenario/playing/run-file.ts';
import type { RunOptions } from '../../scenario/playing/run-options.ts';
import { plainWriter } from '../../scenario/reporting/plain-writer.ts';
import type { RunReport } from '../../scenario/reporting/report-data.ts';
import { EXIT, presentable } from '../output.ts';
import { runUntilSignal } from '../signals.ts';
import type { RunFlags } from './flags.ts';
import { type PlannedRun, textsOf, valuesOf } from './plan.ts';
import { RunReports } from './reports.ts';

/**
 * Loads the code of the sandbox only after the file was read. A file with mistakes is therefore refused 0.2 s earlier.
 */
export const bootWhenRead: Boot = async (options) => (await import('../../sandbox/boot.ts')).bootStage(options);

export interface JobOrder {
  readonly planned: PlannedRun;
  /** Flags from the parent's command line and configuration. */
  readonly flags: RunFlags;
}

export interface JobAnswer {
  readonly result: RunResult;
  /** The data for reports, if requested. */
  readonly report: RunReport | null;
  /** One at most; none without `--coverage`. */
  readonly coverages: readonly CoverageView[];
  /** Progress lines, formatted for a terminal. */
  readonly text: string;
}

/** Ends when the channel closes, even if the parent died, or after a signal. */
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
  const reports = new RunReports(flags);
  const lines: string[] = [];
  const witness = reports.witness();
  const sink = plainWriter((text) => void lines.push(text));
  const coverages: CoverageView[] = [];
  const onCoverage = isCovered(flags) ? (one: CoverageView) => void coverages.push(one) : undefined;
  const looks = { signal, witness, out: outOf(reports, planned), sink, onCoverage };
  const result = await playPlanned(planned, flags, looks);
  const trouble = troubleText(result);
  if (trouble !== null) lines.push(`${trouble}\n`);
  const report = witness === undefined ? null : reports.reportOf(result, witness);
  await answer({ result, report, coverages, text: presentable(lines.join('')) });
}

/** Resolves when the answer is sent, so that the process may end. */
const answer = (one: JobAnswer): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(one, undefined, {}, () => resolve());
    else resolve();
  });

// Plays one planned run with the flags of `sandbox run`, in the command's process or a job process.

type PlannedPlayOptions = Pick<
  RunOptions,
  'signal' | 'keep' | 'pause' | 'onLogLine' | 'witness' | 'out' | 'sink' | 'onCoverage'
>;

export function playPlanned(
  { file, values, seed, order, shufflesTies, isFound }: PlannedRun,
  flags: RunFlags,
  options: PlannedPlayOptions,
): Promise<RunResult> {
  const { mode, speed, until, timeout: timeoutMs } = flags;
  return runFile(file, {
    mode,
    speed,
    seed,
    order: flags.orders === undefined && !shufflesTies ? undefined : order,
    skipsOtherModes: isFound,
    shufflesTies,
    until,
    values,
    timeoutMs,
    ...options,
    ...runInputsOf(flags),
    boot: bootWhenRead,
    version: VERSION,
  });
}

export const isCovered = ({ coverage, coverageFloor }: RunFlags): boolean =>
  coverage !== undefined || coverageFloor !== undefined;

/** The parsed values of `--set` and `--receiver`. */
export const runInputsOf = ({ set, receiver }: RunFlags) => ({
  set: valuesOf(set),
  setTexts: textsOf(set),
  receivers: new Map(receiver.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])),
});

/** The explanation of a run without a result; null for any other run. */
export function troubleText({ mistakes, error }: RunResult): string | null {
  if (mistakes !== null) return mistakes;
  return error === null ? null : `error  ${error.message}\n       ${error.fix}`;
}

/** The folder of one run's log. */
export const outOf = ({ out: all }: RunReports, { folder }: PlannedRun): string | undefined =>
  all === null ? undefined : join(all, folder);
