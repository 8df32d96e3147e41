/** One person in a muster: the current task, the destination, and what happens with the watch. */

import type { Point } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type { HelpReason } from '../../../contract/enumerations.ts';
import type { GatheringPoint } from './gatherings.ts';
import type { Temper } from './muster-knobs.ts';

/**
 * What a person does with their watch, or what happens to it. `ifUnseen`: they say where they are only because the watch shows
 * them no position, or no signal. `takes-off`: it stays where it is while they go; `cover-lost`: it has no network until
 * `cover-back`.
 */
export type MusterAct =
  | { readonly kind: 'help'; readonly reason: HelpReason }
  | { readonly kind: 'declare'; readonly pointId: string; readonly ifUnseen: boolean }
  | { readonly kind: 'takes-off' | 'puts-on' | 'cover-lost' | 'cover-back' };

/**
 * `starts`: they have noticed the alarm, and finish what they are at; `calls`: they cannot move, and are about to say so; `stuck`: they
 * cannot move, and wait to be freed; `to-help`, `helps`: with another person first; `drives`, `goes`: on the way; `lost`: there is no way;
 * `there`: at a point; `fetches`: back for their tools; `over`: the muster has ended, and they are about to go back;
 * `to-watch`: first to the watch that they had left behind.
 */
export const STAGES = [
  'starts',
  'calls',
  'stuck',
  'to-help',
  'helps',
  'drives',
  'goes',
  'lost',
  'there',
  'fetches',
  'over',
  'to-watch',
] as const;
export type Stage = (typeof STAGES)[number];

/** One person's part in the muster. */
export interface MusterPart {
  readonly temper: Temper;
  /** Where they were at the alarm. */
  readonly from: Point;
  readonly fromHeightM: number;
  stage: Stage;
  /** Where they go, or are. */
  point: GatheringPoint | null;
  /** The person they help; -1: none that has called. */
  helped: number;
  pace: number;
  declareAt: Instant;
  leaveAt: Instant;
  /** They have been at their tools, or have seen that the point is wrong. */
  corrected: boolean;
}
