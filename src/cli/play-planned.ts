/** Plays one planned run with the flags of `sandbox run`, in the command's process or a job process. */
import { join } from 'node:path';
import { bootStage } from '../sandbox/boot.ts';
import { VERSION } from '../sandbox/version.ts';
import { type RunOptions, type RunResult, runFile } from '../scenario/playing/run-file.ts';
import type { RunFlags } from './run-flags.ts';
import { type PlannedRun, valuesOf } from './run-plan.ts';
import type { RunReports } from './run-reports.ts';

export type PlannedPlayOptions = Pick<
  RunOptions,
  'signal' | 'keep' | 'pause' | 'onLogLine' | 'witness' | 'out' | 'sink'
>;

export function playPlanned(
  { file, values, seed, order }: PlannedRun,
  flags: RunFlags,
  options: PlannedPlayOptions,
): Promise<RunResult> {
  const { mode, speed, until, timeout: timeoutMs } = flags;
  return runFile(file, {
    ...{ mode, speed, seed, order, until, values, timeoutMs, ...options },
    ...askedOf(flags),
    boot: bootStage,
    version: VERSION,
  });
}

/** `--set` and `--receiver`, parsed. */
export const askedOf = ({ set, receiver }: RunFlags) => ({
  set: valuesOf(set),
  receivers: new Map(receiver.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)])),
});

/** The explanation of a run without a verdict; null for any other. */
export function troubleText({ mistakes, error }: RunResult): string | null {
  if (mistakes !== null) return mistakes;
  return error === null ? null : `error  ${error.message}\n       ${error.cure}`;
}

/** The folder of one run's log. */
export const outOf = ({ out: all }: RunReports, { folder }: PlannedRun): string | undefined =>
  all === null ? undefined : join(all, folder);
