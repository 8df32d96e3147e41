/** The number of safe people over time in a snapshot, from the headcounts kept for the after-action report. */
import type { Instant } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { StreamCurve } from '../../../contract/stream.ts';
import { courseOf } from '../../domain/musters/course.ts';
import type { CourseSample } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';

/** More points than a panel or a terminal has columns for a curve; about 12 KB of JSON at most. */
const MOST_POINTS = 200;

/** Every change of the number of safe people, thinned to `MOST_POINTS`. Empty if no headcounts are kept. */
export function curveOf(world: World, musterId: string): StreamCurve {
  const samples = courseOf(world, musterId).flatMap((stretch) => stretch.samples);
  const steps = samples.filter(({ totals }, place) => totals.safe !== samples[place - 1]?.totals.safe);
  const points = thinned(steps).map(({ at, totals }) => ({ at: formatInstant(at), safe: totals.safe }));
  return { muster_id: musterId, points };
}

/** The first sample, and the last of each of equally long intervals. */
function thinned(steps: readonly CourseSample[]): readonly CourseSample[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || steps.length <= MOST_POINTS) return steps;
  const spanMs = (last.at - first.at + 1) / (MOST_POINTS - 1);
  const spanOf = (at: Instant): number => Math.floor((at - first.at) / spanMs);
  return steps.filter(({ at }, place) => {
    const next = steps[place + 1];
    return place === 0 || next === undefined || spanOf(next.at) !== spanOf(at);
  });
}
