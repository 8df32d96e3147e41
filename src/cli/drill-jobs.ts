/** `sandbox drill --jobs n`: processes that each play every n-th run, and report them as lines of JSON. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { DrillRun } from '../drill/play.ts';
import type { DrillFlags } from './drill.ts';
import { JOB_VARIABLE } from './job-variable.ts';
import { CommandError, EXIT, talkOfChild } from './output.ts';

/** A run that has ended, and the place of its layout. */
export interface DrillRow {
  readonly layout: number;
  readonly run: DrillRun;
}

export interface DrillJobs {
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
  const script = process.argv[1];
  if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
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
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, script, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GITHUB_ACTIONS: '', [JOB_VARIABLE]: '1' },
    });
    let stderr = '';
    createInterface({ input: child.stdout }).on('line', (line) => onRow(JSON.parse(line) as DrillRow));
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (code === EXIT.done || signal.aborted) return resolve();
      if (stderr !== '') talkOfChild(stderr.trimEnd());
      const message = `A process of --jobs ended with ${code} before its runs were over.`;
      reject(new CommandError(EXIT.environment, 'job_ended', message, { actions: ['Run it again with --jobs 1.'] }));
    });
  });
}
