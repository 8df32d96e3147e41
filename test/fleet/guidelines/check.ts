/** One test of a published guideline: what it asks, and what the walking people of the fleet do. */

export interface GuidelineCheck {
  /** As the guideline numbers it. */
  readonly id: string;
  readonly what: string;
  /** The published limit. */
  readonly criterion: string;
  /** `input`: the test looks for what was put in, so it checks the code and not the model. */
  readonly checks: 'behaviour' | 'input';
  play(seed: string): Outcome;
}

export interface Outcome {
  readonly met: boolean;
  readonly result: string;
}

export const SEEDS = ['1', '2', '3'] as const;

export const seconds = (s: number): string => `${s.toFixed(1)} s`;
