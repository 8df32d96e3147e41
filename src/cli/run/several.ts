/** What `sandbox run` shows of several runs: their steps, or one entry each with the failures at the end, or one line for each failed run. */
import { basename } from 'node:path';
import { formatDuration } from '../../base/time/durations.ts';
import { later, monotonicMs } from '../../base/time/timers.ts';
import { isAccepted } from '../../scenario/log/run-notices.ts';
import { shownCase } from '../../scenario/model/scenario.ts';
import type { RunResult } from '../../scenario/playing/run-file.ts';
import { runData } from '../../scenario/reporting/run-data.ts';
import { colourOf, talkLine } from '../output.ts';
import { EntryLines, entryColumns, type VerdictEntry } from '../verdict.ts';
import type { RunFlags } from './flags.ts';
import type { PlannedRun } from './plan.ts';
import { ALIVE_EVERY_MS, type Progress, progress } from './sink.ts';
import { type RunOutput, resultLine } from './summary.ts';

/** Up to this number of different seeds and orders, each run is listed. */
const MOST_DRAWS = 10;

/** The same limit for the total number of runs of all scenarios. */
const MOST_RUNS = 100;

/** What is shown of the runs. A run that a person may look at while it is held prints its steps. */
export function shownOf(runs: readonly PlannedRun[], { verbose, keep, pause }: RunFlags): RunOutput {
  const draws = new Set(runs.map(({ seed = '', order }) => `${seed}/${order}`));
  if (draws.size > MOST_DRAWS || runs.length > MOST_RUNS) return 'failures';
  return runs.length < 2 || verbose === true || keep === true || pause === true ? 'steps' : 'entries';
}

/** Takes the results of the runs as they end. On a terminal the last line is the progress, which is redrawn. */
export class SeveralRuns {
  readonly #runs: readonly PlannedRun[];
  readonly #lines: EntryLines | null;
  readonly #progress: Progress = progress();
  readonly #begunMs = monotonicMs();
  #done = 0;
  #failed = 0;
  #stopAlive = () => {};

  constructor(runs: readonly PlannedRun[], shown: Exclude<RunOutput, 'steps'>) {
    this.#runs = runs;
    const write = (line: string) => {
      this.#progress.erase();
      talkLine(line);
    };
    const { stderr } = process;
    this.#lines = shown === 'failures' ? null : new EntryLines(entryColumns(stderr), colourOf(stderr), write);
    this.#progress.show(this.#standing());
    this.#staysAlive();
  }

  /** A run may take longer than a CI system waits for output. */
  #staysAlive(): void {
    const show = () => {
      this.#progress.show(this.#standing());
      this.#staysAlive();
    };
    this.#stopAlive = later(ALIVE_EVERY_MS, show, { unref: true });
  }

  ended(planned: PlannedRun, result: RunResult): void {
    this.#done++;
    const isFailed = !isAccepted(result.verdict);
    if (isFailed) this.#failed++;
    if (this.#lines !== null) this.#lines.add(judgedRun(planned, result, this.#runs));
    else if (isFailed) {
      this.#progress.erase();
      talkLine(resultLine(runData(result)));
    }
    if (this.#done < this.#runs.length) this.#progress.show(this.#standing());
  }

  end(): void {
    this.#stopAlive();
    this.#progress.erase();
    this.#progress.stop();
    this.#lines?.end();
  }

  #standing(): string {
    const tookMs = monotonicMs() - this.#begunMs;
    const total = this.#runs.length;
    const leftMs = (tookMs / this.#done) * (total - this.#done);
    const left = this.#done === 0 ? '' : `, about ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)} left`;
    return `${this.#done} of ${total} runs, ${this.#failed} failed${left}`;
  }
}

/** A run as an entry: its file, and what distinguishes it from the other runs of that file. */
function judgedRun(planned: PlannedRun, result: RunResult, runs: readonly PlannedRun[]): VerdictEntry {
  const { file, values, order } = planned;
  const short = shortName(file);
  const isAlone = runs.every((one) => one.file === file || shortName(one.file) !== short);
  const differs = (of: (one: PlannedRun) => unknown): boolean =>
    new Set(runs.filter((one) => one.file === file).map(of)).size > 1;
  const parts = [
    isAlone ? short : file,
    ...(values === null ? [] : [shownCase(values)]),
    ...(differs(({ seed }) => seed) ? [`seed ${result.seed}`] : []),
    ...(order === 0 && !differs((one) => one.order) ? [] : [`order ${order}`]),
  ];
  const { verdict, passed, failed, reason } = result;
  return {
    name: parts.join(' '),
    result: verdict === 'error' ? 'failed' : verdict,
    checks: verdict === 'passed' ? passed + failed : null,
    why: verdict === 'error' ? null : reason,
  };
}

const shortName = (file: string): string => basename(file).replace(/(?:\.scenario)?\.ya?ml$/, '');
