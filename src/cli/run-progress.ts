/** Progress of `sandbox run` with very many runs: a line per failure, and a counter on a terminal. */

import { formatDuration } from '../base/durations.ts';
import { monotonicMs } from '../base/timers.ts';
import type { RunResult } from '../scenario/playing/run-file.ts';
import { runData } from '../scenario/reporting/run-data.ts';
import { talkLine } from './output.ts';
import type { PlannedRun } from './run-plan.ts';
import { type Progress, progress } from './run-sink.ts';
import { failureLine } from './run-summary.ts';

/** Up to this number of draws (seeds times orders) of one story, each run prints its steps. */
const MOST_DRAWS = 10;

/** The same limit for the runs of all stories together. */
const MOST_RUNS = 100;

/** Whether there are too many runs to print the steps of each. */
export function isMany(runs: readonly PlannedRun[]): boolean {
  const draws = new Set(runs.map(({ seed = '', order }) => `${seed}/${order}`));
  return draws.size > MOST_DRAWS || runs.length > MOST_RUNS;
}

export class ManyRuns {
  readonly #total: number;
  readonly #progress: Progress = progress();
  readonly #begunMs = monotonicMs();
  #done = 0;
  #failed = 0;

  constructor(total: number) {
    this.#total = total;
  }

  ended(result: RunResult): void {
    this.#done++;
    if (result.verdict !== 'passed') {
      this.#failed++;
      this.#progress.erase();
      talkLine(failureLine(runData(result)));
    }
    this.#progress.show(this.#standing());
  }

  end(): void {
    this.#progress.erase();
    this.#progress.stop();
  }

  #standing(): string {
    const tookMs = monotonicMs() - this.#begunMs;
    const leftMs = (tookMs / this.#done) * (this.#total - this.#done);
    const left = this.#done < this.#total ? `, about ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)} left` : '';
    return `${this.#done} of ${this.#total} runs, ${this.#failed} failed${left}`;
  }
}
