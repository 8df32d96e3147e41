/** One person's part in a muster: what they are at, where they go, and what they press on their watch. */
import type { Instant } from '../../base/clock.ts';
import type { Point } from '../../base/geometry.ts';
import type { HelpReason } from '../../contract/enumerations.ts';
import type { GatheringPoint } from './gatherings.ts';
import type { Temper } from './muster-knobs.ts';

/** What somebody presses on their watch. */
export type Press =
  | { readonly kind: 'help'; readonly reason: HelpReason }
  | { readonly kind: 'declare'; readonly pointId: string };

/**
 * `starts`: they have heard, and finish what they are at; `calls`: they cannot move, and are about to say so; `stuck`: they
 * have said it; `to-help`, `helps`: with somebody else first; `drives`, `goes`: on the way; `lost`: there is no way;
 * `there`: at a point; `fetches`: back for their tools; `over`: the muster has ended, and they are about to go back.
 */
export type Stage =
  | 'starts'
  | 'calls'
  | 'stuck'
  | 'to-help'
  | 'helps'
  | 'drives'
  | 'goes'
  | 'lost'
  | 'there'
  | 'fetches'
  | 'over';

/** One person's part in the muster. */
export interface Part {
  readonly temper: Temper;
  /** Where they were at the alarm. */
  readonly from: Point;
  readonly fromHeightM: number;
  stage: Stage;
  /** Where they go, or are. */
  point: GatheringPoint | null;
  /** Whom they help; -1: nobody who has called. */
  helped: number;
  pace: number;
  declareAt: Instant;
  leaveAt: Instant;
  /** They have been at their tools, or have seen that the point is wrong. */
  corrected: boolean;
}
