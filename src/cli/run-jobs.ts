/** Runs of `sandbox run --jobs n`: each in a process of its own, so many at a time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { shownCase } from '../scenario/bindings.ts';
import type { RunReport } from '../scenario/report/report-data.ts';
import type { RunData } from '../scenario/run-data.ts';
import { CommandError, EXIT } from './exit.ts';
import { JOB_VARIABLE } from './job-variable.ts';
import { talkOfChild } from './output.ts';
import type { PlannedRun } from './run-plan.ts';

export interface JobsAsked {
  readonly jobs: number;
  /** Flags that every run gets as they are. */
  readonly passed: readonly string[];
  /** The folder of all reports; null: none are written. */
  readonly out: string | null;
  readonly failFast: boolean;
  readonly signal: AbortSignal;
}

export interface JobEnd {
  readonly data: RunData | null;
  readonly exitCode: number;
  /** What its reports are made from, where any are wanted. */
  readonly report: RunReport | null;
  readonly folder: string;
}

/** The ends in the order of the runs; with `failFast` those that were not begun are missing. */
export async function runJobs(
  runs: readonly PlannedRun[],
  { jobs, passed, out, failFast, signal }: JobsAsked,
): Promise<JobEnd[]> {
  const ends: JobEnd[] = [];
  let next = 0;
  let over = false;
  const worker = async () => {
    while (!over && !signal.aborted && next < runs.length) {
      const index = next++;
      const end = await oneJob(runs[index] as PlannedRun, out, passed, signal);
      ends[index] = end;
      if (failFast && end.exitCode !== EXIT.done) over = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, worker));
  return ends.filter((end) => end !== undefined);
}

function oneJob(
  { file, values, seed, folder }: PlannedRun,
  out: string | null,
  passed: readonly string[],
  signal: AbortSignal,
): Promise<JobEnd> {
  const cases = Object.entries(values ?? {}).flatMap(([name, value]) => ['--case', shownCase({ [name]: value })]);
  const own = [
    ...cases,
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(out === null ? [] : ['--out', join(out, folder)]),
  ];
  const script = process.argv[1];
  if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...process.execArgv, script, 'run', file, '--json', ...passed, ...own], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its annotations are told once, by this process.
      env: { ...process.env, GITHUB_ACTIONS: '', [JOB_VARIABLE]: '1' },
    });
    let [stdout, stderr] = ['', ''];
    let report: RunReport | null = null;
    child.on('message', (message) => {
      ({ report } = message as { report: RunReport });
    });
    child.stdout?.on('data', (bytes: Buffer) => {
      stdout += bytes;
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      stderr += bytes;
    });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      talkOfChild(stderr.trimEnd());
      resolve({ data: dataIn(stdout), exitCode: code ?? EXIT.interrupted, report, folder });
    });
  });
}

/** The last line of stdout is the envelope; its one run. */
function dataIn(stdout: string): RunData | null {
  try {
    const line = stdout.trimEnd().split('\n').at(-1) ?? '';
    const { data } = JSON.parse(line) as { data: { runs: RunData[] } | null };
    return data?.runs[0] ?? null;
  } catch {
    return null;
  }
}
