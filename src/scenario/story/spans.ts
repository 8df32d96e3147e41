/** Draws values from the ranges beside steps (`after: 1s..3s`, `times: 2..5`) each time a step begins. */
import { type DrawStreams, drawStreams, type MsSpan } from './draws.ts';
import type { RepeatCount, StepFrame } from './story.ts';

export class SpanDraws {
  readonly stream: DrawStreams;

  constructor(seed: string) {
    this.stream = drawStreams(seed);
  }

  /** In ms. Each line has its own stream, so parallel steps do not affect each other's draws. */
  ms(span: MsSpan, step: Pick<StepFrame, 'line'>, what: string): number {
    return typeof span === 'number' ? span : this.#drawn(span, step, what);
  }

  times(count: RepeatCount, step: Pick<StepFrame, 'line'>): number {
    return typeof count === 'number' ? count : this.#drawn(count, step, 'times');
  }

  #drawn({ min, max }: { min: number; max: number }, { line }: Pick<StepFrame, 'line'>, what: string): number {
    return this.stream(`line ${line}`, what).int(min, max);
  }
}
