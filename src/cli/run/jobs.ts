/** `sandbox run --jobs n`: a pool of n processes, each of which plays many runs one after the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { later } from '../../base/time/timers.ts';
import type { CoverageView } from '../../contract/operations/coverage.ts';
import { againOf } from '../../scenario/model/again.ts';
import { NOTHING_PLAYED, type RunResult } from '../../scenario/playing/run-file.ts';
import type { RunReport } from '../../scenario/reporting/report-data.ts';
import { JOB_VARIABLE } from '../job-variable.ts';
import { CommandError, EXIT, talkOfChild } from '../output.ts';
import type { RunFlags } from './flags.ts';
import { endsFast } from './orders.ts';
import type { PlannedRun } from './plan.ts';
import { type JobAnswer, type JobOrder, runInputsOf } from './worker.ts';

/** After this number of runs, a process is replaced, to bound leaked memory. */
const MOST_RUNS_A_PROCESS = 100;

/** Time after Ctrl-C until a process is killed. It is shorter than that of the command itself; wall ms. */
const KILL_AFTER_MS = 1_500;

interface JobsRequest {
  readonly jobs: number;
  readonly flags: RunFlags;
  readonly signal: AbortSignal;
  readonly onEnd: (end: JobEnd) => void;
}

interface JobEnd {
  readonly planned: PlannedRun;
  readonly result: RunResult;
  /** The data for reports, if requested. */
  readonly report: RunReport | null;
  readonly coverages: readonly CoverageView[];
  /** Progress lines, formatted by the process. */
  readonly text: string;
}

/**
 * Returns the results in the order of the runs. Runs that were not begun, after a failure with `failFast` or after
 * Ctrl-C, are left out.
 */
export async function runJobs(runs: readonly PlannedRun[], request: JobsRequest): Promise<JobEnd[]> {
  const { jobs, flags, signal, onEnd } = request;
  const ends: JobEnd[] = [];
  let next = 0;
  let over = false;
  const inTurn = async () => {
    let job: Job | null = null;
    while (!over && !signal.aborted && next < runs.length) {
      const index = next++;
      const planned = runs[index] as PlannedRun;
      job ??= new Job(planned, flags, signal);
      const end = { planned, ...((await job.play(planned)) ?? crashed(planned, flags, job, signal)) };
      ends[index] = end;
      onEnd(end);
      if (flags.failFast === true && endsFast(end.result, flags)) over = true;
      if (job.isSpent) {
        await job.end();
        job = null;
      }
    }
    await job?.end();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, inTurn));
  return ends.filter((end) => end !== undefined);
}

/** One process; runs and flags are sent over its IPC channel. */
class Job {
  readonly #flags: RunFlags;
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #played = 0;
  #answered: (answer: JobAnswer | null) => void = () => {};
  #isOver = false;

  constructor({ file }: PlannedRun, flags: RunFlags, signal: AbortSignal) {
    this.#flags = flags;
    const script = process.argv[1];
    if (script === undefined) throw new CommandError(EXIT.bug, 'no_script', 'The command does not know its own file.');
    const child = spawn(process.execPath, [...process.execArgv, script, 'run', '--', file], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Results contain a Map, which JSON cannot represent.
      serialization: 'advanced',
      // GITHUB_ACTIONS stays set: the texts of the process must contain no commands of GitHub either.
      env: { ...process.env, [JOB_VARIABLE]: '1' },
    });
    this.#child = child;
    child.on('message', (message) => this.#answered(message as JobAnswer));
    // A process prints something only if it crashes, or if Node prints a warning.
    child.stderr?.on('data', (bytes: Buffer) => talkOfChild(bytes.toString().trimEnd()));
    let unkill = () => {};
    const interrupt = () => {
      child.kill('SIGINT');
      unkill = later(KILL_AFTER_MS, () => child.kill('SIGKILL'));
    };
    signal.addEventListener('abort', interrupt, { once: true });
    this.#closed = new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener('abort', interrupt);
        unkill();
        this.#isOver = true;
        this.#answered(null);
        resolve();
      };
      child.once('error', end);
      // Node emits no `close` after `disconnect()`. Messages that were sent before the exit are read before the channel
      // closes.
      child.once('exit', () => (child.connected ? child.once('disconnect', end) : end()));
    });
  }

  get ending(): string {
    const { signalCode, exitCode } = this.#child;
    return signalCode === null ? `with code ${exitCode}` : `by ${signalCode}`;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  get isSpent(): boolean {
    return this.#isOver || this.#played >= MOST_RUNS_A_PROCESS;
  }

  /** Resolves with null if the process ended before answering. */
  play(planned: PlannedRun): Promise<JobAnswer | null> {
    this.#played++;
    return new Promise((resolve) => {
      this.#answered = (answer) => {
        this.#answered = () => {};
        resolve(answer);
      };
      if (this.#isOver) return this.#answered(null);
      const order: JobOrder = { planned, flags: this.#flags };
      this.#child.send(order, () => {});
    });
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#closed;
  }
}

/** The result if the process died during the run, which is an error of this run only. */
function crashed(planned: PlannedRun, flags: RunFlags, job: Job, signal: AbortSignal): JobAnswer {
  const { file, values, seed = '', order, shufflesTies } = planned;
  const own = job.exitCode === EXIT.bug;
  const error = signal.aborted
    ? { code: 'interrupted', message: 'The run was interrupted.', fix: 'Run it again.' }
    : {
        code: own ? 'bug' : 'process_died',
        message: `The process of this run ended ${job.ending} before the run was over.`,
        fix: 'Run it again without --jobs; a machine that is short of memory kills processes.',
      };
  const result: RunResult = {
    file,
    scenario: file,
    values,
    seed,
    order,
    mode: flags.mode,
    verdict: 'error',
    error,
    mistakes: null,
    exitCode: signal.aborted ? EXIT.interrupted : own ? EXIT.bug : EXIT.environment,
    again: againOf({ file, values }, seed, { ...flags, ...runInputsOf(flags), order, shufflesTies }),
    ...NOTHING_PLAYED,
    reason: null,
  };
  return {
    result,
    report: null,
    coverages: [],
    text: `${file}  seed ${seed}\nerror  ${error.message}\n       ${error.fix}`,
  };
}
