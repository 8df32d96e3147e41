/** `sandbox drill --jobs n`: processes that each play every n-th run, and report each run as a line of JSON. */
import type { DrillRun } from '../../proving/drill/play.ts';
import { runLineJob } from '../line-job.ts';
import { EXIT } from '../output.ts';
import type { DrillFlags } from './flags.ts';

/** A run that has ended, and the index of its layout. */
export interface DrillRow {
  readonly layout: number;
  readonly run: DrillRun;
}

interface DrillJobs {
  readonly flags: DrillFlags;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onRow: (row: DrillRow) => void;
}

/** Resolves when all processes have ended; rejects if one ends before its share is played. */
export async function drillInProcesses({ flags, jobs, signal, onRow }: DrillJobs): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const shares = Array.from({ length: jobs }, (_, index) => playShare(flags, `${index + 1}/${jobs}`, either, onRow));
  try {
    await Promise.all(shares);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(shares);
    throw error;
  }
}

function playShare(flags: DrillFlags, share: string, signal: AbortSignal, onRow: DrillJobs['onRow']): Promise<void> {
  const { site = [], compare, kind, runs, seed, people, watches, exclude = [], after, limit } = flags;
  const count = people ?? watches;
  const words = [
    ...['drill', '--share', share, '--kind', kind, '--runs', String(runs), '--seed', seed],
    ...['--after', `${after}ms`, '--limit', `${limit}ms`],
    ...site.flatMap((file) => ['--site', file]),
    ...(compare === undefined ? [] : ['--compare', compare]),
    ...exclude.flatMap((name) => ['--exclude', name]),
    ...(count === undefined ? [] : ['--people', String(count)]),
  ];
  const onLine = (line: string) => onRow(JSON.parse(line) as DrillRow);
  return runLineJob({ words, signal, onLine, isDone: (code) => code === EXIT.done });
}
