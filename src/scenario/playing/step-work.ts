/** Shared by steps that act: performs real work while time is held, and reports the outcome. */
import { Outage } from '../../base/assert.ts';
import { CLOCK_END, type Clock, type Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { ApiRefusal } from '../customer/customer.ts';
import { unnamedText } from '../judging/failure-text.ts';
import type { RunReporter } from '../judging/run-reporter.ts';
import type { NameScope, StepTrack } from '../judging/track.ts';
import { parsedReference, REFERENCES_IN_TEXT, type Reference } from '../model/references.ts';
import type { ScenarioStep, StepFrame } from '../model/scenario.ts';

interface StepWorkParts {
  readonly clock: Clock;
  readonly reporter: RunReporter;
  /** Tolerance for replies where time is live; simulated ms. */
  readonly slackMs: number;
  turn(due: Instant): Promise<void>;
  /** Called when a step with `refused: true` was refused. */
  onPassed(): void;
}

export class StepWork {
  readonly #parts: StepWorkParts;
  /** In lock-step, work is serialised, so that replies have a fixed order. */
  #before: Promise<void> = Promise.resolve();

  constructor(parts: StepWorkParts) {
    this.#parts = parts;
  }

  /** Holds time during real work, and returns once its immediate effects are done. */
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

  /** Returns the end of an action, without the wall time of its reply. */
  actedAt(begin: Instant): Instant {
    return Math.max(begin, this.#parts.clock.now() - this.#parts.slackMs);
  }

  /**
   * Called if a name that the step uses has no value: the step is skipped if the step that binds the name failed;
   * otherwise it fails.
   */
  unnamed(step: StepFrame, missing: Reference, { names }: StepTrack, begin: Instant): Instant {
    const { reporter } = this.#parts;
    const cause = names.causeOf(missing.name);
    if (cause === null) return this.refuse(step, unnamedText(missing), 'no_name', names, begin);
    reporter.skip(step, missing, cause);
    if (step.as !== null) names.setUnbound(step.as, cause);
    return begin;
  }

  /** Called if the step was rejected, which is a failure unless the step has `refused: true`. */
  refused(step: StepFrame, { refused, code }: ApiRefusal, { names }: StepTrack, begin: Instant): Instant {
    if (!step.refused) return this.refuse(step, `refused: ${refused}`, code, names, begin);
    const { reporter, clock, onPassed } = this.#parts;
    reporter.log({ k: 'refused', line: step.line, d: { code } });
    onPassed();
    const text = `${step.text} is refused: ${refused}`;
    reporter.notice({
      kind: 'expectation-passed',
      line: step.line,
      atMs: clock.now() - reporter.start,
      waitedMs: 0,
      text,
    });
    return this.actedAt(begin);
  }

  refuse(step: StepFrame, why: string, code: string, names: NameScope, begin: Instant): Instant {
    // Only a refusal that is a failure has the text of its step: a step with `refused: true` is a check that held.
    this.#parts.reporter.log({ k: 'refused', line: step.line, d: { code, check: step.text } });
    if (step.as !== null) names.setUnbound(step.as, step);
    this.fail(step, why);
    return this.actedAt(begin);
  }

  /** Called if the step succeeded, which is a failure if the step has `refused: true`. */
  succeeded(step: StepFrame): void {
    if (!step.refused) return;
    this.#parts.reporter.log({
      k: 'expect',
      line: step.line,
      d: { verdict: 'failed', fault: 'done', check: step.text },
    });
    this.fail(step, 'It was done, though the step says refused: true.');
  }

  fail(step: StepFrame, why: string): void {
    const { reporter, clock } = this.#parts;
    const atMs = clock.now() - reporter.start;
    reporter.notice({ kind: 'step-refused', line: step.line, atMs, text: step.text, detail: why });
    reporter.failStep(step, { cut: why, whole: why, rows: [] });
  }
}

/** Returns true if the step will be skipped, because it needs a name that a failed step should have bound. */
export function isUnplayable(step: ScenarioStep, { names }: StepTrack): boolean {
  const isLost = (name: string) => names.get(name) === undefined && names.causeOf(name) !== null;
  switch (step.kind) {
    case 'action':
      return Object.values(step.fields).some((field) => field.kind === 'reference' && isLost(field.reference.name));
    case 'update':
      return step.alerts.every(({ name }) => isLost(name));
    case 'api': {
      const texts = JSON.stringify([step.path, step.query, step.body]).match(REFERENCES_IN_TEXT) ?? [];
      return texts.some((text) => isLost(parsedReference(text)?.name ?? ''));
    }
    default:
      return false;
  }
}

/** A wait beyond the end of simulated time would never end, so it is an error. */
export function beyondTime(after: StepFrame | null): Outage {
  const where = after === null ? '' : ` after line ${after.line}`;
  return new Outage({
    code: 'beyond_time',
    message: `The scenario leads beyond ${formatInstant(CLOCK_END)}${where}, where simulated time ends.`,
    fix: 'Write a shorter duration.',
    exitCode: 2,
  });
}

/** The steps with those of groups, repetitions and macros instead of these. */
const innerSteps = (steps: readonly ScenarioStep[]): ScenarioStep[] =>
  steps.flatMap((step) =>
    step.kind === 'together' || step.kind === 'repeat' || step.kind === 'do' ? innerSteps(step.steps) : [step],
  );

/**
 * Skips the steps behind a failed `wait_for`. What they would have bound has no value, so steps of `finally` that use
 * these names are skipped too.
 */
export function skipBehind(steps: readonly ScenarioStep[], { names }: StepTrack, reporter: RunReporter): void {
  const cause = reporter.stoppedBy;
  if (cause === null) return;
  for (const { as } of [...steps, ...innerSteps(steps)]) if (as !== null) names.setUnbound(as, cause);
  reporter.skipBehind(innerSteps(steps));
}
