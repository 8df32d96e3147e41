/** What a decision gets beside the world: the time and a way to make ids; nothing else of the outside comes in. */
import type { Instant } from '../base/clock.ts';
import { idFrom } from '../base/ids.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from '../contract/gaps.ts';

export interface Stamp {
  readonly now: Instant;
  /** The same parts give the same id: ids follow from what happened, so a replay makes the same ones. */
  id(...parts: (string | number)[]): string;
  /** Which reading of the points that the specification leaves open. */
  readonly assumptions: Assumptions;
  /** Silence counts from the later of the last contact and this. [decisions 9, a restart] */
  readonly serviceStartedAt: Instant;
}

/** `salt` tells one run's ids from another's: the seed where one was asked for, else drawn once per data folder. */
export const stampAt = (
  now: Instant,
  salt: string,
  assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
  serviceStartedAt: Instant = 0,
): Stamp => ({
  now,
  id: (...parts) => idFrom(salt, ...parts),
  assumptions,
  serviceStartedAt,
});
