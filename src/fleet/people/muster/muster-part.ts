/** One person in a muster: the current task, the destination, and what happens with the watch. */

import type { Point } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type { HelpReason } from '../../../contract/enumerations.ts';
import type { GatheringPoint } from './gatherings.ts';
import type { Temper } from './muster-knobs.ts';

/**
 * What a person does with their watch, or what happens to it.
 * - `declare` with `ifUnseen`: they declare only if the watch shows no position, or has no signal.
 * - `takes-off`: the watch stays where it is while they go.
 * - `cover-lost`: the watch has no network until `cover-back`.
 */
export type MusterAct =
  | { readonly kind: 'help'; readonly reason: HelpReason }
  | { readonly kind: 'declare'; readonly pointId: string; readonly ifUnseen: boolean }
  | { readonly kind: 'takes-off' | 'puts-on' | 'cover-lost' | 'cover-back' };

/**
 * The stages of a person in a muster:
 * - `starts`: they have noticed the alarm, and finish their activity.
 * - `calls`: they cannot move, and will call for help.
 * - `stuck`: they cannot move, and wait to be freed.
 * - `to-help`, `helps`: they are on the way to another person, or with them.
 * - `drives`, `goes`: they are on the way to a point.
 * - `lost`: there is no way.
 * - `there`: they are at a point.
 * - `fetches`: they go back for their tools.
 * - `over`: the muster has ended, and they will go back.
 * - `to-watch`: they first go to the watch that they had left behind.
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
  /** The person's position at the alarm. */
  readonly from: Point;
  readonly fromHeightM: number;
  stage: Stage;
  /** The point to which the person goes, or where they are. */
  point: GatheringPoint | null;
  /** The index of the person whom they help; -1 if there is none. */
  helped: number;
  pace: number;
  declareAt: Instant;
  leaveAt: Instant;
  /** True once they have fetched their tools, or have noticed that the point is wrong. */
  corrected: boolean;
}
