/** The random parts of a scenario: values that are drawn, and spans of time. */
import type { DurationRange } from '../../base/time/durations.ts';
import type { Path } from '../../plant/mistakes.ts';

/** Milliseconds, or a range from which a value is drawn each time the step begins. */
export type MsSpan = number | DurationRange;

/** A range from which a value is drawn, both ends inclusive. Durations in ms, distances in metres. */
export interface Draw {
  readonly kind: 'duration' | 'number' | 'whole';
  readonly min: number;
  readonly max: number;
  /** Decimal places of a drawn number. */
  readonly decimals: number;
}

/** A draw and its path within the value of a field. */
export interface PlacedDraw {
  readonly path: Path;
  readonly draw: Draw;
}
