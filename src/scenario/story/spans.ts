/** Turns the ranges that stand beside steps (`after: 1s..3s`, `times: 2..5`) into values, each time that a step begins. */
import { type DrawStreams, drawStreams, type MsSpan } from './draws.ts';
import type { RepeatCount, StepFrame } from './story.ts';

/** The draws of one run. */
export class SpanDraws {
  readonly stream: DrawStreams;

  constructor(seed: string) {
    this.stream = drawStreams(seed);
  }

  /** Ms. Each line draws from a stream of its own, so that steps side by side cannot take each other's draws. */
  ms(span: MsSpan, step: Pick<StepFrame, 'line'>, what: string): number {
    return typeof span === 'number' ? span : this.#drawn(span, step, what);
  }

  /** How often. */
  times(count: RepeatCount, step: Pick<StepFrame, 'line'>): number {
    return typeof count === 'number' ? count : this.#drawn(count, step, 'times');
  }

  #drawn({ min, max }: { min: number; max: number }, { line }: Pick<StepFrame, 'line'>, what: string): number {
    return this.stream(`line ${line}`, what).int(min, max);
  }
}
