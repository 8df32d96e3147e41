/** What steps that do something have in common: real work while time stands still, and what is told of its outcome. */
import type { Clock, Instant } from '../../base/clock.ts';
import type { ApiRefusal } from '../customer/customer.ts';
import type { RunReporter } from '../judging/telling.ts';
import type { StepFrame } from '../story/story.ts';

export interface StepWorkParts {
  readonly clock: Clock;
  readonly telling: RunReporter;
  /** Simulated ms that answers may take in real and scaled time. */
  readonly slackMs: number;
  turn(due: Instant): Promise<void>;
}

export class StepWork {
  readonly #parts: StepWorkParts;
  /** In lock-step one thing is done after the other, so that answers come in one order. */
  #before: Promise<void> = Promise.resolve();

  constructor(parts: StepWorkParts) {
    this.#parts = parts;
  }

  /** Real work: time stands still while it goes on, and the story goes on when all that came of it is done. */
  async work<T>(step: StepFrame, work: () => Promise<T>): Promise<T> {
    const { clock, turn } = this.#parts;
    const before = this.#before;
    let done = () => {};
    if (clock.mode === 'lockstep') {
      this.#before = new Promise((resolve) => {
        done = resolve;
      });
      await before;
    }
    const release = clock.hold('http', () => `line ${step.line}: ${step.text}`);
    try {
      const answer = await work();
      const quiet = turn(clock.now());
      release();
      await quiet;
      return answer;
    } finally {
      release();
      done();
    }
  }

  /** When an action was done, but for the wall time that its answer took. */
  actedAt(begin: Instant): Instant {
    return Math.max(begin, this.#parts.clock.now() - this.#parts.slackMs);
  }

  /** The state refused it, which is right where the step says `refused: true`. */
  refused(step: StepFrame, { refused, code }: ApiRefusal, begin: Instant): Instant {
    if (!step.refused) return this.refuse(step, `refused: ${refused}`, code, begin);
    this.#parts.telling.log({ k: 'refused', line: step.line, d: { code } });
    return this.actedAt(begin);
  }

  refuse(step: StepFrame, why: string, code: string, begin: Instant): Instant {
    this.#parts.telling.log({ k: 'refused', line: step.line, d: { code } });
    this.fail(step, why);
    return this.actedAt(begin);
  }

  /** It was done, which is wrong where the step says `refused: true`. */
  sayDone(step: StepFrame): void {
    if (step.refused) this.fail(step, 'It was done, though the step says refused: true.');
  }

  fail(step: StepFrame, why: string): void {
    const { telling, clock } = this.#parts;
    const atMs = clock.now() - telling.start;
    telling.notice({ kind: 'step-refused', line: step.line, atMs, text: step.text, detail: why });
    telling.fail(step, why);
  }
}
