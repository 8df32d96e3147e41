/** A person's real activity, to check what their watch reported. */
import type { Instant } from '../../base/time/clock.ts';
import type { Evacuation } from './muster/evacuation.ts';
import type { People, StuckBy } from './people.ts';

export type Activity =
  | 'standing'
  | 'walking'
  | 'driving'
  | 'climbing'
  | 'working'
  | 'parked'
  | 'on_break'
  | 'charging'
  | 'off_shift'
  | 'evacuating'
  | 'helping'
  | StuckBy
  | 'at_point';

/** The activity as of the second up to which people were simulated. */
export function activityOf(people: People, evacuation: Evacuation, i: number, now: Instant): Activity {
  const stuck = people.stuck.why(i);
  if (stuck !== null) return stuck;
  const mustered = people.phaseOf(i) === 'muster' ? evacuation.activityOf(i) : null;
  if (mustered !== null && people.routes[i] === null) return mustered;
  if (people.phaseOf(i) === 'docked') return now >= people.shiftEndsAt[i]! ? 'off_shift' : 'charging';
  if (people.height[i] !== people.climbTo[i]) return 'climbing';
  if (people.routes[i] !== null) return people.aboard[i] === 1 ? 'driving' : 'walking';
  switch (people.phaseOf(i)) {
    case 'break':
      return 'on_break';
    case 'work':
      return people.aboard[i] === 1 ? 'parked' : 'working';
    default:
      return 'standing';
  }
}
