/** The steps of a run with their beginning and end. */
import type { ReportStep, RunReport } from '../report-data.ts';

export interface TimedStep extends ReportStep {
  readonly beganMs: number;
  /** The result of a check; for an action the start of the next step. */
  readonly endMs: number;
}

export function timedSteps({ steps, result }: Pick<RunReport, 'steps' | 'result'>): TimedStep[] {
  const begun = steps.map((step) => step.t - step.waitedMs);
  return steps.map((step, place) => {
    const beganMs = begun[place] as number;
    if (step.kind !== 'step') return { ...step, beganMs, endMs: step.t };
    const next = begun.slice(place + 1).find((t) => t >= beganMs);
    return { ...step, beganMs, endMs: next ?? result.simulatedMs };
  });
}
